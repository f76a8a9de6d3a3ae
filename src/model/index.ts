export { architectureOf, encoderShape } from "./architectures/index.ts";
export {
  checkConfig,
  configOfSize,
  encodeOptions,
  type ModelConfig,
  readConfig,
  readNewConfig,
  readScorerConfig,
  readUniceConfig,
  type ScorerConfig,
  SIZES,
  type SizeName,
} from "./config.ts";
export { coverLevelsOf } from "./cover.ts";
export { encoderFolder, type HubOptions } from "./hub.ts";
export { type ImportOptions, type ImportResult, importEncoder, underOurNames } from "./import.ts";
export { encode, type NetworkInput, type NetworkOutput, network } from "./network.ts";
export { toHalf } from "./numbers.ts";
export type { Ops, Span } from "./ops.ts";
export { initialise, type ParameterSpec, parameterSpecs, type Tensor, type Tensors } from "./parameters.ts";
export { readPytorch } from "./pytorch.ts";
export { readSafetensors, writeSafetensors } from "./safetensors.ts";
export { sparsemaxOf } from "./sparsemax.ts";
export type { TrainingSummary } from "./training-summary.ts";
export { checkUnice, IMPORTED, type UniceConfig, usesNetwork } from "./unice.ts";
