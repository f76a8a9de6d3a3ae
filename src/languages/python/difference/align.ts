/** Pairs the parts of two lists: first a longest common subsequence of equal keys, then the parts between them in order. */

export type Aligned<T> =
  | { readonly ours: T; readonly theirs: T }
  | { readonly ours: T; readonly theirs: null }
  | { readonly ours: null; readonly theirs: T };

/** If the table would need more cells than this, the differing parts are paired in order. This bounds memory. */
const MOST_CELLS = 2 ** 14;

/**
 * Aligns two lists, keeping the order of both. Time and memory are at most `MOST_CELLS`, plus the lists themselves.
 * @param keyOf gives equal parts the same key
 * @param canPair whether two unequal parts between equal ones may be the same part, changed
 */
export function align<T>(
  ours: readonly T[],
  theirs: readonly T[],
  keyOf: (part: T) => string,
  canPair: (our: T, their: T) => boolean,
): Aligned<T>[] {
  const [ourKeys, theirKeys] = [ours.map(keyOf), theirs.map(keyOf)];
  let start = 0;
  while (start < Math.min(ours.length, theirs.length) && ourKeys[start] === theirKeys[start]) start += 1;
  let end = 0;
  const most = Math.min(ours.length, theirs.length) - start;
  while (end < most && ourKeys.at(-1 - end) === theirKeys.at(-1 - end)) end += 1;
  const [n, m] = [ours.length - start - end, theirs.length - start - end];
  const common = n * m > MOST_CELLS ? [] : commonPlaces(n, m, (i, k) => ourKeys[start + i] === theirKeys[start + k]);
  const found: Aligned<T>[] = [];
  for (let i = 0; i < start; i++) found.push({ ours: ours[i]!, theirs: theirs[i]! });
  let [i, k] = [0, 0];
  for (const [nextI, nextK] of [...common, [n, m] as const]) {
    while (i < nextI && k < nextK) {
      const [our, their] = [ours[start + i]!, theirs[start + k]!];
      if (canPair(our, their)) {
        found.push({ ours: our, theirs: their });
        i += 1;
        k += 1;
      } else if (nextI - i >= nextK - k) {
        found.push({ ours: our, theirs: null });
        i += 1;
      } else {
        found.push({ ours: null, theirs: their });
        k += 1;
      }
    }
    for (; i < nextI; i++) found.push({ ours: ours[start + i]!, theirs: null });
    for (; k < nextK; k++) found.push({ ours: null, theirs: theirs[start + k]! });
    if (nextI < n) found.push({ ours: ours[start + i]!, theirs: theirs[start + k]! });
    i += 1;
    k += 1;
  }
  for (let at = ours.length - end; at < ours.length; at++) {
    found.push({ ours: ours[at]!, theirs: theirs[at - ours.length + theirs.length]! });
  }
  return found;
}

/** The index pairs of a longest common subsequence; both indices increase. */
function commonPlaces(n: number, m: number, isEqual: (i: number, k: number) => boolean): [number, number][] {
  const width = m + 1;
  const lengths = new Uint16Array((n + 1) * width); // of a longest common subsequence of the rest, from each pair of places
  for (let i = n - 1; i >= 0; i--) {
    for (let k = m - 1; k >= 0; k--) {
      const at = i * width + k;
      lengths[at] = isEqual(i, k) ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  const places: [number, number][] = [];
  let [i, k] = [0, 0];
  while (i < n && k < m) {
    const at = i * width + k;
    if (isEqual(i, k)) places.push([i++, k++]);
    else if (lengths[at + width]! >= lengths[at + 1]!) i += 1;
    else k += 1;
  }
  return places;
}
