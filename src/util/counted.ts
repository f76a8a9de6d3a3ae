/** A number of things in words: `1 row`, `2 rows`. */
export const counted = (n: number, one: string, several = `${one}s`): string => `${n} ${n === 1 ? one : several}`;
