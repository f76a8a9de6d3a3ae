/** Scoring: loads a model folder and scores rows, offline. */
export { shortHash } from "../onnx/index.ts";
export {
  applyMap,
  CALIBRATION_FILE,
  Calibration,
  type CalibrationFile,
  type CalibrationMap,
  type CalibrationOptions,
  COVERAGES,
  centralInterval,
  type FormatCalibration,
  type Spread,
} from "./calibration.ts";
export { joinConsensus, type TaskResult } from "./consensus.ts";
export { type ExplainOptions, type Explanation, explain, type LineEffect } from "./explain.ts";
export type { ScorerOptions } from "./load.ts";
export { findModel, PRECISIONS, type Precision } from "./model.ts";
export { type Rank, rank } from "./rank.ts";
export { type ScoreError, type ScoreRow, toScoreRow } from "./rows.ts";
export { CodeScorer, type RowOptions, type ScoreResult } from "./scorer.ts";
export { Summary } from "./summary.ts";
