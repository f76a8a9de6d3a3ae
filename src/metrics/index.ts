/** Metrics of text, correlations, pass@k, intervals. Every value equals its reference implementation (see test/metrics). */
export { krippendorffAlpha } from "./agreement.ts";
export { type BleuTokenization, corpusBleu, sentenceBleu } from "./bleu.ts";
export { type BootstrapOptions, bootstrapByCluster, groupRows, type Interval } from "./bootstrap.ts";
export { type CalibrationErrorOptions, equalMass, expectedCalibrationError } from "./calibration.ts";
export { byDoubt, decisionThreshold, doubt, MIDDLE } from "./cascade.ts";
export { type ChrfOptions, corpusChrf, sentenceChrf } from "./chrf.ts";
export {
  bestThreshold,
  countDetections,
  type Detection,
  type DetectionCounts,
  detection,
  detectionOfCounts,
  passAtK,
  type RocPoint,
  rocAuc,
  rocAucOfRows,
  rocCurve,
} from "./classification.ts";
export {
  type CodeBleu,
  type CodeBleuOptions,
  loadCodeBleu,
  type ScoreCodeBleu,
} from "./codebleu/index.ts";
export { clusterQuantile } from "./conformal.ts";
export { type ConsensusOptions, consensus } from "./consensus.ts";
export {
  kendallTauB,
  kendallTauBOfRows,
  meanAbsoluteError,
  type OfRows,
  pearson,
  pearsonOfRows,
  spearman,
  spearmanOfRows,
} from "./correlation.ts";
export { type Find, type Finding, loadFindings } from "./findings.ts";
export { isotonic, isotonicKnots, type Knots, plattSigmoid, type Sigmoid } from "./monotone.ts";
export { pearsonInterval, permutationP } from "./permutation.ts";
export type { Numbers } from "./ranks.ts";
export { exactMatch, getMetric, metricNames, metricNeeds, scorePairs } from "./registry.ts";
export { bestOf, bottomOfTasks, topOfTasks } from "./selection.ts";
export { type SignedRank, signedRank } from "./signed-rank.ts";
export { tokenize13a, tokenizeCode } from "./text.ts";
export {
  type BatchMetric,
  LANGUAGES,
  type Language,
  type Metric,
  type MetricOptions,
  type Pair,
  type TextMetric,
} from "./types.ts";
export {
  mean,
  meanOfDefined,
  orNull,
  taskAucs,
  taskSpearmans,
  withinTaskAuc,
} from "./within.ts";
