/**
 * Does what is longer come back less often? (Allamanis et al. 2024, appendix D, Figure 6: of edits that come back, the mean length in
 * characters, beside that of those that do not.)
 */
import { mean, orNull, spearman } from "../../statistics/index.ts";
import { rtcByProblem } from "./arithmetic.ts";
import type { SampleRow } from "./rows.ts";

export interface LengthRelation {
  readonly sim: string;
  /** Problems whose RTC is above 0, and the mean characters of what went around. */
  readonly above: number;
  readonly above_characters: number | null;
  /** The same of those whose RTC is 0. */
  readonly zero: number;
  readonly zero_characters: number | null;
  /** Of length and RTC; null where one of the two does not vary. */
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
