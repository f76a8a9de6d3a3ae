/** The quantile behind conformal intervals, for rows that come in clusters. */
import { groupRows } from "./bootstrap.ts";
import { checkColumns, type Numbers } from "./ranks.ts";

/**
 * The bound that the value of one more row exceeds with a probability of at most 1 - `level`, where that row is of a new
 * cluster, clusters are exchangeable, and so are the rows of a cluster (hierarchical conformal prediction, Lee, Barber
 * and Willett 2023; with one row a cluster it is split conformal prediction, Lei et al. 2018). Each of
 * the K clusters weighs 1 / (K + 1), shared evenly among its rows, and the new one stands at infinity. Infinity where the
 * clusters are too few for the level.
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
