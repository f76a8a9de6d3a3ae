/** Labelled sets: label by executing, read and write, expand and reduce tests, decontaminate, split by problem, describe. */

export {
  type Contamination,
  type Decontaminated,
  type DecontaminateOptions,
  decontaminate,
  type Likeness,
  readNearDuplicates,
} from "./decontaminate.ts";
export type { Defect, Defects, FailingReference } from "./defects.ts";
export { readExamples, writeExamples } from "./examples.ts";
export {
  type ExpandOptions,
  type Expansion,
  type ExpansionReport,
  expandDefaults,
  expandTests,
} from "./expand.ts";
export type { Disagreement, Dropped } from "./expand-judge.ts";
export { type ExpandProblemsOptions, type ExpandProblemsResult, expandProblems } from "./expand-problems.ts";
export { ExpandWorker, expandColumns } from "./expand-worker.ts";
export { exportSet } from "./export.ts";
export { type LabelOptions, type LabelResult, label } from "./label.ts";
export type { InputsFrom } from "./made-up.ts";
export { type Counts, type Histogram, modulesOf, type SourceCard, sourceCard, writeCard } from "./manifest.ts";
export { mergeShards } from "./merge.ts";
export { type LineStep, mergeLines, stepOf } from "./merge-lines.ts";
export { type ModelPasses, PassTally, type TaskPasses } from "./pass-tally.ts";
export { cutOf, inFile, isInShard, type Shard } from "./placed.ts";
export { Positions } from "./positions.ts";
export {
  type Criterion,
  greedyCover,
  type Kept,
  type ReduceOptions,
  type Reduction,
  reduceTests,
} from "./reduce.ts";
export {
  type ReduceProblemsOptions,
  type ReduceProblemsResult,
  type ReductionReport,
  reduceProblems,
} from "./reduce-problems.ts";
export type { LlmSeeds, SeedModel, WrittenContract } from "./seed-model.ts";
export { readShards, type Shards, type ShardsOptions, shardPath, writeShards } from "./shards.ts";
export { type Split, type SplitOptions, splitByProblem, splitDefaults, splitFile, splitOf } from "./split.ts";
export { type Lengths, type Spread, type Stats, stats } from "./stats.ts";
export { type SetTable, setTable } from "./tables.ts";
export { readTiming } from "./timing.ts";
export { LabelWorker, type WorkerOptions, workerColumns } from "./worker.ts";
