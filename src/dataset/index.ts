/** Labelled sets: made by executing, written and read as Arrow, split by problem, described. */
export { readExamples, writeExamples } from "./examples.ts";
export {
  type Disagreement,
  type Dropped,
  type ExpandOptions,
  type Expansion,
  expandDefaults,
  expandTests,
} from "./expand.ts";
export { type ExpandProblemsOptions, type ExpandProblemsResult, expandProblems } from "./expand-problems.ts";
export { type LabelOptions, type LabelResult, label, type Shard } from "./label.ts";
export type { Counts, Histogram } from "./manifest.ts";
export { type Split, type SplitOptions, splitByProblem, splitDefaults, splitFile, splitOf } from "./split.ts";
export { type Lengths, type Spread, type Stats, stats } from "./stats.ts";
