/**
 * The metrics of text by name, each from a candidate and a reference to [0, 1].
 * To add one: write it in a file of its own, add an entry here, and test it against its reference implementation.
 */
import { CodescoreError } from "../errors.ts";
import { sentenceBleu } from "./bleu.ts";
import { sentenceChrf } from "./chrf.ts";
import { gate, loadGate } from "./gate.ts";
import { loadRule, rule } from "./rule.ts";

export interface Metric {
  readonly name: string;
  /** Says how it is computed, as sacreBLEU's signatures do. */
  readonly signature: string;
  /** How alike the two are, in [0, 1]; higher is more alike. Symmetric only where the metric is. */
  score(candidate: string, reference: string): number;
  /** To be awaited once before `score`, where it is there. */
  readonly prepare?: () => Promise<void>;
  /** Needs whole programs: a head that both begin with is not cut. */
  readonly whole?: true;
}

/** True when both are equal but for white space at the ends of lines and blank lines around. */
export const exactMatch = (candidate: string, reference: string): boolean => trimmed(candidate) === trimmed(reference);

const trimmed = (text: string): string =>
  text
    .replace(/[^\S\n]+$/gm, "")
    .replace(/^\n+/, "")
    .trimEnd();

const metrics: readonly Metric[] = [
  { name: "exact", signature: "exact|trim:line-ends", score: (c, r) => (exactMatch(c, r) ? 1 : 0) },
  {
    name: "bleu",
    signature: "bleu|order:4|tok:code|smooth:exp|eff:yes",
    score: (c, r) => sentenceBleu(c, r, "code") / 100,
  },
  {
    name: "bleu-13a",
    signature: "bleu|order:4|tok:13a|smooth:exp|eff:yes",
    score: (c, r) => sentenceBleu(c, r, "13a") / 100,
  },
  { name: "chrf", signature: "chrf|nc:6|nw:0|beta:2|space:no", score: (c, r) => sentenceChrf(c, r) / 100 },
  {
    name: "chrf++",
    signature: "chrf|nc:6|nw:2|beta:2|space:no",
    score: (c, r) => sentenceChrf(c, r, { wordOrder: 2 }) / 100,
  },
  { name: "gate", signature: "gate|static|modules:py3.11", score: gate, prepare: loadGate, whole: true },
  {
    name: "rule",
    signature: "rule|chrf+tree+unigram+flow|max:plain,canonical|gate:static",
    score: rule,
    prepare: loadRule,
    whole: true,
  },
];

export const metricNames: readonly string[] = metrics.map(({ name }) => name);

/** The metric of that name. Throws `CodescoreError("usage")` that lists the names there are. */
export function getMetric(name: string): Metric {
  const found = metrics.find((metric) => metric.name === name);
  if (found) return found;
  throw new CodescoreError("usage", `no metric is called \`${name}\`; there are ${metricNames.join(", ")}`);
}
