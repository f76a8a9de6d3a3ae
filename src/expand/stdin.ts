/**
 * New stdin inputs: the given ones are rewritten along their line grammar, with some numbers, words and list lengths
 * changed, so that counts stay correct. Without a grammar, one to three tokens of a given input change, or lines are repeated, removed, exchanged,
 * or take a word from the same column of another line.
 */
import type { Random } from "../util/random.ts";
import { generateFloat, generateLength, generateText, sameLayout } from "./generate.ts";
import { type Count, type Element, type FieldShape, type Grammar, inferGrammar, tokenLines } from "./grammar.ts";
import { countsWhatFollows, hasIndent, hasRows, mostCounts, varyLines } from "./lines.ts";

/** A parsed input. Per element: the tokens of a line or list, or the repetitions of a block. */
type Tree = readonly Node[];
type Node = readonly string[] | { readonly repetitions: readonly Tree[] };

/** A count changes in small steps and rarely exceeds this. */
const largestCount = 40;
/** Shares of tokens that change: most inputs stay near a given one, some are completely new. */
const rates = [0.1, 0.3, 0.3, 1] as const;

/** Share of the texts whose lines change. */
const lineShare = 0.4;

/** Proposes texts, more of them each time it is asked, never the same one twice; none if none was given. */
export class StdinProposer {
  readonly #given: readonly string[];
  readonly #rng: Random;
  readonly #grammar: Grammar | null;
  readonly #seeds: readonly Tree[];
  readonly #taken: Set<string>;
  readonly #end: string;
  /** Whether lines may be repeated, removed and exchanged. */
  readonly #hasLines: boolean;

  constructor(given: readonly string[], rng: Random) {
    this.#given = given;
    this.#rng = rng;
    const grammar = given.some(hasIndent) ? null : inferGrammar(given);
    this.#grammar = grammar;
    this.#seeds = grammar ? given.map((text) => parse(grammar, tokenLines(text), [], { at: 0 })) : [];
    this.#taken = new Set(given.map((text) => text.trim()));
    this.#hasLines = grammar === null || given.some(hasRows);
    this.#end = given.every((text) => text.endsWith("\n")) ? "\n" : "";
  }

  next(count: number): string[] {
    const [given, rng, grammar] = [this.#given, this.#rng, this.#grammar];
    if (given.length === 0) return [];
    const out: string[] = [];
    for (let misses = 0; out.length < count && misses < 50 + 4 * count; ) {
      const writer = new Writer(rng, rng.pick(rates));
      const varied = grammar ? writer.write(grammar, rng.pick(this.#seeds)) : varyTokens(rng.pick(given), rng);
      const from = grammar || rng.chance(0.5) ? varied : rng.pick(given);
      const text = (this.#hasLines && rng.chance(lineShare) ? varyLines(from, rng) : null) ?? varied;
      const key = text.trim();
      if (this.#taken.has(key)) {
        misses += 1;
        continue;
      }
      this.#taken.add(key);
      out.push(grammar ? text + this.#end : text);
    }
    return out;
  }
}

const resolve = ({ field, offset }: Count, fields: readonly number[]): number => (fields[field] ?? 0) + offset;

/** Parses an input that the grammar was inferred from. Adds the whole numbers of its lines to `fields`. */
function parse(
  grammar: Grammar,
  lines: readonly (readonly string[])[],
  fields: number[],
  cursor: { at: number },
): Tree {
  return grammar.map((element) => {
    if (element.kind === "block") {
      const end = element.count ? resolve(element.count, fields) : Number.POSITIVE_INFINITY;
      const repetitions: Tree[] = [];
      while (repetitions.length < end && cursor.at < lines.length) {
        repetitions.push(parse(element.body, lines, [...fields], cursor));
      }
      return { repetitions };
    }
    const tokens = lines[cursor.at++] ?? [];
    if (element.kind === "line") fields.push(...intsOf(element.fields, tokens));
    return tokens;
  });
}

const intsOf = (shapes: readonly FieldShape[], tokens: readonly string[]): number[] =>
  shapes.flatMap((shape, i) => (shape.t === "int" ? [Number(tokens[i])] : []));

/** Writes one input. Changes each token of the template with probability `rate` (1: keeps nothing). */
class Writer {
  readonly #rng: Random;
  readonly #rate: number;

  constructor(rng: Random, rate: number) {
    this.#rng = rng;
    this.#rate = rate;
  }

  write(grammar: Grammar, template: Tree): string {
    const lines: string[][] = [];
    this.#elements(grammar, template, [], lines, countingFields(grammar));
    return lines.map((line) => line.join(" ")).join("\n");
  }

  #elements(
    grammar: Grammar,
    template: Tree | undefined,
    fields: number[],
    out: string[][],
    counting: ReadonlySet<number>,
  ): void {
    grammar.forEach((element, i) => {
      const node = template?.[i];
      if (element.kind === "block")
        this.#block(element, node as { repetitions: readonly Tree[] }, fields, out, counting);
      else if (element.kind === "list") out.push(this.#list(element, node as readonly string[], fields));
      else out.push(this.#line(element.fields, node as readonly string[], fields, counting));
    });
  }

  #line(
    shapes: readonly FieldShape[],
    template: readonly string[] | undefined,
    fields: number[],
    counting: ReadonlySet<number>,
  ): string[] {
    return shapes.map((shape, i) => {
      const old = template?.[i];
      const token =
        shape.t === "int" && counting.has(fields.length) ? this.#count(shape, old) : this.#token(shape, old, fields);
      if (shape.t === "int") fields.push(Number(token));
      return token;
    });
  }

  #list(
    element: Extract<Element, { kind: "list" }>,
    template: readonly string[] | undefined,
    fields: readonly number[],
  ): string[] {
    const rng = this.#rng;
    const { count, lengths, item, order } = element;
    const free = template && !rng.chance(this.#rate) ? template.length : generateLength(lengths, rng);
    const length = Math.max(0, count ? resolve(count, fields) : Math.max(Math.min(1, lengths.min), free));
    if (order === "permutation" && rng.chance(0.95)) {
      return rng.shuffle(Array.from({ length }, (_, i) => `${i + 1}`));
    }
    const old = template && rng.chance(this.#rate / 2) ? rng.shuffle(template) : template;
    const tokens = Array.from({ length }, (_, i) => this.#token(item, old?.[i], fields));
    if (order === "up" || order === "down") {
      if (rng.chance(0.9)) tokens.sort((a, b) => (order === "up" ? 1 : -1) * (Number(a) - Number(b)));
    } else if (order === "distinct" && rng.chance(0.9)) this.#separate(tokens, item, fields);
    return tokens;
  }

  /** Replaces repeated tokens by new ones, with a limited number of attempts. */
  #separate(tokens: string[], item: FieldShape, fields: readonly number[]): void {
    const seen = new Set<string>();
    tokens.forEach((token, i) => {
      let fresh = token;
      for (let tries = 0; seen.has(fresh) && tries < 20; tries++) fresh = this.#token(item, undefined, fields);
      seen.add(fresh);
      tokens[i] = fresh;
    });
  }

  #block(
    element: Extract<Element, { kind: "block" }>,
    template: { repetitions: readonly Tree[] } | undefined,
    fields: readonly number[],
    out: string[][],
    counting: ReadonlySet<number>,
  ): void {
    const rng = this.#rng;
    const old = template?.repetitions ?? [];
    const free = rng.chance(0.5) ? old.length : generateLength(element.lengths, rng);
    const length = element.count ? resolve(element.count, fields) : Math.max(1, free);
    const order = rng.chance(this.#rate / 2) ? rng.shuffle(old) : old;
    for (let i = 0; i < length; i++) this.#elements(element.body, order[i], [...fields], out, counting);
  }

  /** A new value for a number that counts something: a small step away, and near the values seen. */
  #count({ min, max }: Extract<FieldShape, { t: "int" }>, old: string | undefined): string {
    const rng = this.#rng;
    if (old !== undefined && rng.chance(0.5)) return old;
    const low = Math.min(min, 1);
    const high = Math.max(max, Math.min(largestCount, max * 2));
    const from = old === undefined || rng.chance(0.3) ? rng.int(low, Math.min(high, largestCount)) : Number(old);
    return `${Math.min(high, Math.max(low, from + rng.int(-2, 2)))}`;
  }

  #token(shape: FieldShape, old: string | undefined, fields: readonly number[]): string {
    const rng = this.#rng;
    const keep = old !== undefined && !rng.chance(this.#rate);
    if (shape.t === "word") {
      const length = shape.length ? resolve(shape.length, fields) : null;
      const word = keep ? old : makeWord(shape, old, rng);
      return length === null ? word : resize(word, length, shape.text.alphabet, rng);
    }
    if (shape.t === "float") return keep ? old : generateFloat(shape, rng).toFixed(shape.decimals);
    const bound = shape.below ? resolve(shape.below, fields) : Number.POSITIVE_INFINITY;
    if (keep && Number(old) <= bound) return old;
    return `${makeInt(shape, bound, old, rng)}`;
  }
}

function makeInt(
  { min, max }: { min: number; max: number },
  bound: number,
  old: string | undefined,
  rng: Random,
): number {
  const low = min >= 1 ? 1 : min >= 0 ? 0 : min * 2;
  const high = Number.isFinite(bound) ? Math.max(low, bound) : Math.max(low + 1, rng.chance(0.7) ? max : max * 2);
  if (old !== undefined && rng.chance(0.3)) {
    return Math.min(high, Math.max(low, Number(old) + rng.pick([-1, 1, -2, 2])));
  }
  if (rng.chance(0.15)) return rng.pick([low, high]);
  return high - low > 0x7ffffffe ? Math.floor(low + rng.float() * (high - low)) : rng.int(low, high);
}

function makeWord({ text }: Extract<FieldShape, { t: "word" }>, old: string | undefined, rng: Random): string {
  const few = text.samples.length < 6 && text.samples.every((sample) => sample.length > 1);
  if (few && rng.chance(0.5)) return rng.pick(text.samples); // one of a few words, like `push` and `pop`
  const made = rng.chance(0.3) ? sameLayout(old ?? rng.pick(text.samples), rng) : generateText(text, rng);
  return made.replace(/\s/g, "") || rng.pick(text.samples);
}

function resize(word: string, length: number, alphabet: readonly string[], rng: Random): string {
  const chars = [...word].slice(0, Math.max(0, length));
  while (chars.length < length) chars.push(rng.pick(alphabet));
  return chars.join("");
}

/** The indices of the fields that count something, in the order in which fields are read. */
function countingFields(grammar: Grammar): Set<number> {
  const out = new Set<number>();
  for (const element of grammar) {
    if (element.kind === "line") {
      for (const field of element.fields) if (field.t === "word" && field.length) out.add(field.length.field);
    } else {
      if (element.count) out.add(element.count.field);
      if (element.kind === "block") for (const field of countingFields(element.body)) out.add(field);
      if (element.kind === "list" && element.item.t === "word" && element.item.length)
        out.add(element.item.length.field);
    }
  }
  return out;
}

/** Changes one to three tokens in place and keeps all blanks. A number that may be a count stays: alone on its line, or equal to what follows. */
function varyTokens(text: string, rng: Random): string {
  const parts = text.split(/(\s+)/);
  const end = parts.at(-1) === "" ? parts.length - 2 : parts.length;
  const open = parts.flatMap((part, i) => {
    const alone = (parts[i - 1] ?? "\n").includes("\n") && (parts[i + 1] ?? "\n").includes("\n");
    const counts = /^\d+$/.test(part) && (alone || (i < 2 * mostCounts && countsWhatFollows(parts, i, end)));
    return part.trim() === "" || counts ? [] : [i];
  });
  for (const i of rng.shuffle(open).slice(0, rng.int(1, 3))) {
    const part = parts[i] as string;
    const number = /^-?\d{1,15}$/.test(part) ? Number(part) : null;
    parts[i] = number === null ? sameLayout(part, rng) : `${Math.max(Math.min(0, number), number + rng.int(-3, 3))}`;
  }
  return parts.join("");
}
