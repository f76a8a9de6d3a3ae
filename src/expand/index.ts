/**
 * Proposes new test inputs; never runs code. Type-aware mutation and generation (`Proposer`), the prompt for a language model's inputs
 * and the parsing of its answer (`seedPrompt`, `readSeeds`), and conditions that explain failures (`Precondition`).
 */
export {
  annotationsOf,
  isMatrix,
  isVague,
  type Parameter,
  parameterNames,
  readSignature,
  readVariadic,
  withAnnotations,
} from "./annotations.ts";
export { existing, isStamp } from "./calendar.ts";
export { contractPrompt, readContract } from "./contract.ts";
export { atConstants, withOptions } from "./directed.ts";
export { newValues, sameLayout } from "./generate.ts";
export { constantsIn, withoutPatterns } from "./ingredients.ts";
export { type ReadSeeds, readSeeds, seedPrompt } from "./llm.ts";
export { aligned, parallelParameters } from "./parallel.ts";
export type { Precondition } from "./preconditions.ts";
export { Proposer } from "./proposer.ts";
export { withRepeats } from "./repeats.ts";
export { compare, itemsOf, lengthOf, numberOf, type Shape } from "./shape.ts";
