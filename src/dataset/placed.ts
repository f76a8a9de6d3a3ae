/** Samples and their places among all of them: of plain files, whole or a shard's part, or of a shard's own file (shards.ts). */
import { CodescoreError } from "../errors.ts";
import { readSampleRows, readSamples } from "../problems/index.ts";
import type { Problem, Sample } from "../types.ts";
import { counted } from "../util/counted.ts";
import type { Placed } from "./labelled-rows.ts";
import type { SourceCard } from "./manifest.ts";
import { readShards, type Shards, shardPath } from "./shards.ts";
import { shareOf } from "./split.ts";

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

export interface PlacedSamples {
  /** Of this shard. */
  readonly total: number;
  /** Of the whole set. */
  readonly all: number;
  /** What the whole set is made from: paths, or their cards. */
  readonly sources: readonly (string | SourceCard)[];
  /** May be read more than once. */
  readonly rows: () => AsyncIterable<Placed>;
}

/**
 * Reads all samples once, so that a bad line in the last file is found before the first program runs. Throws `CodescoreError("input")` for
 * it, and where there are none; "usage" for shards that are cut in another way.
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
  async function* counted(): AsyncGenerator<Sample> {
    for await (const sample of readSamples(paths, problems)) {
      all += 1;
      yield sample;
    }
  }
  const total = await countOf(inShard(counted(), shard));
  if (all === 0) throw new CodescoreError("input", `no samples in ${paths.join(", ")}: expected at least one`);
  return { total, all, sources: paths, rows: () => inShard(readSamples(paths, problems), shard) };
}

/** The shards that the samples are cut into; null where they are plain files. */
async function cutOf(paths: readonly string[], shard: Shard | null): Promise<Shards | null> {
  for (const path of paths) {
    const shards = await readShards(path);
    if (shards === null) continue;
    if (paths.length === 1 && shard?.count === shards.count) return shards;
    const got =
      paths.length > 1 ? "other samples beside it" : shard === null ? "none" : `${shard.index}/${shard.count}`;
    const { count } = shards;
    throw new CodescoreError(
      "usage",
      `${path} is cut into ${counted(count, "shard")}: expected --shard i/${count}, got ${got}`,
    );
  }
  return null;
}

async function* inFile(path: string, problems: ReadonlyMap<string, Problem>): AsyncGenerator<Placed> {
  for await (const { sample, fields } of readSampleRows([path], problems)) {
    const { position } = fields;
    if (!Number.isSafeInteger(position)) {
      const what = "expected `position` in each row, as codescore datasets shard writes them";
      throw new CodescoreError("input", `${path}: ${what}, got ${JSON.stringify(position)}`);
    }
    yield { sample, position: position as number };
  }
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

async function countOf(rows: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of rows) count += 1;
  return count;
}
