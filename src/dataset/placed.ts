/** Samples with their positions in the whole set: from plain files (all, or one shard's part) or from a shard's own file (shards.ts). */
import { CodescoreError } from "../errors.ts";
import { readSampleRows, readSamples } from "../problems/index.ts";
import type { Problem, Sample } from "../types.ts";
import { counted } from "../util/counted.ts";
import type { Placed } from "./labelled-rows.ts";
import type { SourceCard } from "./manifest.ts";
import { readShards, type Shards, shardPath } from "./shards.ts";
import { shareOf } from "./split.ts";

export interface Shard {
  /** Counts from 1. */
  readonly index: number;
  readonly count: number;
}

export interface PlacedSamples {
  /** Number of samples of this shard. */
  readonly total: number;
  /** Number of samples of the whole set. */
  readonly all: number;
  /** Sources of the whole set: paths, or their cards. */
  readonly sources: readonly (string | SourceCard)[];
  /** Starts a new reading of the samples with each call. */
  readonly rows: () => AsyncIterable<Placed>;
}

const MOST_NAMED = 5;

/**
 * Opens the samples. Reads all of them once, so that a bad line in the last file is found before the first program runs.
 * Throws `CodescoreError("input")` that names the bad lines, and if there are no samples, "usage" if `shard` does not fit a folder of shards.
 */
export async function openSamples(
  paths: readonly string[],
  problems: ReadonlyMap<string, Problem>,
  shard: Shard | null,
): Promise<PlacedSamples> {
  const cut = await cutOf(paths, shard);
  if (cut !== null) {
    const rows = () => inFile(shardPath(cut, (shard as Shard).index), problems);
    return { total: await countOf(rows()), all: cut.samples, sources: cut.sources, rows };
  }
  let all = 0;
  const bad: string[] = [];
  const onBroken = ({ message }: CodescoreError): void => void bad.push(message);
  async function* counted(): AsyncGenerator<Sample> {
    for await (const sample of readSamples(paths, problems, onBroken)) {
      all += 1;
      yield sample;
    }
  }
  const total = await countOf(inShard(counted(), shard));
  if (bad.length > 0) throw new CodescoreError("input", badRows(bad));
  if (all === 0) throw new CodescoreError("input", `no samples in ${paths.join(", ")}: expected at least one`);
  return { total, all, sources: paths, rows: () => inShard(readSamples(paths, problems), shard) };
}

/** Names the first bad rows. */
function badRows(messages: readonly string[]): string {
  const more = messages.length - MOST_NAMED;
  const rest = more > 0 ? [`and ${counted(more, "more bad row")}`] : [];
  return [...messages.slice(0, MOST_NAMED), ...rest].join("; ");
}

/** The folder of shards that `paths` names; null if they are plain files. */
export async function cutOf(paths: readonly string[], shard: Shard | null): Promise<Shards | null> {
  for (const path of paths) {
    const shards = await readShards(path);
    if (shards === null) continue;
    if (paths.length === 1 && shard?.count === shards.count) return shards;
    const got = paths.length > 1 ? "other samples as well" : shard === null ? "none" : `${shard.index}/${shard.count}`;
    const { count } = shards;
    throw new CodescoreError(
      "usage",
      `${path} is divided into ${counted(count, "shard")}: expected --shard i/${count}, got ${got}`,
    );
  }
  return null;
}

/** The samples of one shard's file. */
export async function* inFile(path: string, problems: ReadonlyMap<string, Problem>): AsyncGenerator<Placed> {
  for await (const { sample, fields } of readSampleRows([path], problems)) {
    const { position } = fields;
    if (!Number.isSafeInteger(position)) {
      const what = "expected `position` in each row, as codescore datasets shard writes them";
      throw new CodescoreError("input", `${path}: ${what}, got ${JSON.stringify(position)}`);
    }
    yield { sample, position: position as number };
  }
}

/** Whether a task belongs to the part. All that belongs to a task is in one part. */
export const isInShard = (taskId: string, shard: Shard | null): boolean =>
  shard === null || Math.floor(shareOf(taskId, "shard") * shard.count) === shard.index - 1;

async function* inShard(samples: AsyncIterable<Sample>, shard: Shard | null): AsyncGenerator<Placed> {
  let position = -1;
  for await (const sample of samples) {
    position += 1;
    if (isInShard(sample.taskId, shard)) yield { sample, position };
  }
}

async function countOf(rows: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of rows) count += 1;
  return count;
}
