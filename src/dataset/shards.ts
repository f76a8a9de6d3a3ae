/**
 * Cuts samples into shard files of consecutive samples. A machine that labels one shard then reads only that file, not the whole
 * set (`label --shard` on plain files reads everything). Rows carry their position and id, so the labels equal those of one
 * undivided run.
 */
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { readProblems, readSamples } from "../problems/index.ts";
import type { Sample } from "../types.ts";
import { counted } from "../util/counted.ts";
import { exists, packageVersion, readJson, writeAtomic } from "../util/files.ts";
import { type SourceCard, sourceCard } from "./manifest.ts";
import { writeLines, writeWhole } from "./whole.ts";

const CARD = "shards.json";

export interface ShardsOptions {
  /** Problem files and folders. They say what an id in a sample file means. */
  readonly problems: readonly string[];
  /** Sample files and folders. */
  readonly samples: readonly string[];
  readonly count: number;
  /** The folder to write. */
  readonly out: string;
}

/** What a folder of shards records about itself. */
export interface Shards {
  readonly folder: string;
  readonly count: number;
  /** Over all shards. */
  readonly samples: number;
  readonly sources: readonly SourceCard[];
}

const nameOf = (index: number, count: number): string =>
  `${String(index).padStart(5, "0")}-of-${String(count).padStart(5, "0")}.jsonl`;

/** The path of a shard's file; `index` counts from 1. */
export const shardPath = ({ folder, count }: Shards, index: number): string => join(folder, nameOf(index, count));

/**
 * Writes the shard files, then the card that marks the folder as complete. Throws `CodescoreError("input")` if samples cannot be
 * read or are fewer than `count`.
 */
export async function writeShards({ problems: paths, samples, count, out }: ShardsOptions): Promise<Shards> {
  const problems = await readProblems(paths);
  let total = 0;
  for await (const _ of readSamples(samples, problems)) total += 1;
  if (total < count)
    throw new CodescoreError(
      "input",
      `expected at least ${counted(count, "sample")} for ${counted(count, "shard")}, got ${total}`,
    );
  const rows = readSamples(samples, problems);
  let position = 0;
  async function* until(end: number): AsyncGenerator<string> {
    for (; position < end; position++) {
      const { done, value } = await rows.next();
      if (done) return;
      yield JSON.stringify({ position, ...rowOf(value) });
    }
  }
  for (let index = 1; index <= count; index++) {
    const end = Math.floor((index * total) / count);
    await writeWhole(join(out, nameOf(index, count)), (part) => writeLines(part, until(end)));
  }
  const sources = await Promise.all(samples.map((path) => sourceCard(path)));
  const card = { codescore: await packageVersion(), count, samples: total, sources };
  await writeAtomic(join(out, CARD), `${JSON.stringify(card, null, 2)}\n`);
  return { folder: out, ...card };
}

/** A sample as a row that every sample reader accepts. */
const rowOf = ({ taskId, sampleId, kind, text, madeBy, temperature, original }: Sample): object => ({
  task_id: taskId,
  sample_id: sampleId,
  made_by: madeBy,
  ...(temperature !== undefined && { temperature }),
  ...(original !== undefined && { original }),
  [kind === "completion" ? "completion" : "solution"]: text,
});

/** The shards in a folder; null if `path` is not such a folder. Throws `CodescoreError("input")` for a damaged card. */
export async function readShards(path: string): Promise<Shards | null> {
  const file = join(path, CARD);
  if (!(await exists(file))) return null;
  const { count, samples, sources } = ((await readJson(file)) ?? {}) as Record<string, unknown>;
  if (Number.isSafeInteger(count) && Number.isSafeInteger(samples) && Array.isArray(sources)) {
    return { folder: path, count: count as number, samples: samples as number, sources };
  }
  throw new CodescoreError(
    "input",
    `${file}: expected \`count\`, \`samples\` and \`sources\`, as codescore datasets shard writes them`,
  );
}
