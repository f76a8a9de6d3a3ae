/** Statistics of a labelled set: sizes, distribution of PassRatio, lengths, and the same by who made the programs. */
import { mean, quantileSorted } from "simple-statistics";
import type { LabelledRow } from "../types.ts";
import { readExamples } from "./examples.ts";
import { kindOf } from "./kinds.ts";
import type { Counts, Histogram } from "./manifest.ts";
import { Tally } from "./manifest.ts";

/** Shares and means are over labelled rows; null if there are none. */
export interface Spread {
  readonly rows: number;
  readonly labelled: number;
  /** Shares of rows with PassRatio 0, in between, and 1. */
  readonly zero: number | null;
  readonly between: number | null;
  readonly one: number | null;
  readonly meanPassRatio: number | null;
  readonly executable: number | null;
}

/** Lengths in words and symbols, close to what a tokenizer of code counts; null if no row has the part. */
export interface Lengths {
  readonly mean: number;
  readonly median: number;
  readonly p95: number;
}

export interface Stats extends Spread {
  readonly counts: Counts;
  readonly histogram: Histogram;
  readonly lengths: Readonly<Record<"candidate" | "reference" | "description", Lengths | null>>;
  /** Sorted by number of rows, most first. */
  readonly byMaker: readonly (Spread & { readonly madeBy: string })[];
}

/** Groups candidates that codescore made by kind. Their operators (`mutant:off-by-one`) would give thousands of lines. */
const familyOf = (madeBy: string): string => (kindOf(madeBy) === "llm" ? madeBy : madeBy.replace(/:[^|]*/g, ""));

/** Reads a labelled set once. Throws as `readExamples` does. */
export async function stats(path: string): Promise<Stats> {
  const tally = new Tally();
  const all = new SpreadCount();
  const makers = new Map<string, SpreadCount>();
  const lengths = { candidate: [] as number[], reference: [] as number[], description: [] as number[] };
  for await (const row of readExamples(path)) {
    tally.add(row);
    all.add(row);
    const family = familyOf(row.made_by);
    const maker = makers.get(family) ?? new SpreadCount();
    makers.set(family, maker.add(row));
    for (const part of ["candidate", "reference", "description"] as const) {
      const text = row[part];
      if (text !== null) lengths[part].push(textLength(text));
    }
  }
  const byMaker = [...makers].map(([madeBy, count]) => ({ madeBy, ...count.spread }));
  byMaker.sort((a, b) => b.rows - a.rows || (a.madeBy < b.madeBy ? -1 : 1));
  return {
    ...all.spread,
    counts: tally.counts,
    histogram: tally.histogram,
    lengths: {
      candidate: summary(lengths.candidate),
      reference: summary(lengths.reference),
      description: summary(lengths.description),
    },
    byMaker,
  };
}

class SpreadCount {
  #rows = 0;
  #labelled = 0;
  #zero = 0;
  #one = 0;
  #sum = 0;
  #executable = 0;

  add({ pass_ratio, executable }: LabelledRow): this {
    this.#rows += 1;
    if (pass_ratio === null) return this;
    this.#labelled += 1;
    this.#zero += Number(pass_ratio === 0);
    this.#one += Number(pass_ratio === 1);
    this.#sum += pass_ratio;
    this.#executable += executable ?? 0;
    return this;
  }

  get spread(): Spread {
    const n = this.#labelled;
    const share = (count: number): number | null => (n === 0 ? null : count / n);
    return {
      rows: this.#rows,
      labelled: n,
      zero: share(this.#zero),
      between: share(n - this.#zero - this.#one),
      one: share(this.#one),
      meanPassRatio: share(this.#sum),
      executable: share(this.#executable),
    };
  }
}

/** Number of words and symbols, close to what a tokenizer of code counts. */
export const textLength = (text: string): number => text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu)?.length ?? 0;

function summary(values: number[]): Lengths | null {
  if (values.length === 0) return null;
  const sorted = values.sort((a, b) => a - b);
  return { mean: mean(sorted), median: quantileSorted(sorted, 0.5), p95: quantileSorted(sorted, 0.95) };
}
