/** Scoring: loads a model folder and scores rows, offline. */
export { shortHash } from "../onnx/index.ts";
export { type BehaviourSimilarity, behaviourSimilarity } from "./behaviour-similarity.ts";
export {
  applyMap,
  CALIBRATION_FILE,
  Calibration,
  type CalibrationFile,
  type CalibrationMap,
  type CalibrationOptions,
  COVERAGES,
  type FormatCalibration,
  intervalAt,
  readCalibrationFile,
  type Spread,
} from "./calibration.ts";
export { CONCLUSIONS, isResemblance } from "./conclusion.ts";
export { joinConsensus, type TaskResult } from "./consensus.ts";
export type { Difference, SourceLine } from "./differences.ts";
export {
  type Dissect,
  type Dissected,
  dissect,
  type ExplainOptions,
  type Explanation,
  explain,
  type LineEffect,
} from "./explain.ts";
export { brokenRow, type InputRow, toInputRow } from "./input-rows.ts";
export { type PassRatios, STEPS } from "./intervals.ts";
export {
  type EvidenceGroup,
  FEATURES,
  featuresOf,
  GROUPS,
  groupOf,
  type JoinedFile,
  reachOf,
  type Shown,
  scoreOf,
  spreadFeatures,
  TELLING_GROUPS,
} from "./joined.ts";
export type { ScorerOptions } from "./load.ts";
export { joinMissing, lacksModule } from "./missing.ts";
export { findModel, PRECISIONS, type Precision } from "./model.ts";
export { type ExplainedResult, type OutputRow, outputObject } from "./output-row.ts";
export { type Rank, rank } from "./rank.ts";
export {
  isEntryPoint,
  MOST_ENTRY_CHARS,
  type ScoreError,
  type ScoreResult,
  type ScoreRow,
  toScoreRow,
  wrongEntryPoint,
} from "./rows.ts";
export { MOST_INPUTS, RUN_DEFAULTS, RunningScorer, type RunOptions } from "./run.ts";
export { concludedByRun } from "./run-conclusion.ts";
export { type Checked, observeTask, type TextScorer, withReason } from "./run-task.ts";
export { type RowsOptions, scoreRows } from "./score-rows.ts";
export { CodeScorer, type RowOptions } from "./scorer.ts";
export { BestSummary, Summary } from "./summary.ts";
