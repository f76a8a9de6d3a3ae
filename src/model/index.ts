export {
  checkConfig,
  configOfSize,
  IMPORTED,
  type ModelConfig,
  readConfig,
  SIZES,
  type SizeName,
  type UniceConfig,
} from "./config.ts";
export { type ImportResult, importEncoder } from "./import.ts";
export { type NetworkOutput, network } from "./network.ts";
export type { Ops } from "./ops.ts";
export { initialise, type ParameterSpec, parameterSpecs, type Tensor, type Tensors } from "./parameters.ts";
export { readSafetensors, writeSafetensors } from "./safetensors.ts";
export { sparsemaxOf } from "./sparsemax.ts";
