/** Trains several runs that differ only in their seed, and measures how much their dev figures vary (Dong et al. 2023 report means). */
import { join } from "node:path";
import { sampleStandardDeviation } from "simple-statistics";
import { CodescoreError } from "../errors.ts";
import { mean } from "../statistics/index.ts";
import { writeAtomic } from "../util/files.ts";
import { DEV_FIGURES, type DevResult } from "./develop.ts";
import type { TrainOptions } from "./options.ts";
import type { TrainResult } from "./run.ts";
import { train } from "./train.ts";

export interface SeedRun extends Pick<TrainResult, "out" | "steps" | "best" | "bestStep"> {
  readonly seed: number;
}

export interface Spread {
  /** Null unless every seed has the figure. */
  readonly mean: number | null;
  /** Sample standard deviation (n - 1). Also null with one seed. */
  readonly deviation: number | null;
}

export interface SeedsResult {
  readonly runs: readonly SeedRun[];
  /** Statistics over the best step of each seed. */
  readonly dev: Readonly<Record<(typeof DEV_FIGURES)[number], Spread>>;
  /** The run with the highest r_s on dev. Null if no seed has one. */
  readonly best: Pick<SeedRun, "seed" | "out"> | null;
}

/**
 * Trains a model for each seed in `seed-N` below `options.out` and writes `seeds.json` there. Called again, it continues: finished runs are
 * not repeated. Throws `CodescoreError("usage")` unless the seeds are distinct integers of at least 0.
 */
export async function trainSeeds(options: Omit<TrainOptions, "seed">, seeds: readonly number[]): Promise<SeedsResult> {
  const distinct = new Set(seeds).size === seeds.length && seeds.length > 0;
  if (!distinct || !seeds.every((seed) => Number.isInteger(seed) && seed >= 0)) {
    throw new CodescoreError(
      "usage",
      `Expected \`seeds\` to be distinct integers of at least 0, got ${seeds.join(",")}`,
    );
  }
  const runs: SeedRun[] = [];
  for (const seed of seeds) {
    const { out, steps, best, bestStep } = await train({ ...options, out: join(options.out, `seed-${seed}`), seed });
    runs.push({ seed, out, steps, best, bestStep });
  }
  const result = summarise(runs);
  await writeAtomic(join(options.out, "seeds.json"), `${JSON.stringify(result, null, 2)}\n`);
  return result;
}

export function summarise(runs: readonly SeedRun[]): SeedsResult {
  const spread = (name: keyof DevResult): Spread => {
    const values = runs.flatMap(({ best }) => best?.[name] ?? []);
    if (values.length < runs.length) return { mean: null, deviation: null };
    return { mean: mean(values), deviation: values.length < 2 ? null : sampleStandardDeviation(values) };
  };
  const score = ({ best }: SeedRun): number => best?.spearman ?? Number.NEGATIVE_INFINITY;
  const best = runs.reduce((a, b) => (score(b) > score(a) ? b : a));
  return {
    runs,
    dev: Object.fromEntries(DEV_FIGURES.map((name) => [name, spread(name)])) as SeedsResult["dev"],
    best: Number.isFinite(score(best)) ? { seed: best.seed, out: best.out } : null,
  };
}
