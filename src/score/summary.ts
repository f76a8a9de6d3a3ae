/** Counts of what was scored: rows by format, cut programs, errors. */
import type { Conclusion, InputFormat, Score } from "../types.ts";
import { counted } from "../util/counted.ts";
import { CONCLUSIONS } from "./conclusion.ts";
import type { ScoreError } from "./rows.ts";

type Conclusions = Record<Conclusion, number>;

const none = (): Conclusions => ({ fails: 0, "looks-right": 0, "behaves-right": 0, unknown: 0 });

/** `4 fails, 11 looks right`; empty if there are none. */
const inWords = (conclusions: Conclusions): string =>
  (Object.keys(CONCLUSIONS) as Conclusion[])
    .filter((one) => conclusions[one] > 0)
    .map((one) => `${conclusions[one]} ${CONCLUSIONS[one]}`)
    .join(", ");

/** Counts of the programs that are chosen, one of each task. */
export class BestSummary {
  /** Tasks with a chosen program. */
  tasks = 0;
  readonly conclusions = none();
  /** Tasks of which no row has a score. A row that is of no task, such as a line that is not JSON, counts nowhere. */
  errors = 0;
  /** Tasks all of whose programs fail, so that the chosen one does. */
  onlyFailing = 0;
  /** Chosen programs that were to be run and could not be, because no program of their tasks ran without failing. */
  couldNotRun = 0;
  /** By task: whether all programs so far fail. */
  readonly #failing = new Map<string, boolean>();
  /** Rows with an error that were not chosen, so that nothing else shows their messages. */
  readonly #hidden = new Set<ScoreError>();

  /** Adds a candidate, chosen or not. A row with an error is no candidate. */
  add(task: string, result: Score | ScoreError): void {
    if ("error" in result) this.#hidden.add(result);
    else this.#failing.set(task, (this.#failing.get(task) ?? true) && result.conclusion === "fails");
  }

  /** Adds the chosen row of a task, all of whose rows have been added. @param task empty for rows that are of no task */
  choose(task: string, result: Score | ScoreError): void {
    if ("error" in result) {
      this.#hidden.delete(result);
      if (task !== "") this.errors += 1;
    } else {
      this.tasks += 1;
      if (result.conclusion !== undefined) this.conclusions[result.conclusion] += 1;
      if (result.behaviour?.source === null) this.couldNotRun += 1;
    }
    if (this.#failing.get(task)) this.onlyFailing += 1;
  }

  /** For example `best of 3 tasks: 1 fails, 2 behaves right; 1 task has only programs that fail`. */
  toString(): string {
    const { tasks, conclusions, errors, onlyFailing, couldNotRun } = this;
    const failing =
      onlyFailing === 1 ? "1 task has only programs that fail" : `${onlyFailing} tasks have only programs that fail`;
    const [hidden] = this.#hidden;
    const rows = this.#hidden.size;
    const counts = [
      inWords(conclusions),
      errors > 0 ? `${counted(errors, "more task has", "more tasks have")} no score` : "",
      couldNotRun > 0 ? `${couldNotRun} could not be run` : "",
      onlyFailing > 0 ? failing : "",
      hidden === undefined
        ? ""
        : `${counted(rows, "row")} with an error not printed${rows > 1 ? ", the first" : ""} (${hidden.error.message})`,
    ].filter(Boolean);
    return `best of ${counted(tasks, "task")}${counts.length > 0 ? `: ${counts.join("; ")}` : ""}`;
  }
}

export class Summary {
  rows = 0;
  errors = 0;
  /** Rows whose interval is wider than requested. */
  abstained = 0;
  /** Rows whose score is joined with the consensus of their task. */
  consensus = 0;
  /** The number of rows with each note. */
  readonly notes: Record<string, number> = {};
  readonly formats: Record<InputFormat, number> = { ref: 0, nl: 0, "ref+nl": 0 };
  readonly conclusions = none();
  /** The chosen programs, if only the best of each task are kept. */
  best?: BestSummary;
  /**
   * `rows`: rows whose programs were cut to fit the model's length. `descriptions`: rows whose descriptions were cut. The others: tokens
   * cut from each part.
   */
  readonly cut = { rows: 0, descriptions: 0, candidate: 0, reference: 0, description: 0 };

  add(result: Score | ScoreError): void {
    this.rows += 1;
    if ("error" in result) {
      this.errors += 1;
      return;
    }
    this.formats[result.format] += 1;
    if (result.conclusion !== undefined) this.conclusions[result.conclusion] += 1;
    if (result.abstained) this.abstained += 1;
    if (result.consensus !== undefined) this.consensus += 1;
    for (const note of result.notes ?? []) this.notes[note] = (this.notes[note] ?? 0) + 1;
    if (result.cut === undefined) return;
    if (result.cut.candidate + result.cut.reference > 0) this.cut.rows += 1;
    if (result.cut.description > 0) this.cut.descriptions += 1;
    for (const part of ["candidate", "reference", "description"] as const) this.cut[part] += result.cut[part];
  }

  /** The counts as text, e.g. `12 ref, 3 ref+nl; 4 fails, 11 looks right; 2 cut to fit (40 tokens of candidates); 1 with an error`. */
  toString(): string {
    const { formats, conclusions, cut, notes, errors, abstained, consensus } = this;
    const byFormat = (["ref", "nl", "ref+nl"] as const)
      .filter((format) => formats[format] > 0)
      .map((format) => `${formats[format]} ${format}`);
    const tokens = (["candidate", "reference"] as const)
      .filter((part) => cut[part] > 0)
      .map((part) => `${counted(cut[part], "token")} of ${part}s`);
    return [
      byFormat.join(", "),
      inWords(conclusions),
      cut.rows > 0 ? `${cut.rows} cut to fit (${tokens.join(", ")})` : "",
      cut.descriptions > 0 ? `${cut.descriptions} with a description that is read in part` : "",
      consensus > 0 ? `${consensus} with consensus` : "",
      abstained > 0 ? `${abstained} abstained` : "",
      ...Object.entries(notes).map(([note, rows]) => `${rows} with ${note}`),
      errors > 0 ? `${errors} with an error` : "",
    ]
      .filter(Boolean)
      .join("; ");
  }
}
