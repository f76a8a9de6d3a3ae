/** Reads alphabets: `lowercase English letters and spaces`, `'a', 'b' or 'c'`, `digits 0-9`. */

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join("");

const FILLER =
  /^(?:and|or|only|of|the|an?|english|latin|ascii|characters?|either|both|in|just|solely|symbols?|special|square|round|is|are)$/;
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/^(?:spaces?|blanks?)$/, " "],
  [/^digits?$/, DIGITS],
  [/^(?:zeroe?s|0'?s)$/, "0"],
  [/^(?:ones|1'?s)$/, "1"],
  [/^0-9$/, DIGITS],
  [/^a-z$/, LOWER],
  [/^(?:commas?)$/, ","],
  [/^(?:dots?|periods?)$/, "."],
  [/^(?:hyphens?|dashes)$/, "-"],
  [/^(?:stars?|asterisks?)$/, "*"],
  [/^(?:slash(?:es)?)$/, "/"],
  [/^alphanumerics?$/, LOWER + UPPER + DIGITS],
];
const WORD = /'([^'\n]{1,40})'|"([^"\n]{1,40})"|[^\s,]{1,40}/g;

/** The characters that a phrase names, sorted; null if it has other words, or names no character. */
export function lettersIn(phrase: string): string | null {
  const found = new Set<string>();
  const add = (letters: string): void => {
    for (const letter of letters) found.add(letter);
  };
  let cases: string[] = [];
  const matches = [...phrase.matchAll(WORD)];
  for (const [i, match] of matches.entries()) {
    const quoted = match[1] ?? match[2];
    const next = matches[i + 1];
    // the characters follow: digits '0' and '1'
    const isExplained = next !== undefined && /^['"]/.test(next[0]) && /^[A-Za-z]{4,}$/.test(match[0]);
    if (quoted === undefined && isExplained) {
      cases = [];
      continue;
    }
    if (quoted !== undefined) {
      add(quoted);
      continue;
    }
    const word = match[0].replace(/^\({1,4}|[.):]{1,4}$/g, "").toLowerCase();
    if (word === "" || FILLER.test(word)) continue;
    if (/^(?:lower|upper)-?case$/.test(word)) cases.push(word[0] === "l" ? LOWER : UPPER);
    else if (/^(?:letters?|alphabets?|alphabetic|alphabetical)$/.test(word)) {
      add(cases.length > 0 ? cases.join("") : LOWER + UPPER);
      cases = [];
    } else if (word === "printable") add(PRINTABLE);
    else if (word === "brackets" || word === "parentheses") add(/square/i.test(phrase) ? "[]" : "()");
    else {
      const named = NAMED.find(([pattern]) => pattern.test(word))?.[1] ?? (/^[^\w\s]$/.test(word) ? word : undefined);
      if (named === undefined) return null;
      add(named);
    }
  }
  add(cases.join("")); // lowercase characters
  return found.size === 0 ? null : [...found].sort().join("");
}
