/** The rows of the files that round trips write. */

import { CodescoreError } from "../../errors.ts";
import type { JsonLine } from "../../util/jsonl.ts";
import type { Recited } from "./recited.ts";

/** The first of the named fields that is present, as text. Ids are strings in some files and numbers in others. */
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
  /** What a reader needs beside the compared texts, e.g. the code before an edit. Absent if the task has nothing to show. */
  readonly shown?: Readonly<Record<string, string>>;
  /** What the forward model was asked to describe. Absent if it is the whole reference. */
  readonly input?: string;
  /** Index of the repeat, from 0. */
  readonly repeat: number;
  /** Index of the forward sample, from 0 over all repeats. Null for the baseline. */
  readonly forward: number | null;
  readonly backward: number;
  readonly description: string;
  readonly description_cut: boolean;
  /** Null for the baseline. */
  readonly recited: Recited | null;
  /** Present only if the description copies an example of the prompt. */
  readonly copied?: true;
  readonly answer: string;
  readonly candidate: string;
  readonly reference: string;
  /** Value by similarity. Null if there is no value. */
  readonly sims: Readonly<Record<string, number | null>>;
  /** For each similarity with a threshold: whether the value reaches it. Null if there is no value. */
  readonly passed: Readonly<Record<string, boolean | null>>;
}
