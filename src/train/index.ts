/** Training: `codescore/train`. Needs `@tensorflow/tfjs` and one of its engines, which scoring never loads. */

export type { DevResult } from "./develop.ts";
export { DEVICES, type Device, type OpenedDevice, openDevice } from "./device.ts";
export { type LogLine, readLog } from "./log.ts";
export { TRAIN_DEFAULTS, type TrainOptions } from "./options.ts";
export { type TrainResult, train } from "./train.ts";
