/**
 * The main entry point of the library: scoring, and the types of problems, labels and scores. Other entry points are
 * `codescore/problems`, `codescore/execute`, `codescore/metrics`, `codescore/evaluate`, `codescore/rtc` and `codescore/train`.
 * Everything else is available as commands only.
 */
export { CodescoreError, type ErrorCode } from "./errors.ts";
export {
  CodeScorer,
  type Difference,
  type ExplainOptions,
  type Explanation,
  explain,
  joinConsensus,
  type LineEffect,
  type Precision,
  type Rank,
  type RowOptions,
  rank,
  type ScoreError,
  type ScoreResult,
  type ScorerOptions,
  type SourceLine,
  Summary,
  type TaskResult,
} from "./score/index.ts";
export type {
  Conclusion,
  Execution,
  Finding,
  InputFormat,
  LabelledRow,
  LabelStatus,
  Outcome,
  Problem,
  Sample,
  Score,
  ScoreInput,
  Similarity,
  SimilarityPair,
  TestCase,
  Verdict,
} from "./types.ts";
