/** UniCE's losses (Dong et al. 2023, section 2.2.2), and a loss on preferences between programs of one problem. */
import * as tf from "@tensorflow/tfjs";
import type { NetworkOutput } from "../model/index.ts";
import type { Example } from "./examples.ts";

/** L_C: mean squared error of the score (the paper), or binary cross-entropy with PassRatio as a soft label. */
export const SCORE_LOSSES = ["mse", "bce"] as const;
export type ScoreLoss = (typeof SCORE_LOSSES)[number];

export interface Targets {
  /** [B], in [0, 1] */
  readonly passRatio: tf.Tensor1D;
  /** [B], 0 or 1, or between them if labels are smoothed */
  readonly executable: tf.Tensor1D;
  /** [B], weight of each row: a row of weight w counts as w rows. */
  readonly weight: tf.Tensor1D;
}

/** L_C. */
export function passRatioLoss(
  { scoreLogit }: NetworkOutput<tf.Tensor>,
  { passRatio, weight }: Targets,
  kind: ScoreLoss = "mse",
): tf.Scalar {
  const losses =
    kind === "mse" ? tf.squaredDifference(tf.sigmoid(scoreLogit), passRatio) : crossEntropy(scoreLogit, passRatio);
  return tf.mean(tf.mul(weight, losses));
}

/** L_E: mean binary cross-entropy of the Exec logit. */
export const execLoss = ({ execLogit }: NetworkOutput<tf.Tensor>, { executable, weight }: Targets): tf.Scalar =>
  tf.mean(tf.mul(weight, crossEntropy(execLogit, executable)));

/** L = L_C + L_E for one input format. L_Uni is the sum over the three. */
export const formatLoss = (output: NetworkOutput<tf.Tensor>, targets: Targets, kind: ScoreLoss = "mse"): tf.Scalar =>
  tf.add(passRatioLoss(output, targets, kind), execLoss(output, targets));

/** Binary cross-entropy of logits z to labels y in [0, 1], elementwise. */
const crossEntropy = (z: tf.Tensor, y: tf.Tensor): tf.Tensor => tf.add(softTail(z), tf.sub(tf.relu(z), tf.mul(z, y)));

/** log(1 + exp(-|z|)): softplus minus relu, in the form that cannot overflow. */
const softTail = (z: tf.Tensor): tf.Tensor => tf.log1p(tf.exp(tf.neg(tf.abs(z))));

/** A label pulled towards 1/2 by the share epsilon (Szegedy et al. 2016, section 7, with two classes). */
export const smooth = (label: number, epsilon: number): number => label * (1 - epsilon) + epsilon / 2;

/** Whether the first program must score above the second. */
export type Preference = (a: Example, b: Example) => boolean;

/** Prefers a program of the same problem with a PassRatio higher by at least `margin`. */
export const passesMore =
  (margin: number): Preference =>
  (a, b) =>
    a.taskId === b.taskId && a.passRatio > b.passRatio && a.passRatio - b.passRatio >= margin - 1e-9;

/**
 * Prefers a rewrite, which keeps the behaviour, to a mutant with a lower PassRatio. Labelled rows do not name the program that they were
 * made from, so the two only have to share the problem. That suffices because all such candidates are made from programs said to be
 * correct.
 */
export const survivesMutation: Preference = (a, b) =>
  a.taskId === b.taskId && a.kind === "rewrite" && b.kind === "mutant" && a.passRatio > b.passRatio;

/**
 * Pairs of rows with a preference: [B x B], row-major. At (i, j) is the weight of the pair in which i must score above j, the product of
 * the rows' weights. All other entries are 0. `pairs` is the number of such pairs.
 */
export function preferencesIn(rows: readonly Example[], prefer: Preference): { counts: Float32Array; pairs: number } {
  const counts = new Float32Array(rows.length ** 2);
  let pairs = 0;
  rows.forEach((a, i) => {
    rows.forEach((b, j) => {
      if (!prefer(a, b)) return;
      counts[i * rows.length + j] = a.weight * b.weight;
      pairs += 1;
    });
  });
  return { counts, pairs };
}

/**
 * The pairwise logistic loss (RankNet, Burges et al. 2005, equation 3 with a certain order): the sum over pairs of counts_ij log(1 +
 * exp(-(s_i - s_j))), where s is the score's logit [B] and counts is [B, B].
 */
export function preferenceLoss({ scoreLogit }: NetworkOutput<tf.Tensor>, counts: tf.Tensor2D): tf.Scalar {
  const behind = tf.sub(tf.expandDims(scoreLogit, 0), tf.expandDims(scoreLogit, 1)); // [i, j]: s_j - s_i
  return tf.sum(tf.mul(counts, tf.add(tf.relu(behind), softTail(behind))));
}
