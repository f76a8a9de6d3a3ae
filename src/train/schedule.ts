/** How the learning rate goes over a run. */

export const SCHEDULES = ["cosine", "linear", "constant", "plateau"] as const;
export type Schedule = (typeof SCHEDULES)[number];

/**
 * The share of the peak learning rate at `at`, the share of the steps in (0, 1]. It rises linearly over the warm-up, then
 * falls to zero along a cosine or a line, or stays (what `plateau` takes off is in `Plateau`).
 */
export function rateAt(schedule: Schedule, at: number, warmup: number): number {
  if (at < warmup) return at / warmup;
  if (schedule === "cosine") return 0.5 * (1 + Math.cos((Math.PI * (at - warmup)) / (1 - warmup)));
  return schedule === "linear" ? (1 - at) / (1 - warmup) : 1;
}

/** What the evaluations so far did to the learning rate; part of the checkpoint. */
export interface Plateau {
  /** The learning rate is taken times this. */
  readonly scale: number;
  /** Evaluations since the best one, or since the last halving. */
  readonly worse: number;
}

export const noPlateau: Plateau = { scale: 1, worse: 0 };

/** Halves the rate after `patience` evaluations without a better one: PyTorch's ReduceLROnPlateau, patience - 1 there. */
export function afterEvaluation({ scale, worse }: Plateau, better: boolean, patience: number): Plateau {
  if (better) return { scale, worse: 0 };
  return worse + 1 < patience ? { scale, worse: worse + 1 } : { scale: scale / 2, worse: 0 };
}
