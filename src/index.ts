/** The library: scoring, metrics and evaluation, round-trip correctness. Training is `codescore/train`. */
export { CodescoreError, type ErrorCode } from "./errors.ts";
export { CodeScorer, type RowOptions, type ScoreError, type ScoreResult, type ScorerOptions } from "./score/index.ts";
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
