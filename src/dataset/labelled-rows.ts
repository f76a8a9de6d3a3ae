/** The rows of a labelled set out of its samples, and what is counted of them on the way. */
import type { ProgramReader } from "../languages/index.ts";
import { assembleProgram } from "../problems/index.ts";
import type { LabelledRow, Problem, Sample } from "../types.ts";
import { sha256 } from "../util/files.ts";
import { mapInOrder } from "../util/ordered.ts";
import { alike, type Label, type Labeller } from "./labeller.ts";
import { Tally } from "./manifest.ts";
import { PassTally } from "./pass-tally.ts";
import { Positions } from "./positions.ts";
import type { Preparation } from "./prepare.ts";

/** A sample and its place among all of them. */
export interface Placed {
  readonly sample: Sample;
  readonly position: number;
}

export interface LabelledRowsOptions {
  readonly problems: ReadonlyMap<string, Problem>;
  readonly read: ProgramReader;
  readonly preparation: Preparation;
  readonly labeller: Labeller;
}

export class LabelledRows {
  readonly #options: LabelledRowsOptions;
  readonly #notes = new Map<string, { count: number; readonly at: Positions }>();
  readonly tally = new Tally();
  readonly passes = new PassTally();
  /** Of the samples that have a row. */
  readonly positions = new Positions();
  /** Rows of tasks that no problem file has, by task. */
  readonly unknownTasks = new Map<string, number>();
  /** Ids of problems, one for each of their references that does not pass every test. */
  readonly wrongReferences: string[] = [];
  /** Rewrites that do not behave as their originals, and so have no row. */
  changed = 0;

  constructor(options: LabelledRowsOptions) {
    this.#options = options;
  }

  /** What was made of samples that are no plain Python, and how many they are; in one order, whatever finished first. */
  get notes(): Readonly<Record<string, number>> {
    return this.#ofNotes(({ count }) => count);
  }

  /** The same by the places of those samples that have one. */
  get placesOfNotes(): Readonly<Record<string, string>> {
    return this.#ofNotes(({ at }) => at.text);
  }

  #ofNotes<T>(of: (note: { readonly count: number; readonly at: Positions }) => T): Readonly<Record<string, T>> {
    const notes = [...this.#notes].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(notes.map(([text, note]) => [text, of(note)]));
  }

  /** The rows in the order of the samples, at most `window` of them at work; `done` is told of every sample. */
  async *of(samples: AsyncIterable<Placed>, window: number, done: () => void): AsyncGenerator<LabelledRow> {
    const work = async ({ sample, position }: Placed) => ({ ...(await this.rowFor(sample)), position });
    for await (const { row, note, position } of mapInOrder(samples, window, work)) {
      this.count(row, position, note);
      done();
      if (row !== null) yield row;
    }
  }

  /** The row, null for a rewrite that does not behave as its original; and what was made of a sample that is no plain Python. */
  async rowFor(sample: Sample): Promise<{ readonly row: LabelledRow | null; readonly note: string | null }> {
    const { problems, read, preparation, labeller } = this.#options;
    const problem = problems.get(sample.taskId);
    if (problem === undefined) return { row: unknownRow(sample), note: null };
    const prepared = await preparation.of(problem);
    const { program, note } = await programOf(read, assembleProgram(problem, sample));
    const label = await labeller.label(prepared, program);
    if (sample.original !== undefined && !alike(label, await labeller.label(prepared, sample.original))) {
      return { row: null, note };
    }
    return { row: rowOf(sample, program, prepared.problem, label), note };
  }

  /** Counts what `rowFor` gave. @param position null where the sample has no place */
  count(row: LabelledRow | null, position: number | null, note: string | null): void {
    if (note !== null) {
      const noted = this.#notes.get(note) ?? { count: 0, at: new Positions() };
      noted.count += 1;
      if (position !== null) noted.at.add(position);
      this.#notes.set(note, noted);
    }
    if (row === null) {
      this.changed += 1;
      return;
    }
    const problem = this.#options.problems.get(row.task_id);
    this.tally.add(row);
    this.passes.add(row);
    if (position !== null) this.positions.add(position);
    if (problem === undefined) this.unknownTasks.set(row.task_id, (this.unknownTasks.get(row.task_id) ?? 0) + 1);
    else if (isWrongReference(row, problem)) this.wrongReferences.push(row.task_id);
  }
}

/** What is executed of a sample: the program in its fence, as it is scored; prose and other languages as they are, for they fail. */
async function programOf(read: ProgramReader, text: string): Promise<{ program: string; note: string | null }> {
  const found = await read(text);
  if ("foreign" in found) return { program: text, note: found.foreign };
  return { program: found.program, note: found.note ?? null };
}

function rowOf(sample: Sample, candidate: string, problem: Problem, label: Label): LabelledRow {
  return {
    task_id: sample.taskId,
    sample_id: sample.sampleId,
    source: problem.source,
    made_by: sample.madeBy,
    temperature: sample.temperature ?? null,
    candidate,
    reference: referenceFor(problem, sample, candidate),
    description: problem.description === "" ? null : problem.description,
    ...label,
    weight: 1,
  };
}

/**
 * One of the references that the candidate is not itself; over many samples all of them get used. A program that happens
 * to equal the only reference keeps it (it is a real pair, and metrics are measured on it); the reference as its own
 * candidate has none.
 */
function referenceFor(problem: Problem, sample: Sample, candidate: string): string | null {
  const others = problem.references.filter((reference) => reference.trim() !== candidate.trim());
  if (others.length === 0) return sample.madeBy === "reference" ? null : (problem.references[0] ?? null);
  const hash = Number.parseInt(sha256(`${sample.taskId}\0${sample.sampleId}`).slice(0, 8), 16);
  return others[hash % others.length]!;
}

/** A sample that is one of the problem's references and does not pass every test. */
function isWrongReference({ candidate, pass_ratio }: LabelledRow, problem: Problem): boolean {
  if (pass_ratio === null || pass_ratio === 1) return false;
  return problem.references.some((reference) => reference.trim() === candidate.trim());
}

const unknownRow = (sample: Sample): LabelledRow => ({
  task_id: sample.taskId,
  sample_id: sample.sampleId,
  source: "",
  made_by: sample.madeBy,
  temperature: sample.temperature ?? null,
  candidate: sample.text,
  reference: null,
  description: null,
  pass_ratio: null,
  executable: null,
  n_tests: 0,
  n_passed: 0,
  n_opaque: 0,
  passes_base: null,
  status: "no_label",
  first_error: null,
  reason: `unknown task: no problem has the id ${sample.taskId}`,
  weight: 1,
});
