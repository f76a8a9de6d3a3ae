/**
 * Texts from the regular expressions of a reference: some match, and some almost do: a repeated part is one too short or one too long, or something stands
 * beside it. Reads the common parts of Python's syntax. A pattern with other parts gives no texts.
 */
import { existing } from "../expand/index.ts";
import { parseLiteral } from "../languages/python/literals/index.ts";

/** Maximum characters of a pattern and of a text, and maximum number of texts and of patterns. */
const LONGEST = 200;
const LONGEST_TEXT = 80;
const MOST_TEXTS = 12;
const MOST_PATTERNS = 4;
const DEEPEST = 6;
/** How often an unbounded part is repeated at most. */
const MORE = 2;

const CALL =
  /\bre\.(?:compile|subn?|findall|finditer|match|fullmatch|search|split)\(\s{0,20}(r?)("(?:[^"\\\n]|\\.){1,200}"|'(?:[^'\\\n]|\\.){1,200}')/g;

interface Part {
  /** Characters of which one is taken, or the alternatives of a group. */
  readonly chars?: string;
  readonly group?: readonly (readonly Part[])[];
  readonly least: number;
  readonly most: number;
  /** Written as `{m,n}`, so that a length just outside of it is worth a test. */
  readonly isCounted: boolean;
}

/** The texts for the patterns in a program. */
export function patternTexts(source: string | null): string[] {
  const calls = [...(source ?? "").matchAll(CALL)].slice(0, MOST_PATTERNS);
  const each = calls.map(([, raw, literal]) => textsOf(raw === "r" ? literal!.slice(1, -1) : unquoted(literal!)));
  const mixed = Array.from({ length: MOST_TEXTS }, (_, i) => each.flatMap((texts) => texts.slice(i, i + 1))).flat();
  const real = CHECKS_STAMPS.test(source ?? "") ? mixed : mixed.map(existing);
  return [...new Set(real)].slice(0, MOST_TEXTS);
}

/** Marks of a program that checks dates or times. Without such a check the task does not define dates that do not exist. */
const CHECKS_STAMPS = /\b(?:12|2[34]|31|59|60|datetime|strptime|ValueError)\b/;

function unquoted(literal: string): string {
  try {
    const value = parseLiteral(literal);
    return value.t === "str" ? value.v : "";
  } catch {
    return "";
  }
}

function textsOf(pattern: string): string[] {
  const parsed = pattern.length > LONGEST ? null : new PatternReader(pattern).read();
  if (parsed === null) return [];
  const texts: string[] = [];
  for (const [i, parts] of parsed.slice(0, 3).entries()) {
    const plain = made(parts, ({ least }) => least);
    const counted = parts.filter(({ isCounted }) => isCounted).slice(0, 2);
    const edges = counted.flatMap((one) =>
      [one.most + 1, one.least - 1, one.most].map((n) => made(parts, (part) => (part === one ? n : part.least), i)),
    );
    const long = made(parts, ({ least, most }) => Math.min(most, least + MORE), i + 1);
    texts.push(
      long,
      ...edges,
      plain,
      `${long}x`,
      `x${long}`,
      `7${long} ${plain}`,
      `a ${long}, ${plain}.`,
      `${long}${long}`,
    );
  }
  return [...new Set(texts.filter((text) => text !== "" && text.length <= LONGEST_TEXT))];
}

/** A text of parts. `count`: how often each is repeated. `turn`: which of its characters or alternatives comes first. */
function made(parts: readonly Part[], count: (part: Part) => number, turn = 0): string {
  let text = "";
  for (const [i, part] of parts.entries()) {
    for (let k = 0; k < Math.max(0, count(part)) && text.length <= LONGEST_TEXT; k++) {
      const more =
        part.chars === undefined
          ? made(part.group![(turn + k) % part.group!.length]!, count, turn + k)
          : (part.chars[(turn + i + k) % part.chars.length] ?? "");
      if (more === "") break; // it would stay empty, any number of times
      text += more;
    }
  }
  return text;
}

const CLASSES: Readonly<Record<string, string>> = {
  d: "1234567890",
  w: "a1b2c_",
  s: " ",
  D: "ab-",
  W: "- .",
  S: "ab1-",
};
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t" };
const OTHERS = "ab1 -_Zz9.";

class PatternReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The alternatives; null for syntax that is not read. */
  read(): readonly (readonly Part[])[] | null {
    const found = this.#alternatives(0);
    return this.#at === this.#text.length ? found : null;
  }

  #next(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #alternatives(depth: number): Part[][] | null {
    if (depth > DEEPEST) return null;
    const all: Part[][] = [[]];
    while (this.#at < this.#text.length && this.#text[this.#at] !== ")") {
      if (this.#next("|")) {
        all.push([]);
        continue;
      }
      const atom = this.#atom(depth);
      if (atom === null) return null;
      const repeated = this.#repeated();
      if (atom !== "nothing") all.at(-1)!.push({ ...atom, ...repeated });
    }
    return all;
  }

  /** A character, class or group; "nothing" for what matches no character. */
  #atom(depth: number): Pick<Part, "chars" | "group"> | "nothing" | null {
    if (this.#next("^") || this.#next("$")) return "nothing";
    if (this.#next("(")) {
      const looks = /^\?(?:<?[=!])/.exec(this.#text.slice(this.#at, this.#at + 4))?.[0];
      if (looks !== undefined) this.#at += looks.length;
      else if (!this.#next("?:") && this.#text[this.#at] === "?") {
        const name = /^\?P<\w{1,30}>/.exec(this.#text.slice(this.#at, this.#at + 36))?.[0];
        if (name === undefined) return null;
        this.#at += name.length;
      }
      const group = this.#alternatives(depth + 1);
      if (group === null || !this.#next(")")) return null;
      return looks === undefined ? { group } : "nothing";
    }
    if (this.#next("[")) return this.#set();
    if (this.#next(".")) return { chars: OTHERS };
    if (this.#next("\\")) return this.#escape();
    const char = this.#text[this.#at]!;
    if ("*+?{".includes(char)) return null;
    this.#at += 1;
    return { chars: char };
  }

  #escape(): Pick<Part, "chars"> | "nothing" | null {
    const char = this.#text[this.#at] ?? "";
    this.#at += 1;
    if (/[bBAZ]/.test(char)) return "nothing";
    if (/[1-9]/.test(char) || char === "") return null;
    return { chars: CLASSES[char] ?? ESCAPES[char] ?? char };
  }

  #set(): Pick<Part, "chars"> | null {
    const isNegated = this.#next("^");
    let chars = "";
    for (let isFirst = true; isFirst || this.#text[this.#at] !== "]"; isFirst = false) {
      if (this.#at >= this.#text.length) return null;
      if (this.#next("\\")) {
        const one = this.#escape();
        if (one === null || one === "nothing") return null;
        chars += one.chars;
        continue;
      }
      const [from, dash, to] = [this.#text[this.#at]!, this.#text[this.#at + 1], this.#text[this.#at + 2]];
      const isRange = dash === "-" && to !== undefined && to !== "]" && to !== "\\" && from < to;
      this.#at += isRange ? 3 : 1;
      chars += isRange ? rangeOf(from, to) : from;
    }
    this.#at += 1;
    const all = isNegated ? [...OTHERS].filter((c) => !chars.includes(c)).join("") : chars;
    return all === "" ? null : { chars: all };
  }

  #repeated(): Pick<Part, "least" | "most" | "isCounted"> {
    const found = /^(?:\{(\d{0,3})(,?)(\d{0,3})\}|[*+?])\??/.exec(this.#text.slice(this.#at, this.#at + 12));
    if (found === null) return { least: 1, most: 1, isCounted: false };
    this.#at += found[0].length;
    if (found[1] === undefined) {
      const sign = found[0][0];
      return { least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : 1 + MORE, isCounted: false };
    }
    const least = Number(found[1] || 0);
    const most = found[2] === "" ? least : found[3] === "" ? least + MORE : Number(found[3]);
    return { least, most: Math.max(least, most), isCounted: true };
  }
}

/** Up to ten characters of a range, spread over it. */
function rangeOf(from: string, to: string): string {
  const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)];
  const step = Math.max(1, Math.floor((high - low) / 9));
  return Array.from({ length: Math.min(10, high - low + 1) }, (_, i) =>
    String.fromCharCode(Math.min(high, low + i * step)),
  ).join("");
}
