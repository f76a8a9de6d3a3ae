/**
 * Scores rows and prepares their output: each row is scored, joined with its task's consensus, and ranked. Files and HTTP requests both use
 * this.
 */
import { CodescoreError } from "../errors.ts";
import type { InputFormat, Score } from "../types.ts";
import { joinConsensus } from "./consensus.ts";
import type { Explanation } from "./explain.ts";
import type { InputRow } from "./input-rows.ts";
import type { ExplainedResult, OutputRow } from "./output-row.ts";
import { rank } from "./rank.ts";
import type { ScoreError, ScoreResult } from "./rows.ts";
import type { RunOptions } from "./run.ts";
import type { CodeScorer } from "./scorer.ts";

export interface RowsOptions {
  readonly format: InputFormat | "auto";
  /** Also runs the candidates. @default nothing is executed */
  readonly run?: RunOptions;
  /** See `RowOptions.isGone`. */
  readonly isGone?: () => boolean;
  /** Changes each result before it is used further. @default leaves it unchanged */
  readonly note?: (result: ScoreResult) => ScoreResult;
  /**
   * Adds to each result the failures that are visible without running, and the effect of each line on the score. A row that cannot be
   * explained becomes an error.
   */
  readonly explain?: boolean;
  /** Called with each explanation, even if it is not added to the result. */
  readonly onExplained?: (row: InputRow, result: Score, explanation: Explanation) => void;
  /** Joins scores made without a reference with the consensus of their task. This reads all rows before the first output. */
  readonly consensus?: boolean;
  /**
   * Outputs the candidates of each task in rank order, or only the best of each. This reads all rows before the first output. @default
   * input order
   */
  readonly order?: "rank" | "best";
  /** Outputs each row's task. @default only if `order` is set */
  readonly tasks?: boolean;
  /** Called with each result and its row, including rows that `best` leaves out. */
  readonly onResult?: (result: ExplainedResult, row: InputRow) => void;
}

interface Scored {
  readonly row: InputRow;
  readonly result: ExplainedResult;
}

/** Throws the same errors as `CodeScorer.score`. */
export async function* scoreRows(
  scorer: CodeScorer,
  rows: AsyncIterable<InputRow>,
  options: RowsOptions,
): AsyncGenerator<OutputRow> {
  const { consensus, order, tasks, onResult } = options;
  async function* heard(): AsyncGenerator<Scored> {
    for await (const one of consensus ? agreed(scored(scorer, rows, options), scorer) : scored(scorer, rows, options)) {
      onResult?.(one.result, one.row);
      yield one;
    }
  }
  if (order !== undefined) return yield* ranked(heard(), order === "best");
  for await (const { row, result } of heard()) yield { id: row.id, ...(tasks && { task: row.task }), result };
}

async function* scored(
  scorer: CodeScorer,
  rows: AsyncIterable<InputRow>,
  { format, run, isGone, note = (result) => result, explain, onExplained }: RowsOptions,
): AsyncGenerator<Scored> {
  for await (const { row, result: found } of scorer.score(rows, {
    format,
    ...(run && { run }),
    ...(isGone && { isGone }),
  })) {
    const result = row.error ? { error: row.error } : located(note(found), row.where);
    if ("error" in result || !(explain || onExplained)) {
      yield { row, result };
      continue;
    }
    const explanation = await explanationOf(scorer, row, format);
    if ("error" in explanation) yield { row, result: located(explanation, row.where) };
    else {
      onExplained?.(row, result, explanation);
      yield { row, result: explain ? { ...result, ...explanation } : result };
    }
  }
}

/** The explanation, or the error that prevented it, so that the other rows go on. */
async function explanationOf(
  scorer: CodeScorer,
  row: InputRow,
  format: InputFormat | "auto",
): Promise<Explanation | ScoreError> {
  const { explain } = await import("./explain.ts");
  try {
    return await explain(scorer, row, { format });
  } catch (error) {
    if (!(error instanceof CodescoreError)) throw error;
    return { error: { code: error.code, message: `the lines cannot be explained: ${error.message}` } };
  }
}

/** The result. The message of an error also says where its row is in its file. */
function located(result: ScoreResult, where: string | null): ScoreResult {
  if (where === null || !("error" in result)) return result;
  return { error: { ...result.error, message: `${where}: ${result.error.message}` } };
}

/** Collects all results, then joins them with their consensus. */
async function* agreed(found: AsyncIterable<Scored>, { modules }: CodeScorer): AsyncGenerator<Scored> {
  const all: Scored[] = [];
  for await (const one of found) all.push(one);
  const candidates = all.map(({ row, result }) => ({ task: row.task, candidate: row.candidate, result }));
  for (const [i, result] of (await joinConsensus(candidates, modules)).entries()) yield { row: all[i]!.row, result };
}

/**
 * What a row is ranked by. Programs that ran and do not fail come before the others, whatever their scores: the score of a program that was not
 * executed only says what it resembles. No score is above 1, so 2 sets them apart. Without `run` only the scores count.
 */
const merit = (result: ExplainedResult): number => {
  if ("error" in result) return Number.NEGATIVE_INFINITY;
  const ran = (result.behaviour?.source ?? null) !== null;
  return result.score + (ran && result.conclusion !== "fails" ? 2 : 0);
};

/** Task by task in the order of their first rows. Within a task the best comes first, and rows without a score come last. */
async function* ranked(found: AsyncIterable<Scored>, onlyBest: boolean): AsyncGenerator<OutputRow> {
  const tasks = new Map<string, Scored[]>();
  for await (const one of found) {
    const task = tasks.get(one.row.task);
    if (task === undefined) tasks.set(one.row.task, [one]);
    else task.push(one);
  }
  for (const [task, rows] of tasks) {
    const order = rank(rows.map(({ result }) => merit(result)))
      .map((one, i) => ({ ...rows[i]!, task, order: one.rank, rank: "error" in rows[i]!.result ? null : one }))
      .sort((a, b) => a.order - b.order);
    const isOfTask = task !== ""; // rows of no task are errors, each of which is shown
    for (const { row, rank: place, result } of onlyBest && isOfTask ? order.slice(0, 1) : order)
      yield { id: row.id, task, rank: place, result, ...(onlyBest && { candidate: row.candidate }) };
  }
}
