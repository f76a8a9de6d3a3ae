/**
 * Labels programs by executing them: samples in, a labelled set out, one row a sample in input order, whatever finished
 * first. A killed run goes on where it was (journal.ts) and ends with the same bytes. Does not judge: `execute/` does.
 * A sample that names its original is a rewrite that claims to behave alike; where execution shows otherwise it gets no
 * row, and is counted.
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
import { Labeller } from "./labeller.ts";
import { type Counts, manifestPath, writeManifest } from "./manifest.ts";
import type { ModelPasses } from "./pass-tally.ts";
import { openSamples, type Shard } from "./placed.ts";
import { Preparation } from "./prepare.ts";
import { writeTiming } from "./timing.ts";
import { outputFile } from "./whole.ts";

export interface LabelOptions {
  /** Problem files and folders. */
  readonly problems: readonly string[];
  /** Sample files and folders, or one folder of shards (`writeShards`); read twice, so no pipes. */
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
  /** How notebooks among the problems are read. */
  readonly notebooks?: NotebookOptions;
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
  /** What passed, by who made it. */
  readonly passes: readonly ModelPasses[];
  /** Given tests that cannot be run. */
  readonly testsLeftOut: LeftOut;
  /** Expanded tests added. */
  readonly testsAdded: number;
  /** What expansion showed, and references among the samples that do not pass every test. */
  readonly defects: Defects;
  /** What to say of samples that have the id of an earlier one of their task; null where there are none. */
  readonly repeatedIds: string | null;
}

/**
 * Throws `CodescoreError("input")` for files that cannot be used, before anything is executed. Rows that could not be
 * judged are `infra` in the file and in the result; run again, and only they are executed again.
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
  const rows = new LabelledRows({ problems, read: await loadProgramReader(), preparation, labeller });
  try {
    const named = ids.over(samples.rows(), ({ sample }) => ({ task: sample.taskId, id: sample.sampleId }));
    await writeRows(options, rows, named, samples.total);
  } finally {
    await journal.close();
  }
  const { tally, passes, positions, unknownTasks, changed, notes } = rows;
  const defects = joinedDefects([preparation.defects, { "failing-reference": rows.wrongReferences }]);
  await writeManifest(out, {
    sources: [...options.problems, ...samples.sources],
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
  const { executed } = labeller;
  const seconds = (Date.now() - began) / 1000;
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
    repeatedIds: ids.warning,
  };
}

/** Leaves the labelled file. */
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
