/**
 * The stages between reading a program and testing it: its text, the description's examples, more and more made-up inputs, its
 * tests. Each stage is a separate run over all rows, timed as a whole.
 */
import { cpus } from "node:os";
import { CodescoreError } from "../../errors.ts";
import type { Executor } from "../../execute/types.ts";
import type { InputFormat, LabelledRow, Problem } from "../../types.ts";
import { mapInOrder } from "../../util/ordered.ts";
import { startProgress } from "../../util/progress.ts";
import { type RunningRowScorer, runColumn } from "./behaviour.ts";
import type { ScoreColumn } from "./columns.ts";

export const STAGE_INPUTS: readonly number[] = [5, 10, 40, 160];

export interface StagesOptions {
  readonly rows: readonly LabelledRow[];
  readonly scorer: RunningRowScorer;
  /** Runs the programs. The caller closes it. */
  readonly executor: Executor;
  /** Numbers of inputs per task, one stage for each, in growing order. @default 5, 10, 40, 160 */
  readonly inputs?: readonly number[];
  /** Seed of the inputs. @default 0 */
  readonly seed?: number;
  /** @default "auto" */
  readonly format?: InputFormat | "auto";
  /** Problems by `task_id`. Their tests are the last stage. @default no such stage */
  readonly problems?: ReadonlyMap<string, Problem>;
  /** Shows a progress bar per stage on stderr. @default false */
  readonly progress?: boolean;
}

export interface Stage {
  /** `text`, `examples`, `5 inputs`, ..., `tests`. */
  readonly name: string;
  readonly column: ScoreColumn;
  /** Number of inputs that each program ran on; null if the stage makes up none. */
  readonly inputs: readonly number[] | null;
  /** Wall-clock time of the whole stage. */
  readonly seconds: number;
}

export interface Stages {
  readonly stages: readonly Stage[];
  readonly machine: Machine;
}

/** The machine that the times were measured on. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly sandbox: string;
  readonly python: string;
}

/** Maximum number of programs in progress when tests are run. */
const WINDOW = 256;

/** Throws `CodescoreError("input")` if problems are given but none belongs to a task of the rows. */
export async function runStages(options: StagesOptions): Promise<Stages> {
  const { rows, scorer, executor, inputs = STAGE_INPUTS, seed = 0, format = "auto", problems, progress } = options;
  if (problems && !rows.some(({ task_id }) => problems.has(task_id))) {
    throw new CodescoreError(
      "input",
      `expected problems of the tasks that are evaluated, got none of \`${rows[0]!.task_id}\` or any other task; give the problems that the set was labelled on`,
    );
  }
  const first = rows.filter(({ task_id }) => task_id === rows[0]!.task_id);
  // Load everything once before timing, so no stage pays for it. Use the largest number of inputs, so that an invalid number fails at once.
  await runColumn(scorer, first, { run: { executor, inputs: Math.max(0, ...inputs), seed, keep: false }, format });
  await runColumn(scorer, first, { format });
  const stages: Stage[] = [];
  const add = async (name: string, count: number | null): Promise<void> => {
    const run = count === null ? {} : { run: { executor, inputs: count, seed, keep: false } };
    const { inputs: ran, ...found } = await runColumn(scorer, rows, {
      ...run,
      format,
      name,
      progress: progress === true,
    });
    stages.push({ name, ...found, inputs: count === null || count === 0 ? null : ran });
  };
  await add("text", null);
  await add("examples", 0);
  for (const count of inputs) await add(`${count} ${count === 1 ? "input" : "inputs"}`, count);
  if (problems) stages.push(await testStage(rows, executor, problems, progress === true));
  const { sandbox, python } = executor;
  return { stages, machine: { cores: cpus().length, cpu: cpus()[0]?.model ?? "unknown", sandbox, python } };
}

/** Runs every distinct program of a task on the task's tests. Programs without a problem or tests get no score. */
async function testStage(
  rows: readonly LabelledRow[],
  executor: Executor,
  problems: ReadonlyMap<string, Problem>,
  progress: boolean,
): Promise<Stage> {
  const began = performance.now();
  const keyOf = ({ task_id, candidate }: LabelledRow): string => JSON.stringify([task_id, candidate]);
  const distinct = [...new Map(rows.map((row) => [keyOf(row), row])).values()];
  const bar = startProgress({ label: "tests", total: distinct.length, unit: "programs", quiet: !progress });
  const ratios = new Map<string, number | null>();
  const execute = async (row: LabelledRow): Promise<void> => {
    const problem = problems.get(row.task_id);
    const run = problem && (await executor.execute(problem, row.candidate));
    ratios.set(keyOf(row), run?.passRatio ?? null);
    bar.tick();
  };
  for await (const _ of mapInOrder(distinct, WINDOW, execute));
  bar.done();
  const seconds = (performance.now() - began) / 1000;
  const scores = rows.map((row) => ratios.get(keyOf(row))!);
  const column: ScoreColumn = {
    name: "tests",
    kind: "execution",
    signature: `execution|AvgPassRatio|python:${executor.python}`,
    scores,
    exec: null,
    msPerPair: rows.length === 0 ? null : (1000 * seconds) / rows.length,
  };
  return { name: "tests", column, inputs: null, seconds };
}
