/**
 * The numbers of a round trip: RTC, lift, shares above a threshold, and how far two similarities agree.
 * RTC_sim(x) is the mean over forward samples of the mean over backward samples of sim (Allamanis et al. 2024, eq. 1);
 * the lift is that less the mean for the uninformative description (section 2). Missing values are left out.
 */
import { bootstrapByCluster, spearman } from "../metrics/index.ts";

/** The value of one candidate that came back; `forward` is null for the baseline. */
export interface TripValue {
  readonly task: string;
  readonly forward: number | null;
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
  const forward = means(
    values.filter((v) => v.forward !== null),
    (v) => JSON.stringify([v.task, v.forward]),
    (v) => v.value,
  );
  return means(
    [...forward],
    ([key]) => (JSON.parse(key) as [string])[0],
    ([, value]) => value,
  );
}

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
export function estimate(byProblem: ReadonlyMap<string, number>, seed: number): Estimate | null {
  if (byProblem.size === 0) return null;
  const values = [...byProblem.values()];
  const statistic = (rows: Int32Array): number => rows.reduce((sum, row) => sum + values[row]!, 0) / rows.length;
  const { estimate: value, low, high } = bootstrapByCluster([...byProblem.keys()], statistic, { seed });
  return { value, interval: Number.isNaN(low) ? null : [low, high], problems: values.length };
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
