/** The learning rate over a run. */

export const SCHEDULES = ["cosine", "linear", "constant", "plateau"] as const;
export type Schedule = (typeof SCHEDULES)[number];

/**
 * Factor on the peak learning rate. `at` is the share of the steps done, in (0, 1]. The factor rises linearly over the warm-up. It then
 * falls to zero along a cosine or a line, or stays 1 (`Plateau` holds the further factor of `plateau`).
 */
export function rateAt(schedule: Schedule, at: number, warmup: number): number {
  if (at < warmup) return at / warmup;
  if (schedule === "cosine") return 0.5 * (1 + Math.cos((Math.PI * (at - warmup)) / (1 - warmup)));
  return schedule === "linear" ? (1 - at) / (1 - warmup) : 1;
}

/** The effect of the evaluations so far on the learning rate. Part of the checkpoint. */
export interface Plateau {
  /** Factor on the learning rate. */
  readonly scale: number;
  /** Evaluations since the best one, or since the last halving. */
  readonly worse: number;
}

export const noPlateau: Plateau = { scale: 1, worse: 0 };

/** Halves the rate after `patience` evaluations without a better one. In PyTorch's ReduceLROnPlateau this is patience - 1. */
export function afterEvaluation({ scale, worse }: Plateau, better: boolean, patience: number): Plateau {
  if (better) return { scale, worse: 0 };
  return worse + 1 < patience ? { scale, worse: worse + 1 } : { scale: scale / 2, worse: 0 };
}
