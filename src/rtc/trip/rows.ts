/** The rows of round trips' files. */

import { CodescoreError } from "../../errors.ts";
import type { JsonLine } from "../../util/jsonl.ts";
import type { Recited } from "./recited.ts";

/** The first of the named fields that is there, as text: ids are strings in some files and numbers in others. */
export function idOf({ value, where }: JsonLine, names: readonly string[]): string | null {
  for (const name of names) {
    const id = value[name];
    if (id === undefined || id === null) continue;
    if (typeof id === "string" || typeof id === "number") return String(id);
    throw new CodescoreError("input", `${where}: expected \`${name}\` to be a string or a number, got ${typeof id}`);
  }
  return null;
}

/** A row of samples.jsonl. */
export interface SampleRow {
  readonly task_id: string;
  readonly kind: "round_trip" | "baseline";
  /** What belongs to the task beside the texts compared, e.g. the code before an edit; not where there is nothing. */
  readonly shown?: Readonly<Record<string, string>>;
  /** What the forward model was asked to describe; not where that is all of the reference. */
  readonly input?: string;
  /** From 0. */
  readonly repeat: number;
  /** Counted from 0 over all repeats; null for the baseline. */
  readonly forward: number | null;
  readonly backward: number;
  readonly description: string;
  readonly description_cut: boolean;
  /** Null for the baseline. */
  readonly recited: Recited | null;
  /** The description is that of an example in the prompt; only where it is. */
  readonly copied?: true;
  readonly answer: string;
  readonly candidate: string;
  readonly reference: string;
  /** By similarity; null where there is no value. */
  readonly sims: Readonly<Record<string, number | null>>;
  /** By similarity that has a threshold: whether the value reaches it; null where there is no value. */
  readonly passed: Readonly<Record<string, boolean | null>>;
}
