/** Metrics of text, correlations, pass@k, intervals. Every value equals its reference implementation (see test/metrics). */
export { type BleuTokenization, corpusBleu, sentenceBleu } from "./bleu.ts";
export { type BootstrapOptions, bootstrapByCluster, groupRows, type Interval } from "./bootstrap.ts";
export { type CalibrationErrorOptions, equalMass, expectedCalibrationError } from "./calibration.ts";
export { type ChrfOptions, corpusChrf, sentenceChrf } from "./chrf.ts";
export { type Detection, detection, passAtK, type RocPoint, rocAuc, rocCurve } from "./classification.ts";
export { clusterQuantile } from "./conformal.ts";
export { kendallTauB, meanAbsoluteError, pearson, spearman, spearmanOfRows } from "./correlation.ts";
export { isotonic, isotonicKnots, type Knots, plattSigmoid, type Sigmoid } from "./monotone.ts";
export type { Numbers } from "./ranks.ts";
export { exactMatch, getMetric, type Metric, metricNames } from "./registry.ts";
export { tokenize13a, tokenizeCode } from "./text.ts";
export {
  mean,
  meanOfDefined,
  orNull,
  taskAucs,
  taskSpearmans,
  top1,
  withinTaskAuc,
  withinTaskSpearman,
} from "./within.ts";
