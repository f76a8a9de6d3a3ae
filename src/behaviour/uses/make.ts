/** Makes values of terms. Values of one term come from a small pool, so that what a program looks up is often there. */
import { isStamp, sameLayout } from "../../expand/index.ts";
import { distinct, equalityKey, hashable } from "../../languages/python/literals/index.ts";
import type { PyValue } from "../../types.ts";
import type { Random } from "../../util/random.ts";
import { dateOf, dayOf, timeOf, twoDigits, yearsLater } from "../dates.ts";
import { areOrdered } from "../ordered-names.ts";
import { composed, spelled } from "./compose.ts";
import { type Term, textsOf, type Use } from "./term.ts";

const DEEPEST = 4;
/** How often a text is one that the description shows, or one of its layout. */
const EXAMPLE_SHARE = 0.6;
/** Maximum number of values of an input. */
const MOST_VALUES = 120;
const MOST_ITEMS = 5;
/** Number of different values of a term in an input. */
const POOL = 3;
const TIED_SHARE = 0.2;
const WORDS = ["ann", "bob", "cy", "dora", "ed", "fay"];
const EMAILS = ["ann@example.org", "bob@example.com", "cy@mail.example.org"];
const LETTERS = ["a", "b", "c", "d", "e"];

const str = (v: string): PyValue => ({ t: "str", v });
const int = (v: number): PyValue => ({ t: "int", v: BigInt(v) });

export class Maker {
  readonly #rng: Random;
  /** Texts that the description shows. */
  readonly #shown: readonly string[];
  readonly #isSigned: boolean;
  /** Single characters that the description has in quotes. */
  readonly #letters: readonly string[];
  readonly #pools = new Map<Term, PyValue[]>();
  /** The names of an input are of one type, because programs sort them. */
  readonly #names: "numbers" | "letters" | "words";
  /** In some inputs all numbers are one of two, so that there are ties. */
  readonly #isTied: boolean;
  /** The dates of an input, which are near each other. */
  #dates: PyValue[] | null = null;
  #left = MOST_VALUES;

  /** `isSigned`: numbers may be negative. */
  constructor(rng: Random, shown: readonly string[], isSigned: boolean) {
    this.#rng = rng;
    this.#isSigned = isSigned;
    this.#names = rng.chance(0.3) ? "numbers" : rng.chance(0.5) ? "letters" : "words";
    this.#isTied = rng.chance(TIED_SHARE);
    this.#shown = shown.filter((text) => [...text].length > 1);
    this.#letters = shown.filter((text) => [...text].length === 1);
  }

  /** The arguments for terms, with the names of their parameters. */
  arguments(terms: readonly Term[], names: readonly string[]): PyValue[] {
    return this.#inOrder(
      terms.map((term) => this.make(term, 0)),
      names,
    );
  }

  make(of: Term, depth: number): PyValue {
    const term = of.root;
    const rng = this.#rng;
    this.#left -= 1;
    if (depth > DEEPEST || this.#left < 0) return this.#atom(term);
    if (depth > 0 && term.tested.has("none") && rng.chance(0.25)) return { t: "none" };
    const isMixed = depth > 0 && [...term.tested].some((use) => isCollection(use));
    if (isMixed && rng.chance(0.5)) return this.#atom(term);
    const form = formOf(term);
    switch (form) {
      case "record": {
        const given = [...term.fields].filter(([key]) => !term.optional.has(key) || rng.chance(0.5));
        const entries = given.map(([key, value]) => [key, asShare(key, this.make(value, depth + 1))] as const);
        // `item.get("discount") is None` asks for a missing key.
        const kept = entries.filter(([key, { t }]) => t !== "none" || !term.optional.has(key));
        return { t: "dict", v: kept.map(([key, value]) => [str(key), value]) };
      }
      case "dict": {
        const keys = distinct(this.#items(term.item, depth)).filter(hashable);
        const made = keys.map((key) => [key, this.#part(term.value, depth)] as const);
        return { t: "dict", v: isGraph(term) && rng.chance(0.5) ? withoutCycles(made) : made };
      }
      case "tuple": {
        const made = term.positions.map((one, i) => asShare(term.names[i] ?? "", this.make(one, depth + 1)));
        return { t: term.uses.has("list") ? "list" : "tuple", v: this.#inOrder(made, term.names) };
      }
      case "set":
        return { t: "set", v: distinct(this.#items(term.item ?? term.value, depth)).filter(hashable) };
      case "list":
        return { t: "list", v: this.#items(term.item ?? term.value, depth) };
      default:
        return this.#atom(term);
    }
  }

  #items(item: Term | null, depth: number): PyValue[] {
    const length = this.#rng.chance(0.08) ? 0 : this.#rng.int(1, MOST_ITEMS);
    const items = Array.from({ length }, () => this.#part(item, depth));
    return item !== null && isName(item.root) && this.#rng.chance(0.5) ? distinct(items) : items;
  }

  #part(part: Term | null, depth: number): PyValue {
    return part === null ? int(this.#rng.int(1, 9)) : this.make(part, depth + 1);
  }

  /** Part of a text. */
  #atomOf(term: Term, depth: number): PyValue {
    this.#left -= 1;
    return this.#atom(term.root, this.#left < 0 ? Number.POSITIVE_INFINITY : depth);
  }

  #atom(term: Term, depth = 0): PyValue {
    const rng = this.#rng;
    const { uses, tested } = term;
    // True is an integer in Python, so programs ask for it.
    if (tested.has("bool") && rng.chance(0.15)) return { t: "bool", v: rng.chance(0.7) };
    if (uses.has("float")) return { t: "float", v: rng.int(1, 400) / 4 };
    if (isNumber(term)) return this.#number(term);
    if (uses.has("bool") && !uses.has("text")) return { t: "bool", v: rng.chance(0.5) };
    if (term.examples.length > 0 && rng.chance(EXAMPLE_SHARE)) {
      const shown = rng.pick(term.examples);
      return str(rng.chance(0.4) ? sameLayout(shown, rng) : shown);
    }
    if (term.split !== null && areDigits(term.split.parts)) return str(this.#joined(term.split));
    if (uses.has("digits") && uses.has("text"))
      return str(`${depth > 0 ? Math.max(1, this.#digits()) : this.#digits()}`);
    const pool = this.#pools.get(term) ?? this.#poolOf(term, depth > 0);
    this.#pools.set(term, pool);
    const how = { rng, letters: this.#letters, make: (part: Term) => this.#atomOf(part, depth + 1) };
    const made = hasFormat(term) ? null : (composed(term, depth, how) ?? spelled(term, how));
    const value = made === null ? rng.pick(pool) : str(made);
    if (value.t !== "str") return value;
    if (uses.has("truthy") && rng.chance(0.15)) return str("");
    const whole = withAffix(value.v, term, rng);
    const isCased = (uses.has("caseless") || tested.has("text")) && rng.chance(0.3);
    const cased = isCased ? (rng.chance(0.5) ? whole.toUpperCase() : whole.toLowerCase()) : whole;
    return str(uses.has("padded") && rng.chance(0.25) ? rng.pick([` ${cased}`, `${cased}  `, ` ${cased} `]) : cased);
  }

  /** A text whose parts are numbers: a time, a date, or others such as `1.10.2`. */
  #joined({ separator, parts: { root } }: NonNullable<Term["split"]>): string {
    const rng = this.#rng;
    const count = root.positions.length || rng.int(1, 4);
    if (separator === ":" && root.positions.length >= 2)
      return [rng.int(0, 23), rng.int(0, 59), rng.int(0, 59)].slice(0, count).map(twoDigits).join(":");
    if (separator === "-" && count === 3) return rng.pick(dates(rng));
    return Array.from({ length: count }, () => this.#digits()).join(separator);
  }

  #digits(): number {
    const rng = this.#rng;
    return rng.chance(0.2) ? 0 : rng.int(1, rng.chance(0.7) ? 5 : 30);
  }

  #number(term: Term): PyValue {
    const rng = this.#rng;
    const known = [...term.constants.values()].filter(({ t }) => t === "int");
    if (known.length > 0 && rng.chance(0.25)) {
      const near = rng.pick(known);
      const v = near.t === "int" ? near.v + BigInt(rng.int(-1, 1)) : 1n;
      return { t: "int", v };
    }
    if (this.#isTied) return int(rng.int(1, 2));
    const size = rng.chance(0.6) ? rng.int(1, 6) : rng.chance(0.7) ? rng.int(1, 30) : rng.int(1, 1000);
    return int(this.#isSigned && rng.chance(0.2) ? -size : size);
  }

  /** `isPart`: values are parts of a text, so they are single words. */
  #poolOf(term: Term, isPart: boolean): PyValue[] {
    const rng = this.#rng;
    const known = textsOf(term).map(str);
    const shown = isPart ? this.#shown.filter((text) => /^[\w.-]+$/.test(text)) : this.#shown;
    const others = shown.length > 0 ? shown : WORDS;
    if (known.length > 0) return rng.chance(0.7) ? known : [...known, str(rng.pick(others))];
    if (term.uses.has("date")) {
      this.#dates ??= dates(rng).map(str);
      return this.#dates;
    }
    if (term.uses.has("time"))
      return Array.from({ length: POOL }, () => str(timeOf(rng.int(0, 23) * 60 + rng.int(0, 59))!));
    if (term.uses.has("email")) return EMAILS.map(str);
    const words = this.#names === "letters" ? LETTERS : WORDS;
    if (!term.uses.has("text"))
      return this.#names === "numbers" ? [1, 2, 3, 4].map(int) : rng.shuffle(words).slice(0, 4).map(str);
    return rng
      .shuffle(shown.length > 0 && rng.chance(isPart ? 0.3 : 0.7) ? shown : words)
      .slice(0, POOL)
      .map(str);
  }

  /** Numbers with names such as `start` and `end` in this order. */
  #inOrder(values: readonly PyValue[], names: readonly string[]): PyValue[] {
    const out = [...values];
    for (let i = 0; i + 1 < out.length; i++) {
      const [a, b] = [out[i]!, out[i + 1]!];
      if (a.t !== "int" || b.t !== "int" || !areOrdered(names[i]!, names[i + 1]!)) continue;
      if (a.v > b.v) [out[i], out[i + 1]] = [b, a];
      else if (a.v === b.v) out[i + 1] = { t: "int", v: b.v + 1n };
    }
    // The first date is mostly the earlier one. A difference that may have either sign is told by `abs` or a comparison.
    const days = out.flatMap((value, i) => (value.t === "str" && isStamp(value.v) ? [i] : []));
    const isDate = days.some((i) => /^\d{4}/.test((out[i] as { v: string }).v));
    if (days.length !== 2 || (this.#isSigned && isDate)) return out;
    const [first, second] = days as [number, number];
    const [a, b] = [out[first]!, out[second]!];
    if (a.t === "str" && b.t === "str" && a.v > b.v) [out[first], out[second]] = [b, a];
    return out;
  }
}

/** Whether the program turns the parts of a text that it splits into numbers. */
const areDigits = ({ root: { positions, item } }: Term): boolean =>
  positions.length > 0
    ? positions.every((part) => part.root.uses.has("digits"))
    : item?.root.uses.has("digits") === true;

/** Whether texts have a form: a date, a time, an e-mail address, or numbers with something between them. */
export const hasFormat = ({ uses, split }: Term): boolean =>
  uses.has("date") || uses.has("time") || uses.has("email") || (split !== null && areDigits(split.parts));

/** The last days of months, which have no equal day in other months or years. */
const EDGES = ["2024-02-29", "2024-02-29", "2023-01-31", "2024-01-31", "2023-12-31", "2024-08-31"];

/** A day, sometimes one of `EDGES`; another some days later; and the days around its anniversary some years later. */
function dates(rng: Random): string[] {
  const first = rng.chance(0.3) ? dayOf(rng.pick(EDGES))! : dayOf("1970-01-01")! + rng.int(0, 22_000);
  const later = yearsLater(first, rng.int(1, 30));
  return [first, first + rng.int(1, 40), later - 1, later, later + 1].map((day) => dateOf(day)!);
}

/** A text that begins or ends as the program asks, half of the time. */
function withAffix(text: string, { starts, ends }: Term, rng: Random): string {
  if (starts.size + ends.size === 0 || rng.chance(0.5)) return text;
  const [start] = starts.size > 0 && rng.chance(0.8) ? [rng.pick([...starts])] : [""];
  const [end] = ends.size > 0 && (start === "" || rng.chance(0.5)) ? [rng.pick([...ends])] : [""];
  const bare = starts.has(text) || ends.has(text) ? "" : text;
  return start + bare + end;
}

/** A percentage is at most 100. */
const asShare = (key: string, value: PyValue): PyValue =>
  value.t === "int" && /percent|pct|discount/i.test(key) && value.v > 100n ? { t: "int", v: value.v % 101n } : value;

const isCollection = (use: Use): boolean => use === "dict" || use === "list" || use === "tuple" || use === "set";

const isNumber = ({ uses, constants }: Term): boolean =>
  (uses.has("number") || uses.has("ordered")) &&
  !uses.has("text") &&
  [...constants.values()].every(({ t }) => t === "int");

/** Whether values are only compared for equality. */
const isName = ({ uses }: Term): boolean =>
  !uses.has("number") && !uses.has("ordered") && !uses.has("bool") && !uses.has("float");

/** Whether a dictionary's values are lists of its keys. */
const isGraph = ({ item, value }: Term): boolean =>
  item !== null && value !== null && (value.root.item ?? value.root.value)?.root === item.root;

/** Keeps what leads to a key that comes later. */
function withoutCycles(entries: readonly (readonly [PyValue, PyValue])[]): (readonly [PyValue, PyValue])[] {
  const places = new Map(entries.map(([key], i) => [equalityKey(key), i]));
  return entries.map(([key, value], i) => {
    if (value.t !== "list" && value.t !== "set") return [key, value];
    return [key, { t: value.t, v: value.v.filter((one) => (places.get(equalityKey(one)) ?? entries.length) > i) }];
  });
}

export type Form = "record" | "dict" | "tuple" | "set" | "list" | "atom";

export function formOf(of: Term): Form {
  const { uses, tested, fields, positions, item, value } = of.root;
  const isText = uses.has("text") && ![...tested].some(isCollection);
  if (fields.size > 0) return "record";
  if (uses.has("dict") || tested.has("dict")) return "dict";
  if (isText) return "atom";
  if (positions.length > 0 && item === null) return "tuple";
  if (uses.has("set")) return "set";
  if (
    uses.has("list") ||
    tested.has("list") ||
    (item !== null && !isSpelled(item.root)) ||
    (value !== null && item === null)
  )
    return "list";
  return "atom";
}

/** Whether items are compared with single characters, so that the whole may be a text. */
const isSpelled = (item: Term): boolean => {
  const texts = textsOf(item);
  return texts.length > 0 && texts.every((text) => [...text].length === 1);
};
