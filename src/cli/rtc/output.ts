/** What the commands of `codescore rtc` print about a summary. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fixed as digits } from "../../report/tables.ts";
import type { Estimate, RoundTripsResult, RtcSummary, SignedSimilarity, SimilaritySummary } from "../../rtc/index.ts";
import { shownModel } from "../../rtc/report/finished.ts";
import { oddDescriptions, tripsOf, wordsOf } from "../../rtc/trip/words.ts";
import { counted } from "../../util/counted.ts";
import { markIncomplete } from "../options/values.ts";

/** Prints the table to stdout and the rest to stderr. Sets exit code 1 if something is missing. */
export function putSummary(
  summary: RtcSummary,
  files: RoundTripsResult["files"],
  similarities: readonly SignedSimilarity[],
): void {
  const pairs = summary.agreement.length === 0 ? "" : `\n${agreementTable(summary.agreement)}`;
  process.stdout.write(summaryTable(summary) + pairs);
  const lines = [...report(summary), ...notesOf(similarities), ...wroteLines(files)];
  process.stderr.write(lines.map((line) => `${line}\n`).join(""));
  const unscored = summary.similarities.some((similarity) => similarity.unscored !== null);
  if (summary.counts.missing > 0 || summary.failed.length > 0 || unscored) markIncomplete();
}

/** The files that a run wrote, and a note if an older report is there that does not show this run. */
export function wroteLines({ samples, summary }: RoundTripsResult["files"]): string[] {
  const folder = dirname(summary);
  const report = join(folder, "report.html");
  const stale = `${report} is from an earlier run; \`codescore rtc report ${folder}\` updates it`;
  return [`wrote ${samples}`, `wrote ${summary}`, ...(existsSync(report) ? [stale] : [])];
}

/** Leaves out the columns that the task cannot fill. */
function summaryTable({ task, similarities }: RtcSummary): string {
  const { lifts } = wordsOf(task);
  const hasSigma = lifts || similarities.some(({ sigma }) => sigma !== null);
  const rows = similarities.map(({ name, rtc, lift, sigma, threshold, share_above: share }) => [
    name,
    fixed(rtc?.value),
    interval(rtc),
    ...(lifts ? [fixed(lift?.value)] : []),
    threshold === null ? "-" : `${fixed(share?.value)} (${threshold})`,
    ...(hasSigma ? [fixed(sigma?.value)] : []),
  ]);
  const head = ["similarity", "RTC", "95% interval", ...(lifts ? ["lift"] : []), "share >= threshold"];
  return inColumns([[...head, ...(hasSigma ? ["sigma"] : [])], ...rows]);
}

/** How well each two similarities agree on the same samples: in rank, and in their decisions if both have a threshold. */
export const agreementTable = (pairs: RtcSummary["agreement"]): string =>
  inColumns([
    ["similarity", "compared with", "samples", "r_s", "same decision", "kappa"],
    ...pairs.map(({ a, b, pairs: samples, spearman, accuracy, kappa }) => [
      a,
      b,
      `${samples}`,
      ...[spearman, accuracy, kappa].map(fixed),
    ]),
  ]);

/** What the calls of a run used: one line per model. */
export const usageLines = ({ models, usage }: Pick<RtcSummary, "models" | "usage">): string[] =>
  (["forward", "backward"] as const).flatMap((side) => {
    const used = usage?.[side];
    if (!used) return [];
    const { requests, retries, promptTokens, completionTokens, truncated, cost } = used;
    const cut = truncated > 0 ? `; ${counted(truncated, "answer")} reached the token limit` : "";
    const paid = cost === undefined ? "" : `, ${cost.toFixed(4)} by --price`;
    return [
      `${models[side]}: ${counted(requests, "call")}, ${retries} of them retries; ${counted(promptTokens, "token")} in, ${completionTokens} out${paid}${cut}`,
    ];
  });

/** The notes of the similarities, without duplicates, because several may share an encoder. */
export const notesOf = (similarities: readonly SignedSimilarity[]): string[] => [
  ...new Set(similarities.flatMap((similarity) => similarity.notes?.() ?? [])),
];

/** Rows of cells, with each column as wide as its widest cell. */
export function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join("  ")
      .trimEnd();
  return rows.map((row) => `${lineOf(row)}\n`).join("");
}

const report = ({
  task,
  models,
  usage,
  counts,
  similarities,
  agreement,
  repeats,
  failed,
  notes,
}: RtcSummary): string[] =>
  [
    `model: ${shownModel(models)}; ${tripsOf(task, counts)}`,
    ...usageLines({ models, usage }),
    similarities.some(({ threshold }) => threshold !== null)
      ? "share >= threshold: of the samples; the threshold is in brackets"
      : "",
    withoutThreshold(similarities),
    agreement.some(({ accuracy }) => accuracy !== null)
      ? "same decision: share of samples on which both reach their thresholds, or neither; kappa: Cohen's"
      : "",
    similarities.some(({ sigma }) => sigma !== null)
      ? `sigma: standard deviation of RTC over ${sigmaOver(repeats)}`
      : "",
    ...oddDescriptions(task, counts).map((odd) => `warning: ${odd}`),
    counts.empty_answers > 0 ? `counted as 0: ${counted(counts.empty_answers, ...wordsOf(task).empty)}` : "",
    ...unscoredLines(similarities, task === "patched" ? "response" : "program"),
    failed[0] ? `warning: ${counted(failed.length, "call")} failed; the first error: ${failed[0].message}` : "",
    ...notes,
  ].filter(Boolean);

/** Warnings about values that could not be computed, with the reason if there is one. */
export const unscoredLines = (
  similarities: readonly Pick<SimilaritySummary, "name" | "unscored">[],
  what: string,
): string[] =>
  similarities.flatMap(({ name, unscored }) => {
    if (unscored === null) return [];
    const told = `${name} gave no value`;
    const why = unscored.reason === told ? "" : `: ${unscored.reason}`;
    return [`warning: ${told} for ${counted(unscored.count, what)}${why}`];
  });

/** Why a share of the table is `-`. */
function withoutThreshold(similarities: readonly SimilaritySummary[]): string {
  const names = similarities.filter(({ threshold }) => threshold === null).map(({ name }) => name);
  return names.length === 0 ? "" : `no threshold: ${names.join(", ")}; --threshold ${names[0]}=VALUE sets one`;
}

const sigmaOver = (repeats: number): string =>
  repeats > 1
    ? `${repeats} whole runs`
    : "repeated runs, estimated from the forward samples of this one (--repeats measures it)";

export const fixed = (value: number | null | undefined): string => (value == null ? "-" : digits(value));

/** The interval of an estimate. */
export const interval = (estimate: Estimate | null): string =>
  estimate?.interval?.every(Number.isFinite) ? `${fixed(estimate.interval[0])} to ${fixed(estimate.interval[1])}` : "-";
