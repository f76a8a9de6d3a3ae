/** Turns samples into the rows of a labelled set, and counts them on the way. */
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
import { Suspects } from "./suspects.ts";

/** A sample and its position in the whole set. */
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
  readonly suspects = new Suspects();
  /** Positions of the samples that have a row. */
  readonly positions = new Positions();
  /** Number of rows per task that no problem file has. */
  readonly unknownTasks = new Map<string, number>();
  /** Ids of problems, one entry for each sample that is a reference and does not pass every test. */
  readonly wrongReferences: string[] = [];
  /** Number of rewrites that behave differently from their originals and so have no row. */
  changed = 0;

  constructor(options: LabelledRowsOptions) {
    this.#options = options;
  }

  /** Notes on samples that are not plain Python, with their counts. Sorted, so the order does not depend on which sample finished first. */
  get notes(): Readonly<Record<string, number>> {
    return this.#ofNotes(({ count }) => count);
  }

  /** The same notes, with the positions of their samples. Samples without a position are left out. */
  get placesOfNotes(): Readonly<Record<string, string>> {
    return this.#ofNotes(({ at }) => at.text);
  }

  #ofNotes<T>(of: (note: { readonly count: number; readonly at: Positions }) => T): Readonly<Record<string, T>> {
    const notes = [...this.#notes].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(notes.map(([text, note]) => [text, of(note)]));
  }

  /** Yields the rows in the order of the samples, with at most `window` in progress. Calls `done` once per sample. */
  async *of(samples: AsyncIterable<Placed>, window: number, done: () => void): AsyncGenerator<LabelledRow> {
    const work = async ({ sample, position }: Placed) => ({ ...(await this.rowFor(sample)), position });
    for await (const { row, note, position } of mapInOrder(samples, window, work)) {
      this.count(row, position, note);
      done();
      if (row !== null) yield row;
    }
  }

  /** The row and a note if the sample is not plain Python. The row is null for a rewrite that behaves differently from its original. */
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

  /** Counts the result of `rowFor`. @param position null if the sample has no position */
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
    this.suspects.add(row);
    if (position !== null) this.positions.add(position);
    if (problem === undefined) this.unknownTasks.set(row.task_id, (this.unknownTasks.get(row.task_id) ?? 0) + 1);
    else if (isWrongReference(row, problem)) this.wrongReferences.push(row.task_id);
  }
}

/** The program to execute: the one in the Markdown fence, as the scorer does. Prose and other languages are executed as they are, and fail. */
async function programOf(read: ProgramReader, text: string): Promise<{ program: string; note: string | null }> {
  const found = await read(text);
  if ("foreign" in found) return { program: text, note: found.foreign };
  return { program: found.program, note: found.note ?? null };
}

function rowOf(sample: Sample, candidate: string, problem: Problem, { opaque: _, ...label }: Label): LabelledRow {
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
 * Chooses a reference that differs from the candidate. Over many samples all references get used. If there is no other, a candidate
 * that happens to equal the only reference keeps it, because it is a real pair and metrics are measured on it. A candidate made
 * by `reference` then gets none.
 */
function referenceFor(problem: Problem, sample: Sample, candidate: string): string | null {
  const others = problem.references.filter((reference) => reference.trim() !== candidate.trim());
  if (others.length === 0) return sample.madeBy === "reference" ? null : (problem.references[0] ?? null);
  const hash = Number.parseInt(sha256(`${sample.taskId}\0${sample.sampleId}`).slice(0, 8), 16);
  return others[hash % others.length]!;
}

/** Whether the sample is one of the problem's references but does not pass every test. */
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
