/**
 * The statistics of round trips: RTC, lift, shares above a threshold, and the agreement of two similarities. RTC_sim(x) is the
 * mean over forward samples of the mean over backward samples of sim (Allamanis et al. 2024, eq. 1). Lift is RTC minus the mean
 * for the uninformative description (section 2). Missing values are left out.
 */
import { sampleVariance } from "simple-statistics";
import { bootstrapByCluster, groupRows, mean, spearman } from "../../statistics/index.ts";

/** The value of one candidate. `forward` is null for the baseline. */
export interface TripValue {
  readonly task: string;
  readonly forward: number | null;
  /** The repeated run that it belongs to. @default 0 */
  readonly repeat?: number;
  readonly value: number | null;
}

export interface Estimate {
  readonly value: number;
  /** 95% interval by percentile bootstrap over problems. Null with fewer than two problems. */
  readonly interval: readonly [number, number] | null;
  /** Number of problems in the mean. */
  readonly problems: number;
}

/** RTC of each problem that has a value. */
export function rtcByProblem(values: readonly TripValue[]): Map<string, number> {
  return means(
    [...rtcByForward(values)],
    ([key]) => taskOf(key),
    ([, value]) => value,
  );
}

/** For each forward sample: the mean over its backward samples. `taskOf` reads the problem from a key. */
const rtcByForward = (values: readonly TripValue[]): Map<string, number> =>
  means(
    values.filter((v) => v.forward !== null),
    (v) => JSON.stringify([v.task, v.forward]),
    (v) => v.value,
  );

const taskOf = (key: string): string => (JSON.parse(key) as [string])[0];

/** For each problem that has a value: the mean over the backward samples of the uninformative description. */
export const baselineByProblem = (values: readonly TripValue[]): Map<string, number> =>
  means(
    values.filter((v) => v.forward === null),
    (v) => v.task,
    (v) => v.value,
  );

/** RTC minus baseline, for the problems that have both. */
export function liftByProblem(values: readonly TripValue[]): Map<string, number> {
  const baseline = baselineByProblem(values);
  return new Map(
    [...rtcByProblem(values)].flatMap(([task, rtc]): [string, number][] => {
      const without = baseline.get(task);
      return without === undefined ? [] : [[task, rtc - without]];
    }),
  );
}

/** Replaces each value by 1 if it reaches the threshold, otherwise by 0. */
export const aboveThreshold = (values: readonly TripValue[], threshold: number): TripValue[] =>
  values.map((v) => ({ ...v, value: v.value === null ? null : Number(v.value >= threshold) }));

/** The mean over problems with its interval. Null without problems. */
export const estimate = (byProblem: ReadonlyMap<string, number>, seed: number): Estimate | null =>
  estimateOf(
    [...byProblem].map(([task, value]) => ({ task, value })),
    (rows) => mean(rows.map(({ value }) => value)),
    seed,
  );

/** A statistic with its interval. A problem may have several values; the bootstrap draws whole problems. Null without values. */
export function estimateOf<T extends { readonly task: string }>(
  values: readonly T[],
  statistic: (values: readonly T[]) => number,
  seed: number,
): Estimate | null {
  if (values.length === 0) return null;
  const tasks = values.map(({ task }) => task);
  const of = (rows: Int32Array): number => statistic(Array.from(rows, (row) => values[row]!));
  const { estimate: value, low, high } = bootstrapByCluster(tasks, of, { seed });
  return { value, interval: Number.isNaN(low) ? null : [low, high], problems: new Set(tasks).size };
}

/** How much RTC would vary if the same problems were run again. */
export interface Sigma {
  /** Standard deviation of the RTC of one run. */
  readonly value: number;
  /**
   * `repeats`: the sample standard deviation over whole runs, as the paper measures it.
   * `forward samples`: estimated from a single run, from the variance of each problem's forward samples.
   */
  readonly of: "repeats" | "forward samples";
  /** Number of runs, or of problems with two or more forward samples. */
  readonly count: number;
}

/** Allamanis et al. 2024, section 4.1, "Sensitivity of RTC". Null if nothing was sampled twice. */
export const sigma = (values: readonly TripValue[]): Sigma | null => sigmaOfRepeats(values) ?? sigmaOfForward(values);

/** Uses only problems that have a value in every repeat. Otherwise a missing value would count as random variation. */
function sigmaOfRepeats(values: readonly TripValue[]): Sigma | null {
  const runs = [...groupRows(values.map(({ repeat = 0 }) => repeat)).values()].map((rows) =>
    rtcByProblem(rows.map((row) => values[row]!)),
  );
  if (runs.length < 2) return null;
  const shared = [...runs[0]!.keys()].filter((task) => runs.every((run) => run.has(task)));
  if (shared.length === 0) return null;
  const rtcs = runs.map((run) => mean(shared.map((task) => run.get(task)!)));
  return { value: Math.sqrt(sampleVariance(rtcs)), of: "repeats", count: runs.length };
}

/**
 * A problem's RTC is the mean of F_i independent samples, so its variance is s_i^2 / F_i. RTC is the mean over N problems. Hence
 * sigma^2 = sum_i(s_i^2 / F_i) / N^2.
 */
function sigmaOfForward(values: readonly TripValue[]): Sigma | null {
  const forward = [...rtcByForward(values)].map(([key, value]) => ({ task: taskOf(key), value }));
  const variances = [...groupRows(forward.map(({ task }) => task)).values()]
    .filter((rows) => rows.length > 1)
    .map((rows) => sampleVariance(rows.map((row) => forward[row]!.value)) / rows.length);
  const count = variances.length;
  return count === 0 ? null : { value: Math.sqrt(mean(variances) / count), of: "forward samples", count };
}

export interface Agreement {
  readonly pairs: number;
  /** Null if one of the two is constant. */
  readonly spearman: number | null;
  /** Share of samples on which both say yes or both say no, by their thresholds. Null without thresholds. */
  readonly accuracy: number | null;
  /** Cohen's kappa of the same answers. Also null if chance explains all agreement. */
  readonly kappa: number | null;
}

/** How far two similarities agree on the same samples. Samples where either is null are left out. */
export function agreement(
  a: readonly (number | null)[],
  b: readonly (number | null)[],
  thresholds: { readonly a: number | undefined; readonly b: number | undefined },
): Agreement {
  const x: number[] = [];
  const y: number[] = [];
  a.forEach((value, i) => {
    const other = b[i] ?? null;
    if (value === null || other === null) return;
    x.push(value);
    y.push(other);
  });
  const rho = x.length < 2 ? Number.NaN : spearman(x, y);
  const yesNo = { accuracy: Number.NaN, kappa: Number.NaN };
  const { a: ta, b: tb } = thresholds;
  if (ta !== undefined && tb !== undefined && x.length > 0) {
    Object.assign(
      yesNo,
      cohen(
        x.map((v) => v >= ta),
        y.map((v) => v >= tb),
      ),
    );
  }
  return {
    pairs: x.length,
    spearman: orNull(rho),
    accuracy: orNull(yesNo.accuracy),
    kappa: orNull(yesNo.kappa),
  };
}

/** Cohen 1960: agreement beyond what the two rates of yes would produce by chance. */
function cohen(a: readonly boolean[], b: readonly boolean[]): { accuracy: number; kappa: number } {
  const share = (flags: readonly boolean[]): number => flags.filter(Boolean).length / flags.length;
  const accuracy = share(a.map((yes, i) => yes === b[i]));
  const chance = share(a) * share(b) + (1 - share(a)) * (1 - share(b));
  return { accuracy, kappa: (accuracy - chance) / (1 - chance) };
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** The mean of the values that are not null, by group, in order of first appearance. */
function means<T>(
  rows: readonly T[],
  group: (row: T) => string,
  value: (row: T) => number | null,
): Map<string, number> {
  const sums = new Map<string, { sum: number; n: number }>();
  for (const row of rows) {
    const number = value(row);
    if (number === null) continue;
    const so = sums.get(group(row)) ?? { sum: 0, n: 0 };
    sums.set(group(row), { sum: so.sum + number, n: so.n + 1 });
  }
  return new Map([...sums].map(([key, { sum, n }]) => [key, sum / n]));
}
