/**
 * Compares our metrics with the values that others published for the same 1,520 Codex programs (HumanEval, for testing only), whose
 * tokenisations and implementations differ from ours. Prints correlations, the mean absolute difference, and the AUC of both for passing
 * the tests.
 *
 * usage: npx vite-node scripts/compare-published.ts "$CODESCORE_DATA/codex-peers-dev/rows.jsonl.gz"
 */

import { getMetric, metricNames, scorePairs } from "../src/metrics/index.ts";
import { type Cell, toMarkdown } from "../src/report/tables.ts";
import { meanAbsoluteError, pearson, rocAuc, spearman } from "../src/statistics/index.ts";
import { type JsonLine, readJsonLines, stringField } from "../src/util/jsonl.ts";

/** Our metric -> the published column. */
const PUBLISHED: readonly (readonly [metric: string, column: string])[] = [
  ["bleu", "bleu"],
  ["bleu-13a", "bleu"],
  ["chrf", "chrf"],
  ["chrf++", "chrf"],
  ["rouge-l", "rougel"],
  ["meteor", "meteor"],
  ["codebleu", "codebleu"],
];

const path = process.argv[2];
if (path === undefined) throw new Error("usage: compare-published.ts ROWS.jsonl.gz");
const rows: JsonLine[] = [];
for await (const row of readJsonLines(path)) rows.push(row);
const passed = rows.map(({ value }) => value.passed === 1);
const pairs = rows.map((row) => ({
  candidate: stringField(row, "completion"),
  reference: stringField(row, "reference"),
}));

const cells: Cell[][] = [];
for (const [name, column] of PUBLISHED.filter(([metric]) => metricNames.includes(metric))) {
  const ours = await scorePairs(getMetric(name), pairs);
  const theirs = rows.map(({ value }) => value[column] as number);
  const agreement = [pearson, spearman, meanAbsoluteError].map((measure) => measure(ours, theirs));
  cells.push([name, column, ...agreement, rocAuc(ours, passed), rocAuc(theirs, passed)]);
}
const labels = ["ours", "published", "r_p", "r_s", "mean abs. difference", "AUC of ours", "AUC of theirs"];
console.log(toMarkdown({ columns: labels.map((label) => ({ label })), rows: cells }));
