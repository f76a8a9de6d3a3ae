/** Changes of one part of an input that bring two values, which a reference compares, to a wanted relation. */
import { isStamp } from "../expand/index.ts";
import { parseArguments } from "../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../types.ts";
import type { Sign } from "./compared.ts";
import { dateOf, dayOf, timeOf } from "./dates.ts";
import { printArguments } from "./shown.ts";

/** Larger numbers and longer lists are not made. */
const LARGEST = 1e9;
const LONGEST = 100;
/** Maximum number of parts of an input, of numbers in a text, and of characters of a text that are looked at. */
const MOST_PARTS = 40;
const MOST_IN_TEXT = 12;
const LONGEST_TEXT = 2000;

export type Operands = readonly [PyValue, PyValue];

/** An input with another number in one place. */
export interface Changed {
  readonly input: ProgramInput;
  /** The number before and after, and the operands before; null if it was not a number that changed. */
  readonly step: { readonly from: number; readonly to: number; readonly operands: Operands; readonly put: Put } | null;
}

type Put = (value: PyValue) => ProgramInput;

/** A part of an input, and the input with another value there. */
interface Part {
  readonly value: PyValue;
  readonly put: Put;
}

/** What `a - b` is to be, for numbers. */
const WANTED: Readonly<Record<Sign, number>> = { "=": 0, "<": -1, ">": 1 };

/** An input, the operands of a comparison that it leads to, and the change that made it. */
export interface Attempt {
  readonly input: ProgramInput;
  readonly operands: Operands;
  readonly change: Changed | null;
}

export function changes({ input, operands, change }: Attempt, sign: Sign): Changed[] {
  const [a, b] = operands;
  if (a.t === "str" && b.t === "str") return sign === "=" ? exchanged(input, a.v, b.v) : [];
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left === null || right === null) return [];
  const by = WANTED[sign] - (left - right);
  if (change?.step) return furtherAlong(change.step, left - right, WANTED[sign]);
  const equals: Changed[] = [];
  const moved: Changed[] = [];
  for (const { value, put } of partsOf(input)) {
    const own = numberOf(value);
    if (own === null) {
      const sizes = [resized(value, left, left + by), resized(value, right, right - by)];
      equals.push(...sizes.flatMap((one) => (one === null ? [] : [{ input: put(one), step: null }])));
      continue;
    }
    const step = (to: number): Changed[] => {
      const one = withNumber(value, to);
      return one === null ? [] : [{ input: put(one), step: { from: own, to: Number(one.v), operands, put } }];
    };
    if (own === left) equals.push(...step(left + by));
    else if (own === right) equals.push(...step(right - by));
    else moved.push(...step(own + by), ...step(own - by));
  }
  return [...equals, ...moved];
}

/** The same part moved on a straight line (secant method), because the first move was by the wrong scale. */
function furtherAlong(
  { from, to, operands: [a, b], put }: NonNullable<Changed["step"]>,
  after: number,
  target: number,
): Changed[] {
  const before = (numberOf(a) ?? 0) - (numberOf(b) ?? 0);
  if (after === before) return [];
  const exact = from + ((target - before) * (to - from)) / (after - before);
  return [...new Set([Math.floor(exact), Math.ceil(exact)])]
    .filter((number) => Math.abs(number) <= LARGEST)
    .map((number) => ({ input: put({ t: "int", v: BigInt(number) }), step: null }));
}

export const numberOf = (value: PyValue): number | null =>
  (value.t === "int" || value.t === "float") && Math.abs(Number(value.v)) <= LARGEST ? Number(value.v) : null;

/** One text of an input becomes the other. */
function exchanged(input: ProgramInput, a: string, b: string): Changed[] {
  return [[a, b] as const, [b, a] as const].flatMap(([from, to]) =>
    partsOf(input).flatMap(({ value, put }) =>
      from !== "" && value.t === "str" && value.v.includes(from)
        ? [{ input: put({ t: "str", v: value.v.replace(from, () => to) }), step: null }]
        : [],
    ),
  );
}

/** A list or text of another length, if it has the length `from`. */
function resized(value: PyValue, from: number, to: number): PyValue | null {
  if (!Number.isInteger(to) || to < 0 || to > LONGEST || from === 0) return null;
  if (value.t === "str" && value.v.length === from)
    return { t: "str", v: value.v.repeat(Math.ceil(to / from)).slice(0, to) };
  if (value.t !== "list" || value.v.length !== from) return null;
  return { t: "list", v: Array.from({ length: to }, (_, i) => value.v[i % from]!) };
}

function withNumber(value: PyValue, number: number): Extract<PyValue, { t: "int" | "float" }> | null {
  if (Math.abs(number) > LARGEST) return null;
  if (value.t === "float") return { t: "float", v: Number(number.toPrecision(12)) };
  return { t: "int", v: BigInt(Math.round(number)) };
}

/** The numbers, texts, lists and numbers in texts of an input. Keys of dictionaries and members of sets stay as they are. */
function partsOf(input: ProgramInput): Part[] {
  const parts: Part[] = [];
  const visit = (value: PyValue, put: Put): void => {
    if (parts.length >= MOST_PARTS) return;
    if (/^(?:int|float|str|list)$/.test(value.t)) parts.push({ value, put });
    if (value.t === "list" || value.t === "tuple")
      for (const [i, item] of value.v.entries()) visit(item, (one) => put({ t: value.t, v: value.v.with(i, one) }));
    if (value.t === "dict")
      for (const [i, [key, item]] of value.v.entries())
        visit(item, (one) => put({ t: "dict", v: value.v.with(i, [key, one]) }));
    if (value.t === "str") {
      const putText = (v: string): ProgramInput => put({ t: "str", v });
      parts.push(...(isStamp(value.v) ? stampOf(value.v, putText) : []), ...numbersIn(value.v, putText));
    }
  };
  if ("stdin" in input) {
    visit({ t: "str", v: input.stdin }, (one) => ({ stdin: one.t === "str" ? one.v : "" }));
    return parts;
  }
  const given = parseArguments(input.args);
  for (const [i, value] of given.positional.entries())
    visit(value, (one) => ({ args: printArguments({ ...given, positional: given.positional.with(i, one) }) }));
  for (const [i, [name, value]] of given.keyword.entries())
    visit(value, (one) => ({ args: printArguments({ ...given, keyword: given.keyword.with(i, [name, one]) }) }));
  return parts;
}

/** A date as its day, or a time of day as its minute. */
function stampOf(text: string, put: (text: string) => ProgramInput): Part[] {
  const minute = /^(\d\d):(\d\d)$/.exec(text);
  const number = minute === null ? dayOf(text) : Number(minute[1]) * 60 + Number(minute[2]);
  if (number === null) return [];
  const shown = (n: number): string | null => (minute === null ? dateOf(n) : timeOf(n));
  return [
    {
      value: { t: "int", v: BigInt(number) },
      put: (value) => put((value.t === "int" ? shown(Number(value.v)) : null) ?? text),
    },
  ];
}

const IN_TEXT = /(?:(?<!\w)-)?\d{1,9}/g;

/** Numbers in a text keep their width: `09:59` becomes `09:05`, not `09:5`. */
function numbersIn(text: string, put: (text: string) => ProgramInput): Part[] {
  return [...text.slice(0, LONGEST_TEXT).matchAll(IN_TEXT)].slice(0, MOST_IN_TEXT).map(({ 0: found, index }) => ({
    value: { t: "int", v: BigInt(found) },
    put: (value) => {
      const number = value.t === "int" ? value.v.toString() : found;
      const padded = found.startsWith("0") && !number.startsWith("-") ? number.padStart(found.length, "0") : number;
      return put(text.slice(0, index) + padded + text.slice(index + found.length));
    },
  }));
}
