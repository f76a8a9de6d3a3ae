/** NumPy arrays and pandas data frames as arguments. */
export { arraysOf } from "./arrays.ts";
export { argumentsWithArrays } from "./inputs.ts";
export { ARRAYS_HELPER, arraysSource } from "./source.ts";
export type { Arrays } from "./types.ts";
