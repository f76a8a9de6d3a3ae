/**
 * The numbers of a round trip: RTC, lift, shares above a threshold, and how far two similarities agree.
 * RTC_sim(x) is the mean over forward samples of the mean over backward samples of sim (Allamanis et al. 2024, eq. 1);
 * the lift is that less the mean for the uninformative description (section 2). Missing values are left out.
 */
import { sampleVariance } from "simple-statistics";
import { bootstrapByCluster, groupRows, mean, spearman } from "../../statistics/index.ts";

/** The value of one candidate that came back; `forward` is null for the baseline. */
export interface TripValue {
  readonly task: string;
  readonly forward: number | null;
  /** Which of the repeated runs it belongs to. @default 0 */
  readonly repeat?: number;
  readonly value: number | null;
}

export interface Estimate {
  readonly value: number;
  /** 95% percentile bootstrap over problems; null with fewer than two. */
  readonly interval: readonly [number, number] | null;
  /** Problems that the mean is over. */
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

/** The mean over backward samples of each forward one; `taskOf` tells its problem. */
const rtcByForward = (values: readonly TripValue[]): Map<string, number> =>
  means(
    values.filter((v) => v.forward !== null),
    (v) => JSON.stringify([v.task, v.forward]),
    (v) => v.value,
  );

const taskOf = (key: string): string => (JSON.parse(key) as [string])[0];

/** The mean over backward samples of the uninformative description, of each problem that has a value. */
export const baselineByProblem = (values: readonly TripValue[]): Map<string, number> =>
  means(
    values.filter((v) => v.forward === null),
    (v) => v.task,
    (v) => v.value,
  );

/** RTC less baseline, of the problems that have both. */
export function liftByProblem(values: readonly TripValue[]): Map<string, number> {
  const baseline = baselineByProblem(values);
  return new Map(
    [...rtcByProblem(values)].flatMap(([task, rtc]): [string, number][] => {
      const without = baseline.get(task);
      return without === undefined ? [] : [[task, rtc - without]];
    }),
  );
}

/** Each value as 1 when it reaches the threshold, else 0. */
export const aboveThreshold = (values: readonly TripValue[], threshold: number): TripValue[] =>
  values.map((v) => ({ ...v, value: v.value === null ? null : Number(v.value >= threshold) }));

/** The mean over problems with its interval; null when there is none. */
export const estimate = (byProblem: ReadonlyMap<string, number>, seed: number): Estimate | null =>
  estimateOf(
    [...byProblem].map(([task, value]) => ({ task, value })),
    (rows) => mean(rows.map(({ value }) => value)),
    seed,
  );

/** A statistic of values of which a problem may have several; null when there are none. */
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

/** How far RTC would lie from itself if the same problems went around again. */
export interface Sigma {
  /** Standard deviation of the RTC of one run. */
  readonly value: number;
  /**
   * `repeats`: the sample standard deviation over whole runs, as the paper measures it. `forward samples`: of a single run,
   * estimated from how far the forward samples of each problem lie apart.
   */
  readonly of: "repeats" | "forward samples";
  /** Runs, or problems with two or more forward samples. */
  readonly count: number;
}

/** Allamanis et al. 2024, section 4.1, "Sensitivity of RTC"; null where nothing was drawn twice. */
export const sigma = (values: readonly TripValue[]): Sigma | null => sigmaOfRepeats(values) ?? sigmaOfForward(values);

/** Over the problems that have a value in every repeat, so that a missing one does not pass for chance. */
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
 * A problem's RTC is a mean of F independent samples, whose variance is theirs over F, and RTC a mean over N problems:
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
  /** Null where one of the two does not vary. */
  readonly spearman: number | null;
  /** Of yes and no by the two thresholds; null without them. */
  readonly accuracy: number | null;
  /** Cohen's kappa of the same; null also where chance alone explains everything. */
  readonly kappa: number | null;
}

/** How far two similarities agree on the same samples; null values of either are left out. */
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

/** Cohen 1960: agreement beyond what the two rates of yes would give by chance. */
function cohen(a: readonly boolean[], b: readonly boolean[]): { accuracy: number; kappa: number } {
  const share = (flags: readonly boolean[]): number => flags.filter(Boolean).length / flags.length;
  const accuracy = share(a.map((yes, i) => yes === b[i]));
  const chance = share(a) * share(b) + (1 - share(a)) * (1 - share(b));
  return { accuracy, kappa: (accuracy - chance) / (1 - chance) };
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** The mean of the values that are there, by group, in order of first appearance. */
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
