/**
 * Training: `codescore/train`. Needs `@tensorflow/tfjs` and one of its engines, which scoring never loads. Importing this module throws
 * `CodescoreError("environment")` if they are absent. The import is dynamic because a static one would fail before any line of ours runs.
 */
import { loadPackage } from "./engine/package.ts";

export type { DevResult } from "./develop.ts";
export type { Device, OpenedDevice } from "./engine/device.ts";
export type { Speed } from "./flops.ts";
export type { LogLine } from "./log.ts";
export type { TrainOptions } from "./options.ts";
export type { PackOptions, PackResult } from "./pack/pack.ts";
export type { PretrainOptions } from "./pretrain/options.ts";
export type { PretrainResult } from "./pretrain/pretrain.ts";
export type { MlmDev, MlmLogLine } from "./pretrain/step.ts";
export type { TrainResult } from "./run.ts";
export type { SeedRun, SeedsResult, Spread } from "./seeds.ts";

await loadPackage("@tensorflow/tfjs", () => import("@tensorflow/tfjs"));

export const { DEVICES, openDevice, packRun, PRETRAIN_DEFAULTS, pretrain, readLog, TRAIN_DEFAULTS, train, trainSeeds } =
  await import("./api.ts");
