/**
 * How far a program agrees with others that were written for the same job: of a model's samples, wrong ones are wrong in many ways and
 * right ones are alike. The expected gain of minimum-Bayes-risk decoding, each sample as likely as the others (Kumar and Byrne 2004,
 * "Minimum Bayes-Risk Decoding for Statistical Machine Translation"; of programs by their outputs Shi et al. 2022, "Natural
 * Language to Code Translation with Execution").
 */
import { setImmediate } from "node:timers/promises";
import { scorePairs } from "./registry.ts";
import type { Metric, Pair } from "./types.ts";

export interface ConsensusOptions {
  /** Others that a program is compared with, at most; each has its own, evenly spread. @default 64 */
  readonly most?: number;
}

/**
 * Of each program the mean of the metric with the others as references, pairs without a value left out; programs that are there
 * twice count twice. NaN where there is no other. In [0, 1] as the metric.
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
    await setImmediate(); // what else this thread has to do need not wait for all of them
  }
  return programs.map((_, i) => {
    const own = values.slice(i * compared, (i + 1) * compared).filter((value) => !Number.isNaN(value));
    return own.reduce((sum, value) => sum + value, 0) / own.length;
  });
}
