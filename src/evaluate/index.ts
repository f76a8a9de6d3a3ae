/** Is a score any good? Correlation tables, comparisons, estimates from few executions, and reports. */

export type { BinaryResult } from "./binary.ts";
export { fitTrees } from "./boost.ts";
export {
  type Calibrated,
  type CalibrationQuality,
  calibrate,
  calibrationTable,
  crossFit,
  fitCalibration,
  type Method,
  type Observation,
} from "./calibrate.ts";
export {
  type CascadeCurve,
  type CascadeOptions,
  type CascadePoint,
  type CascadeResult,
  cascade,
  cascadeTable,
  describeCascade,
  type Policy,
} from "./cascade.ts";
export {
  formatColumns,
  metricColumn,
  type RowScorer,
  readScoreColumn,
  type ScoreColumn,
  scorerColumn,
} from "./columns.ts";
export { type CompareOptions, type Comparison, compare, type Difference } from "./compare.ts";
export { type Draw, drawExecuted } from "./draw.ts";
export { type EstimateOptions, estimate } from "./estimate.ts";
export { type EstimateRtcOptions, estimateRtc, type RoundTrip, readRoundTrips } from "./estimate-rtc.ts";
export type { EstimatedMean, EstimateResult } from "./estimated.ts";
export {
  type Bounds,
  type ColumnResult,
  type EvaluateOptions,
  type EvaluationResult,
  type ExecResult,
  evaluate,
  type LabelSummary,
  type Settings,
} from "./evaluate.ts";
export {
  correlationTable,
  describeRows,
  resultTables,
  TABLE_NAMES,
  type TableName,
} from "./evaluation-tables.ts";
export type { OtherLabels } from "./execution.ts";
export { type Explained, renderExplanations } from "./explain-html.ts";
export type { IntervalResult, ScoreInterval } from "./intervals.ts";
export { toLatex } from "./latex.ts";
export { readExecutions, readRows, readScoreColumns } from "./load.ts";
export type { Measure, OfSize } from "./measure.ts";
export { estimatePassAtK } from "./pass-at-k.ts";
export { type EstimateMeanOptions, estimateMean, type MeanEstimate } from "./powered.ts";
export { stripSharedPrompt } from "./prompt.ts";
export {
  describeRatings,
  type RatingComparison,
  type RatingResult,
  ratingTables,
  summarizeRatings,
} from "./rating.ts";
export { type DrawSheetOptions, drawSheet, type RatingSheet } from "./rating-draw.ts";
export { type RatingKey, ratingCsv, ratingKey, ratingPage } from "./rating-form.ts";
export { type Ratings, readRatingKey, readRatings } from "./rating-read.ts";
export { type Rehearsal, type Rehearsed, type RehearsedMean, rehearsalTable, rehearse } from "./rehearse.ts";
export { FORMATS, type Format, formatOfFile, renderTables } from "./render.ts";
export type { ReportOptions } from "./report.ts";
export { costSection } from "./report-cost.ts";
export type { CodePair } from "./report-html.ts";
export { renderReport, renderSections } from "./report-render.ts";
export type { ReportSection } from "./report-sections.ts";
export { comparisonTable, estimateTable, toJson } from "./results.ts";
export {
  type HarmfulResult,
  type HarmlessResult,
  type RobustnessCard,
  type RobustnessResult,
  robustness,
} from "./robustness.ts";
export {
  makeRobustnessSet,
  type RobustnessCounts,
  type RobustnessRow,
  type RobustnessSet,
  type RobustnessSetOptions,
} from "./robustness-set.ts";
export { describeRobustness, robustnessTables } from "./robustness-tables.ts";
export { manifestSection, rtcSection } from "./runs.ts";
export { SUBSETS, type Subset } from "./subset.ts";
export { writeTables } from "./table-files.ts";
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
} from "./tables.ts";
export { renderTraining, trainingSection } from "./training.ts";
export type { Counts } from "./usable.ts";
