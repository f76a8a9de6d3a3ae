/** Summarizes a run: the results of each similarity, their agreement, and counts of everything that was left out. */

import { counted, some } from "../../util/counted.ts";
import type { Llm, LlmUsage } from "../llm/llm.ts";
import {
  aboveThreshold,
  agreement,
  baselineByProblem,
  type Estimate,
  estimate,
  liftByProblem,
  rtcByProblem,
  type Sigma,
  sigma,
  type TripValue,
} from "./arithmetic.ts";
import type { Compared } from "./compare.ts";
import type { SampleRow } from "./rows.ts";
import type { Failure } from "./sample.ts";
import type { SignedSimilarity } from "./similarity.ts";
import type { AnyTask, SamplingOptions } from "./trip.ts";
import { wordsOf } from "./words.ts";

export interface SimilaritySummary {
  readonly name: string;
  readonly signature: string | null;
  /** Mean over problems of the mean over forward samples of the mean over backward samples. */
  readonly rtc: Estimate | null;
  /** The same for the uninformative description. Null if it was not asked or got no answer. */
  readonly baseline: Estimate | null;
  /** RTC minus baseline, over problems that have both. */
  readonly lift: Estimate | null;
  /** Standard deviation of RTC over repeated runs. Null if nothing was sampled twice. */
  readonly sigma: Sigma | null;
  readonly threshold: number | null;
  /** RTC with each value replaced by 1 if it reaches the threshold, otherwise by 0. Null without a threshold. */
  readonly share_above: Estimate | null;
  readonly unscored: { readonly count: number; readonly reason: string } | null;
}

export interface RtcSummary {
  readonly task: string;
  readonly version: string;
  readonly models: { readonly forward: string; readonly backward: string };
  readonly sampling: { readonly forward: SamplingOptions; readonly backward: SamplingOptions };
  /** Number of whole runs over the same problems. */
  readonly repeats: number;
  readonly seed: number | null;
  /** SHA-256 of each prompt file. */
  readonly prompts: Readonly<Record<string, string>>;
  readonly counts: {
    /** Problems with at least one completed round trip. */
    readonly problems: number;
    readonly round_trips: number;
    readonly baselines: number;
    /** Requested round trips that are missing, because calls failed or the recording lacks them. */
    readonly missing: number;
    readonly descriptions_cut: number;
    /** Forward samples that recite their input. */
    readonly recited: number;
    /** Forward samples that copy an example of the prompt. */
    readonly copied: number;
    /** Candidates without code. Their value is 0, except where a similarity has no value for the problem. */
    readonly empty_answers: number;
  };
  readonly similarities: readonly SimilaritySummary[];
  /** For each two similarities: their agreement on the candidates, without the baseline. */
  readonly agreement: readonly {
    readonly a: string;
    readonly b: string;
    readonly pairs: number;
    readonly spearman: number | null;
    readonly accuracy: number | null;
    readonly kappa: number | null;
  }[];
  readonly skipped: readonly { readonly task_id: string; readonly reason: string }[];
  readonly failed: readonly Failure[];
  /** Calls and tokens of this run. Null if every answer came from a file. */
  readonly usage: { readonly forward: LlmUsage | null; readonly backward: LlmUsage | null } | null;
  readonly notes: readonly string[];
}

export interface SummaryInput {
  readonly task: AnyTask;
  readonly version: string;
  readonly models: { readonly forward: Llm; readonly backward: Llm };
  readonly sampling: { readonly forward: SamplingOptions; readonly backward: SamplingOptions };
  readonly lift: boolean;
  readonly repeats: number;
  readonly seed: number | undefined;
  readonly rows: readonly SampleRow[];
  readonly failures: readonly Failure[];
  readonly similarities: readonly SignedSimilarity[];
  readonly thresholds: Readonly<Record<string, number>>;
  readonly compared: ReadonlyMap<string, Compared>;
}

export function summarize(input: SummaryInput): RtcSummary {
  const { task, models, sampling, rows, similarities, thresholds } = input;
  const trips = rows.filter(({ kind }) => kind === "round_trip");
  const baselines = rows.length - trips.length;
  const wanted = task.trips.length * sampling.forward.samples * sampling.backward.samples * input.repeats;
  // A forward sample has one row per backward sample. Count it once.
  const forward = [...new Map(trips.map((row) => [JSON.stringify([row.task_id, row.forward]), row])).values()];
  const { forward: f, backward: b } = models;
  const usage = { forward: f.usage ?? null, backward: b === f ? null : (b.usage ?? null) };
  const ofSimilarities = similarities.map((similarity) => summarizeSimilarity(similarity, input));
  return {
    task: task.name,
    version: input.version,
    models: { forward: f.name, backward: b.name },
    sampling,
    repeats: input.repeats,
    seed: input.seed ?? null,
    prompts: task.prompts,
    counts: {
      problems: new Set(trips.map((row) => row.task_id)).size,
      round_trips: trips.length,
      baselines,
      missing: wanted - trips.length,
      descriptions_cut: forward.filter((row) => row.description_cut).length,
      recited: forward.filter((row) => row.recited?.recited).length,
      copied: forward.filter((row) => row.copied).length,
      empty_answers: trips.filter((row) => row.candidate === "").length,
    },
    similarities: ofSimilarities,
    agreement: similarities.flatMap(({ name: a }, i) =>
      similarities.slice(i + 1).map(({ name: b }) => ({
        a,
        b,
        ...agreement(valuesOf(trips, a), valuesOf(trips, b), { a: thresholds[a], b: thresholds[b] }),
      })),
    ),
    skipped: task.skipped.map(({ id, reason }) => ({ task_id: id, reason })),
    failed: input.failures,
    usage: usage.forward || usage.backward ? usage : null,
    notes: notesOf(input, { baselines, missing: wanted - trips.length }, ofSimilarities),
  };
}

function summarizeSimilarity({ name, signature }: SignedSimilarity, input: SummaryInput): SimilaritySummary {
  const seed = input.seed ?? 0;
  const threshold = input.thresholds[name];
  const values = input.rows.map(
    ({ task_id: task, forward, repeat, sims }): TripValue => ({ task, forward, repeat, value: sims[name] ?? null }),
  );
  return {
    name,
    signature: signature ?? null,
    rtc: estimate(rtcByProblem(values), seed),
    baseline: estimate(baselineByProblem(values), seed),
    lift: estimate(liftByProblem(values), seed),
    sigma: input.models.forward.drawn === false ? null : sigma(values),
    threshold: threshold ?? null,
    share_above: threshold === undefined ? null : estimate(rtcByProblem(aboveThreshold(values, threshold)), seed),
    unscored: input.compared.get(name)?.unscored ?? null,
  };
}

const valuesOf = (rows: readonly SampleRow[], name: string): (number | null)[] =>
  rows.map((row) => row.sims[name] ?? null);

/** How to ask a recording for no more than it has. Empty if fewer descriptions per item would not do. */
function remedyOf({ task, models, sampling, repeats, rows, failures }: SummaryInput): string {
  // The numbers of later repeats begin after the descriptions of earlier ones, so with fewer of them other rows are asked for.
  if (!models.forward.recorded || !models.backward.recorded || failures.length > 0 || repeats > 1) return "";
  const programs = new Map<string, number[]>(); // of each item: the number of programs of each description
  for (const { task_id, kind, forward } of rows) {
    if (kind === "baseline") continue;
    const known = programs.get(task_id) ?? [];
    known[forward!] = (known[forward!] ?? 0) + 1;
    programs.set(task_id, known);
  }
  if (programs.size < task.trips.length) return "";
  const complete = [...programs.values()].map((known) => {
    const end = Array.from(known).findIndex((count) => count !== sampling.backward.samples);
    return end < 0 ? known.length : end;
  });
  const least = Math.min(...complete);
  if (least === 0 || least >= sampling.forward.samples) return "";
  const few = complete.some((count) => count > least) ? "at least " : "";
  return ` The recording has ${few}${counted(least, "description")} per item: --forward-samples ${least}.`;
}

/** The tasks that lack round trips, in their order. */
function incompleteTasks({ task, sampling, repeats, rows }: SummaryInput): string[] {
  const wanted = sampling.forward.samples * sampling.backward.samples * repeats;
  const made = new Map<string, number>();
  for (const { task_id, kind } of rows) if (kind === "round_trip") made.set(task_id, (made.get(task_id) ?? 0) + 1);
  return task.trips.map(({ id }) => id).filter((id) => (made.get(id) ?? 0) < wanted);
}

/** Why similarities have no sigma; null if all have one. */
function noSigma(
  { models, sampling, repeats, task }: SummaryInput,
  similarities: readonly SimilaritySummary[],
): string | null {
  const without = similarities.filter(({ sigma, rtc }) => sigma === null && rtc !== null).map(({ name }) => name);
  const { item, description, lifts } = wordsOf(task.name);
  if (without.length === 0 || (!lifts && without.length === similarities.length)) return null; // then there is no such column
  const whose = without.length === similarities.length ? "" : ` of ${without.join(", ")}`;
  const why =
    models.forward.drawn === false
      ? `the ${description[1]} are not drawn at random`
      : sampling.forward.samples === 1 && repeats === 1
        ? `each ${item[0]} has one ${description[0]}; --forward-samples 2 or --repeats 2 gives one`
        : `no ${item[0]} has the values of two ${description[1]}`;
  return `No sigma${whose}: ${why}.`;
}

function notesOf(
  input: SummaryInput,
  { baselines, missing }: { baselines: number; missing: number },
  similarities: readonly SimilaritySummary[],
): string[] {
  const { lift, models, task, failures, repeats } = input;
  const notes: string[] = [];
  const { item, lifts } = wordsOf(task.name);
  if (!lifts) {
    // This task cannot have a lift, so there is nothing to report.
  } else if (!lift) notes.push("No lift: the model was not asked with the uninformative description.");
  else if (baselines === 0) {
    const why = models.backward.recorded
      ? "the recording has no `baseline` rows"
      : "no answer to the uninformative description";
    notes.push(`No lift: ${why}.`);
  } else if (baselines < task.trips.length * repeats)
    notes.push(`The lift is over the ${item[1]} that have a baseline.`);
  const sigma = noSigma(input, similarities);
  if (sigma !== null) notes.push(sigma);
  if (missing > 0) {
    const lacking = incompleteTasks(input);
    notes.push(
      `Missing: ${counted(missing, "round trip")}. ${counted(failures.length, "call")} failed; the rest was not recorded.` +
        ` Incomplete: ${lacking.length} of ${counted(task.trips.length, ...item)} (${some(lacking)}).${remedyOf(input)}`,
    );
  }
  if (task.skipped.length > 0)
    notes.push(`Skipped: ${counted(task.skipped.length, ...item)}; \`skipped\` has the reasons.`);
  return notes;
}
