/**
 * A finished run as one self-contained HTML file: its tables, and every item with its samples and the values of each similarity,
 * which can be filtered, sorted and searched. Text from a model is never markup. It is escaped or, for the page's script, JSON
 * that the script shows as text. The page forbids itself requests and any other script.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeHtml, inlineHtml } from "../../report/html.ts";
import type { Chart } from "../../report/index.ts";
import { page } from "../../report/page.ts";
import { counted } from "../../util/counted.ts";
import { packageRoot } from "../../util/files.ts";
import { oddDescriptions, tripsOf, wordsOf } from "../trip/words.ts";
import { runCharts } from "./charts.ts";
import { chartsHtml, tablesHtml } from "./comparison.ts";
import { type AnySummary, isIdentity, readSamples, readSteps, readSummary, shownModel } from "./finished.ts";
import { itemsOfSamples, itemsOfSteps, type ReportItems } from "./items.ts";
import { style } from "./style.ts";
import { summaryTables } from "./tables.ts";

/**
 * The report of the run in a folder. No model is asked.
 * @param title replaces the default title
 * @throws `CodescoreError("input")` for a folder without a run
 */
export async function rtcReport(folder: string, title?: string): Promise<string> {
  const summary = await readSummary(folder);
  const names = summary.similarities.map(({ name }) => name);
  const samples = isIdentity(summary) ? [] : await readSamples(folder);
  const items = isIdentity(summary)
    ? itemsOfSteps(
        await readSteps(folder),
        names,
        summary.similarities.map(({ threshold }) => threshold),
      )
    : itemsOfSamples(samples, names, summary.repeats);
  const script = await readFile(join(packageRoot, "src", "rtc", "report", "browse.mjs"), "utf8");
  const models = shownModel(summary.models);
  return page({
    title: title ?? `Round-trip correctness: ${summary.task} by ${models}`,
    head: headHtml(summary, models),
    main: `${summaryHtml(summary)}\n${chartsHtml(runCharts(summary, samples))}\n${browserHtml(items)}`,
    style,
    script: `\n${script}`,
  });
}

/** The charts of the run in a folder. @throws as `rtcReport` */
export async function chartsOf(folder: string): Promise<Chart[]> {
  const summary = await readSummary(folder);
  return runCharts(summary, isIdentity(summary) ? [] : await readSamples(folder));
}

function headHtml(summary: AnySummary, models: string): string {
  const { task, counts, failed, skipped } = summary;
  const what =
    "chains" in counts
      ? `${counted(counts.chains, "chain")}, ${counted(counts.pairs, "pair")} of programs`
      : `${tripsOf(task, counts)}${wordsOf(task).lifts ? `, and ${counted(counts.baselines, "baseline")}` : ""}`;
  const lines = [
    `Model: ${models}; ${what}. codescore ${summary.version}.`,
    ...oddDescriptions(task, counts).map((odd) => `Note: ${odd}.`),
    counts.missing > 0 ? `Missing: ${counted(counts.missing, "chains" in counts ? "chain" : "round trip")}.` : "",
    failed[0] ? `${counted(failed.length, "call")} failed; the first error: ${failed[0].message}` : "",
    skipped[0]
      ? `Skipped: ${counted(skipped.length, ...wordsOf(task).item)}. The first reason: ${skipped[0].reason}`
      : "",
    ...("notes" in summary ? summary.notes : []),
  ];
  return lines.map((line) => (line === "" ? "" : `<p class="muted">${inlineHtml(line)}</p>`)).join("\n");
}

function summaryHtml(summary: AnySummary): string {
  const signatures = summary.similarities.flatMap(({ signature }) => (signature === null ? [] : [signature]));
  const lines = signatures.map((text) => `<p><code class="signature">${escapeHtml(text)}</code></p>`);
  const title = lines.length > 0 ? "<h3>Signatures</h3>" : "";
  return `<section><h2>Summary</h2>${tablesHtml(summaryTables(summary))}${title}${lines.join("\n")}</section>`;
}

function browserHtml(items: ReportItems): string {
  const option = (value: string, text: string): string => `<option value="${value}">${escapeHtml(text)}</option>`;
  const show = [
    option("all", "all"),
    ...items.sims.flatMap((name, i) => [
      option(`yes ${i}`, `${name}: yes`),
      option(`no ${i}`, `${name}: no`),
      option(`none ${i}`, `${name}: no value`),
    ]),
    option("split", "similarities say yes and no"),
    option("recited", "description recites its input"),
    option("empty", "answer without code"),
  ];
  const sort = [
    option("run", "order of the run"),
    option("spread", "similarities disagree most"),
    ...items.sims.flatMap((name, i) => [
      option(`low ${i}`, `${name}: lowest first`),
      option(`high ${i}`, `${name}: highest first`),
    ]),
  ];
  return `<section aria-labelledby="samples"><h2 id="samples">Samples</h2>
<p class="muted">Every item: its input, each description of it, and each result. Marked lines of a result are missing from the text that it
is compared with. Disagreement: the largest difference of a sample's ranks by two similarities. Yes: the similarity is at least its threshold.</p>
<noscript><p><strong>The samples need this page's script; samples.jsonl has them too.</strong></p></noscript>
<form role="search" autocomplete="off">
<label>Search <input type="search" name="text" placeholder="in ids, code, descriptions and answers"></label>
<label>Show <select name="show">${show.join("")}</select></label>
<label>Sort by <select name="sort">${sort.join("")}</select></label>
</form>
<p id="count" role="status" class="muted"></p>
<div id="items"></div>
<p><button type="button" id="more" hidden>Show more</button></p>
<script type="application/json" id="run">${embedded(items)}</script>
</section>`;
}

/** JSON that is safe inside HTML: nothing in it can end its element or start another. */
const embedded = (value: ReportItems): string => JSON.stringify(value).replaceAll("<", "\\u003c");
