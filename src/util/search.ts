/** The first of `length` places for which a test holds that holds for all behind it as well; `length` where there is none. */
export function firstWhere(length: number, holds: (place: number) => boolean): number {
  let [from, to] = [0, length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
