/**
 * Scores candidates by running them. Each gets one score and one interval, from its behaviour on generated inputs and, if that shows too
 * little, from its text. Rows of a task are run together, because without a reference the agreement between samples is strong evidence.
 */
import { setImmediate } from "node:timers/promises";
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
  /** Runs the candidates. The scorer does not close it. */
  readonly executor: Executor;
  /** Maximum inputs per task. 0: only the description's examples are run. @default 40 */
  readonly inputs?: number;
  /** Seed of the inputs. @default 0 */
  readonly seed?: number;
  /** Stops adding inputs when the interval is at most this wide. @default runs on all inputs */
  readonly until?: number;
  /** Finds the smallest input that shows the fault of a candidate. @default true */
  readonly counterexamples?: boolean;
  /** Keeps generated inputs in `CODESCORE_CACHE` for later runs. @default true */
  readonly keep?: boolean;
  /** Compares each candidate only with the reference, so that its score does not depend on the other rows of its task. @default false */
  readonly alone?: boolean;
}

export const RUN_DEFAULTS = { inputs: 40, seed: 0 } as const;
export const MOST_INPUTS = 1000;

/**
 * Number of tasks that run at the same time. With many, inputs are generated while programs run, and enough programs wait to share a
 * process.
 */
const WINDOW = 128;

/**
 * Matches candidates that may stand in a Markdown fence. Those are extracted before inputs are generated. Without a reference every
 * candidate is extracted, because the inputs then come from the candidates. Other candidates are read only if they answer nothing
 * (run-task.ts): Python itself tells whether a text is a program.
 */
const MAY_BE_FENCED = /```|~~~/;

/** The indices of the rows of one task, and their format. */
interface Group {
  readonly format: InputFormat;
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

  /** `text` scores candidates that are not run, or whose runs show too little. Throws `CodescoreError("usage")` for options out of range. */
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

  /** The part of a signature that names the run options and the fit behind the joined scores. */
  get signature(): string {
    const { inputs, seed, until, alone, executor } = this.#options;
    const narrow = until === undefined ? "" : `|until:${until}`;
    const company = alone ? "|alone" : "";
    return `|run:${inputs}@${this.#joined.name}|seed:${seed}${narrow}${company}|python:${executor.python}`;
  }

  /** The rows with their scores, in input order. Running begins when the last row has arrived. The rows of a task are yielded once it has run. */
  async *run<Row extends ScoreInput>(
    rows: Iterable<Row> | AsyncIterable<Row>,
    format: InputFormat | "auto",
    isGone: (row: ScoreInput) => boolean = () => false,
  ): AsyncGenerator<{ row: Row; result: ScoreResult }> {
    const all: Row[] = [];
    const formats: (InputFormat | null)[] = [];
    const results: (ScoreResult | undefined)[] = [];
    for await (const row of rows) {
      const found = formatOf(row, format);
      all.push(row);
      formats.push(typeof found === "string" ? found : null);
      results.push(typeof found === "string" ? undefined : found);
    }
    // Tasks begin one after another, so that the first programs run while inputs are made for the next tasks.
    let turn = Promise.resolve();
    const score = async ({ format: own, places }: Group): Promise<void> => {
      turn = turn.then(() => setImmediate());
      await turn;
      const left: number[] = [];
      const checked: Checked[] = [];
      for (const i of places) {
        const found = isGone(all[i]!) ? GONE : await this.#check(all[i]!, own);
        if ("error" in found) results[i] = found;
        else {
          left.push(i);
          checked.push(found);
        }
      }
      if (checked.length === 0) return;
      const options = {
        ...this.#options,
        joined: this.#joined,
        read: this.#read,
        text: this.#text,
        signature: this.signature,
      };
      const scored = await scoreTask({ ...taskOf(checked[0]!.row, own), rows: checked }, options);
      for (const [k, i] of left.entries()) results[i] = scored[k]!;
    };
    let next = 0;
    for await (const _ of mapInOrder(groupsOf(all, formats, this.#options.alone), WINDOW, score)) {
      for (; results[next] !== undefined; next++) yield { row: all[next]!, result: results[next]! };
    }
    for (; next < all.length; next++) yield { row: all[next]!, result: results[next]! };
  }

  /** Reads the programs of a row. */
  async #check(row: ScoreInput, format: InputFormat): Promise<Checked | { error: ReturnType<typeof rowError> }> {
    try {
      const isRead = format === "nl" || MAY_BE_FENCED.test(row.candidate);
      const fields = programFields(format).filter((field) => isRead || field !== "candidate");
      const { row: read, notes } = await readPrograms(this.#read, row, fields);
      return { row: read, format, notes, isRead };
    } catch (error) {
      return { error: rowError(error) };
    }
  }
}

function formatOf(row: ScoreInput, wanted: InputFormat | "auto"): InputFormat | { error: ReturnType<typeof rowError> } {
  try {
    return chooseFormat(row, wanted);
  } catch (error) {
    return { error: rowError(error) };
  }
}

const taskOf = (
  { reference, description, entryPoint }: ScoreInput,
  format: InputFormat,
): Omit<TaskScoring, "rows"> => ({
  reference: format === "nl" ? null : reference!,
  description: format === "ref" ? null : description!,
  entryPoint: entryPoint ?? null,
});

/**
 * Rows that are run together: those with the same task, reference and description. With `alone`, each row without a reference is its own
 * group. Rows without a format have errors, and are in no group.
 */
function groupsOf(all: readonly ScoreInput[], formats: readonly (InputFormat | null)[], alone: boolean): Group[] {
  const groups = new Map<string, { readonly format: InputFormat; readonly places: number[] }>();
  for (const [i, format] of formats.entries()) {
    if (format === null) continue;
    const row = all[i]!;
    const task = taskOf(row, format);
    const key = JSON.stringify([row.taskId ?? null, task, alone && task.reference === null ? i : null]);
    const group = groups.get(key) ?? { format, places: [] };
    group.places.push(i);
    groups.set(key, group);
  }
  return [...groups.values()];
}
