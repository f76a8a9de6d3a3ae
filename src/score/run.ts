/**
 * Scores of candidates that are run: what running them on made-up inputs showed, what their texts say where that is too little, and one
 * score and interval of both. Rows of a task are run together, since how far samples agree says much where there is no reference.
 */
import { CodescoreError } from "../errors.ts";
import type { Executor } from "../execute/types.ts";
import { loadProgramReader, type ProgramReader } from "../languages/index.ts";
import type { InputFormat, ScoreInput } from "../types.ts";
import { mapInOrder } from "../util/ordered.ts";
import type { IntervalOptions } from "./calibration.ts";
import { Joined } from "./joined.ts";
import { chooseFormat, GONE, programFields, readPrograms, rowError, type ScoreResult } from "./rows.ts";
import { type Checked, scoreTask, type TaskScoring, type TextScorer } from "./run-task.ts";

export interface RunOptions {
  /** Runs the candidates. It is not closed. */
  readonly executor: Executor;
  /** Inputs of a task, at most; 0: only the description's examples are run. @default 40 */
  readonly inputs?: number;
  /** Seed of the inputs. @default 0 */
  readonly seed?: number;
  /** Run on only as many inputs as make the interval this narrow. @default on all */
  readonly until?: number;
  /** Find the smallest input that shows how a candidate goes wrong. @default true */
  readonly counterexamples?: boolean;
  /** Keep inputs in `CODESCORE_CACHE` for the next time. @default true */
  readonly keep?: boolean;
  /** Hold each candidate against the reference alone, so that its score does not hang on the other rows of its task. @default false */
  readonly alone?: boolean;
}

export const RUN_DEFAULTS = { inputs: 40, seed: 0 } as const;
export const MOST_INPUTS = 1000;

/** Tasks that run at a time. With many, inputs are made while programs run, and enough programs wait to share a process. */
const WINDOW = 64;

/**
 * A candidate in a fence is taken out before inputs are made, and so is each where there is no reference: then candidates make the inputs.
 * Others are read only if they answer nothing (run-task.ts): Python itself tells that a program is one.
 */
const MAY_BE_FENCED = /```|~~~/;

/** Rows of one task, and where they stand. */
interface Group {
  readonly task: Omit<TaskScoring, "rows">;
  readonly places: readonly number[];
}

export class RunningScorer {
  readonly #joined: Joined;
  readonly #read: ProgramReader;
  readonly #text: TextScorer;
  readonly #options: Required<Omit<RunOptions, "until">> & Pick<RunOptions, "until">;

  private constructor(joined: Joined, read: ProgramReader, text: TextScorer, options: RunOptions) {
    this.#joined = joined;
    this.#read = read;
    this.#text = text;
    this.#options = { ...RUN_DEFAULTS, counterexamples: true, keep: true, alone: false, ...options };
  }

  /** `text` scores what is not run, or shows too little. Throws `CodescoreError("usage")` for options out of range. */
  static async load(options: RunOptions, text: TextScorer, intervals?: IntervalOptions): Promise<RunningScorer> {
    const { inputs = RUN_DEFAULTS.inputs, until } = options;
    if (!Number.isInteger(inputs) || inputs < 0 || inputs > MOST_INPUTS) {
      throw new CodescoreError("usage", `expected \`inputs\` to be an integer from 0 to ${MOST_INPUTS}, got ${inputs}`);
    }
    if (until !== undefined && !(until > 0 && until <= 1)) {
      throw new CodescoreError("usage", `expected \`until\` to be a width above 0 and at most 1, got ${until}`);
    }
    return new RunningScorer(await Joined.load(intervals), await loadProgramReader(), text, options);
  }

  /** For signatures: what was run, and how it was joined. */
  get signature(): string {
    const { inputs, seed, until, alone, executor } = this.#options;
    const narrow = until === undefined ? "" : `|until:${until}`;
    const company = alone ? "|alone" : "";
    return `|run:${inputs}@${this.#joined.name}|seed:${seed}${narrow}${company}|python:${executor.python}`;
  }

  /** The rows with their scores, in their order: all are taken first, and a task's are given out when it has run. */
  async *run<Row extends ScoreInput>(
    rows: Iterable<Row> | AsyncIterable<Row>,
    format: InputFormat | "auto",
    isGone: (row: ScoreInput) => boolean = () => false,
  ): AsyncGenerator<{ row: Row; result: ScoreResult }> {
    const all: Row[] = [];
    const checked: (Checked | null)[] = [];
    const results: (ScoreResult | undefined)[] = [];
    for await (const row of rows) {
      all.push(row);
      const found = await this.#check(row, format);
      checked.push("error" in found ? null : found);
      results.push("error" in found ? found : undefined);
    }
    const score = async ({ task, places }: Group): Promise<void> => {
      const left: number[] = [];
      for (const i of places) {
        if (isGone(all[i]!)) results[i] = GONE;
        else left.push(i);
      }
      const options = {
        ...this.#options,
        joined: this.#joined,
        read: this.#read,
        text: this.#text,
        signature: this.signature,
      };
      const scored = await scoreTask({ ...task, rows: left.map((i) => checked[i]!) }, options);
      for (const [k, i] of left.entries()) results[i] = scored[k]!;
    };
    let next = 0;
    for await (const _ of mapInOrder(groupsOf(all, checked, this.#options.alone), WINDOW, score)) {
      for (; results[next] !== undefined; next++) yield { row: all[next]!, result: results[next]! };
    }
    for (; next < all.length; next++) yield { row: all[next]!, result: results[next]! };
  }

  async #check(
    row: ScoreInput,
    wanted: InputFormat | "auto",
  ): Promise<Checked | { error: ReturnType<typeof rowError> }> {
    try {
      const format = chooseFormat(row, wanted);
      const isRead = format === "nl" || MAY_BE_FENCED.test(row.candidate);
      const fields = programFields(format).filter((field) => isRead || field !== "candidate");
      const { row: read, notes } = await readPrograms(this.#read, row, fields);
      return { row: read, format, notes, isRead };
    } catch (error) {
      return { error: rowError(error) };
    }
  }
}

/**
 * Rows that are run together: of one task, with one reference and description. Those `alone` that have no reference share nothing. Rows
 * that are errors are in none.
 */
function groupsOf(all: readonly ScoreInput[], checked: readonly (Checked | null)[], alone: boolean): Group[] {
  const groups = new Map<string, { task: Group["task"]; places: number[] }>();
  for (const [i, found] of checked.entries()) {
    if (found === null) continue;
    const { row, format } = found;
    const task = {
      reference: format === "nl" ? null : row.reference!,
      description: format === "ref" ? null : row.description!,
      entryPoint: row.entryPoint ?? null,
    };
    const key = JSON.stringify([all[i]!.taskId ?? null, task, alone && task.reference === null ? i : null]);
    const group = groups.get(key) ?? { task, places: [] };
    group.places.push(i);
    groups.set(key, group);
  }
  return [...groups.values()];
}
