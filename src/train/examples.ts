/** Rows as sequences of token ids, and the order of training. */
import type { Kind } from "../dataset/kinds.ts";
import { batchByLength } from "../tokenize/index.ts";
import type { InputFormat } from "../types.ts";
import { Random } from "../util/random.ts";
import { roundLength } from "./engine/graphs.ts";

export interface Example {
  readonly sampleId: string;
  readonly taskId: string;
  readonly kind: Kind;
  readonly passRatio: number;
  readonly executable: 0 | 1;
  readonly weight: number;
  /** Token ids in the formats that the row allows. */
  readonly ids: Readonly<Partial<Record<InputFormat, number[]>>>;
  /** Static marks of those tokens, if there are any. */
  readonly marks?: Readonly<Partial<Record<InputFormat, number[]>>>;
}

/**
 * The batches of an epoch, each a list of indices. The epoch's rows are shuffled, and sequences of similar length are batched together,
 * with at most `batchTokens` tokens including padding. The same rows, seed and epoch give the same batches. With `perProblem` above 1, rows
 * of a problem form groups of that size. A group stays in one batch unless the batch is full.
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
  // Each row gets the length of the longest row in its group, so that sorting by length keeps the group together.
  const order = groups.flatMap((group) => {
    const length = Math.max(...group.map(lengthOf));
    return group.map((row) => ({ row, length }));
  });
  return random.shuffle(batchesInOrder(order, batchTokens));
}

/** Tokens of a row in its longest format. */
export const longestOf = ({ ids }: Example): number => Math.max(0, ...Object.values(ids).map((list) => list.length));

/** Batches of rows that are close in the given order and of similar length, with at most `batchTokens` tokens including padding. */
export function batchesInOrder(
  order: readonly { readonly row: number; readonly length: number }[],
  batchTokens: number,
): number[][] {
  const batches: number[][] = [];
  // Sorting only within windows keeps the content of batches random. A global sort would always join the same rows.
  const window = 512;
  for (let start = 0; start < order.length; start += window) {
    const rows = order.slice(start, start + window);
    const lengths = rows.map(({ length }) => length);
    for (const batch of batchByLength(lengths, batchTokens)) batches.push(batch.rows.map((i) => rows[i]!.row));
  }
  return batches;
}

/** Groups of rows of the same problem, in their order, at most `most` rows each. */
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
