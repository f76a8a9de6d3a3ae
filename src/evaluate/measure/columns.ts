/** Columns of scores for the rows of a labelled set: computed by a text metric or by a scorer, or read from a file that `codescore score` wrote. */
import { CodescoreError } from "../../errors.ts";
import { type Metric, type Pair, scorePairs, type TextMetric } from "../../metrics/index.ts";
import type { InputFormat, LabelledRow, Score, ScoreInput } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import { isCsv, readCsv } from "../../util/csv.ts";
import { type JsonLine, readJsonLines } from "../../util/jsonl.ts";
import { startProgress } from "../../util/progress.ts";
import type { ScoreInterval } from "./intervals.ts";
import { type Identified, matchScores } from "./match-scores.ts";
import { stripSharedPrompt } from "./prompt.ts";

export interface ScoreColumn {
  readonly name: string;
  /** `execution`: labels of the same programs from other tests. `labels`: the set's own labels, used as a metric. `oracle`: knows the labels. */
  readonly kind: "metric" | "model" | "execution" | "labels" | "oracle";
  /** How the scores were made; null if the file does not say. */
  readonly signature: string | null;
  /** One score per row; null if the row could not be scored. Scores are compared with PassRatio, so they should be in [0, 1]. */
  readonly scores: readonly (number | null)[];
  /** Probability that the candidate executes, one per row; null for scores without this output. */
  readonly exec: readonly (number | null)[] | null;
  /** Probability that the candidate passes every test, one per row; null if it was not run. Absent for columns without it. */
  readonly pass?: readonly (number | null)[];
  /** Interval that should contain the PassRatio, one per row. Absent unless every score has one. */
  readonly intervals?: readonly (ScoreInterval | null)[];
  /** Wall-clock time per scored pair, in ms; null if it was not measured here. */
  readonly msPerPair: number | null;
  /** What users should know about these scores, one note per line, for example programs that were cut. */
  readonly notes?: readonly string[];
}

/** Scores every row that has a reference. Text metrics do not see the prompt that both programs share (`stripSharedPrompt`). */
export async function metricColumn(metric: Metric, rows: readonly LabelledRow[]): Promise<ScoreColumn> {
  await metric.prepare?.();
  const began = performance.now();
  const pairs = rows.flatMap(({ candidate, reference, description }) => {
    if (reference === null) return [];
    if (metric.whole) return [{ candidate, reference, description }];
    const [ours, theirs] = stripSharedPrompt(candidate, reference);
    return [{ candidate: ours, reference: theirs, description }];
  });
  const values = (await scorePairs(metric, pairs))[Symbol.iterator]();
  const scores = rows.map(({ reference }) => {
    const value = reference === null ? Number.NaN : values.next().value!;
    return Number.isNaN(value) ? null : value;
  });
  const msPerPair = pairs.length === 0 ? null : (performance.now() - began) / pairs.length;
  return {
    name: metric.name,
    kind: "metric",
    signature: metric.whole ? metric.signature : `${metric.signature}|prompt:cut`,
    scores,
    exec: null,
    msPerPair: (metric.scoreAll && metric.msPerPair) ?? msPerPair,
    notes: metric.scoreAll ? (metric.notes?.() ?? []) : corpusNote(metric, pairs),
  };
}

/** The value of all pairs as one corpus, for metrics that have a corpus value. */
function corpusNote({ name, corpus }: TextMetric, pairs: readonly Pair[]): string[] {
  if (corpus === undefined || pairs.length === 0) return [];
  const value = corpus(
    pairs.map(({ candidate }) => candidate),
    pairs.map(({ reference }) => reference),
  );
  return [`${name} of all pairs as one corpus: ${value.toFixed(3)}`];
}

/** The part of `CodeScorer` that this folder uses. */
export interface RowScorer {
  readonly signature: string;
  scoreAll(
    inputs: readonly ScoreInput[],
    options?: { readonly format?: InputFormat },
  ): Promise<readonly (Score | { readonly error: { readonly message: string } })[]>;
}

/** Rows scored between two updates of the progress bar. Enough to form batches of similar length. */
const WINDOW = 256;

/**
 * Scores every row with a loaded scorer: in the richest format that the row allows, or all in `format`. Rows that the scorer
 * refuses are null. `progress` shows a bar on stderr.
 */
export async function scorerColumn(
  scorer: RowScorer,
  rows: readonly LabelledRow[],
  name = "codescore",
  progress = false,
  format?: InputFormat,
): Promise<ScoreColumn> {
  const began = performance.now();
  const label = format === undefined ? "score" : `score ${format}`;
  const bar = startProgress({ label, total: rows.length, unit: "programs", quiet: !progress });
  const inputs = rows.map(({ candidate, reference, description }) => ({ candidate, reference, description }));
  const answers: Awaited<ReturnType<RowScorer["scoreAll"]>>[number][] = [];
  for (let from = 0; from < inputs.length; from += WINDOW) {
    const window = await scorer.scoreAll(inputs.slice(from, from + WINDOW), format === undefined ? {} : { format });
    answers.push(...window);
    bar.tick(window.length);
  }
  bar.done();
  return {
    name,
    kind: "model",
    signature: format === undefined ? scorer.signature : signatureIn(answers),
    scores: answers.map((answer) => ("error" in answer ? null : answer.score)),
    exec: answers.map((answer) => ("error" in answer ? null : answer.exec)),
    ...intervalsOf(answers.map((answer) => ("error" in answer ? null : answer))),
    msPerPair: rows.length === 0 ? null : (performance.now() - began) / rows.length,
    notes: format === undefined ? notesOf(name, answers) : [],
  };
}

/** Notes of the scorer on rows, for example programs taken out of fences, and why it refuses some. */
export function notesOf(name: string, answers: Awaited<ReturnType<RowScorer["scoreAll"]>>): string[] {
  const counts = new Map<string, number>();
  for (const answer of answers) {
    for (const note of "error" in answer ? [`no score: ${answer.error.message}`] : (answer.notes ?? [])) {
      counts.set(note, (counts.get(note) ?? 0) + 1);
    }
  }
  return [...counts].map(([note, rows]) => `${name}: ${rows} ${rows === 1 ? "row" : "rows"} with ${note}`);
}

const signatureIn = (answers: Awaited<ReturnType<RowScorer["scoreAll"]>>): string | null =>
  answers.flatMap((answer) => ("error" in answer ? [] : answer.signature))[0] ?? null;

const FORMATS: readonly (readonly [InputFormat, string])[] = [
  ["ref", "Ref-only"],
  ["nl", "NL-only"],
  ["ref+nl", "Ref&NL"],
];

/** Scores the rows in each input format (Dong et al. 2023, section 2.1), one column per format. Leaves out formats that no row allows. */
export async function formatColumns(
  scorer: RowScorer,
  rows: readonly LabelledRow[],
  progress = false,
): Promise<ScoreColumn[]> {
  const columns: ScoreColumn[] = [];
  for (const [format, name] of FORMATS) columns.push(await scorerColumn(scorer, rows, name, progress, format));
  return columns.filter(({ scores }) => scores.some((score) => score !== null));
}

/** The intervals of all scores; empty if a score lacks one. */
export function intervalsOf(
  answers: readonly ({ readonly low?: number; readonly high?: number } | null)[],
): Pick<ScoreColumn, "intervals"> {
  const all = answers.every((answer) => answer === null || (answer.low !== undefined && answer.high !== undefined));
  if (!all || answers.every((answer) => answer === null)) return {};
  return { intervals: answers.map((answer) => (answer === null ? null : { low: answer.low!, high: answer.high! })) };
}

/**
 * Reads the output of `codescore score` for these rows (JSON lines, Parquet or CSV): `{id, score, exec}` per line, optionally
 * with `low`, `high` and `pass`, or `{id, error}` for a row that could not be scored. Lines are matched by `task_id` and `id` =
 * `sample_id`, or by `id` alone, if these are unique. Otherwise they are matched in order, and ids must be the sample ids or the row
 * numbers from 0. Throws `CodescoreError("input")` if file and rows do not belong together.
 */
export async function readScoreColumn(path: string, rows: readonly LabelledRow[], name: string): Promise<ScoreColumn> {
  const lines = await readScoreLines(path);
  const matched = matchScores(path, lines, rows);
  const signatures = new Set(matched.flatMap(({ signature }) => signature ?? []));
  const others = lines.length - matched.length;
  return {
    name,
    kind: "model",
    ...(others > 0 && {
      notes: [`${path}: ${counted(others, "score")} not used, of programs without a row in the labelled set`],
    }),
    signature: signatures.size === 0 ? null : [...signatures].sort().join(" & "),
    scores: matched.map(({ score }) => score),
    exec: matched.some(({ exec }) => exec !== null) ? matched.map(({ exec }) => exec) : null,
    ...(matched.some(({ pass }) => pass !== null) && { pass: matched.map(({ pass }) => pass) }),
    ...intervalsOf(matched.map((line) => (line.score === null ? null : line.interval))),
    msPerPair: null,
  };
}

/** The lines of such a file, in order. Throws `CodescoreError("input")` for a line that is no score, and for an empty file. */
export async function readScoreLines(path: string): Promise<readonly ScoreLine[]> {
  const lines: ScoreLine[] = [];
  for await (const line of isCsv(path) ? csvLines(path) : readJsonLines(path)) lines.push(parseLine(line));
  if (lines.length === 0) throw new CodescoreError("input", `${path}: expected scores, got an empty file`);
  return lines;
}

const NUMBERS = ["score", "exec", "pass", "low", "high"] as const;

/** CSV cells are text, so numbers are converted here. A cell that is not a number stays text, and `parseLine` rejects it. */
async function* csvLines(path: string): AsyncGenerator<JsonLine> {
  for await (const line of readCsv(path)) {
    if (line instanceof CodescoreError) throw line;
    const { value, where } = line;
    const numbers = NUMBERS.flatMap((name) => {
      const number = Number(value[name] ?? Number.NaN);
      return Number.isNaN(number) ? [] : [[name, number] as const];
    });
    yield { value: { ...value, ...Object.fromEntries(numbers) }, where };
  }
}

interface ScoreLine extends Identified {
  readonly score: number | null;
  readonly exec: number | null;
  readonly pass: number | null;
  readonly interval: Partial<ScoreInterval>;
  readonly signature: string | null;
}

function parseLine({ value, where }: JsonLine): ScoreLine {
  const { id, task_id: task, score, low, high, error, signature } = value;
  const failed = error !== undefined && error !== null;
  if (!failed && typeof score !== "number") {
    throw new CodescoreError(
      "input",
      `${where}: expected \`score\`, a number, or \`error\`; got ${JSON.stringify(score)}`,
    );
  }
  const probability = (name: "exec" | "pass"): number | null => {
    const found = value[name] ?? null;
    if (found === null || typeof found === "number") return found;
    throw new CodescoreError("input", `${where}: expected \`${name}\` to be a number, got ${JSON.stringify(found)}`);
  };
  return {
    id: id === undefined || id === null ? null : String(id),
    task: task === undefined || task === null || task === "" ? null : String(task),
    where,
    score: failed ? null : (score as number),
    exec: failed ? null : probability("exec"),
    pass: failed ? null : probability("pass"),
    interval: typeof low === "number" && typeof high === "number" ? { low, high } : {},
    signature: typeof signature === "string" ? signature : null,
  };
}
