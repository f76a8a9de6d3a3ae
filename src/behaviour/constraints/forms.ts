/** Forms of texts that a description shows: `a duration such as "1h30m"`, `paths like "/home/ann/a.txt"`, `a coupon ("P15" or "F500")`. */
import { asSource } from "../shown.ts";
import { bare } from "./subjects.ts";

/** Maximum characters of a description that are read, and maximum number of examples. */
const LONGEST = 20_000;
const MOST = 12;

const TEXT = `["']([^"'\\n]{0,60})["']`;
/** What introduces examples, and the examples. */
const SHOWN = new RegExp(
  `(\\b(?:like(?: this)?|such as|e\\.g\\.|(?:of|has|have|in) the form(?:at)?)[,:]? |(?<!["'])\\()((?:${TEXT}(?:, | or |, or | and )?){1,6})`,
  "gi",
);
/** Words of a sentence about what the program gives back. */
const ABOUT_ANSWER =
  /\b(?:returns?|returned|returning|outputs?|prints?|printed|results?|answers?|gives?|given back|formats?|renders?|shows?|becomes?|into)\b/i;

/** For each name, the texts that the description shows for it. A text without a name before it belongs to `only`, the only text of the arguments. */
export function formsIn(description: string, names: readonly string[], only: string | null): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const text = asSource(description.slice(0, LONGEST))
    .replaceAll(/`([^`"'()=\n]{0,60}\d[^`"'()=\n]{0,60})`/g, '"$1"')
    .replaceAll(/"""|'''|`/g, " ");
  for (const { 0: match, 1: introduced, 2: shown, index } of text.matchAll(SHOWN)) {
    const before = text.slice(Math.max(0, index - 200), index);
    const sentence = before.slice(before.search(/[^.!?\n]{0,200}$/));
    const words = sentence.split(/\s+/).map(bare);
    const [place, said] = lastNamed(words, names);
    const name = said ?? (introduced === "(" ? null : only);
    const isAnswer = ABOUT_ANSWER.test(sentence.slice(said === null ? 0 : sentence.lastIndexOf(words[place]!)));
    if (name === null || isAnswer || match.length > 300) continue;
    // `""` for none, "P" followed by a number ("P15")
    const hasEmpty = /(?:""|'')/.test(sentence);
    const texts = [...shown!.matchAll(new RegExp(TEXT, "g"))].map(([, one]) => one!);
    if (texts.every((one) => /^[A-Z]{2,}\W[A-Z\W]*$/.test(one))) texts.splice(0, texts.length, ...alike(text, texts));
    if (texts.length === 0 || !texts.every((one) => /[\p{L}\p{N}]/u.test(one) && one.length > 1)) continue;
    found.set(name, [...new Set([...(found.get(name) ?? []), ...(hasEmpty ? [""] : []), ...texts])].slice(0, MOST));
  }
  return found;
}

/** The last word that is one of the names, with its place: `tags`, `prices` for `price`, `tax rate` for `tax_rate`. */
function lastNamed(words: readonly string[], names: readonly string[]): readonly [number, string | null] {
  for (let i = words.length - 1; i >= 0; i--) {
    const word = words[i]!;
    const name = [word, word.replace(/s$/, ""), `${words[i - 1] ?? ""}_${word}`].find((one) => names.includes(one));
    if (name !== undefined) return [i, name];
  }
  return [-1, null];
}

/** Other quoted texts of the layout of one: "1.10.0" for "MAJOR.MINOR.PATCH". */
function alike(text: string, forms: readonly string[]): string[] {
  const layouts = new Set(forms.map(layoutOf));
  const quoted = [...text.matchAll(new RegExp(TEXT, "g"))].map(([, one]) => one!);
  return quoted.filter((one) => !forms.includes(one) && layouts.has(layoutOf(one)));
}

const layoutOf = (text: string): string => text.replace(/[\p{L}\p{N}]+/gu, "a");

/** Whether a text has all kinds of characters of one of the examples: digits, letters, and each mark. Only an empty example allows an empty text. */
export function isLike(text: string, examples: readonly string[]): boolean {
  const own = marksOf(text);
  return examples.some((example) =>
    text === "" || example === "" ? text === example : [...marksOf(example)].every((mark) => own.includes(mark)),
  );
}

/** `0` stands for digits, `a` for letters. */
const marksOf = (text: string): string =>
  [
    ...new Set(
      [...text.slice(0, LONGEST)].flatMap((c) => (/\d/.test(c) ? "0" : /\p{L}/u.test(c) ? "a" : /\s/.test(c) ? [] : c)),
    ),
  ].join("");
