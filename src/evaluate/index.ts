/** Evaluates scores: correlation tables, comparisons, estimates from few executions, calibration, and reports. */

export type { CodePair } from "../report/html.ts";
export { toLatex } from "../report/latex.ts";
export { FORMATS, type Format, formatOfFile, renderTables } from "../report/render.ts";
export { writeTables } from "../report/table-files.ts";
export {
  type Cell,
  type Estimated,
  formatCell,
  type NamedTable,
  type Table,
  type TableColumn,
  toCsv,
  toMarkdown,
  toText,
} from "../report/tables.ts";
export { joinSamples, type KnownSample } from "./estimate/all-samples.ts";
export { readBehaviour } from "./estimate/behaviours.ts";
export {
  type CascadeCurve,
  type CascadeOptions,
  type CascadePoint,
  type CascadeResult,
  cascade,
  cascadeTable,
  describeCascade,
  type Policy,
} from "./estimate/cascade.ts";
export { type Draw, drawExecuted } from "./estimate/draw.ts";
export { type BehaviourLevel, type EstimateOptions, estimate } from "./estimate/estimate.ts";
export { type EstimatedMean, type EstimateResult, fewTasks } from "./estimate/estimated.ts";
export { estimatePassAtK } from "./estimate/pass-at-k.ts";
export {
  type BehaviourValues,
  type EstimateMeanOptions,
  estimateMean,
  type MeanEstimate,
  type MeanEstimates,
} from "./estimate/powered.ts";
export { type Rehearsal, type Rehearsed, type RehearsedMean, rehearsalTable, rehearse } from "./estimate/rehearse.ts";
export { type EstimateRtcOptions, estimateRtc, type RoundTrip, readRoundTrips } from "./estimate/rtc.ts";
export { fitTrees } from "./fit/boost.ts";
export {
  type Calibrated,
  type CalibrationQuality,
  calibrate,
  calibrationTable,
  crossFit,
  type FitOptions,
  fitCalibration,
  LEAST as LEAST_TO_CALIBRATE,
  type Method,
  type Observation,
} from "./fit/calibrate.ts";
export { type BehaviourOptions, behaviourColumn, type RunningRowScorer } from "./measure/behaviour.ts";
export type { BinaryResult } from "./measure/binary.ts";
export type { Bounds, ColumnResult, ExecResult, PassResult, Settings } from "./measure/column.ts";
export {
  formatColumns,
  metricColumn,
  type RowScorer,
  readScoreColumn,
  type ScoreColumn,
  scorerColumn,
} from "./measure/columns.ts";
export { type CompareOptions, type Comparison, compare, type Difference } from "./measure/compare.ts";
export { compareModels, describeModels, type ModelComparison, type ModelDifference } from "./measure/compare-models.ts";
export type { CostCurve, CostStage } from "./measure/cost-curve.ts";
export { describeRows } from "./measure/describe.ts";
export { type EvaluateOptions, type EvaluationResult, evaluate, type LabelSummary } from "./measure/evaluate.ts";
export type { OtherLabels } from "./measure/execution.ts";
export type { IntervalResult, ScoreInterval } from "./measure/intervals.ts";
export { readExecutions, readRows, readScoreColumns } from "./measure/load.ts";
export { type ModelProgram, type ModelPrograms, readModelPrograms } from "./measure/load-models.ts";
export type { Measure, OfSize } from "./measure/measure.ts";
export { isTable, type ModelResult, modelsTable, passAtModels, passLine } from "./measure/models.ts";
export type { NearMissCounts } from "./measure/near-misses.ts";
export { stripSharedPrompt } from "./measure/prompt.ts";
export { runStages, STAGE_INPUTS, type Stage, type Stages, type StagesOptions } from "./measure/stages.ts";
export { SUBSETS, type Subset } from "./measure/subset.ts";
export {
  correlationTable,
  resultTables,
  TABLE_NAMES,
  type TableName,
} from "./measure/tables.ts";
export type { Counts } from "./measure/usable.ts";
export { type DrawSheetOptions, drawSheet, type RatingSheet } from "./rating/draw.ts";
export { type RatingKey, ratingCsv, ratingKey, ratingPage } from "./rating/form.ts";
export {
  describeRatings,
  type RatingComparison,
  type RatingResult,
  ratingTables,
  summarizeRatings,
} from "./rating/rating.ts";
export { type Ratings, readRatingKey, readRatings } from "./rating/read.ts";
export { costSection } from "./report/cost.ts";
export { type Explained, renderExplanations } from "./report/explain-html.ts";
export { renderReport, renderSections } from "./report/render.ts";
export type { ReportOptions } from "./report/report.ts";
export { manifestSection, rtcSection } from "./report/runs.ts";
export type { ReportSection } from "./report/sections.ts";
export { renderTraining, trainingSection } from "./report/training.ts";
export { comparisonTable, estimateTable, toJson } from "./results.ts";
export {
  type HarmfulResult,
  type HarmlessResult,
  type RobustnessCard,
  type RobustnessResult,
  robustness,
} from "./robustness/robustness.ts";
export {
  makeRobustnessSet,
  type RobustnessCounts,
  type RobustnessRow,
  type RobustnessSet,
  type RobustnessSetOptions,
} from "./robustness/set.ts";
export { describeRobustness, robustnessTables } from "./robustness/tables.ts";
