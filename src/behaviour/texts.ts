/** Texts to try on a program that reads standard input, if its description shows none. */
import { textsLineByLine } from "./line-by-line.ts";
import type { Trial, Tried } from "./oracle.ts";

const NUMBERS = ["5", "12", "1", "100", "7", "30"];
const PAIRS = ["3 5", "10 4", "1 1", "7 20", "12 12"];
const LISTS = ["3\n1 2 3", "5\n4 1 3 9 2", "1\n7", "4\n2 2 2 2", "6\n10 -3 5 0 8 1"];
const WORDS = ["abcab", "hello", "a", "AbBa", "1010", "xyzzy"];

/** The layouts that contests use, each with a few texts. */
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

/** Maximum number of forms that are kept. */
const KEPT = 3;
/** Maximum number of numbers, and of quoted texts, that are taken from a description. */
const MOST_NUMBERS = 8;
const MOST_QUOTED = 12;

interface Form {
  readonly texts: readonly string[];
  readonly trials: readonly Trial[];
}

/**
 * Texts that the program answers, in at most three forms. If it answers none of `FORMS`, texts are built line by line.
 * Numbers and quoted texts of the description are tried too, if the program reads a number or a text.
 */
export async function textsByTrial(tried: Tried, description: string): Promise<string[]> {
  const forms = await read(
    FORMS.map((texts) => texts.map((text) => `${text}\n`)),
    tried,
  );
  const whole = await withoutSurplus(forms, tried);
  if (whole.length === 0) return textsLineByLine(tried);
  // A program that reads letters also accepts digits, but expects words.
  const kept = [...whole.filter(hasLetters), ...whole.filter((form) => !hasLetters(form))].slice(0, KEPT);
  const own = described(kept, description);
  const answered = await tried(own);
  return [...new Set([...own.filter((_, i) => answered[i]!.isAnswered), ...kept.flatMap(({ texts }) => texts)])];
}

/** The forms of which a program answers more than half of the texts; each with the answered texts only. */
async function read(forms: readonly (readonly string[])[], tried: Tried): Promise<Form[]> {
  const all = await inGroups(forms, tried);
  return forms.flatMap((texts, f) => {
    const trials = all[f]!;
    const isAnswered = texts.map((_, i) => trials[i]!.isAnswered);
    const own = { texts: texts.filter((_, i) => isAnswered[i]), trials: trials.filter((_, i) => isAnswered[i]) };
    return 2 * own.texts.length > texts.length ? [own] : [];
  });
}

/**
 * Forms of which the program reads every line. The last line of a text is surplus if the answer without it is the same. If the texts
 * have different numbers of lines, the shortest do not count: a program that reads one line after the count `n`, not `n` lines, needs theirs.
 */
async function withoutSurplus(forms: readonly Form[], tried: Tried): Promise<Form[]> {
  const shorter = forms.map(({ texts }) =>
    texts.map((text) => text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)),
  );
  const trials = await inGroups(shorter, tried);
  const linesOf = (text: string): number => text.split("\n").length;
  return forms.filter(({ texts, trials: own }, f) => {
    const least = Math.min(...texts.map(linesOf));
    const longer = texts.filter((text) => linesOf(text) > least);
    return own.some(
      ({ answers: [first] }, i) =>
        (longer.length === 0 || longer.includes(texts[i]!)) && trials[f]![i]!.answers[0]?.text !== first?.text,
    );
  });
}

/** Runs the texts of all groups at once. */
async function inGroups(groups: readonly (readonly string[])[], tried: Tried): Promise<Trial[][]> {
  const all = await tried(groups.flat());
  const starts = groups.map((_, g) => groups.slice(0, g).flat().length);
  return groups.map((group, g) => all.slice(starts[g], starts[g]! + group.length));
}

const hasLetters = ({ texts }: { readonly texts: readonly string[] }): boolean =>
  texts.some((text) => /[a-z]/i.test(text));

/** Numbers of the description if the program reads one number; its quoted texts if the program reads lines of text. */
function described(forms: readonly Form[], description: string): string[] {
  const linesOf = ({ texts }: Form): number => texts[0]!.split("\n").length - 1;
  const isBare = ({ texts }: Form): boolean => texts.every((text) => !/[ #[]/.test(text));
  const form = forms.find(isBare);
  if (form === undefined) return [];
  const lines = linesOf(form);
  if (hasLetters(form)) {
    const words = quoted(description);
    if (words.length < lines) return [];
    return words.map((_, i) =>
      Array.from({ length: lines }, (__, line) => `${words[(i + line) % words.length]}\n`).join(""),
    );
  }
  return lines === 1 ? numbersOf(description).map((number) => `${number}\n`) : [];
}

const QUOTED = /"([^"\n]{1,60})"|'([^'\n]{1,60})'|`([^`\n]{1,60})`/g;
const NUMBER = /(?<![\w.])\d{1,12}(?![\w.]\d|\w)/g;

function quoted(text: string): string[] {
  const found = [...text.matchAll(QUOTED)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  return [...new Set(found)].slice(0, MOST_QUOTED);
}

const numbersOf = (text: string): string[] =>
  [...new Set([...text.matchAll(NUMBER)].map(([number]) => number))].slice(0, MOST_NUMBERS);
