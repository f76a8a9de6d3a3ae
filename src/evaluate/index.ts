/** Is a score any good? Correlation tables, comparisons, estimates from few executions, and reports. */
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
export { metricColumn, type RowScorer, readScoreColumn, type ScoreColumn, scorerColumn } from "./columns.ts";
export { type CompareOptions, type Comparison, compare, type Difference } from "./compare.ts";
export { type Draw, drawExecuted } from "./draw.ts";
export { type EstimatedMean, type EstimateOptions, type EstimateResult, estimate } from "./estimate.ts";
export {
  type ColumnResult,
  type EvaluateOptions,
  type EvaluationResult,
  type ExecResult,
  evaluate,
  type LabelSummary,
} from "./evaluate.ts";
export { type Explained, renderExplanations } from "./explain-html.ts";
export type { IntervalResult, ScoreInterval } from "./intervals.ts";
export { readRows, readScoreColumns } from "./load.ts";
export { type EstimateMeanOptions, estimateMean, type MeanEstimate } from "./powered.ts";
export { stripSharedPrompt } from "./prompt.ts";
export { type ReportOptions, type ReportSection, renderReport } from "./report.ts";
export type { CodePair } from "./report-html.ts";
export {
  comparisonTable,
  correlationTable,
  describeRows,
  estimateTable,
  execTable,
  intervalTable,
  toJson,
} from "./results.ts";
export { manifestSection, rtcSection } from "./runs.ts";
export { type Cell, type Table, type TableColumn, toCsv, toMarkdown, toText } from "./tables.ts";
export { renderTraining, trainingSection } from "./training.ts";
export type { Counts } from "./usable.ts";
