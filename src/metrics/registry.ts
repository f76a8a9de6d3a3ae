/**
 * The metrics by name. Each maps a candidate and a reference to [0, 1].
 * To add one: write it in a separate file, add an entry here, and test it against its reference implementation.
 */
import { CodescoreError } from "../errors.ts";
import { sha256 } from "../util/files.ts";
import { codeBleuMetrics } from "./codebleu/index.ts";
import { embeddingMetrics } from "./embedding/index.ts";
import { gate, loadGate } from "./static/gate.ts";
import { loadRule, rule } from "./static/rule.ts";
import { type BleuTokenization, corpusBleu, sentenceBleu } from "./text/bleu.ts";
import { corpusChrf, sentenceChrf } from "./text/chrf.ts";
import { crystalMetric } from "./text/crystal.ts";
import { editSimilarity } from "./text/edit.ts";
import { loadMeteor, meteor } from "./text/meteor.ts";
import { rougeL } from "./text/rouge.ts";
import type { Metric, MetricOptions, Pair, TextMetric } from "./types.ts";

/** Whether both are equal, ignoring white space at line ends and blank lines at both ends. */
export const exactMatch = (candidate: string, reference: string): boolean => trimmed(candidate) === trimmed(reference);

/** Trims line by line, because a regular expression for trailing blanks takes quadratic time on texts with many blanks. */
const trimmed = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/^\n+/, "")
    .trimEnd();

/** A metric without options, for any language. */
const plain =
  (signature: string, score: TextMetric["score"], prepare?: () => Promise<void>): Entry =>
  (name) => ({ name, signature, score, ...(prepare && { prepare }) });

/** A metric that is also defined for whole corpora. Both functions are out of 100. */
const ofCorpora =
  (signature: string, sentence: Counted<string>, corpus: Counted<readonly string[]>): Entry =>
  (name) => ({ name, signature, score: (c, r) => sentence(c, r) / 100, corpus: (c, r) => corpus(c, r) / 100 });

/** A metric that reads Python only. */
const python =
  (
    signed: string,
    value: (candidate: string, reference: string, modules?: ReadonlySet<string>) => number,
    prepare: () => Promise<void>,
  ): Entry =>
  (name, { language = "python", modules }) => {
    if (language !== "python") throw new CodescoreError("usage", `\`${name}\` supports Python only, got ${language}`);
    const there = modules === undefined ? "py3.11" : sha256([...modules].join(" ")).slice(0, 8);
    const score = (candidate: string, reference: string): number => value(candidate, reference, modules);
    return { name, signature: `${signed}|modules:${there}`, score, prepare, whole: true };
  };

type Entry = (name: string, options: MetricOptions) => Metric;

type Counted<Result> = (candidate: Result, reference: Result) => number;

const bleuBy = (by: BleuTokenization): [Counted<string>, Counted<readonly string[]>] => [
  (candidate, reference) => sentenceBleu(candidate, reference, by),
  (candidates, references) => corpusBleu(candidates, references, by),
];

const words = { wordOrder: 2 };
const chrfWithWords: [Counted<string>, Counted<readonly string[]>] = [
  (candidate, reference) => sentenceChrf(candidate, reference, words),
  (candidates, references) => corpusChrf(candidates, references, words),
];

const entries: Readonly<Record<string, Entry>> = {
  exact: plain("exact|trim:line-ends", (c, r) => (exactMatch(c, r) ? 1 : 0)),
  bleu: ofCorpora("bleu|order:4|tok:code|smooth:exp|eff:yes", ...bleuBy("code")),
  "bleu-13a": ofCorpora("bleu|order:4|tok:13a|smooth:exp|eff:yes", ...bleuBy("13a")),
  chrf: ofCorpora("chrf|nc:6|nw:0|beta:2|space:no", sentenceChrf, corpusChrf),
  "chrf++": ofCorpora("chrf|nc:6|nw:2|beta:2|space:no", ...chrfWithWords),
  "rouge-l": plain("rouge-l|f1|tok:alnum|lower|stem:no", rougeL),
  meteor: plain(
    "meteor|alpha:.9|beta:3|gamma:.5|stages:exact,porter,wordnet-3.0|tok:code|lower|align:nltk",
    meteor,
    loadMeteor,
  ),
  edit: plain("edit|indel|chars|max:65536", editSimilarity),
  crystalbleu: crystalMetric,
  ...codeBleuMetrics,
  ...embeddingMetrics,
  gate: python("gate|static", gate, loadGate),
  rule: python(
    "rule|chrf+tree+unigram+flow|max:plain,canonical|gate:static|answers:kinds,ends,arguments,conflicts,edits",
    rule,
    loadRule,
  ),
};

export const metricNames: readonly string[] = Object.keys(entries);

/** What a metric requires. Tests and callers without options skip these metrics. */
export const metricNeeds: Readonly<Record<string, "corpus" | "models">> = {
  crystalbleu: "corpus",
  ...Object.fromEntries(Object.keys(embeddingMetrics).map((name) => [name, "models"] as const)),
};

/**
 * The metric with that name. Reads no file; that is left to its `prepare`.
 * @throws `CodescoreError("usage")` that lists the known names, or names the option that is missing or invalid.
 */
export function getMetric(name: string, options: MetricOptions = {}): Metric {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (entry) return entry(name, options);
  throw new CodescoreError("usage", `unknown metric \`${name}\`; expected one of ${metricNames.join(", ")}`);
}

/** One value per pair, in order; NaN if it cannot be computed. Prepares the metric first. */
export async function scorePairs(metric: Metric, pairs: readonly Pair[]): Promise<number[]> {
  await metric.prepare?.();
  if (metric.scoreAll) return metric.scoreAll(pairs);
  return pairs.map(({ candidate, reference }) => metric.score(candidate, reference));
}
