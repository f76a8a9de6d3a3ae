/** Texts to try on a program that reads standard input, where its description shows none: the forms that contests use. */

const NUMBERS = ["5", "12", "1", "100", "7", "30"];
const PAIRS = ["3 5", "10 4", "1 1", "7 20", "12 12"];
const LISTS = ["3\n1 2 3", "5\n4 1 3 9 2", "1\n7", "4\n2 2 2 2", "6\n10 -3 5 0 8 1"];
const WORDS = ["abcab", "hello", "a", "AbBa", "1010", "xyzzy"];

/** Each form with a few texts. */
export const FORMS: readonly (readonly string[])[] = [
  LISTS,
  NUMBERS,
  PAIRS,
  WORDS,
  ["2 3 4", "1 1 1", "10 5 7", "6 2 9"],
  ["3 2\n1 2 3", "5 3\n4 1 3 9 2", "1 1\n7", "4 4\n2 2 2 2"],
  ["3 2\n1 2\n2 3", "4 3\n1 2\n2 3\n3 4", "2 1\n1 2"],
  ["2\n3\n5", "3\n1\n10\n7", "1\n4"],
  ["2\n3 5\n10 4", "3\n1 1\n7 20\n5 2", "1\n6 6"],
  ["2\n3\n1 2 3\n4\n4 3 2 1", "1\n5\n4 1 3 9 2", "2\n1\n7\n2\n5 5"],
  ["2\n3 2\n1 2 3\n4 1\n4 3 2 1", "1\n5 3\n4 1 3 9 2"],
  ["2\nabc\nhello", "3\naa\nb\nabab", "1\nxyz"],
  ["3\nabc", "5\nhello", "1\na", "4\nABBA"],
  ["abc\nabd", "hello\nworld", "a\nb"],
  ["2\n3\nabc\n5\nhello", "1\n4\nABBA"],
  ["1 2 3 4", "5 4 3 2", "7 7 7 7", "10 20 3 1"],
  ["3\n1 2 3\n4 5 6", "2\n1 1\n2 2", "4\n4 3 2 1\n1 2 3 4"],
  ["1 2 3\n4 5 6", "3 3 3\n1 1 1"],
  ["3\n1 2\n3 4\n5 6", "2\n1 5\n2 3"],
  ["3 3\n...\n.#.\n...", "2 2\n#.\n.#"],
  ["3 4 5\n1 2 3", "2 1 1\n5 6"],
  ["1.5 2.5", "3.0 4.0"],
  ["1\n2\n3", "5\n1\n4", "7\n7\n7"],
  ["1\n2\n3\n2", "6\n5\n4\n3"],
  ["3 2\n1 2\n3 4\n5 6", "2 3\n1 5 2\n4 4 4"],
  ["3 2\n1 2 3\n4 5", "2 3\n6 1\n2 2 9"],
  ["3 4 11\n4 2 5\n4 4 5 4", "2 2 7\n1 3\n5 2"],
  ["0 0 0 6\n2 3", "1 5 4 2\n3 3"],
  ["1 2 1\n1 5 1\n1 6 2", "3 3 3\n2 2 2\n1 1 1"],
  ["10 2 2 1\n7 3 2 9\n12 3 1 10", "5 2 1 1\n3 4 5 6\n2 2 2 2"],
  ["[7, 11]", "[3, 1, 2, 2]", "[5]"],
  ["4\n[1, 2]", "7\n[3, 5, 2]"],
  ["[1, 2]\n[3, 4]", "[5, 1, 2]\n[2, 5, 5]"],
  ["abc 3", "hello 1", "xyzzy 2"],
  ["abc\n3", "hello\n1", "xyzzy\n2"],
  ["hello world", "a b c d", "one two one"],
];

/** The texts of the forms that a program reads without an exception and answers with something, the first three such forms. */
export async function textsByTrial(
  answered: (texts: readonly string[]) => Promise<readonly boolean[]>,
): Promise<string[]> {
  const all = FORMS.map((texts) => texts.map((text) => `${text}\n`));
  const works = await answered(all.flat());
  let at = 0;
  const kept = all
    .map((texts) => texts.filter(() => works[at++]))
    .filter((texts, i) => 2 * texts.length > all[i]!.length);
  return kept.slice(0, 3).flat();
}
