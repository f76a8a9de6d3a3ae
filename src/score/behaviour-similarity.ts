/** Similarity of two programs by their behaviour, measured by running both: the similarity `behaviour` of round trips. */

import type { Executor } from "../execute/types.ts";
import type { Similarity } from "../types.ts";
import { counted } from "../util/counted.ts";
import { joinMissing } from "./missing.ts";
import { RunningScorer, type RunOptions } from "./run.ts";
import type { CodeScorer } from "./scorer.ts";

export interface BehaviourSimilarity extends Similarity {
  readonly signature: string;
  /** An empty candidate scores 0, but only if the problem's programs can be run. Otherwise it has no value either. */
  readonly takesEmpty: true;
  /** Why programs have no value, one line per reason, the most frequent first. */
  notes(): readonly string[];
}

/** Replaces an empty program, so that the run also shows whether the problem's programs can be run. */
const NOTHING = "pass\n";

/** Maximum number of reasons in the notes. */
const MOST_REASONS = 5;

/**
 * Scores each candidate by running it on generated inputs (`score --run`), each pair separately. NaN if nothing could be run, because a
 * static score alone says nothing about behaviour. Closes neither the scorer nor the executor.
 */
export async function behaviourSimilarity(
  scorer: CodeScorer,
  executor: Executor,
  options: Pick<RunOptions, "inputs" | "seed"> = {},
): Promise<BehaviourSimilarity> {
  const run: RunOptions = { ...options, executor, alone: true, counterexamples: false };
  const { signature } = await RunningScorer.load(run, scorer);
  const reasons = new Map<string, number>();
  return {
    name: "behaviour",
    signature: `behaviour|${scorer.signature}${signature}|sandbox:${executor.sandbox}`,
    takesEmpty: true,
    compare: async (pairs) => {
      const rows = pairs.map((pair) => (pair.candidate === "" ? { ...pair, candidate: NOTHING } : pair));
      const results = await scorer.scoreAll(rows, { run });
      return results.map((result, i) => {
        const why = "error" in result ? result.error.message : result.behaviour!.reason;
        if ("error" in result || why !== undefined) {
          reasons.set(why!, (reasons.get(why!) ?? 0) + 1);
          return Number.NaN;
        }
        return pairs[i]!.candidate === "" ? 0 : result.score;
      });
    },
    notes: () =>
      [...joinMissing(reasons)]
        .sort(([, a], [, b]) => b - a)
        .slice(0, MOST_REASONS)
        .map(([reason, count]) => `behaviour: ${counted(count, "program")} without a value: ${reason}`),
  };
}
