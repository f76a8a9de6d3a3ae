/**
 * What running candidates shows where there are no tests: inputs are made up from reference, description and the candidates themselves,
 * every candidate runs on them in the sandbox, and its answers are held against the reference's, the description's examples' and the
 * other candidates'. Evidence, never a verdict.
 */
export { counterexamplesOf } from "./counterexample.ts";
export { entryOf } from "./entry.ts";
export { type Evidence, evidenceOf } from "./evidence.ts";
export { readExamples } from "./examples.ts";
export type { InputOptions, TaskInputs } from "./inputs.ts";
export { type Observation, type Observed, TaskRun } from "./observe.ts";
export { describeBehaviour, showCounterexample, showValue } from "./show.ts";
export type { Entry, Example, Task } from "./types.ts";
