/** The forward passes that an update takes, and how much each row and pair of rows counts in its loss. */
import type { InputFormat } from "../types.ts";
import type { Example } from "./examples.ts";
import { type Preference, passesMore, preferencesIn, survivesMutation } from "./loss.ts";

export interface PassOptions {
  readonly formats: readonly InputFormat[];
  /** Number of the step, which seeds dropout. */
  readonly step: number;
  /** How much the mean loss of pairs of the same problem counts beside that of rows; 0: not at all. */
  readonly rankingWeight: number;
  /** Pairs count whose PassRatios differ by at least this. */
  readonly rankingMargin: number;
  /** The same for a rewrite against mutants of its problem. */
  readonly contrastWeight: number;
}

/** Rows of one batch in one format. */
export interface Pass {
  readonly format: InputFormat;
  readonly rows: readonly Example[];
  /** For dropout; another for each pass of a run. */
  readonly seed: number;
  /** [rows], for a mean over the pass's rows whose sum over passes is the mean over all rows of the format. */
  readonly weights: readonly number[];
  /** [rows x rows], row-major, for `preferenceLoss`; null where no pair is preferred. */
  readonly preferences: Float32Array | null;
}

/**
 * The passes of each batch of an update. Means are over all rows (or pairs within a batch) that the format has in the
 * update, so that several batches count as one of their rows together.
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
