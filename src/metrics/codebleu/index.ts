/** CodeBLEU and its structural parts as metrics of single pairs. */
import { CodescoreError } from "../../errors.ts";
import { grammarVersion } from "../../languages/grammar/tree.ts";
import type { MetricOptions, TextMetric } from "../types.ts";
import { checkWeights, EQUAL_WEIGHTS, loadCodeBleu, type ScoreCodeBleu } from "./codebleu.ts";

export {
  type CodeBleu,
  type CodeBleuOptions,
  loadCodeBleu,
  type ScoreCodeBleu,
} from "./codebleu.ts";

type Part = "score" | "syntax" | "dataFlow";

const metricOf =
  (part: Part) =>
  (name: string, { language = "python", codeBleuWeights: weights = EQUAL_WEIGHTS }: MetricOptions): TextMetric => {
    checkWeights(weights);
    const hasFlow = language === "python";
    if (part === "dataFlow" && !hasFlow) {
      throw new CodescoreError("usage", `\`${name}\` supports data flow for Python only, got ${language}`);
    }
    let scorePairs: ScoreCodeBleu | undefined;
    return {
      name,
      whole: true,
      get signature() {
        const weighed =
          part === "score" ? `|w:${weights.join(",")}|flow:${hasFlow ? "no-flow=left-out" : "left-out"}` : "";
        return `${name}|lang:${language}|tok:split${weighed}|grammar:${grammarVersion()}`;
      },
      prepare: async () => {
        scorePairs ??= await loadCodeBleu({ language, weights });
      },
      score: (candidate, reference) => {
        if (scorePairs === undefined) throw new Error("call prepare() before score()");
        return scorePairs([{ candidate, reference }])[part] ?? Number.NaN;
      },
    };
  };

/** The value is NaN if there is none: `codebleu-dataflow` if the reference has no data flow. */
export const codeBleuMetrics = {
  codebleu: metricOf("score"),
  "codebleu-syntax": metricOf("syntax"),
  "codebleu-dataflow": metricOf("dataFlow"),
} as const;
