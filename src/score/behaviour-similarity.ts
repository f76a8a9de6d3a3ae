/** How alike two programs are in what they do, found out by running both: the similarity `behaviour` of round trips. */

import type { Executor } from "../execute/types.ts";
import type { Similarity } from "../types.ts";
import { counted } from "../util/counted.ts";
import { RunningScorer, type RunOptions } from "./run.ts";
import type { CodeScorer } from "./scorer.ts";

export interface BehaviourSimilarity extends Similarity {
  readonly signature: string;
  /** Where nothing came back it says 0 itself, and only of problems whose programs can be run. */
  readonly takesEmpty: true;
  /** Why programs have no value, a line a reason, the commonest first. */
  notes(): readonly string[];
}

/** Stands for a program where none came back: whether the problem's can be run is asked with it. */
const NOTHING = "pass\n";

/** Reasons that are named. */
const MOST_REASONS = 5;

/**
 * The score of a candidate that ran on made-up inputs (`score --run`), each pair by itself. NaN where nothing could be run: a static score
 * alone says nothing of behaviour. Neither scorer nor executor is closed.
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
      [...reasons]
        .sort(([, a], [, b]) => b - a)
        .slice(0, MOST_REASONS)
        .map(([reason, count]) => `behaviour: ${counted(count, "program")} without a value: ${reason}`),
  };
}
