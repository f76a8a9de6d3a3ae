/** Labelled rows as sequences of token ids, and the order in which they are trained on. */
import { join } from "node:path";
import { readExamples, splitByProblem } from "../dataset/index.ts";
import { type Kind, kindOf } from "../dataset/kinds.ts";
import { CodescoreError } from "../errors.ts";
import type { ModelConfig } from "../model/index.ts";
import { batchByLength, type Tokenizer } from "../tokenize/index.ts";
import type { InputFormat, LabelledRow } from "../types.ts";
import { packageRoot } from "../util/files.ts";
import { mapInThreads } from "../util/job-pool.ts";
import { Random } from "../util/random.ts";
import { type EncodeAsked, type EncodedRow, openRowEncoder, type Texts } from "./encode-row.ts";
import { roundLength } from "./engine/graphs.ts";

/** A thread begins from a file that Node itself can read: the built one, from `src/` too. */
const entry = join(packageRoot, "dist", "train", "encode-worker.js");

export interface Example {
  readonly sampleId: string;
  readonly taskId: string;
  readonly kind: Kind;
  readonly passRatio: number;
  readonly executable: 0 | 1;
  readonly weight: number;
  /** Token ids in the formats that the row allows. */
  readonly ids: Readonly<Partial<Record<InputFormat, number[]>>>;
  /** Static marks of those tokens, where there are any. */
  readonly marks?: Readonly<Partial<Record<InputFormat, number[]>>>;
}

export interface LabelledData {
  /** One list for each data file. */
  readonly train: LabelledRow[][];
  readonly dev: LabelledRow[];
}

/**
 * Reads rows with a label. Without dev files, a share of the problems is kept aside, the same for every seed, so that runs
 * of several seeds are measured on the same rows. Throws `CodescoreError("input")` for a file without a labelled row.
 */
export async function readRows(
  data: readonly string[],
  dev: readonly string[],
  devShare: number,
): Promise<LabelledData> {
  const sets = await labelled(data);
  if (dev.length > 0) return { train: sets, dev: (await labelled(dev)).flat() };
  const parts = sets.map((rows) => splitByProblem(rows, { dev: devShare, test: 0 }));
  return { train: parts.map(({ train }) => train), dev: parts.flatMap(({ dev }) => dev) };
}

async function labelled(paths: readonly string[]): Promise<LabelledRow[][]> {
  const sets: LabelledRow[][] = [];
  for (const path of paths) {
    const rows: LabelledRow[] = [];
    for await (const row of readExamples(path)) if (row.status === "ok") rows.push(row);
    if (rows.length === 0) throw new CodescoreError("input", `expected labelled rows in ${path}, got none`);
    sets.push(rows);
  }
  return sets;
}

/** Encodes rows in each of the formats that they allow, in as many threads as there are cores. */
export async function encodeRows(
  rows: readonly LabelledRow[],
  tokenizer: Tokenizer,
  config: ModelConfig,
  formats: readonly InputFormat[],
): Promise<Example[]> {
  const asked: EncodeAsked = { file: tokenizer.file, config, formats };
  const encoded = await mapInThreads<Texts, EncodedRow>(
    rows.map(({ candidate, reference, description }) => ({ candidate, reference, description })),
    { entry, data: asked, job: "encode", one: await openRowEncoder(asked) },
  );
  return rows.map((row, i) => {
    const { ids, marks } = encoded[i]!;
    return {
      sampleId: row.sample_id,
      taskId: row.task_id,
      kind: kindOf(row.made_by),
      passRatio: row.pass_ratio!,
      executable: row.executable!,
      weight: row.weight,
      ids,
      ...(Object.keys(marks).length > 0 && { marks }),
    };
  });
}

/**
 * The batches of an epoch, each a list of indices: the epoch's rows shuffled, sequences of like length together, at most
 * `batchTokens` tokens with padding. The same rows, seed and epoch give the same batches. With `perProblem` above 1 the rows
 * of a problem come in groups of that many, and a group is in one batch but where the batch is full.
 */
export function epochBatches(
  examples: readonly Example[],
  epochRows: readonly number[],
  batchTokens: number,
  seed: number,
  epoch: number,
  perProblem = 1,
): number[][] {
  const random = new Random(seed * 100_003 + epoch);
  const shuffled = random.shuffle(epochRows);
  const groups =
    perProblem === 1 ? shuffled.map((row) => [row]) : random.shuffle(groupsOf(examples, shuffled, perProblem));
  const lengthOf = (index: number): number => roundLength(longestOf(examples[index]!));
  // A row counts as long as the longest of its group, which keeps the group together where rows are put in order of length.
  const order = groups.flatMap((group) => {
    const length = Math.max(...group.map(lengthOf));
    return group.map((row) => ({ row, length }));
  });
  return random.shuffle(batchesInOrder(order, batchTokens));
}

/** Tokens of a row in its longest format. */
export const longestOf = ({ ids }: Example): number => Math.max(0, ...Object.values(ids).map((list) => list.length));

/** Batches of rows in a random order, each of near ones of like length, at most `batchTokens` tokens with padding. */
export function batchesInOrder(
  order: readonly { readonly row: number; readonly length: number }[],
  batchTokens: number,
): number[][] {
  const batches: number[][] = [];
  // Windows keep batches of like length random in content: a global sort would always join the same rows.
  const window = 512;
  for (let start = 0; start < order.length; start += window) {
    const rows = order.slice(start, start + window);
    const lengths = rows.map(({ length }) => length);
    for (const batch of batchByLength(lengths, batchTokens)) batches.push(batch.rows.map((i) => rows[i]!.row));
  }
  return batches;
}

/** Rows of the same problem, in their order, at most `most` together. */
function groupsOf(examples: readonly Example[], rows: readonly number[], most: number): number[][] {
  const groups: number[][] = [];
  const open = new Map<string, number[]>();
  for (const row of rows) {
    const { taskId } = examples[row]!;
    let group = open.get(taskId);
    if (group === undefined || group.length === most) {
      group = [];
      open.set(taskId, group);
      groups.push(group);
    }
    group.push(row);
  }
  return groups;
}
