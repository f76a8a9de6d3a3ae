/**
 * Behaviour of candidates that have no tests. Inputs are generated from the reference, the description and the candidates themselves.
 * Every candidate runs on them in the sandbox. Its answers are compared with the reference's, with the description's examples and with
 * the other candidates' answers. The result is evidence, never a verdict.
 */
export { isInAnyOrder } from "./any-order.ts";
export { counterexamplesOf } from "./counterexample.ts";
export { Domain } from "./domain.ts";
export { entryOf } from "./entry.ts";
export { type Evidence, evidenceOf } from "./evidence.ts";
export { readExamples } from "./examples.ts";
export type { InputOptions, TaskInputs } from "./inputs.ts";
export { type Observation, type Observed, TaskRun } from "./observe.ts";
export { describeBehaviour, showCounterexample, showValue } from "./show.ts";
export type { Entry, Example, Task } from "./types.ts";
