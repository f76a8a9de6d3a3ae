/** A number of things in words: `1 row`, `2 rows`. */
export const counted = (n: number, one: string, several = `${one}s`): string => `${n} ${n === 1 ? one : several}`;

/** The first few of many names, and how many more there are. */
export const some = (names: readonly string[]): string =>
  names.slice(0, 5).join(", ") + (names.length > 5 ? ` and ${names.length - 5} more` : "");

/**
 * How often each reason occurs, the most frequent first: `no input (4); no function (1); 3 other reasons (5)`. A single reason has no number,
 * which would repeat the sum. @param most number of reasons to name; one more is named in place of "1 other reason"
 */
export function reasonsOf(counts: ReadonlyMap<string, number>, most: number): string {
  const all = [...counts].sort(([, a], [, b]) => b - a);
  if (all.length === 1) return all[0]![0];
  const named = all.length === most + 1 ? all : all.slice(0, most);
  const others = all.slice(named.length);
  const left = others.reduce((sum, [, n]) => sum + n, 0);
  return [
    ...named.map(([reason, n]) => `${reason} (${n})`),
    ...(others.length > 0 ? [`${others.length} other reasons (${left})`] : []),
  ].join("; ");
}
