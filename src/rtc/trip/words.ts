/** The words that messages and tables use for a task's items. */
import { counted } from "../../util/counted.ts";

type Noun = readonly [one: string, several: string];

interface Words {
  /** The item that makes the round trip. */
  readonly item: Noun;
  /** What the forward model produces from it. */
  readonly description: Noun;
  /** What a description may recite. */
  readonly input: string;
  /** An answer that counts as 0 because it is empty. */
  readonly empty: Noun;
  /** Whether an uninformative description makes sense for this task, for the lift. */
  readonly lifts: boolean;
}

const usual: Words = {
  item: ["problem", "problems"],
  description: ["description", "descriptions"],
  input: "the code",
  empty: ["answer without code", "answers without code"],
  lifts: true,
};

const own: Readonly<Record<string, Partial<Words>>> = {
  "synthesis of a project": { item: ["span", "spans"] },
  "synthesis of notebooks": { item: ["cell", "cells"], lifts: false },
  editing: { item: ["edit", "edits"] },
  patched: {
    item: ["query", "queries"],
    description: ["second query", "second queries"],
    input: "the response",
    empty: ["empty response", "empty responses"],
    lifts: false,
  },
};

/** The words of a task, by its name in the summary. */
export const wordsOf = (task: string): Words => ({ ...usual, ...own[task] });

/** The size of a run, e.g. `24 round trips over 8 edits`. */
export function tripsOf(task: string, counts: { readonly problems: number; readonly round_trips: number }): string {
  const items = counted(counts.problems, ...wordsOf(task).item);
  return task === "patched"
    ? `${counted(counts.round_trips, "response")} to ${items}`
    : `${counted(counts.round_trips, "round trip")} over ${items}`;
}

/** What is suspicious about a run's descriptions, one sentence each. */
export function oddDescriptions(task: string, counts: { readonly recited: number; readonly copied: number }): string[] {
  const { description, input } = wordsOf(task);
  return [
    ...(counts.recited > 0 ? [`${input} is recited by ${counted(counts.recited, ...description)}`] : []),
    ...(counts.copied > 0 ? [`an example of the prompt is copied by ${counted(counts.copied, ...description)}`] : []),
  ];
}
