/** Agreement of several raters. */

/**
 * Krippendorff's alpha for ordinal values (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"): 1 is perfect
 * agreement, 0 is chance, below 0 is systematic disagreement. Values may be missing.
 * @param units for each unit: one value per rater who rated it. Units with fewer than two values are ignored.
 * @returns NaN if no unit has two values, or if all values are equal
 */
export function krippendorffAlpha(units: readonly (readonly number[])[]): number {
  const rated = units.filter((values) => values.length > 1);
  const levels = [...new Set(rated.flat())].sort((a, b) => a - b);
  const counts = levels.map((level) => rated.flat().filter((value) => value === level).length);
  // The distance of two levels is the number of values between them, squared. The values at each end count half.
  const before = counts.map((count, i) => counts.slice(0, i).reduce((a, b) => a + b, 0) + count / 2);
  const place = new Map(levels.map((level, i) => [level, before[i]!]));
  const distance = (a: number, b: number): number => (place.get(a)! - place.get(b)!) ** 2;

  const total = rated.flat().length;
  const observed = sum(
    rated.map((values) => sum(values.flatMap((a) => values.map((b) => distance(a, b)))) / (values.length - 1)),
  );
  const expected = sum(levels.flatMap((a, i) => levels.map((b, j) => counts[i]! * counts[j]! * distance(a, b))));
  return expected === 0 ? Number.NaN : 1 - ((total - 1) * observed) / expected;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
