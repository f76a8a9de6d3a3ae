/**
 * Texts for a program that reads standard input in an unknown layout, built line by line: the program's exception shows
 * whether it needs another line. Source: parser-directed fuzzing (Mathis et al. 2019), with lines in place of characters.
 */
import type { Trial, Tried } from "./oracle.ts";

/** Kinds of lines, the commonest first, each with variants. */
const LINES: readonly (readonly string[])[] = [
  ["2", "2", "1", "3", "5"],
  ["2 3", "5 1", "4 4", "1 7"],
  ["2 3 4", "5 1 2", "3 3 3", "1 9 6"],
  ["4 1 2 3", "2 5 3 7", "6 6 1 1"],
  ["abc", "hello", "aab", "xyz"],
  ["5 2 1 4 3", "7 3 2 6 2", "9 1 4 4 8"],
  ["3 1 4 1 5 2", "6 2 7 3 1 8"],
  ["1.5", "2.0", "0.25"],
  ["2.5 1.5", "3.0 4.0"],
  ["abc 3", "hello 1", "xyz 2"],
  ["3 abc", "1 hello", "2 xyz"],
  ["abc abd", "hello world", "aa b"],
  ["a b c", "one two one", "x y z"],
  ["[1, 2, 3]", "[4, 1, 3, 2]", "[5]"],
  ['["abc", "b"]', '["hello", "abc", "xyz"]'],
  ["[[1, 2], [3, 4]]", "[[5, 1], [2, 2], [3, 7]]"],
  ["1,2,3", "4,1,3,2", "5,5"],
  ["1, 2", "5, 3"],
  ['"abc"', '"hello"', '"aab"'],
  ["05:20", "12:45", "23:07"],
  ["..#.", ".##.", "...."],
  ["1101", "0110", "1000"],
  ["1 + 2", "7 - 3", "2 * 5"],
  ["2020-03-15", "1999-12-31"],
  ['{"a": 1, "b": 2}', '{"x": 5}'],
];
/** If a line may be any text, only these kinds are continued. */
const TEXTS = ["abc", "..#.", "1101"].map((text) => LINES.findIndex(([first]) => first === text));

/** Maximum number of lines; of beginnings that are continued per step; of layouts that are kept; of texts per layout. */
const MOST_LINES = 6;
const BEAM = 6;
const KEPT = 2;
const VARIANTS = 6;
/** A program that accepts at least this share of all kinds for a line reads the line as text. */
const ANY = 2 / 3;

/** Kinds of lines, by their places in `LINES`. */
type Layout = readonly number[];

/** Texts that the program answers; none if six lines are too few. */
export async function textsLineByLine(tried: Tried): Promise<string[]> {
  let open: Layout[] = [[]];
  for (let line = 0; line < MOST_LINES && open.length > 0; line++) {
    const next = open.map((layout) => LINES.map((_, kind): Layout => [...layout, kind]));
    const trials = await tried(next.flat().map((layout) => textOf(layout, 0)));
    const those = (is: (trial: Trial) => boolean): Layout[] =>
      next
        .flatMap((own, i) => typical(own.filter((_, kind) => is(trials[i * LINES.length + kind]!))))
        .sort((a, b) => new Set(a).size - new Set(b).size);
    const whole = those(({ isAnswered }) => isAnswered);
    if (whole.length > 0) return variantsOf(whole, tried);
    open = those(({ wantsMore }) => wantsMore).slice(0, BEAM);
  }
  return [];
}

/** Reduces layouts that differ only in their last line to those that end with one of `TEXTS`, if that line may be almost any text. */
function typical(layouts: readonly Layout[]): readonly Layout[] {
  return layouts.length >= ANY * LINES.length ? layouts.filter((layout) => TEXTS.includes(layout.at(-1)!)) : layouts;
}

const textOf = (layout: Layout, variant: number): string =>
  layout.map((kind, line) => `${LINES[kind]![(variant + (variant > 0 ? line : 0)) % LINES[kind]!.length]}\n`).join("");

async function variantsOf(layouts: readonly Layout[], tried: Tried): Promise<string[]> {
  const texts = layouts
    .slice(0, KEPT)
    .flatMap((layout) => Array.from({ length: VARIANTS }, (_, variant) => textOf(layout, variant)));
  const fresh = [...new Set(texts)];
  const trials = await tried(fresh);
  return fresh.filter((_, i) => trials[i]!.isAnswered);
}
