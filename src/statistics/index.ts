/** Statistics: correlation, intervals, tests, calibration. Every value equals its reference implementation (see test/statistics). */
export { krippendorffAlpha } from "./agreement.ts";
export { type BootstrapOptions, bootstrapByCluster, groupRows, type Interval } from "./bootstrap.ts";
export { type CalibrationErrorOptions, equalMass, expectedCalibrationError } from "./calibration.ts";
export { byDoubt, decisionThreshold, doubt, MIDDLE } from "./cascade.ts";
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
export { clusterQuantile } from "./conformal.ts";
export {
  type Concordance,
  concordance,
  kendallTauB,
  kendallTauBOfRows,
  meanAbsoluteError,
  type OfRows,
  pearson,
  pearsonOfRows,
  spearman,
  spearmanOfRows,
} from "./correlation.ts";
export { isotonic, isotonicKnots, type Knots, plattSigmoid, type Sigmoid } from "./monotone.ts";
export { pearsonInterval, permutationP } from "./permutation.ts";
export type { Numbers } from "./ranks.ts";
export { bestOf, bottomOfTasks, topOfTasks } from "./selection.ts";
export { type SignedRank, signedRank } from "./signed-rank.ts";
export {
  mean,
  meanOfDefined,
  orNull,
  taskAucs,
  taskSpearmans,
  withinTaskAuc,
} from "./within.ts";
