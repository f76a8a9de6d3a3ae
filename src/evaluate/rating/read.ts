/** Reads filled-in rating forms: the CSV form, or the CSV that the page downloads. Checks every line. */
import { basename } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { readCsv } from "../../util/csv.ts";
import { readJson } from "../../util/files.ts";
import type { JsonLine } from "../../util/jsonl.ts";
import { BEST_RATING, type RatingKey } from "./form.ts";

export interface Rating {
  readonly rater: string;
  readonly task_id: string;
  /** Counts from 1, as in the key. */
  readonly item: number;
  readonly metric: string;
  /** A whole number from 0, poor, to 5, excellent. */
  readonly rating: number;
}

export interface Ratings {
  readonly key: RatingKey;
  readonly ratings: readonly Rating[];
  /** Number of scores in the forms that their raters left without a rating. */
  readonly unrated: number;
}

const COLUMNS = ["sheet", "rater", "item", "letter", "rating"];
/** Maximum number of faults named in a message. */
const MOST_FAULTS = 5;

/** Throws `CodescoreError("input")` if the file is not the key of a rating sheet. */
export async function readRatingKey(path: string): Promise<RatingKey> {
  const key = (await readJson(path)) as Partial<RatingKey> | null;
  const whole = Array.isArray(key?.items) && Array.isArray(key.metrics) && typeof key.sheet === "string";
  if (!whole) throw new CodescoreError("input", `${path}: expected the key that \`evaluate --rating-sheet\` wrote`);
  return key as RatingKey;
}

/**
 * Reads ratings. The rater is named in the column `rater`; if it is empty, the file name is used. Throws
 * `CodescoreError("input")` naming file and line of each fault (a line of another sheet, a score that is not in the key, an
 * invalid rating, a score rated twice by one rater), and if nothing is rated.
 */
export async function readRatings(paths: readonly string[], key: RatingKey): Promise<Ratings> {
  const metrics = new Map<string, { task_id: string; item: number; metric: string }>(
    key.items.flatMap(({ item, task_id, scores }) =>
      scores.map(({ letter, metric }) => [`${item}${letter}`, { task_id, item, metric }] as const),
    ),
  );
  const seen = new Map<string, string>();
  const ratings: Rating[] = [];
  const faults: string[] = [];
  let unrated = 0;
  for (const path of paths) {
    for await (const line of readCsv(path)) {
      if (line instanceof CodescoreError) faults.push(line.message);
      else {
        checkColumns(line);
        const fault = add(line, basename(path).replace(/\.csv(\.gz)?$/, ""));
        if (fault !== null) faults.push(`${line.where}: ${fault}`);
      }
    }
  }
  if (faults.length > 0) {
    const more = faults.length > MOST_FAULTS ? `; and ${faults.length - MOST_FAULTS} more` : "";
    throw new CodescoreError("input", faults.slice(0, MOST_FAULTS).join("; ") + more);
  }
  if (ratings.length === 0) throw new CodescoreError("input", `${paths.join(", ")}: expected ratings, got none`);
  return { key, ratings, unrated };

  /** Adds the line's rating. Returns what is wrong with it, or null. */
  function add({ value, where }: JsonLine, file: string): string | null {
    const [sheet, name, item, letter, rating] = COLUMNS.map((column) => String(value[column] ?? "").trim());
    const rater = name || file;
    if (sheet !== key.sheet) return `expected sheet ${key.sheet}, as the key says, got \`${sheet}\``;
    const rated = metrics.get(`${item}${letter}`);
    if (rated === undefined) return `expected item and letter of a score in the key, got \`${item}\` and \`${letter}\``;
    const before = seen.get(JSON.stringify([rater, item, letter]));
    if (before !== undefined) return `\`${rater}\` rates ${item}${letter} a second time, after ${before}`;
    seen.set(JSON.stringify([rater, item, letter]), where);
    if (rating === "") unrated += 1;
    else if (!/^\d$/.test(rating!) || Number(rating) > BEST_RATING) {
      return `expected a rating from 0 to ${BEST_RATING}, a whole number, got \`${rating}\``;
    } else ratings.push({ rater, ...rated, rating: Number(rating) });
    return null;
  }
}

function checkColumns({ value, where }: JsonLine): void {
  const missing = COLUMNS.filter((column) => !(column in value));
  if (missing.length === 0) return;
  const got = Object.keys(value).join(", ");
  throw new CodescoreError("input", `${where}: expected the columns ${COLUMNS.join(", ")}, got ${got}`);
}
