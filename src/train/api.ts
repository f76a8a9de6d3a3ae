/** The exports of `codescore/train`. Loads TensorFlow.js immediately, after index.ts has checked for it. */
export { DEVICES, openDevice } from "./engine/device.ts";
export { readLog } from "./log.ts";
export { TRAIN_DEFAULTS } from "./options.ts";
export { packRun } from "./pack/pack.ts";
export { PRETRAIN_DEFAULTS } from "./pretrain/options.ts";
export { pretrain } from "./pretrain/pretrain.ts";
export { trainSeeds } from "./seeds.ts";
export { train } from "./train.ts";
