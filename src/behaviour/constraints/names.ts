/** What the names and expressions of a description mean: `nums`, `nums[i].length`, `|s|`, `2 * 10^5`, `n - 1`. */
import type { PyValue } from "../../types.ts";
import { at, numberTerm, type Part, partTerm, type Step, type Term } from "./parts.ts";

/** A number (also `1,000`), a word, an operator, or any other character. */
const TOKEN = /[1-9]\d{0,2}(?:,\d{3})+(?!\d)|\d+(?:\.\d+)?|[A-Za-z_]\w*|<=|>=|==|!=|\S/g;

export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export const tokensOf = (text: string): Token[] =>
  [...text.matchAll(TOKEN)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));

/** A parsed expression; `term` is null if it has an unknown name, which `name` then is. */
export interface Parsed {
  readonly term: Term | null;
  readonly name: string | null;
  /** The factor before the unknown name (`2n`). @default 1 */
  readonly times?: number;
  /** Index of the token after it. */
  readonly next: number;
}

const LARGEST = 1e300;
/** Maximum depth of records. */
const DEEPEST = 4;

export class Names {
  readonly names: readonly string[];
  readonly sample: readonly PyValue[];
  readonly #aliases = new Map<string, Term>();

  /** The reference's code without comments and texts. */
  readonly source: string;

  /** `names`: of the parameters. `sample`: arguments that the reference accepts, which show the kinds. */
  constructor(names: readonly string[], sample: readonly PyValue[], source = "") {
    this.names = names;
    this.sample = sample;
    this.source = source;
  }

  /** Whether the reference compares two names other than to raise. Then the task defines both cases. */
  compares(a: string, b: string): boolean {
    if (!/^\w{1,40}$/.test(a) || !/^\w{1,40}$/.test(b)) return true;
    return this.#decisions(new RegExp(`(?<![\\w.])(?:${a} ?[<>]=? ?${b}|${b} ?[<>]=? ?${a})(?![\\w.])`)).length > 0;
  }

  /**
   * Whether the reference tests if a name is below a number: for 5, `n < 5`, `n >= 5` or, of integers, `n <= 4`. Then the task defines both
   * cases.
   */
  splitsAt(name: string, number: number): boolean {
    if (!/^\w{1,40}$/.test(name)) return true;
    const found = [
      ...this.#decisions(new RegExp(`(?<![\\w.])()${name} ?([<>]=?) ?(-?\\d{1,15}(?:\\.\\d{1,9})?)(?![\\w.])`)),
      ...this.#decisions(new RegExp(`(?<![\\w.])(-?\\d{1,15}(?:\\.\\d{1,9})?) ?([<>]=?) ?${name}(?![\\w.])`)),
    ];
    return found.some(([, left, sign, right]) => {
      const at = Number(left || right);
      const isAbove = left ? sign === "<" || sign === ">=" : sign === ">" || sign === "<="; // n > 4 begins at 5
      return number === (isAbove ? at + 1 : at);
    });
  }

  /** The matches of a pattern in lines that are no loops and do not raise. */
  #decisions(pattern: RegExp): RegExpExecArray[] {
    return this.source.split("\n").flatMap((line, i, lines) => {
      const match = pattern.exec(line);
      return match === null || /\bassert\b|\braise\b|\bwhile\b/.test(`${line}\n${lines[i + 1] ?? ""}`) ? [] : [match];
    });
  }

  /** Makes the keys of records names that statements may use: `price` of `[{"price": 3}]`. Returns them. */
  aliasFields(): string[] {
    const found: string[] = [];
    const walk = (value: PyValue, slot: number, path: readonly Step[]): void => {
      if (path.length > DEEPEST) return;
      if (value.t !== "dict") {
        const [first] = value.t === "list" || value.t === "tuple" ? value.v : [];
        if (first !== undefined) walk(first, slot, [...path, "*"]);
        return;
      }
      for (const [key, item] of value.v) {
        if (key.t !== "str" || !/^\w{1,30}$/.test(key.v)) continue;
        found.push(key.v);
        this.alias(key.v, partTerm({ slot, path: [...path, `.${key.v}`], of: "value" }));
        walk(item, slot, [...path, `.${key.v}`]);
      }
    };
    for (const [slot, value] of this.sample.entries()) walk(value, slot, []);
    return found;
  }

  /** Whether a part may have items: the sample's has, or its name is a plural. */
  mayHaveItems(part: Part): boolean {
    const [found] = at(this.sample[part.slot], part.path);
    if (found !== undefined && ["list", "tuple", "set", "frozenset"].includes(found.t)) return true;
    return part.path.length === 0 && /[^s]s$/.test(this.names[part.slot] ?? "");
  }

  /** Whether the reference annotates a parameter. Then the sample has its type. */
  isAnnotated(slot: number): boolean {
    return new RegExp(`[(,]\\s{0,20}${this.names[slot]} ?:`).test(this.source);
  }

  /** Says that a name which is not a parameter means a term. */
  alias(name: string, term: Term): void {
    if (!this.names.includes(name) && !this.#aliases.has(name)) this.#aliases.set(name, term);
  }

  /** The term that a text is as a whole; null if it is not one. */
  term(text: string): Term | null {
    const tokens = tokensOf(text);
    const parsed = this.parse(tokens, 0);
    return parsed !== null && parsed.next === tokens.length ? parsed.term : null;
  }

  /** The part that a text names. */
  part(text: string): Part | null {
    const term = this.term(text);
    return term?.part && term.times === 1 && term.plus === 0 ? term.part : null;
  }

  /** The only argument of a kind. */
  only(types: readonly PyValue["t"][]): Part | null {
    const slots = this.sample.flatMap(({ t }, slot) => (types.includes(t) ? [slot] : []));
    return slots.length === 1 ? { slot: slots[0]!, path: [], of: "value" } : null;
  }

  /** The only argument that is a list of texts. */
  onlyTexts(): Part | null {
    const slots = this.sample.flatMap((value, slot) => (at(value, ["*"])[0]?.t === "str" ? [slot] : []));
    return slots.length === 1 ? { slot: slots[0]!, path: [], of: "value" } : null;
  }

  /** Parses an expression from a token on; null if none begins there. */
  parse(tokens: readonly Token[], from: number): Parsed | null {
    const textAt = (i: number): string => tokens[i]?.text ?? "";
    let i = from;
    const negative = textAt(i) === "-" && tokens[i + 1]?.start === tokens[i]?.end;
    if (negative) i += 1;
    let first = this.#product(tokens, i);
    if (first === null) return null;
    if (negative) first = { ...first, term: first.term && scaled(first.term, -1) };
    while (/^[+-]$/.test(textAt(first.next))) {
      const more = this.#product(tokens, first.next + 1);
      if (more === null) return { term: null, name: null, next: first.next + 1 };
      const term: Term | null =
        first.term && more.term && added(first.term, scaled(more.term, textAt(first.next) === "-" ? -1 : 1));
      first = { term, name: null, next: more.next };
    }
    return first;
  }

  #product(tokens: readonly Token[], from: number): Parsed | null {
    let first = this.#factor(tokens, from);
    while (first !== null) {
      const op = tokens[first.next];
      const isJoined = op !== undefined && /^[A-Za-z]/.test(op.text) && op.start === tokens[first.next - 1]!.end;
      if (op === undefined || !(/^[*/^]$/.test(op.text) || isJoined)) return first;
      const more: Parsed | null = this.#factor(tokens, first.next + (isJoined ? 0 : 1));
      if (more === null) return { term: null, name: null, next: first.next + 1 };
      const isProduct = op.text === "*" || isJoined;
      const term: Term | null = isProduct ? first.term && more.term && multiplied(first.term, more.term) : null;
      const times = isProduct && first.term?.part === null && more.name !== null ? first.term.plus : 1;
      first = { term, name: isProduct && times !== 1 ? more.name : null, times, next: more.next };
    }
    return first;
  }

  #factor(tokens: readonly Token[], from: number): Parsed | null {
    const textAt = (i: number): string => tokens[i]?.text ?? "";
    const text = textAt(from);
    if (/^\d/.test(text)) {
      const number = Number(text.replace(/,/g, ""));
      const power = textAt(from + 1) === "^" && /^\d+$/.test(textAt(from + 2)) ? Number(textAt(from + 2)) : null;
      const value = power === null ? number : number ** power;
      return { term: value < LARGEST ? numberTerm(value) : null, name: null, next: from + (power === null ? 1 : 3) };
    }
    if (text === "|") {
      const inner = this.#path(tokens, from + 1);
      return inner !== null && textAt(inner.next) === "|"
        ? { term: lengthOfTerm(inner.term), name: null, next: inner.next + 1 }
        : null;
    }
    if (text === "len" && textAt(from + 1) === "(") {
      const inner = this.#path(tokens, from + 2);
      return inner !== null && textAt(inner.next) === ")"
        ? { term: lengthOfTerm(inner.term), name: null, next: inner.next + 1 }
        : null;
    }
    return /^[A-Za-z_]/.test(text) ? this.#path(tokens, from) : null;
  }

  /** A name with what follows it: `nums`, `grid[i].length`. */
  #path(tokens: readonly Token[], from: number): Parsed | null {
    const textAt = (i: number): string => tokens[i]?.text ?? "";
    const name = textAt(from);
    if (!/^[A-Za-z_]/.test(name)) return null;
    let term = this.#named(name);
    let i = from + 1;
    let isBare = true;
    for (;;) {
      const isNext = tokens[i]?.start === tokens[i - 1]!.end;
      if (textAt(i) === "[" && isNext) {
        let end = i + 1;
        while (end < tokens.length && end < i + 6 && textAt(end) !== "]") end += 1;
        if (textAt(end) !== "]" || end === i + 1) break;
        const isIndex = end === i + 2 && /^\d+$/.test(textAt(i + 1));
        term = term && stepped(term, isIndex ? Number(textAt(i + 1)) : "*");
        i = end + 1;
      } else if (textAt(i) === "." && isNext && /^(?:length|size)$/.test(textAt(i + 1))) {
        term = lengthOfTerm(term);
        i += textAt(i + 2) === "(" && textAt(i + 3) === ")" ? 4 : 2;
      } else break;
      isBare = false;
    }
    return { term: term && this.#fitting(term), name: term === null && isBare ? name : null, next: i };
  }

  #named(name: string): Term | null {
    const slot = this.names.indexOf(name);
    if (slot >= 0) return partTerm({ slot, path: [], of: "value" });
    const alias = this.#aliases.get(name);
    if (alias !== undefined) return alias;
    const item = /^(\w+)_[a-zA-Z]$/.exec(name)?.[1]; // a_i
    const own = item === undefined ? -1 : this.names.indexOf(item);
    return own < 0 ? null : partTerm({ slot: own, path: ["*"], of: "value" });
  }

  /** Null if the sample has no such part. A text has no items. */
  #fitting(term: Term): Term | null {
    const { part } = term;
    if (part === null) return term;
    const [found] = at(this.sample[part.slot], part.path);
    if (found !== undefined) return term;
    const above = at(this.sample[part.slot], part.path.slice(0, -1));
    if (above.some(({ t }) => t === "str")) return term; // a character
    return above.some(({ t, ...rest }) => t !== "str" && "v" in rest && Array.isArray(rest.v) && rest.v.length > 0) ||
      above.some(({ t }) => t === "int" || t === "float")
      ? null
      : term;
  }
}

const scaled = ({ part, times, plus }: Term, by: number): Term => ({ part, times: times * by, plus: plus * by });

const added = (a: Term, b: Term): Term | null =>
  a.part !== null && b.part !== null
    ? null
    : { part: a.part ?? b.part, times: a.times + b.times, plus: a.plus + b.plus };

function multiplied(a: Term, b: Term): Term | null {
  if (a.part === null) return scaled(b, a.plus);
  return b.part === null ? scaled(a, b.plus) : null;
}

const lengthOfTerm = (term: Term | null): Term | null =>
  term?.part && term.part.of === "value" && term.times === 1 && term.plus === 0
    ? partTerm({ ...term.part, of: "length" })
    : null;

const stepped = ({ part, ...rest }: Term, step: Part["path"][number]): Term | null =>
  part === null || part.of === "length" ? null : { ...rest, part: { ...part, path: [...part.path, step] } };
