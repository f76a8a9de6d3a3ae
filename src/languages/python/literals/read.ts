/**
 * The recursive descent parser behind `parseLiteral` (see index.ts). One pass; exact about where newlines are allowed. Source:
 * the Python Language Reference, 2.4 (literals) and 6.2 (displays).
 */
import { CodescoreError } from "../../../errors.ts";
import type { PyValue } from "../../../types.ts";
import { CONSTRUCTORS } from "./constructors.ts";
import { distinct, equalityKey, hashable } from "./equality.ts";
import { readString } from "./strings.ts";

/** Python's tokenizer allows at most 200 open brackets. */
const maxDepth = 200;
const numberPattern =
  /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:(?:\d(?:_?\d)*)?\.\d(?:_?\d)*|\d(?:_?\d)*\.?)(?:[eE][+-]?\d(?:_?\d)*)?[jJ]?/y;
const namePattern = /[\p{L}_][\p{L}\p{N}_]*/uy;
const stringPattern = /(?:[uU]|[rR]|[bB]|[bB][rR]|[rR][bB])?(?=['"])/y;

/** The arguments of a call, in order. */
export interface PyArguments {
  readonly positional: readonly PyValue[];
  readonly keyword: readonly (readonly [string, PyValue])[];
}

export class LiteralParser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text.replace(/\r\n?/g, "\n"); // as Python reads its source
  }

  whole<T>(read: (parser: LiteralParser) => T, depth: number): T {
    this.#depth = 1; // newlines before and after a literal are ignored
    this.#space();
    this.#depth = depth;
    const out = read(this);
    this.#depth = 1;
    this.#space();
    if (this.#at < this.#text.length) this.#fail("the end");
    return out;
  }

  /** Reads from the start of the text, and returns where the reading ended. Any text may follow. */
  first<T>(read: (parser: LiteralParser) => T): { readonly found: T; readonly end: number } {
    this.#depth = 0;
    return { found: read(this), end: this.#at };
  }

  arguments(): PyArguments {
    const positional: PyValue[] = [];
    const keyword: [string, PyValue][] = [];
    while (this.#at < this.#text.length) {
      const name = this.#keywordName();
      if (name !== null) keyword.push([name, this.value()]);
      else if (keyword.length > 0) this.#fail("a keyword argument");
      else positional.push(this.value());
      if (!this.#take(",")) break;
    }
    return { positional, keyword };
  }

  /** Consumes `name=` and returns the name. If there is none, consumes nothing and returns null. */
  #keywordName(): string | null {
    const start = this.#at;
    const name = this.#match(namePattern);
    if (name !== null && this.#take("=")) return name;
    this.#at = start;
    return null;
  }

  value(): PyValue {
    const left = this.#signed();
    const sign = this.#peek();
    if ((sign !== "+" && sign !== "-") || !isNumber(left) || left.t === "complex") return left;
    const start = this.#at;
    this.#take(sign);
    const right = this.#atom();
    if (right.t !== "complex") {
      this.#at = start;
      this.#fail("a literal (only `a + bj` may be a sum)");
    }
    const re = Number(left.v) + (sign === "+" ? right.re : -right.re);
    return { t: "complex", re, im: sign === "+" ? right.im : 0 - right.im };
  }

  #signed(): PyValue {
    let sign: "+" | "-" | null = null;
    for (let next = this.#peek(); next === "+" || next === "-"; next = this.#peek()) {
      this.#take(next);
      sign = next === sign ? "+" : sign === null ? next : "-";
    }
    if (sign === null) return this.#atom();
    const start = this.#at;
    const value = this.#atom();
    if (!isNumber(value)) {
      this.#at = start;
      this.#fail("a number after the sign");
    }
    return sign === "-" ? negate(value) : value;
  }

  #atom(): PyValue {
    const first = this.#peek();
    if (first === "[") return { t: "list", v: this.#items("[", "]").items };
    if (first === "(") {
      const { items, comma } = this.#items("(", ")");
      return items.length === 1 && !comma ? (items[0] as PyValue) : { t: "tuple", v: items };
    }
    if (first === "{") return this.#braces();
    stringPattern.lastIndex = this.#at;
    if (stringPattern.test(this.#text)) return this.#strings();
    const number = this.#matchRaw(numberPattern);
    if (number !== null) return this.#number(number);
    return this.#named();
  }

  #named(): PyValue {
    const start = this.#at;
    const name = this.#match(namePattern);
    if (name === "None") return { t: "none" };
    if (name === "True" || name === "False") return { t: "bool", v: name === "True" };
    const call = name === null ? undefined : CONSTRUCTORS.get(name);
    if (call && this.#peek() === "(") {
      const { items } = this.#items("(", ")");
      const value = call(items);
      if (value) return value;
    }
    this.#at = start;
    return this.#fail("a literal");
  }

  #items(open: string, close: string): { items: PyValue[]; comma: boolean } {
    const items: PyValue[] = [];
    let comma = false;
    this.#open(open);
    while (!this.#close(close)) {
      items.push(this.value());
      comma = this.#take(",");
      if (!comma && this.#peek() !== close) this.#fail(`\`,\` or \`${close}\``);
    }
    return { items, comma };
  }

  #braces(): PyValue {
    this.#open("{");
    if (this.#close("}")) return { t: "dict", v: [] };
    const keys: PyValue[] = [];
    const values: PyValue[] = [];
    do {
      const start = this.#at;
      const key = this.value();
      if (!hashable(key)) {
        this.#at = start;
        this.#fail("a hashable value in a set or as a key");
      }
      if (keys.length === 0 ? this.#take(":") : values.length > 0) {
        if (keys.length > 0 && !this.#take(":")) this.#fail("`:`");
        values.push(this.value());
      }
      keys.push(key);
      if (!this.#take(",") && this.#peek() !== "}") this.#fail("`,` or `}`");
    } while (!this.#close("}"));
    if (values.length === 0) return { t: "set", v: distinct(keys) };
    const entries = new Map<string, readonly [PyValue, PyValue]>();
    keys.forEach((key, i) => {
      const id = equalityKey(key);
      entries.set(id, [entries.get(id)?.[0] ?? key, values[i] as PyValue]); // Python keeps the first key and the last value
    });
    return { t: "dict", v: [...entries.values()] };
  }

  #number(text: string): PyValue {
    if (/^[\p{L}\p{N}_.]/u.test(this.#text.slice(this.#at))) this.#fail("the end of the number");
    if (/^0[0_]*[1-9][\d_]*$/.test(text)) this.#fail("an integer without leading zeros");
    this.#space();
    const digits = text.replaceAll("_", "");
    if (/^0[xob]/i.test(digits)) return { t: "int", v: BigInt(digits) };
    if (/j$/i.test(digits)) return { t: "complex", re: 0, im: Number(digits.slice(0, -1)) };
    return /[.e]/i.test(digits) ? { t: "float", v: Number(digits) } : { t: "int", v: BigInt(digits) };
  }

  /** Reads adjacent string literals and joins them. */
  #strings(): PyValue {
    let joined = "";
    let kind: "str" | "bytes" | null = null;
    for (;;) {
      const start = this.#at;
      const prefix = this.#matchRaw(stringPattern);
      if (prefix === null) break;
      const bytes = /b/i.test(prefix);
      if (kind !== null && (kind === "bytes") !== bytes) {
        this.#at = start;
        this.#fail("strings or bytes, not both");
      }
      kind = bytes ? "bytes" : "str";
      joined += this.#stringBody(/r/i.test(prefix), bytes);
      this.#space();
    }
    return kind === "bytes"
      ? { t: "bytes", v: Buffer.from(joined, "latin1").toString("hex") }
      : { t: "str", v: joined };
  }

  #stringBody(raw: boolean, bytes: boolean): string {
    const read = readString(this.#text, this.#at, { raw, bytes });
    if ("expected" in read) {
      this.#at = read.at;
      this.#fail(read.expected);
    }
    this.#at = read.end;
    return read.value;
  }

  #open(bracket: string): void {
    if (this.#depth >= maxDepth) this.#fail(`at most ${maxDepth} open brackets`);
    this.#depth += 1;
    this.#take(bracket);
  }

  #close(bracket: string): boolean {
    if (this.#peek() !== bracket) return false;
    this.#depth -= 1;
    return this.#take(bracket);
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    this.#space();
    return true;
  }

  #match(pattern: RegExp): string | null {
    const found = this.#matchRaw(pattern);
    if (found !== null) this.#space();
    return found;
  }

  #matchRaw(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return null;
    this.#at += found.length;
    return found;
  }

  /** Skips blanks and joined lines, and inside brackets also newlines and comments. */
  #space(): void {
    this.#matchRaw(this.#depth > 0 ? /(?:[ \t\f\n]|\\\n|#[^\n]*)*/y : /(?:[ \t\f]|\\\n)*/y);
  }

  #fail(expected: string): never {
    const before = this.#text.slice(0, this.#at);
    const line = before.split("\n").length;
    const column = this.#at - before.lastIndexOf("\n");
    const rest = this.#text.slice(this.#at, this.#at + 24);
    const got = rest === "" ? "the end of the text" : `\`${rest}${this.#text.length > this.#at + 24 ? "..." : ""}\``;
    throw new CodescoreError(
      "input",
      `not a Python literal: expected ${expected} at line ${line}, column ${column}, got ${got}`,
    );
  }
}

type PyNumber = Extract<PyValue, { t: "int" | "float" | "complex" }>;

const isNumber = (value: PyValue): value is PyNumber =>
  value.t === "int" || value.t === "float" || value.t === "complex";

function negate(value: PyNumber): PyNumber {
  if (value.t === "int") return { t: "int", v: -value.v };
  return value.t === "float" ? { t: "float", v: -value.v } : { t: "complex", re: -value.re, im: -value.im };
}
