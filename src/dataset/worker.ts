/**
 * A shard's worker (docs/clusters.md): takes samples in batches, returns one labelled row per sample, in order. The result of a
 * batch depends only on the batch, the problems and the settings, not on the worker or on earlier batches. Keeps nothing on disk:
 * the sender of the batches stores the results and sends lost batches again.
 */
import { CodescoreError, type ErrorCode, messageOf } from "../errors.ts";
import { settingsOf } from "../execute/settings.ts";
import type { Executor } from "../execute/types.ts";
import { loadProgramReader, type ProgramReader } from "../languages/index.ts";
import { type NotebookOptions, readProblems, rowOfFields, sampleReader } from "../problems/index.ts";
import type { LabelledRow, Problem, Sample } from "../types.ts";
import { packageVersion, sha256 } from "../util/files.ts";
import { mapInOrder } from "../util/ordered.ts";
import { type InRow, lineOf, type OutKind, type OutRow, type WorkedBatch } from "../util/row-stream.ts";
import { defectsOf, joinedDefects } from "./defects.ts";
import { expandDefaults } from "./expand.ts";
import { Recent } from "./journal.ts";
import { LabelledRows } from "./labelled-rows.ts";
import { Labeller } from "./labeller.ts";
import { sourceCard } from "./manifest.ts";
import { Positions } from "./positions.ts";
import { Preparation } from "./prepare.ts";
import { columnNames, columns } from "./schema.ts";

const WINDOW = 256;

export interface WorkerOptions {
  /** Problem files and folders. */
  readonly problems: readonly string[];
  readonly executor: Executor;
  /** How notebooks among the problems are read. */
  readonly notebooks?: NotebookOptions;
  /** Number of tests each problem is expanded to; null: tests stay as they are. @default null */
  readonly expand?: number | null;
  /** Seed of the expansion. @default 0 */
  readonly seed?: number;
}

/** Why a row has no label: an error, for example an unreadable row, or a rewrite that behaves differently from its original (`changed`). */
export interface RowFault {
  readonly code: ErrorCode | "changed";
  readonly message: string;
}

interface Outcome {
  readonly position: number | null;
  /** Null if the row could not be read as a sample. */
  readonly sample: Sample | null;
  /** Null if there is a fault. */
  readonly row: LabelledRow | null;
  /** See `LabelledRows.notes`. */
  readonly note: string | null;
  readonly fault: RowFault | null;
}

/** The columns of `LabelledRow`, the sample's position, and the error if there is one. */
export const workerColumns: Readonly<Record<string, OutKind>> = {
  position: "integer",
  ...Object.fromEntries(columnNames.map((name) => [name, kindOf(columns[name].kind)])),
  error_code: "text",
  error: "text",
};

function kindOf(kind: (typeof columns)[keyof typeof columns]["kind"]): OutKind {
  if (kind === "dictionary" || kind === "text") return "text";
  return kind === "ratio" || kind === "number" ? "number" : "integer";
}

export class LabelWorker {
  /** Settings of every batch, as a manifest records them. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly #problems: ReadonlyMap<string, Problem>;
  readonly #read: ProgramReader;
  readonly #preparation: Preparation;
  readonly #labeller: Labeller;
  readonly #sample: ReturnType<typeof sampleReader>;

  private constructor(
    settings: LabelWorker["settings"],
    problems: ReadonlyMap<string, Problem>,
    read: ProgramReader,
    preparation: Preparation,
    labeller: Labeller,
  ) {
    this.settings = settings;
    this.#problems = problems;
    this.#read = read;
    this.#preparation = preparation;
    this.#labeller = labeller;
    // Names a sample by its content. Its index among the samples of this worker would depend on which worker gets it.
    this.#sample = sampleReader(problems, (id, text) => `${id}#${sha256(text).slice(0, 12)}`);
  }

  /** Throws `CodescoreError("input")` if problems cannot be read. */
  static async open({
    problems: paths,
    executor,
    notebooks,
    expand = null,
    seed,
  }: WorkerOptions): Promise<LabelWorker> {
    const problems = await readProblems(paths, notebooks && { notebooks });
    const journal = new Recent();
    const settings = {
      codescore: await packageVersion(),
      sources: await Promise.all(paths.map((path) => sourceCard(path, notebooks))),
      executor: { ...settingsOf(executor), modules: await executor.modules() },
      expand,
      seed: seed ?? expandDefaults.seed,
    };
    const preparation = new Preparation({ executor, expand, seed: settings.seed, journal });
    const labeller = new Labeller(executor, journal, JSON.stringify([settings.codescore, settingsOf(executor)]));
    return new LabelWorker(settings, problems, await loadProgramReader(), preparation, labeller);
  }

  batch(rows: AsyncIterable<InRow>): WorkedBatch {
    const [problems, read] = [this.#problems, this.#read];
    const made = new LabelledRows({ problems, read, preparation: this.#preparation, labeller: this.#labeller });
    const [seen, faulty] = [new Positions(), new Positions()];
    const tasks = new Set<string>();
    const faults: string[] = [];
    const work = (row: InRow): Promise<Outcome> => this.#outcome(row, made);
    async function* out(): AsyncGenerator<OutRow> {
      for await (const { position, sample, row, note, fault } of mapInOrder(rows, WINDOW, work)) {
        if (position !== null) seen.add(position);
        if (sample !== null) tasks.add(sample.taskId);
        if (fault === null || fault.code === "changed") made.count(row, position, note);
        else {
          faults.push(fault.message);
          if (position !== null) faulty.add(position);
        }
        yield row === null ? faultOut(fault ?? CHANGED, position, sample) : labelledOut(row, position);
      }
    }
    const card = () => ({
      shard: {
        positions: made.positions.text,
        seen: seen.text,
        notes: made.placesOfNotes,
        faults: faults.length,
        first_fault: faults[0] ?? null,
        faulty: faulty.text,
      },
      changed_rewrites: made.changed,
      defects: joinedDefects([
        defectsOf([...tasks].map((id) => [id, this.#preparation.reports.get(id)?.defects ?? []] as const)),
        { "failing-reference": made.wrongReferences },
      ]),
      ...(Object.keys(made.notes).length > 0 && { notes: made.notes }),
      counts: made.tally.counts,
      pass_ratio: made.tally.histogram,
    });
    return { rows: out(), card };
  }

  /** Never throws. Whatever keeps one row from being labelled becomes that row's fault, because a retry would meet it again. */
  async #outcome(given: InRow, made: LabelledRows): Promise<Outcome> {
    let [position, sample]: [number | null, Sample | null] = [null, null];
    try {
      const line = lineOf(given);
      if (line instanceof CodescoreError) throw line;
      position = positionOf(line.value.position, given.where);
      sample = this.#sample(rowOfFields(line.value, line.where)).sample;
      const { row, note } = await made.rowFor(sample);
      return { position, sample, row, note, fault: row === null ? CHANGED : null };
    } catch (error) {
      const code = error instanceof CodescoreError ? error.code : "infra";
      return { position, sample, row: null, note: null, fault: { code, message: messageOf(error) } };
    }
  }
}

const CHANGED: RowFault = {
  code: "changed",
  message: "this rewrite behaves differently from its original, so it has no label",
};

function positionOf(value: unknown, where: string): number | null {
  if (value === undefined || value === null) return null;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new CodescoreError(
    "input",
    `${where}: expected \`position\` to count samples from 0, got ${JSON.stringify(value)}`,
  );
}

function labelledOut(row: LabelledRow, position: number | null): OutRow {
  const place = position === null ? {} : { position };
  const ordered = Object.fromEntries(columnNames.map((name) => [name, row[name]]));
  return { cells: { ...ordered, ...place }, line: JSON.stringify({ ...place, ...ordered }) };
}

function faultOut(fault: RowFault, position: number | null, sample: Sample | null): OutRow {
  const named = {
    ...(position !== null && { position }),
    ...(sample !== null && { task_id: sample.taskId, sample_id: sample.sampleId }),
  };
  return {
    cells: { ...named, error_code: fault.code, error: fault.message },
    line: JSON.stringify({ ...named, error: fault }),
  };
}
