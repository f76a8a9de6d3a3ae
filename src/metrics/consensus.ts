/**
 * How well a program agrees with others written for the same task. Of a model's samples, wrong ones are wrong in many ways, but
 * right ones are alike. This is the expected gain of minimum-Bayes-risk decoding, with equal probability for each sample (Kumar
 * and Byrne 2004, "Minimum Bayes-Risk Decoding for Statistical Machine Translation"; for programs, by their outputs: Shi et al.
 * 2022, "Natural Language to Code Translation with Execution").
 */
import { setImmediate } from "node:timers/promises";
import { scorePairs } from "./registry.ts";
import type { Metric, Pair } from "./types.ts";

export interface ConsensusOptions {
  /** Maximum number of others that a program is compared with. Each program has different ones, evenly spread. @default 64 */
  readonly most?: number;
}

/**
 * For each program, the mean of the metric with the others as references. Pairs without a value are left out. Programs that
 * occur twice count twice. NaN if there is no other program. In [0, 1], like the metric.
 */
export async function consensus(
  metric: Metric,
  programs: readonly string[],
  { most = 64 }: ConsensusOptions = {},
): Promise<number[]> {
  const others = programs.length - 1;
  const compared = Math.min(most, others);
  const pairs = programs.map((candidate, i) =>
    Array.from({ length: compared }, (_, k): Pair => {
      const step = 1 + Math.floor((k * others) / compared);
      return { candidate, reference: programs[(i + step) % programs.length]! };
    }),
  );
  const values: number[] = [];
  for (const some of metric.scoreAll ? [pairs.flat()] : pairs) {
    for (const value of await scorePairs(metric, some)) values.push(value);
    await setImmediate(); // lets other work on this thread run in between
  }
  return programs.map((_, i) => {
    const own = values.slice(i * compared, (i + 1) * compared).filter((value) => !Number.isNaN(value));
    return own.reduce((sum, value) => sum + value, 0) / own.length;
  });
}
