/** Sparsemax of a vector: its Euclidean projection onto the simplex (Martins and Astudillo 2016, algorithm 1). */
export function sparsemaxOf(z: ArrayLike<number>): Float32Array {
  const sorted = Float64Array.from(z).sort().reverse();
  let total = 0;
  let threshold = 0;
  for (let k = 1; k <= sorted.length; k++) {
    total += sorted[k - 1]!;
    if (1 + k * sorted[k - 1]! > total) threshold = (total - 1) / k;
  }
  return Float32Array.from(z, (value) => Math.max(0, value - threshold));
}
