/**
 * Splits texts into tokens and n-grams exactly as Python and sacreBLEU do. Python's classes of white space and word characters
 * differ from JavaScript's `\s` and `\w`, so both are spelled out.
 */

/** White space according to Python's `str.split()` and `str.isspace()`. (JavaScript's `\s` lacks U+001C..1F and U+0085.) */
const SPACE = "\\t-\\r\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SPACES = new RegExp(`[${SPACE}]+`, "u");
const ALL_SPACES = new RegExp(`[${SPACE}]+`, "gu");
const ENDS_IN_SPACE = new RegExp(`[${SPACE}]$`, "u");
const CODE_TOKEN = new RegExp(`[\\p{L}\\p{N}_]+|[^\\p{L}\\p{N}_${SPACE}]`, "gu");

/** Python's `text.split()`. */
export const splitWords = (text: string): string[] => text.split(SPACES).filter((word) => word !== "");

/** Python's `"".join(text.split())`. */
export const withoutSpaces = (text: string): string => text.replace(ALL_SPACES, "");

/** Splits a program into words and single other characters, like Python's regex `\w+|[^\w\s]`. Strings are split like the rest. */
export const tokenizeCode = (text: string): string[] => text.match(CODE_TOKEN) ?? [];

/** mteval-v13a, the tokenization of WMT and the default of sacreBLEU (`sacrebleu/tokenizers/tokenizer_13a.py`). */
export function tokenize13a(text: string): string[] {
  let line = withoutEndSpaces(text).replaceAll("<skipped>", "").replaceAll("-\n", "").replaceAll("\n", " ");
  if (line.includes("&")) {
    line = line.replaceAll("&quot;", '"').replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  }
  const spaced = ` ${line} `
    .replace(/([{-~[-` -&(-+:-@/])/gu, " $1 ")
    .replace(/([^0-9])([.,])/gu, "$1 $2 ")
    .replace(/([.,])([^0-9])/gu, " $1 $2")
    .replace(/([0-9])(-)/gu, "$1 $2 ");
  return splitWords(spaced);
}

/** Python's `text.rstrip()`. Removes one character at a time, because `[ ]+$` takes quadratic time in a long run of blanks. */
function withoutEndSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && ENDS_IN_SPACE.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** The number of occurrences of each n-gram. */
export type Ngrams = Map<string, number>;

/** N-grams of words, joined by a space. */
export function wordNgrams(words: readonly string[], order: number): Ngrams {
  const counts: Ngrams = new Map();
  for (let i = 0; i + order <= words.length; i++) count(counts, words.slice(i, i + order).join(" "));
  return counts;
}

function count(counts: Ngrams, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The number of common n-grams. Each counts as often as in the text that has fewer. */
export function overlap(a: Ngrams, b: Ngrams): number {
  let common = 0;
  for (const [key, times] of a) common += Math.min(times, b.get(key) ?? 0);
  return common;
}
