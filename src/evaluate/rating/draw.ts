/**
 * Chooses what people rate (Dong et al. 2023, section 3.2.4): programs drawn at random, each with the score of every metric and
 * its PassRatio. The raters do not see the names of the metrics.
 */
import { CodescoreError } from "../../errors.ts";
import { sha256 } from "../../util/files.ts";
import { Random } from "../../util/random.ts";
import type { UsableColumn, UsableRow } from "../measure/usable.ts";

/** The metric that the paper calls ground truth. */
export const PASS_RATIO = "PassRatio";

export interface RatedMetric {
  readonly name: string;
  readonly kind: UsableColumn["kind"] | "label";
  readonly signature: string | null;
}

export interface RatingItem {
  /** Counts from 1, in the form's order. */
  readonly number: number;
  readonly row: UsableRow;
  /** In random order. The letter is all that a rater sees of the metric. */
  readonly scores: readonly { readonly letter: string; readonly metric: string; readonly score: number }[];
}

export interface RatingSheet {
  /** Identifies the sheet in its forms and its key. */
  readonly id: string;
  readonly seed: number;
  /** In the order of the columns, PassRatio last. */
  readonly metrics: readonly RatedMetric[];
  readonly items: readonly RatingItem[];
}

export interface DrawSheetOptions {
  readonly rows: readonly UsableRow[];
  readonly columns: readonly UsableColumn[];
  /** Number of programs to draw; all if there are fewer. @default 100 */
  readonly count?: number;
  /** @default 1 */
  readonly seed?: number;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Draws evenly from the quarters of PassRatio (0; up to 0.5; below 1; 1) while they last, and prefers tasks that were drawn least so far. Throws
 * `CodescoreError("usage")` if raters could recognise a metric by the range of its scores, and for more metrics than letters.
 */
export function drawSheet({ rows, columns, count = 100, seed = 1 }: DrawSheetOptions): RatingSheet {
  if (columns.length === 0) throw new CodescoreError("usage", "expected scores to rate, got none");
  const wide = columns.find(({ scores }) => scores.some((score) => score < -1e-9 || score > 1 + 1e-9));
  if (wide) {
    const stray = wide.scores.find((score) => score < 0 || score > 1);
    throw new CodescoreError(
      "usage",
      `expected scores in [0, 1] on a rating sheet, got ${stray} by \`${wide.name}\`: raters could recognise it; remove this column`,
    );
  }
  if (columns.length >= LETTERS.length) {
    throw new CodescoreError("usage", `expected at most ${LETTERS.length - 1} metrics to rate, got ${columns.length}`);
  }
  if (columns.some(({ name }) => name === PASS_RATIO)) {
    throw new CodescoreError("usage", `a metric is called ${PASS_RATIO}, as the label is; give it another name`);
  }
  const random = new Random(seed);
  const label = { name: PASS_RATIO, kind: "label", signature: null } as const;
  const metrics = [...columns.map(({ name, kind, signature }) => ({ name, kind, signature })), label];
  const items = random.shuffle(drawRows(rows, count, random)).map((i, at) => {
    const scores = [
      ...columns.map(({ name, scores }) => ({ metric: name, score: scores[i]! })),
      { metric: PASS_RATIO, score: rows[i]!.pass_ratio },
    ];
    return {
      number: at + 1,
      row: rows[i]!,
      scores: random.shuffle(scores).map((one, k) => ({ letter: LETTERS[k]!, ...one })),
    };
  });
  return { id: sha256(JSON.stringify([seed, metrics, items])).slice(0, 12), seed, metrics, items };
}

const quarter = (ratio: number): number => (ratio === 0 ? 0 : ratio === 1 ? 3 : ratio <= 0.5 ? 1 : 2);

function drawRows(rows: readonly UsableRow[], count: number, random: Random): number[] {
  const shuffled = random.shuffle([...rows.keys()]);
  let quarters = [0, 1, 2, 3].map((q) => shuffled.filter((i) => quarter(rows[i]!.pass_ratio) === q));
  const times = new Map<string, number>();
  const timesOf = (i: number): number => times.get(rows[i]!.task_id) ?? 0;
  const drawn: number[] = [];
  for (let turn = 0; drawn.length < Math.min(count, rows.length); turn++) {
    quarters = quarters.filter((left) => left.length > 0);
    const left = quarters[turn % quarters.length]!;
    const chosen = left.reduce((best, i) => (timesOf(i) < timesOf(best) ? i : best));
    left.splice(left.indexOf(chosen), 1);
    times.set(rows[chosen]!.task_id, timesOf(chosen) + 1);
    drawn.push(chosen);
  }
  return drawn;
}
