/** The library: scoring, metrics and evaluation, round-trip correctness. Training is `codescore/train`. */
export { CodescoreError, type ErrorCode } from "./errors.ts";
export {
  CodeScorer,
  type ExplainOptions,
  explain,
  type LineEffect,
  type Precision,
  type Rank,
  type RowOptions,
  rank,
  type ScoreError,
  type ScoreResult,
  type ScorerOptions,
  Summary,
} from "./score/index.ts";
export type {
  Execution,
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
