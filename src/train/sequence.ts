/** The batches of a run, epoch by epoch. */
import { type Example, epochBatches } from "./examples.ts";
import { drawByWeight, mixEpochs } from "./mix.ts";
import type { ResolvedTrainOptions } from "./options.ts";

export interface BatchSequence {
  /** Batches in the first epoch. */
  readonly epochLength: number;
  /** The batch at an index. Must be called with increasing indices. */
  at(index: number): Example[];
}

/** `setSizes`: number of rows of each data file in `given`, where the files follow each other. */
export function batchSequence(
  { mix, batchTokens, seed, perProblem, drawByWeight: isDrawn }: ResolvedTrainOptions,
  given: readonly Example[],
  setSizes: readonly number[],
): BatchSequence {
  const examples = isDrawn ? given.map((example) => ({ ...example, weight: 1 })) : given;
  const everyRow = given.map((_, row) => row);
  const rowsOfNext = mix === null ? () => everyRow : mixEpochs(setSizes, mix, seed);
  const batchesOf = (epoch: number): number[][] => {
    const rows = rowsOfNext();
    const drawn = isDrawn ? drawByWeight(rows, (row) => given[row]!.weight, seed, epoch) : rows;
    return epochBatches(examples, drawn, batchTokens, seed, epoch, perProblem);
  };
  let epoch = 0;
  let first = 0; // index of the first batch of the epoch
  let batches = batchesOf(epoch);
  return {
    epochLength: batches.length,
    at(index) {
      while (index - first >= batches.length) {
        first += batches.length;
        epoch += 1;
        batches = batchesOf(epoch);
      }
      return batches[index - first]!.map((row) => examples[row]!);
    },
  };
}
