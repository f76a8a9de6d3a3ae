/**
 * Samples cut into shards, each a file of neighbours: a machine that labels one shard reads that file and not the whole set, as
 * `label --shard` of plain files does. The rows say their places and ids, so that labels are those of one run.
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
  /** Problem files and folders: they say what an id in a sample file means. */
  readonly problems: readonly string[];
  /** Sample files and folders. */
  readonly samples: readonly string[];
  readonly count: number;
  /** A folder. */
  readonly out: string;
}

/** What a folder of shards says of itself. */
export interface Shards {
  readonly folder: string;
  readonly count: number;
  /** Over all shards. */
  readonly samples: number;
  readonly sources: readonly SourceCard[];
}

const nameOf = (index: number, count: number): string =>
  `${String(index).padStart(5, "0")}-of-${String(count).padStart(5, "0")}.jsonl`;

/** The file of a shard, `index` from 1. */
export const shardPath = ({ folder, count }: Shards, index: number): string => join(folder, nameOf(index, count));

/** Writes the files, and last the card by which the folder is known. Throws `CodescoreError("input")` for samples that cannot be read. */
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
  const sources = await Promise.all(samples.map(sourceCard));
  const card = { codescore: await packageVersion(), count, samples: total, sources };
  await writeAtomic(join(out, CARD), `${JSON.stringify(card, null, 2)}\n`);
  return { folder: out, ...card };
}

/** As any sample reader takes it. */
const rowOf = ({ taskId, sampleId, kind, text, madeBy, temperature, original }: Sample): object => ({
  task_id: taskId,
  sample_id: sampleId,
  made_by: madeBy,
  ...(temperature !== undefined && { temperature }),
  ...(original !== undefined && { original }),
  [kind === "completion" ? "completion" : "solution"]: text,
});

/** The shards that a path stands for; null where it is no folder of them. Throws `CodescoreError("input")` for a damaged card. */
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
