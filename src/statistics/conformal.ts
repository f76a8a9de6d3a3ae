/** The quantile for conformal intervals, for rows in clusters. */
import { groupRows } from "./bootstrap.ts";
import { checkColumns, type Numbers } from "./ranks.ts";

/**
 * The bound that the value of a new row exceeds with probability at most 1 - `level`. The new row must be of a new cluster, and
 * clusters and the rows of a cluster must be exchangeable (hierarchical conformal prediction, Lee, Barber and Willett 2023). With
 * one row per cluster this is split conformal prediction (Lei et al. 2018). Each of the K clusters has weight 1 / (K + 1),
 * divided equally among its rows. The new cluster has its weight at infinity. The bound is infinite if there are too few clusters
 * for the level.
 */
export function clusterQuantile(values: Numbers, clusters: readonly (string | number)[], level: number): number {
  checkColumns({ values });
  const groups = groupRows(clusters);
  const sizes = clusters.map((cluster) => groups.get(cluster)!.length);
  const order = Array.from(values.keys()).sort((a, b) => values[a]! - values[b]!);
  let reached = 0;
  for (const row of order) {
    reached += 1 / ((groups.size + 1) * sizes[row]!);
    if (reached >= level - 1e-9) return values[row]!;
  }
  return Number.POSITIVE_INFINITY;
}
