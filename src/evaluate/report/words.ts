/** The end of a report: the meaning of its terms, and the signatures of its scores. */

import { escapeHtml } from "../../report/html.ts";
import type { EvaluationResult } from "../measure/evaluate.ts";

/** Full names for the short names of figures that tables in terminals and files use. */
export const IN_WORDS: Readonly<Record<string, string>> = {
  tau: "Kendall\u2019s tau",
  r_s: "Spearman\u2019s r_s",
  r_p: "Pearson\u2019s r_p",
  r: "correlation (r)",
  MAE: "mean absolute error (MAE)",
  "within AUC": "within-task ROC AUC of passing every test",
  AUC: "ROC AUC of passing every test, all tasks",
  "within r_s": "within-task Spearman\u2019s r_s",
  ECE: "calibration error (ECE)",
  "ECE mass": "ECE, equal\u2011mass bins",
  "ms/pair": "milliseconds per program",
  "x BLEU": "time as a multiple of BLEU's",
  "top-1": "highest score (top\u20111)",
  "bottom-1": "lowest score (bottom\u20111)",
  "top-1 passes": "top\u20111 passes every test",
  coverage: "interval coverage",
  "coverage by task": "interval coverage, mean over tasks",
  width: "interval width",
  "s/1,000": "seconds per 1,000",
  "pass ECE": "pass: calibration error",
  "pass Brier": "pass: Brier score",
  "pass AUC": "pass: ROC AUC",
};

/** Terms and their meaning. Names of columns are those of terminals and files, and are shown as the report's tables show them. */
const WORDS: readonly (readonly [terms: readonly string[], meaning: string])[] = [
  [["PassRatio"], "passed test cases / all test cases of a program. The label that scores are compared with."],
  [
    ["tau", "r_s", "r_p"],
    "Kendall's tau-b, Spearman's and Pearson's correlation of scores with PassRatio, over all programs.",
  ],
  [["[low, high]"], "95% interval: percentile bootstrap that draws whole tasks."],
  [["MAE"], "mean absolute error: mean of |score − PassRatio|."],
  [
    ["ECE", "ECE mass"],
    "expected calibration error: mean distance of a bin's mean score from its mean PassRatio, in 15 bins of equal width or of as many programs.",
  ],
  [
    ["coverage", "coverage by task"],
    "share of prediction intervals that contain the PassRatio, over programs and as the mean over tasks; narrowest: of the programs with the narrowest intervals.",
  ],
  [["within r_s"], "mean r_s within a task, over tasks whose PassRatio varies; constant scores count as 0."],
  [
    ["within AUC"],
    "how often a program that passes every test outscores one of its task that does not; mean over the tasks that have both.",
  ],
  [["AUC"], "the same over all programs of all tasks."],
  [["top-1", "bottom-1"], "mean PassRatio of each task's program with the highest score, and with the lowest."],
  [
    ["difficulty-only oracle"],
    "knows the mean PassRatio of each task and nothing about its programs: the correlation that difficulty alone gives.",
  ],
  [["text metrics"], "leave out the imports, signature and docstring that candidate and reference both begin with."],
];

export function wordsHtml({ columns }: EvaluationResult): string {
  const list = WORDS.map(
    ([terms, meaning]) =>
      `<dt>${escapeHtml(terms.map((term) => IN_WORDS[term] ?? term).join("; "))}</dt><dd>${escapeHtml(meaning)}</dd>`,
  );
  const signatures = columns.flatMap(({ name, signature }) => (signature === null ? [] : [`${name}: ${signature}`]));
  return `<section><h2>Glossary</h2><dl class="notes">${list.join("")}</dl>
<h2>Signatures</h2>${signatures.map((text) => `<p><code class="signature">${escapeHtml(text)}</code></p>`).join("\n")}</section>`;
}
