/**
 * Tests whether longer inputs come back less often. Allamanis et al. 2024, appendix D, Figure 6, compares the mean length in
 * characters of edits that come back with that of edits that do not.
 */
import { mean, orNull, spearman } from "../../statistics/index.ts";
import { rtcByProblem } from "./arithmetic.ts";
import type { SampleRow } from "./rows.ts";

export interface LengthRelation {
  readonly sim: string;
  /** Number of problems whose RTC is above 0, and the mean length of their references in characters. */
  readonly above: number;
  readonly above_characters: number | null;
  /** The same for problems whose RTC is 0. */
  readonly zero: number;
  readonly zero_characters: number | null;
  /** Spearman's r_s of length and RTC. Null if one of the two is constant. */
  readonly spearman: number | null;
}

/** A problem's length in characters, and its RTC by a similarity. */
export interface LengthPoint {
  readonly task: string;
  readonly characters: number;
  readonly rtc: number;
}

export function lengthPoints(rows: readonly SampleRow[], sim: string): LengthPoint[] {
  const rtcs = rtcByProblem(
    rows.map(({ task_id: task, forward, sims }) => ({ task, forward, value: sims[sim] ?? null })),
  );
  const lengths = new Map(rows.map(({ task_id, reference }) => [task_id, [...reference].length]));
  return [...rtcs].map(([task, rtc]) => ({ task, characters: lengths.get(task)!, rtc }));
}

export const lengthRelations = (rows: readonly SampleRow[], sims: readonly string[]): LengthRelation[] =>
  sims.map((sim) => {
    const points = lengthPoints(rows, sim);
    const of = (isZero: boolean): number[] =>
      points.flatMap(({ rtc, characters }) => ((rtc === 0) === isZero ? [characters] : []));
    const [above, zero] = [of(false), of(true)];
    return {
      sim,
      above: above.length,
      above_characters: orNull(mean(above)),
      zero: zero.length,
      zero_characters: orNull(mean(zero)),
      spearman:
        points.length < 2
          ? null
          : orNull(
              spearman(
                points.map(({ characters }) => characters),
                points.map(({ rtc }) => rtc),
              ),
            ),
    };
  });
