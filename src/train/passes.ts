/** The forward passes of an update, and the weight of each row and pair of rows in its loss. */
import type { InputFormat } from "../types.ts";
import type { Example } from "./examples.ts";
import { type Preference, passesMore, preferencesIn, survivesMutation } from "./loss.ts";

export interface PassOptions {
  readonly formats: readonly InputFormat[];
  /** Number of the step, which seeds dropout. */
  readonly step: number;
  /** Weight of the mean loss on pairs of one problem, relative to the loss on rows. 0: no such loss. */
  readonly rankingWeight: number;
  /** Minimum difference of PassRatio between the rows of a pair. */
  readonly rankingMargin: number;
  /** Weight of the same loss on pairs of a rewrite and a mutant of its problem. */
  readonly contrastWeight: number;
}

/** The rows of one batch in one format. */
export interface Pass {
  readonly format: InputFormat;
  readonly rows: readonly Example[];
  /** Seed of dropout, different for each pass of a run. */
  readonly seed: number;
  /** [rows]: weights for a mean over the pass's rows. The sum of these means over all passes is the mean over all rows of the format. */
  readonly weights: readonly number[];
  /** [rows x rows], row-major, for `preferenceLoss`. Null if no pair has a preference. */
  readonly preferences: Float32Array | null;
}

/**
 * The passes of each batch of an update. Means are over all rows of a format in the update (pairs only within a batch), so that several
 * batches give the same result as one batch of all their rows.
 */
export function passesOf(batches: readonly (readonly Example[])[], options: PassOptions): Pass[][] {
  const { formats, step, rankingMargin, rankingWeight, contrastWeight } = options;
  const rules = (
    [
      [rankingWeight, passesMore(rankingMargin)],
      [contrastWeight, survivesMutation],
    ] as [number, Preference][]
  ).filter(([weight]) => weight > 0);
  const drafts = batches.map((batch, b) =>
    formats.flatMap((format, i) => {
      const rows = batch.filter(({ ids }) => ids[format] !== undefined);
      if (rows.length === 0) return [];
      const seed = ((step - 1) * batches.length + b + 1) * formats.length + i + 1;
      return [{ format, rows, seed, held: rules.map(([, prefer]) => preferencesIn(rows, prefer)) }];
    }),
  );
  return drafts.map((batch) =>
    batch.map(({ format, rows, seed, held }) => {
      const alike = drafts.flat().filter((draft) => draft.format === format);
      const share = rows.length / sum(alike.map((draft) => draft.rows.length));
      const terms = held.flatMap(({ counts, pairs }, k) => {
        const factor = rules[k]![0] / sum(alike.map((draft) => draft.held[k]!.pairs));
        return pairs === 0 ? [] : [counts.map((count) => count * factor)];
      });
      return {
        format,
        rows,
        seed,
        weights: rows.map(({ weight }) => weight * share),
        preferences: terms.length === 0 ? null : terms.reduce((a, b) => a.map((count, i) => count + b[i]!)),
      };
    }),
  );
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
