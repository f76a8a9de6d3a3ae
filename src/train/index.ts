/** Training: `codescore/train`. Needs `@tensorflow/tfjs` and one of its engines, which scoring never loads. */

export type { DevResult } from "./develop.ts";
export { DEVICES, type Device, type OpenedDevice, openDevice } from "./device.ts";
export type { Speed } from "./flops.ts";
export { type LogLine, readLog } from "./log.ts";
export { TRAIN_DEFAULTS, type TrainOptions } from "./options.ts";
export { type PretrainResult, pretrain } from "./pretrain.ts";
export { PRETRAIN_DEFAULTS, type PretrainOptions } from "./pretrain-options.ts";
export type { MlmDev, MlmLogLine } from "./pretrain-step.ts";
export { type SeedRun, type SeedsResult, type Spread, trainSeeds } from "./seeds.ts";
export { type TrainResult, train } from "./train.ts";
