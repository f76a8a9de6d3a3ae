/** Ranks the candidates of one task by their scores. */

/** Scores closer than this count as equal, because scores vary by less than this with the batch they were computed in. */
const RESOLUTION = 1e-6;

export interface Rank {
  /** 1 is the best. Equal scores share the best rank of their group, and the next rank counts them all (1, 2, 2, 4). */
  readonly rank: number;
  /** Number of candidates with this rank. */
  readonly tied: number;
}

/** The rank of each score among all of them. Higher scores are better. */
export function rank(scores: readonly number[]): Rank[] {
  const order = scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!);
  const ranks = new Array<Rank>(scores.length);
  for (let first = 0; first < order.length; ) {
    const best = scores[order[first]!]!;
    const beyond = order.findIndex((index, at) => at > first && scores[index]! < best - RESOLUTION);
    const next = beyond < 0 ? order.length : beyond;
    for (const index of order.slice(first, next)) ranks[index] = { rank: first + 1, tied: next - first };
    first = next;
  }
  return ranks;
}
