/** The options of verbs that accept metrics by name. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Language, Metric, MetricOptions } from "../../metrics/index.ts";
import { LANGUAGES } from "../../metrics/types.ts";
import { integer, numbers } from "./values.ts";

export interface MetricFlags {
  readonly language?: Language;
  readonly crystalCorpus?: string;
  readonly codebleuWeights?: number[];
  readonly metricModel?: Readonly<Record<string, string>>;
  readonly encoder?: string;
  readonly encoderLayer?: number;
  readonly idf?: true;
  readonly baseline?: string;
  readonly context?: true;
}

/** Adds the options that metrics may need. */
export const addMetricOptions = (command: Command): Command =>
  command
    .addOption(new Option("--language <name>", "language of the programs (default: python)").choices(LANGUAGES))
    .option("--crystal-corpus <path>", "file or folder of programs; crystalbleu ignores their most frequent n-grams")
    .option(
      "--codebleu-weights <a,b,c,d>",
      "weights of the n-gram, weighted n-gram, syntax and data-flow match (default: .25 each)",
      numbers,
    )
    .option("--metric-model <name=dir>", "folder with the ONNX model of an embedding metric; repeatable", modelOf)
    .option(
      "--encoder <dir>",
      "folder with the ONNX encoder of bertscore, codebertscore and embedding (docs/embeddings.md)",
    )
    .option(
      "--encoder-layer <n>",
      "hidden state to use (default: the last; for codebertscore 10 if there is one)",
      integer(0),
    )
    .option("--idf", "weight tokens of bertscore and codebertscore by their rarity in the references")
    .option("--baseline <file>", "rescale bertscore and codebertscore by a CSV of baselines (LAYER, P, R, F, F3)")
    .option("--context", "codebertscore: read each program after its description");

function modelOf(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError(`Expected METRIC=DIR, got \`${text}\`.`);
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

export const metricOptionsOf = ({
  language,
  crystalCorpus,
  codebleuWeights,
  metricModel,
  encoderLayer,
  encoder,
  idf,
  baseline,
  context,
}: MetricFlags): MetricOptions => ({
  ...(language === undefined ? {} : { language }),
  ...(crystalCorpus === undefined ? {} : { corpus: crystalCorpus }),
  ...(codebleuWeights === undefined ? {} : { codeBleuWeights: codebleuWeights }),
  ...(metricModel === undefined ? {} : { models: metricModel }),
  ...(encoder === undefined ? {} : { encoder }),
  ...(encoderLayer === undefined ? {} : { layer: encoderLayer }),
  ...(baseline === undefined ? {} : { baseline }),
  ...(idf && { idf }),
  ...(context && { context }),
});

/**
 * The metrics of a comma-separated list, without duplicates; none for `none` or nothing. `data` is the file to measure: its manifest
 * says which modules its programs could import.
 */
export async function metricsOf(names: string | undefined, flags: MetricFlags, data?: string): Promise<Metric[]> {
  if (names === undefined || names === "none") return [];
  const { getMetric } = await import("../../metrics/index.ts");
  const { modulesOf } = await import("../../dataset/index.ts");
  const modules = await modulesOf(data === undefined ? [] : [data]);
  const options = { ...metricOptionsOf(flags), ...(modules && { modules: new Set(modules) }), progress: true };
  return [...new Set(names.split(",").map((name) => name.trim()))].map((name) => getMetric(name, options));
}
