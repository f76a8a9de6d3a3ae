/** The metric `behaviour`: scores from running programs on made-up inputs, as `codescore score --run` does. It uses no tests. */
import { joinMissing, type RowOptions, type RunOptions, type ScoreResult } from "../../score/index.ts";
import type { InputFormat, LabelledRow, Score, ScoreInput } from "../../types.ts";
import { counted, reasonsOf } from "../../util/counted.ts";
import { startProgress } from "../../util/progress.ts";
import { intervalsOf, notesOf, type ScoreColumn } from "./columns.ts";

/** The part of `CodeScorer` that this folder needs to run programs. */
export interface RunningRowScorer {
  score<Row extends ScoreInput>(
    rows: Iterable<Row>,
    options: RowOptions,
  ): AsyncIterable<{ readonly row: Row; readonly result: ScoreResult }>;
}

export interface BehaviourOptions {
  /** How to run programs. Without it they are not run, and scores are those of their texts. */
  readonly run?: RunOptions;
  /** `nl` ignores references, even if a row has one. @default "auto" */
  readonly format?: InputFormat | "auto";
  /** @default "behaviour" */
  readonly name?: string;
  /** Shows a bar on stderr. @default false */
  readonly progress?: boolean;
}

export interface BehaviourColumn {
  readonly column: ScoreColumn;
  /** Number of inputs that each program ran on. */
  readonly inputs: readonly number[];
  readonly seconds: number;
}

/** Minimum number of inputs of a task. With fewer, running does not tell enough. */
export const ENOUGH_INPUTS = 10;

/** Scores all rows; the rows of a task are scored together. Rows that the scorer refuses are null. */
export async function runColumn(
  scorer: RunningRowScorer,
  rows: readonly LabelledRow[],
  { run, format = "auto", name = "behaviour", progress = false }: BehaviourOptions = {},
): Promise<BehaviourColumn> {
  const began = performance.now();
  const bar = startProgress({ label: name, total: rows.length, unit: "programs", quiet: !progress });
  const inputs = rows.map(({ task_id: taskId, candidate, reference, description }): ScoreInput => {
    return { candidate, reference, description, taskId };
  });
  const results: ScoreResult[] = [];
  // No counterexamples: they are for people, take time and change no score.
  const options = run === undefined ? { format } : { format, run: { ...run, counterexamples: false } };
  for await (const { result } of scorer.score(inputs, options)) {
    results.push(result);
    bar.tick();
  }
  bar.done();
  const seconds = (performance.now() - began) / 1000;
  const scores = results.map((result) => ("error" in result ? null : result));
  const ran = scores.map((score) => score?.behaviour?.inputs ?? 0);
  const column: ScoreColumn = {
    name,
    kind: "model",
    signature: signatureOf(scores),
    scores: scores.map((score) => score?.score ?? null),
    exec: scores.map((score) => score?.exec ?? null),
    ...(run && { pass: scores.map((score) => score?.pass ?? null) }),
    ...intervalsOf(scores),
    msPerPair: rows.length === 0 ? null : (1000 * seconds) / rows.length,
    notes: [...notesOf(name, results), ...(run ? runNotes(name, rows, scores, ran) : [])],
  };
  return { column, inputs: ran, seconds };
}

/** Like `runColumn`, without the inputs and the time. */
export const behaviourColumn = async (...given: Parameters<typeof runColumn>): Promise<ScoreColumn> =>
  (await runColumn(...given)).column;

/** Rows that were not run have the signature of their text score, so there can be several. */
function signatureOf(scores: readonly (Score | null)[]): string | null {
  const signatures = new Set(scores.flatMap((score) => score?.signature ?? []));
  return signatures.size === 0 ? null : [...signatures].sort().join(" & ");
}

/** Maximum number of reasons to name. */
const MOST_REASONS = 5;

/** Says how many tasks had enough inputs, and why programs were not run. */
function runNotes(
  name: string,
  rows: readonly LabelledRow[],
  scores: readonly (Score | null)[],
  ran: readonly number[],
): string[] {
  const tasks = new Set(rows.map(({ task_id }) => task_id));
  const enough = new Set(rows.flatMap(({ task_id }, i) => (ran[i]! >= ENOUGH_INPUTS ? task_id : [])));
  const reasons = new Map<string, number>();
  for (const score of scores) {
    const reason = score?.behaviour?.reason;
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const inputs = `${name}: ${enough.size} of ${counted(tasks.size, "task")} with ${ENOUGH_INPUTS} inputs or more`;
  if (reasons.size === 0) return [inputs];
  const count = [...reasons.values()].reduce((sum, n) => sum + n, 0);
  return [inputs, `${name}: ${counted(count, "program")} not run: ${reasonsOf(joinMissing(reasons), MOST_REASONS)}`];
}
