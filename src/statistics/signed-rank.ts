/** Wilcoxon's signed-rank test for pairs. */
import { averageRanks, checkColumns, denseRanks } from "./ranks.ts";

export interface SignedRank {
  /** Differences that are not 0: the ones tested. */
  readonly n: number;
  /** Sum of the ranks of the positive differences. */
  readonly statistic: number;
  /** Two-sided; 1 when every difference is 0. */
  readonly pValue: number;
}

/**
 * Tests whether paired differences lie around 0. Differences of 0 are dropped (Wilcoxon 1945); ties share their mean rank,
 * and the p value is exact for them: all 2^n choices of signs are as likely, and their rank sums are counted, which takes
 * time in n cubed (0.1 s for 500). Throws `CodescoreError("input")` for a NaN, naming its row.
 */
export function signedRank(differences: readonly number[]): SignedRank {
  checkColumns({ differences });
  const tested = differences.filter((difference) => difference !== 0);
  const n = tested.length;
  const ranks = averageRanks(denseRanks(tested.map(Math.abs)));
  const statistic = tested.reduce((sum, difference, i) => (difference > 0 ? sum + ranks[i]! : sum), 0);
  const most = n * (n + 1); // twice the sum of all ranks: doubled, ranks of ties are whole
  const extreme = Math.min(2 * statistic, most - 2 * statistic);

  // chance[s]: that the doubled ranks with a positive sign sum to s; sums beyond the extreme are never asked for.
  const chance = new Float64Array(extreme + 1);
  chance[0] = 1;
  let reached = 0;
  for (const rank of ranks) {
    const step = 2 * rank;
    reached = Math.min(extreme, reached + step);
    for (let s = reached; s >= 0; s--) chance[s] = (chance[s]! + (s >= step ? chance[s - step]! : 0)) / 2;
  }
  return { n, statistic, pValue: Math.min(1, 2 * chance.reduce((sum, p) => sum + p, 0)) };
}
