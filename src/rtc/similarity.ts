/**
 * The similarities that need no model: the metrics of text, and `pass`, which runs the problem's tests.
 * Any object of that shape can stand beside them (`codescore` is handed in by the caller). To add one: implement
 * `SignedSimilarity`, and name it in `openSimilarity` when it needs nothing but the context.
 */
import { CodescoreError } from "../errors.ts";
import type { Executor } from "../execute/index.ts";
import { getMetric, metricNames } from "../metrics/index.ts";
import type { Problem, Similarity } from "../types.ts";

/** A similarity whose values can be told from another version's; the name serves where there is no signature. */
export interface SignedSimilarity extends Similarity {
  readonly signature?: string;
}

export interface SimilarityContext {
  /** For `pass`; stays the caller's to close. */
  readonly executor?: Executor;
  /** For `pass`: the problems by id. */
  readonly problems?: ReadonlyMap<string, Problem>;
  /** `pass` gives the share of tests passed instead of 1 for all and 0 for less. @default false */
  readonly ratio?: boolean;
}

/** The names that `openSimilarity` knows. */
export const similarityNames: readonly string[] = ["pass", ...metricNames];

/** Values of these are 0 or 1; they count as a yes from 1 on unless the caller says otherwise. */
export const yesNoThresholds: Readonly<Record<string, number>> = { pass: 1, exact: 1 };

/**
 * The similarity of that name. A value that cannot be had (no test to run, the harness failed) is NaN.
 * Throws `CodescoreError("usage")` for an unknown name, or when `pass` lacks its executor or problems.
 */
export function openSimilarity(name: string, context: SimilarityContext = {}): SignedSimilarity {
  if (name === "pass") return passSimilarity(context);
  if (!metricNames.includes(name)) {
    throw new CodescoreError("usage", `no similarity is called \`${name}\`; there are ${similarityNames.join(", ")}`);
  }
  const metric = getMetric(name);
  return {
    name,
    signature: metric.signature,
    async compare(pairs) {
      await metric.prepare?.();
      return pairs.map(({ candidate, reference }) => metric.score(candidate, reference));
    },
  };
}

function passSimilarity({ executor, problems, ratio = false }: SimilarityContext): SignedSimilarity {
  if (!executor || !problems) {
    throw new CodescoreError("usage", "the similarity `pass` needs an executor and the problems with their tests");
  }
  return {
    name: "pass",
    signature: `pass|${ratio ? "ratio" : "all"}|sandbox:${executor.sandbox}|python:${executor.python}`,
    compare: (pairs) =>
      Promise.all(
        pairs.map(async ({ candidate, problemId }) => {
          const problem = problemId === undefined ? undefined : problems.get(problemId);
          if (!problem) throw new CodescoreError("usage", `\`pass\` knows no problem \`${problemId ?? "(none)"}\``);
          const { passRatio } = await executor.execute(problem, candidate);
          if (passRatio === null) return Number.NaN;
          return ratio ? passRatio : Number(passRatio === 1);
        }),
      ),
  };
}
