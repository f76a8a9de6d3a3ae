/** Text metrics, correlations, pass@k and intervals. Every value equals its reference implementation (see test/metrics). */

export * from "../statistics/index.ts";
export {
  type CodeBleu,
  type CodeBleuOptions,
  loadCodeBleu,
  type ScoreCodeBleu,
} from "./codebleu/index.ts";
export { type ConsensusOptions, consensus } from "./consensus.ts";
export { exactMatch, getMetric, metricNames, metricNeeds, scorePairs } from "./registry.ts";
export { type Find, loadFindings } from "./static/findings.ts";
export { type BleuTokenization, corpusBleu, sentenceBleu } from "./text/bleu.ts";
export { type ChrfOptions, corpusChrf, sentenceChrf } from "./text/chrf.ts";
export { tokenize13a, tokenizeCode } from "./text/tokens.ts";
export {
  type BatchMetric,
  LANGUAGES,
  type Language,
  type Metric,
  type MetricOptions,
  type Pair,
  type TextMetric,
} from "./types.ts";
