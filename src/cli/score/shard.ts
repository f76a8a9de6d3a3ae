/** `codescore score --shard i/n`: the rows of one part of a set, and the manifest by which `codescore datasets merge` joins parts. */
import type { Shard, SourceCard } from "../../dataset/index.ts";
import { CodescoreError } from "../../errors.ts";
import { settingsOf } from "../../execute/settings.ts";
import type { InputRow, ScoreResult } from "../../score/index.ts";
import { readRows } from "./input.ts";
import type { Runs } from "./run.ts";
import { inputOf, readSampleInputs } from "./samples.ts";
import type { Flags } from "./use.ts";

interface PlacedRow {
  readonly row: InputRow;
  /** Index of the row in the whole set. */
  readonly position: number;
}

export interface Part {
  /** The rows of the part, in input order. */
  readonly rows: AsyncIterable<InputRow>;
  add(result: ScoreResult): void;
  /** Number of rows that another attempt may score. */
  readonly infra: number;
  /** Writes the manifest, after the output. */
  write(signature: string, runs: Runs): Promise<void>;
}

/** Throws `CodescoreError("usage")` if the part does not fit the input. */
export async function openPart(flags: Flags, part: Shard): Promise<Part> {
  const { Positions, sourceCard, writeCard } = await import("../../dataset/index.ts");
  const { input, problems = [], samples = [], output, format, consensus = false, explain = false } = flags;
  const cut = await folderOf(flags, part);
  const positions = new Positions();
  const counts = { rows: 0, errors: 0, infra: 0 };
  const read = { all: cut?.samples ?? 0 };
  async function* rows(): AsyncGenerator<InputRow> {
    for await (const { row, position } of cut?.rows ?? partOf(flags, part, read)) {
      positions.add(position);
      yield row;
    }
  }
  return {
    rows: rows(),
    add: (result) => {
      counts.rows += 1;
      if (!("error" in result)) return;
      counts.errors += 1;
      if (result.error.code === "infra") counts.infra += 1;
    },
    get infra() {
      return counts.infra;
    },
    write: async (signature, { options: { run } }) => {
      const given = [...problems, ...(cut === null ? [...samples, ...(input === undefined ? [] : [input])] : [])];
      const sources = [...(await Promise.all(given.map((path) => sourceCard(path)))), ...(cut?.sources ?? [])];
      const { inputs = null, seed = null, until = null } = flags;
      await writeCard(output, sources, {
        ...{ signature, format, consensus, explain },
        run: run === undefined ? null : { inputs, seed, until, executor: settingsOf(run.executor) },
        shard: { step: "score", ...part, rows: read.all, positions: positions.text },
        counts,
      });
    },
  };
}

/** The part's rows of files that each machine reads whole. The rows of a task are in one part, because some options compare them. */
async function* partOf({ input, problems, samples }: Flags, part: Shard, read: { all: number }) {
  const { isInShard } = await import("../../dataset/index.ts");
  const rows = problems === undefined ? readRows(input as string) : readSampleInputs(problems, samples ?? []);
  for await (const row of rows) {
    const position = read.all++;
    if (isInShard(row.task, part)) yield { row, position };
  }
}

/** The rows of a folder that `datasets shard` wrote; null for other samples. Throws `CodescoreError("usage")` if it divides what is compared. */
async function folderOf(
  { problems, samples, run, consensus }: Flags,
  part: Shard,
): Promise<{ samples: number; sources: readonly SourceCard[]; rows: AsyncIterable<PlacedRow> } | null> {
  if (problems === undefined || samples === undefined) return null;
  const { cutOf, inFile, shardPath } = await import("../../dataset/index.ts");
  const cut = await cutOf(samples, part);
  if (cut === null) return null;
  if (run || consensus) throw new CodescoreError("usage", dividedTasks(run ? "--run" : "--consensus", cut.folder));
  async function* rows(): AsyncGenerator<PlacedRow> {
    const { readProblems } = await import("../../problems/index.ts");
    const known = await readProblems(problems as readonly string[]);
    for await (const { sample, position } of inFile(shardPath(cut!, part.index), known)) {
      yield { row: inputOf(sample, known), position };
    }
  }
  return { samples: cut.samples, sources: cut.sources, rows: rows() };
}

/** Says why an option cannot be used with shards that `datasets shard` made. */
export const dividedTasks = (option: string, folder: string): string =>
  `${option} compares the samples of a task, which the shards of ${folder} divide: give the files that they were made from as --samples`;
