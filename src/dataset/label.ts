/**
 * Labels programs by executing them: samples in, a labelled set out, one row a sample in input order, whatever finished
 * first. A killed run goes on where it was (journal.ts) and ends with the same bytes. Does not judge: `execute/` does.
 * A sample that names its original is a rewrite that claims to behave alike; where execution shows otherwise it gets no
 * row, and is counted.
 */

import { CodescoreError } from "../errors.ts";
import { settingsOf } from "../execute/settings.ts";
import type { Executor } from "../execute/types.ts";
import { loadProgramReader, type ProgramReader } from "../languages/index.ts";
import { assembleProgram, readProblems, readSamples } from "../problems/index.ts";
import type { Execution, LabelledRow, Problem, Sample } from "../types.ts";
import { packageVersion, sha256 } from "../util/files.ts";
import { startProgress } from "../util/progress.ts";
import { type Defects, joinedDefects } from "./defects.ts";
import { checkOutput, writeExamples } from "./examples.ts";
import { expandDefaults } from "./expand.ts";
import { Journal } from "./journal.ts";
import { type Counts, manifestPath, Tally, writeManifest } from "./manifest.ts";
import { mapInOrder } from "./ordered.ts";
import { Positions } from "./positions.ts";
import { Preparation, type Prepared } from "./prepare.ts";
import { shareOf } from "./split.ts";
import { writeTiming } from "./timing.ts";
import { outputFile } from "./whole.ts";

export interface LabelOptions {
  /** Problem files and folders. */
  readonly problems: readonly string[];
  /** Sample files and folders; read twice, so no pipes. */
  readonly samples: readonly string[];
  /** Where the set goes, ending in .arrow or .jsonl; beside it `.manifest.json`, `.timing.json`, and `.journal.jsonl` until it is done. */
  readonly out: string;
  readonly executor: Executor;
  /** Tests a problem is expanded to; null: its tests as they are. @default null */
  readonly expand?: number | null;
  /** Seed of the expansion. @default 0 */
  readonly seed?: number;
  /** Only the problems of this part, `index` from 1 to `count`. @default null */
  readonly shard?: Shard | null;
  /** Programs started and not yet written. @default 256 */
  readonly window?: number;
  /** Shows a progress bar on stderr. @default false */
  readonly progress?: boolean;
}

export interface Shard {
  readonly index: number;
  readonly count: number;
}

export interface LabelResult extends Counts {
  readonly out: string;
  readonly manifest: string;
  /** Rows of tasks that no problem file has, by task. */
  readonly unknownTasks: ReadonlyMap<string, number>;
  /** Rewrites that do not behave as their originals, and so have no row. */
  readonly changed: number;
  /** What was made of samples that are no plain Python, and how many they are: programs in a fence, say. */
  readonly notes: Readonly<Record<string, number>>;
  /** Programs executed by this call; the other rows were repeats, or known from a killed run. */
  readonly executed: number;
  readonly seconds: number;
  /** Given tests that cannot be made runnable. */
  readonly testsLeftOut: number;
  /** Expanded tests added. */
  readonly testsAdded: number;
  /** What expansion showed, and references among the samples that do not pass every test. */
  readonly defects: Defects;
}

/**
 * Throws `CodescoreError("input")` for files that cannot be used, before anything is executed. Rows that could not be
 * judged are `infra` in the file and in the result; run again, and only they are executed again.
 */
export async function label(options: LabelOptions): Promise<LabelResult> {
  const { out, executor, expand = null, seed = expandDefaults.seed, shard = null, window = 256 } = options;
  checkOutput(out);
  await outputFile(out);
  let testsLeftOut = 0;
  const leaveOut = ({ tests }: { readonly tests: number }): void => {
    testsLeftOut += tests;
  };
  const problems = await readProblems(options.problems, { leaveOut });
  const { total, all } = await countSamples(options.samples, problems, shard);
  const version = await packageVersion();
  const journal = await Journal.open(`${out}.journal.jsonl`);
  const preparation = new Preparation({ executor, expand, seed, journal });
  const environment = JSON.stringify([version, settingsOf(executor)]);
  const tally = new Tally();
  const unknownTasks = new Map<string, number>();
  const wrongReferences: string[] = []; // ids of problems
  const labeller = new Labeller(executor, journal, environment);
  const began = Date.now();
  const bar = startProgress({ label: "label", total, unit: "programs", quiet: options.progress !== true });

  let changed = 0;
  const read = await loadProgramReader();
  const notes = new Map<string, number>();
  const positions = new Positions();
  const rowFor = async (sample: Sample): Promise<LabelledRow | null> => {
    const problem = problems.get(sample.taskId);
    if (problem === undefined) return unknownRow(sample);
    const prepared = await preparation.of(problem);
    const { program, note } = await programOf(read, assembleProgram(problem, sample));
    if (note !== null) notes.set(note, (notes.get(note) ?? 0) + 1);
    const label = await labeller.label(prepared, program);
    if (sample.original !== undefined) {
      if (!alike(label, await labeller.label(prepared, sample.original))) return null;
    }
    return rowOf(sample, program, prepared.problem, label);
  };
  const work = async ({ sample, position }: Placed) => ({ row: await rowFor(sample), position });
  async function* rows(): AsyncGenerator<LabelledRow> {
    const samples = inShard(readSamples(options.samples, problems), shard);
    for await (const { row, position } of mapInOrder(samples, window, work)) {
      if (row === null) {
        changed += 1;
        bar.tick();
        continue;
      }
      tally.add(row);
      positions.add(position);
      if (isWrongReference(row, problems.get(row.task_id))) wrongReferences.push(row.task_id);
      if (!problems.has(row.task_id)) unknownTasks.set(row.task_id, (unknownTasks.get(row.task_id) ?? 0) + 1);
      bar.tick();
      yield row;
    }
  }

  try {
    await writeExamples(out, rows());
  } finally {
    bar.done();
    await journal.close();
  }
  const defects = joinedDefects([preparation.defects, { "failing-reference": wrongReferences }]);
  await writeManifest(out, {
    sources: [...options.problems, ...options.samples],
    how: {
      executor: { ...settingsOf(executor), modules: await executor.modules() },
      expand,
      seed,
      shard: shard && { ...shard, samples: all, positions: positions.text },
      changed_rewrites: changed,
      defects,
      ...(notes.size > 0 && { notes: counted(notes) }),
    },
    tally,
  });
  if (tally.counts.infra === 0) await journal.remove();
  const seconds = (Date.now() - began) / 1000;
  if (labeller.executed > 0) await writeTiming(out, labeller.executed, seconds);
  return {
    ...tally.counts,
    out,
    manifest: manifestPath(out),
    unknownTasks,
    changed,
    notes: counted(notes),
    testsLeftOut,
    executed: labeller.executed,
    seconds,
    testsAdded: preparation.testsAdded,
    defects,
  };
}

/** In one order, whatever finished first. */
const counted = (notes: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...notes].sort(([a], [b]) => (a < b ? -1 : 1)));

/** What is executed of a sample: the program in its fence, as it is scored; prose and other languages as they are, for they fail. */
async function programOf(read: ProgramReader, text: string): Promise<{ program: string; note: string | null }> {
  const found = await read(text);
  if ("foreign" in found) return { program: text, note: found.foreign };
  return { program: found.program, note: found.note ?? null };
}

/** What of an execution a row keeps. */
interface Label {
  readonly status: LabelledRow["status"];
  readonly pass_ratio: number | null;
  readonly executable: 0 | 1 | null;
  readonly n_tests: number;
  readonly n_passed: number;
  readonly first_error: string | null;
  readonly reason: string | null;
}

/** Whether two programs did the same as far as their labels tell; what could not be judged tells nothing. */
const alike = (a: Label, b: Label): boolean =>
  a.status === "infra" ||
  b.status === "infra" ||
  (a.n_passed === b.n_passed && a.executable === b.executable && a.first_error === b.first_error);

/** Executes every distinct program of a problem once, over all runs that share the journal. */
class Labeller {
  readonly #executor: Executor;
  readonly #journal: Journal;
  readonly #environment: string;
  readonly #running = new Map<string, Promise<Label>>();
  executed = 0;

  constructor(executor: Executor, journal: Journal, environment: string) {
    this.#executor = executor;
    this.#journal = journal;
    this.#environment = environment;
  }

  async label({ problem, hash }: Prepared, program: string): Promise<Label> {
    const key = sha256(JSON.stringify(["label", this.#environment, hash, program]));
    const known = this.#journal.get(key) as Label | undefined;
    if (known !== undefined) return known;
    const running = this.#running.get(key) ?? this.#execute(problem, program, key);
    this.#running.set(key, running);
    return running;
  }

  async #execute(problem: Problem, program: string, key: string): Promise<Label> {
    try {
      const label = labelOf(await this.#executor.execute(problem, program));
      this.executed += 1;
      if (label.status !== "infra") this.#journal.put(key, label); // an infra row is tried again
      return label;
    } finally {
      this.#running.delete(key);
    }
  }
}

function labelOf({ status, passRatio, executable, verdicts, firstError, reason }: Execution): Label {
  const passed = verdicts.filter(({ outcome }) => outcome === "pass").length;
  return {
    status,
    pass_ratio: status === "ok" ? passRatio : null,
    executable: status === "ok" ? executable : null,
    n_tests: verdicts.length,
    n_passed: passed,
    first_error: firstError,
    reason,
  };
}

function rowOf(sample: Sample, candidate: string, problem: Problem, label: Label): LabelledRow {
  return {
    task_id: sample.taskId,
    sample_id: sample.sampleId,
    source: problem.source,
    made_by: sample.madeBy,
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
export function referenceFor(problem: Problem, sample: Sample, candidate: string): string | null {
  const others = problem.references.filter((reference) => reference.trim() !== candidate.trim());
  if (others.length === 0) return sample.madeBy === "reference" ? null : (problem.references[0] ?? null);
  const hash = Number.parseInt(sha256(`${sample.taskId}\0${sample.sampleId}`).slice(0, 8), 16);
  return others[hash % others.length]!;
}

/** A sample that is one of the problem's references and does not pass every test. */
function isWrongReference({ candidate, pass_ratio }: LabelledRow, problem: Problem | undefined): boolean {
  if (problem === undefined || pass_ratio === null || pass_ratio === 1) return false;
  return problem.references.some((reference) => reference.trim() === candidate.trim());
}

const unknownRow = (sample: Sample): LabelledRow => ({
  task_id: sample.taskId,
  sample_id: sample.sampleId,
  source: "",
  made_by: sample.madeBy,
  candidate: sample.text,
  reference: null,
  description: null,
  pass_ratio: null,
  executable: null,
  n_tests: 0,
  n_passed: 0,
  status: "no_label",
  first_error: null,
  reason: `unknown task: no problem has the id ${sample.taskId}`,
  weight: 1,
});

/** A sample and its place among all of them. */
interface Placed {
  readonly sample: Sample;
  readonly position: number;
}

async function* inShard(samples: AsyncIterable<Sample>, shard: Shard | null): AsyncGenerator<Placed> {
  let position = -1;
  for await (const sample of samples) {
    position += 1;
    if (shard === null || Math.floor(shareOf(sample.taskId, "shard") * shard.count) === shard.index - 1) {
      yield { sample, position };
    }
  }
}

/** Reads all samples once, so that a bad line in the last file is found before the first program runs. */
async function countSamples(
  paths: readonly string[],
  problems: ReadonlyMap<string, Problem>,
  shard: Shard | null,
): Promise<{ total: number; all: number }> {
  let all = 0;
  let total = 0;
  async function* counted(): AsyncGenerator<Sample> {
    for await (const sample of readSamples(paths, problems)) {
      all += 1;
      yield sample;
    }
  }
  for await (const _ of inShard(counted(), shard)) total += 1;
  if (all === 0) throw new CodescoreError("input", `no samples in ${paths.join(", ")}: expected at least one`);
  return { total, all };
}
