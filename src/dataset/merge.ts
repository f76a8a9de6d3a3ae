/**
 * Joins the shards of one labelling run into the file and manifest that a run without shards would have written, byte for byte.
 * The shards come from `label --shard i/n`, or are outputs of `label --stdio` that engines (Ray, Spark) stored. Executes nothing.
 * Needs the shards' manifests, which record sources and row positions. A sample labelled twice, for example because a worker
 * died, counts once. If one of its rows could not be judged, the other one counts.
 */
import { CodescoreError } from "../errors.ts";
import { readSamples } from "../problems/index.ts";
import type { LabelledRow } from "../types.ts";
import { type Defects, joinedDefects } from "./defects.ts";
import { checkOutput, readExamples, writeExamples } from "./examples.ts";
import { type Counts, type SourceCard, sourceCard, Tally, writeManifest } from "./manifest.ts";
import { inOrder, type RowKind, type ShardRows } from "./merge-order.ts";
import { positionsOf, type Run, runsOf } from "./positions.ts";
import { checkParts, checkRuns, checkSha256, readCard } from "./shard-card.ts";
import { readShards } from "./shards.ts";

interface ShardFile extends ShardRows {
  /** For `label --shard`: index, number of shards, and number of samples in all shards. Null for an engine's shard. */
  readonly part: { readonly index: number; readonly count: number; readonly samples: number } | null;
  /** Positions of its samples, with or without a row. */
  readonly seen: readonly Run[];
  readonly changed: number;
  /** Samples per note: their number, or for an engine's shard their positions. */
  readonly notes: Readonly<Record<string, number | readonly Run[]>>;
  /** Positions of samples without a label, because they could not be read or ended their worker. */
  readonly faulty: readonly number[];
  readonly defects: Defects;
  /** Settings that must be equal in all shards. */
  readonly run: Readonly<Record<string, unknown>>;
}

export interface MergeOptions {
  /** Source of the samples of engines' shards, which need it: files and folders, or the folder of `writeShards`. @default [] */
  readonly samples?: readonly string[];
  /** Leaves out samples that could not be read or that ended their worker. The manifest lists them. By default they are an error. @default false */
  readonly leaveOut?: boolean;
}

const LABELLED: RowKind<LabelledRow> = { read: readExamples, isJudged: ({ status }) => status !== "infra" };

/** Joins shards. Throws `CodescoreError("input")`, naming the shards, if they are of different runs, missing, doubled or changed. */
export async function mergeShards(
  out: string,
  shards: readonly string[],
  { samples = [], leaveOut = false }: MergeOptions = {},
): Promise<Counts & { readonly leftOut: readonly number[] }> {
  checkOutput(out);
  const files: ShardFile[] = [];
  for (const path of shards) files.push(await readShard(path, leaveOut));
  const whole = checkedSet(files);
  const given = whole.part === null ? await samplesOf(samples) : null;
  if (given !== null) checkWhole(files, given.count);
  const tally = new Tally();
  await writeExamples(out, tally.count(inOrder(files, LABELLED)));
  const { sources, executor, expand, seed } = whole.run;
  const notes = notesOf(files);
  const leftOut = leftOutOf(files);
  await writeManifest(out, {
    sources: [...(sources as readonly SourceCard[]), ...(given?.sources ?? [])],
    how: {
      executor,
      expand,
      seed,
      shard: null,
      changed_rewrites:
        given === null
          ? files.reduce((sum, { changed }) => sum + changed, 0)
          : given.count - tally.counts.rows - leftOut.length,
      defects: joinedDefects(files.map(({ defects }) => defects)),
      ...(Object.keys(notes).length > 0 && { notes }),
      ...(leftOut.length > 0 && { left_out: leftOut }),
    },
    tally,
  });
  return { ...tally.counts, leftOut };
}

/** Faulty samples that no shard labelled, in order. */
function leftOutOf(files: readonly ShardFile[]): number[] {
  const isLabelled = (position: number): boolean =>
    files.some(({ positions }) =>
      positions.some(({ start, length }) => position >= start && position < start + length),
    );
  return [...new Set(files.flatMap(({ faulty }) => faulty))].filter((one) => !isLabelled(one)).sort((a, b) => a - b);
}

/** Number and sources of the samples of the whole run. */
async function samplesOf(paths: readonly string[]): Promise<{ count: number; sources: readonly SourceCard[] }> {
  const [path] = paths;
  if (path === undefined) {
    throw new CodescoreError(
      "usage",
      "expected --samples PATH: only the samples show whether all shards of an engine are present",
    );
  }
  const cut = paths.length === 1 ? await readShards(path) : null;
  if (cut !== null) return { count: cut.samples, sources: cut.sources };
  let count = 0;
  for await (const _ of readSamples(paths)) count += 1;
  return { count, sources: await Promise.all(paths.map((path) => sourceCard(path))) };
}

/** Throws `CodescoreError("input")` unless the shards together hold exactly the samples from 0 to `count` - 1. */
function checkWhole(files: readonly ShardFile[], count: number): void {
  const runs = files.flatMap(({ seen }) => seen).sort((a, b) => a.start - b.start);
  let end = 0;
  for (const { start, length } of [...runs, { start: count, length: 0 }]) {
    if (start > end) {
      const which = start === end + 1 ? `sample ${end}` : `samples ${end} to ${start - 1}`;
      throw new CodescoreError(
        "input",
        `no shard has ${which} of ${count} (counted from 0): label the shards with these samples again`,
      );
    }
    end = Math.max(end, start + length);
  }
  if (end > count)
    throw new CodescoreError(
      "input",
      `a shard has sample ${end - 1} (counted from 0), but --samples has only ${count}`,
    );
}

/** Number of samples per note. A sample in several shards counts once. */
function notesOf(files: readonly ShardFile[]): Record<string, number> {
  const texts = [...new Set(files.flatMap(({ notes }) => Object.keys(notes)))].sort();
  const total = (text: string): number => {
    let count = 0;
    const runs: Run[] = [];
    for (const { notes } of files) {
      const found = notes[text] ?? 0;
      if (typeof found === "number") count += found;
      else runs.push(...found);
    }
    return count + lengthOf(runs);
  };
  return Object.fromEntries(texts.map((text) => [text, total(text)]));
}

/** Number of positions covered by runs that may overlap. */
function lengthOf(runs: readonly Run[]): number {
  let [end, total] = [0, 0];
  for (const { start, length } of runs.toSorted((a, b) => a.start - b.start)) {
    total += Math.max(0, start + length - Math.max(start, end));
    end = Math.max(end, start + length);
  }
  return total;
}

async function readShard(path: string, leaveOut: boolean): Promise<ShardFile> {
  const card = await readCard(path);
  const shard = (card.shard ?? {}) as Record<string, unknown>;
  const { index, count, samples, faults, first_fault } = shard;
  const isPart = typeof index === "number" && typeof count === "number" && typeof samples === "number";
  const positions = runsOf(shard.positions);
  const seen = isPart ? positions : runsOf(shard.seen);
  if (positions === null || seen === null) {
    const what =
      "expected a file of codescore label --shard i/n, or an engine's output whose samples have a `position`";
    throw new CodescoreError("input", `${path} is not a shard: ${what}`);
  }
  if (typeof faults === "number" && faults > 0 && !leaveOut) {
    const what = `${faults} of its samples have no label; the first: ${first_fault}`;
    throw new CodescoreError("input", `${path}: ${what}; use --leave-out to merge the shards without them`);
  }
  const { codescore, sources, executor, expand, seed, sha256 } = card;
  await checkSha256(path, sha256);
  const { changed_rewrites: changed = 0, notes: counted, defects } = card as Manifest;
  const places = Object.entries((shard.notes ?? {}) as Record<string, unknown>);
  return {
    path,
    part: isPart ? { index, count, samples } : null,
    positions,
    seen,
    changed,
    notes: isPart ? (counted ?? {}) : Object.fromEntries(places.map(([text, at]) => [text, runsOf(at) ?? []])),
    faulty: positionsOf(runsOf(shard.faulty) ?? []),
    defects: defects ?? {},
    run: {
      ...{ codescore, sources, executor, expand, seed },
      shards: isPart ? count : null,
      samples: isPart ? samples : null,
    },
  };
}

interface Manifest {
  readonly changed_rewrites?: number;
  readonly notes?: Readonly<Record<string, number>>;
  readonly defects?: Defects;
}

/** Returns the first shard, after checking that all shards are present, once each, and of one run and codescore version. */
function checkedSet(files: readonly ShardFile[]): ShardFile {
  const first = checkRuns(files);
  if (first.part !== null) {
    const parts = files.map(({ path, part }) => ({ path, index: part?.index ?? 0 }));
    checkParts(parts, first.part.count);
  }
  return first;
}
