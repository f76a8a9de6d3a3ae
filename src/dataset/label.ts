/**
 * Labels programs by executing them: one row per sample, in input order, no matter which finishes first. A killed run resumes
 * (journal.ts) and ends with the same bytes. `execute/` does the judging, not this file. A sample that names its original is a
 * rewrite that should behave the same. If execution shows that it does not, it gets no row and is counted.
 */
import { settingsOf } from "../execute/settings.ts";
import type { Executor } from "../execute/types.ts";
import { loadProgramReader } from "../languages/index.ts";
import { countingLeftOut, type LeftOut, type NotebookOptions, readProblems } from "../problems/index.ts";
import { packageVersion } from "../util/files.ts";
import { startProgress } from "../util/progress.ts";
import { RepeatedIds } from "../util/repeated-ids.ts";
import { type Defects, joinedDefects } from "./defects.ts";
import { checkOutput, writeExamples } from "./examples.ts";
import { expandDefaults } from "./expand.ts";
import { Journal } from "./journal.ts";
import { LabelledRows, type Placed } from "./labelled-rows.ts";
import { Labeller, type OpaqueTests } from "./labeller.ts";
import { type Counts, dataCards, manifestPath, sourceCard, writeManifest } from "./manifest.ts";
import type { ModelPasses } from "./pass-tally.ts";
import { openSamples, type Shard } from "./placed.ts";
import { Preparation } from "./prepare.ts";
import type { Doubtful } from "./suspects.ts";
import { writeTiming } from "./timing.ts";
import { outputFile } from "./whole.ts";

export interface LabelOptions {
  /** Problem files and folders. */
  readonly problems: readonly string[];
  /** Sample files and folders, or one folder of shards (`writeShards`). They are read twice, so pipes do not work. */
  readonly samples: readonly string[];
  /**
   * The output file, ending in .arrow, .parquet or .jsonl. Beside it go `.manifest.json`, `.timing.json`, and `.journal.jsonl`
   * until the set is complete.
   */
  readonly out: string;
  readonly executor: Executor;
  /** Number of tests each problem is expanded to; null: tests stay as they are. @default null */
  readonly expand?: number | null;
  /** Seed of the expansion. @default 0 */
  readonly seed?: number;
  /** Label only this part of the problems; `index` counts from 1 to `count`. @default null */
  readonly shard?: Shard | null;
  /** Maximum number of programs started and not yet written. @default 256 */
  readonly window?: number;
  /** Shows a progress bar on stderr. @default false */
  readonly progress?: boolean;
  /** How notebooks among the problems are read. */
  readonly notebooks?: NotebookOptions;
}

export interface LabelResult extends Counts {
  readonly out: string;
  readonly manifest: string;
  /** Number of rows per task that no problem file has. */
  readonly unknownTasks: ReadonlyMap<string, number>;
  /** Number of rewrites that behave differently from their originals and so have no row. */
  readonly changed: number;
  /** Notes on samples that are not plain Python (a program in a Markdown fence, for example), with their counts. */
  readonly notes: Readonly<Record<string, number>>;
  /** Number of programs this call executed. The other rows were repeats or came from the journal of a killed run. */
  readonly executed: number;
  readonly seconds: number;
  /** Pass counts by model and temperature. */
  readonly passes: readonly ModelPasses[];
  /** Given tests that cannot be run. */
  readonly testsLeftOut: LeftOut;
  /** Number of tests that expansion added. */
  readonly testsAdded: number;
  /** Defects that expansion showed, and references among the samples that fail a test. */
  readonly defects: Defects;
  /** Problems of which no program and no reference passes every test; null if expansion checked the references (`defects`). */
  readonly doubtful: Doubtful | null;
  /** By problem: the tests that ran beside their programs, which could cheat them. Sorted by id. */
  readonly opaqueTests: ReadonlyMap<string, OpaqueTests>;
  /** Warning about samples that repeat the id of an earlier sample of their task; null if there are none. */
  readonly repeatedIds: string | null;
}

/**
 * Labels the samples and writes the set. Throws `CodescoreError("input")` for unusable files, before it executes anything.
 * Rows that could not be judged have the status `infra` in the file and in the result. Running again executes only those rows.
 */
export async function label(options: LabelOptions): Promise<LabelResult> {
  const { out, executor, expand = null, seed = expandDefaults.seed, shard = null } = options;
  checkOutput(out);
  await outputFile(out);
  const { leaveOut, counts: testsLeftOut } = countingLeftOut();
  const problems = await readProblems(options.problems, {
    leaveOut,
    ...(options.notebooks && { notebooks: options.notebooks }),
  });
  const samples = await openSamples(options.samples, problems, shard);
  const environment = JSON.stringify([await packageVersion(), settingsOf(executor)]);
  const journal = await Journal.open(`${out}.journal.jsonl`);
  const preparation = new Preparation({ executor, expand, seed, journal });
  const labeller = new Labeller(executor, journal, environment);
  const ids = new RepeatedIds();
  const began = Date.now();
  let doubtful: Doubtful | null = null;
  let seconds = 0;
  let executed = 0;
  const rows = new LabelledRows({ problems, read: await loadProgramReader(), preparation, labeller });
  try {
    const named = ids.over(samples.rows(), ({ sample }) => ({ task: sample.taskId, id: sample.sampleId }));
    await writeRows(options, rows, named, samples.total);
    seconds = (Date.now() - began) / 1000;
    executed = labeller.executed;
    if (expand === null)
      doubtful = await rows.suspects.check(problems, new Set(rows.wrongReferences), preparation, labeller);
  } finally {
    await journal.close();
  }
  const { tally, passes, positions, unknownTasks, changed, notes } = rows;
  const defects = joinedDefects([preparation.defects, { "failing-reference": rows.wrongReferences }]);
  await writeManifest(out, {
    sources: [
      ...(await Promise.all(options.problems.map((path) => sourceCard(path, options.notebooks)))),
      ...dataCards(problems.values()),
      ...samples.sources,
    ],
    how: {
      executor: { ...settingsOf(executor), modules: await executor.modules() },
      expand,
      seed,
      shard: shard && { ...shard, samples: samples.all, positions: positions.text },
      changed_rewrites: changed,
      defects,
      ...(Object.keys(notes).length > 0 && { notes }),
    },
    tally,
  });
  if (tally.counts.infra === 0) await journal.remove();
  if (executed > 0) await writeTiming(out, executed, seconds);
  const { testsAdded } = preparation;
  const manifest = manifestPath(out);
  return {
    ...tally.counts,
    out,
    manifest,
    unknownTasks,
    changed,
    notes,
    passes: passes.models,
    testsLeftOut,
    executed,
    seconds,
    testsAdded,
    defects,
    doubtful,
    opaqueTests: new Map([...labeller.opaque].sort(([a], [b]) => (a < b ? -1 : 1))),
    repeatedIds: ids.warning,
  };
}

/** Writes the labelled file. */
async function writeRows(
  { out, window = 256, progress = false }: LabelOptions,
  rows: LabelledRows,
  samples: AsyncIterable<Placed>,
  total: number,
): Promise<void> {
  const bar = startProgress({ label: "label", total, unit: "programs", quiet: !progress });
  try {
    await writeExamples(
      out,
      rows.of(samples, window, () => bar.tick()),
    );
  } finally {
    bar.done();
  }
}
