/** A number of things in words: `1 row`, `2 rows`. */
export const counted = (n: number, one: string, several = `${one}s`): string => `${n} ${n === 1 ? one : several}`;

/** The first few of many names, and how many more there are. */
export const some = (names: readonly string[]): string =>
  names.slice(0, 5).join(", ") + (names.length > 5 ? ` and ${names.length - 5} more` : "");
