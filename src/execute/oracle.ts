/**
 * Rules by which a set compares answers with expected ones instead of Python's `==` (`Problem.oracle`). They work on plain data only: no
 * code of a candidate or of a test takes part.
 */
import type { Oracle, PyValue } from "../types.ts";
import { distinctValues, equalValues } from "./value.ts";

export interface Compared {
  readonly answer: PyValue;
  /** The answer that the problem or its reference gives. */
  readonly expected: PyValue;
  readonly tolerance: number;
  readonly strict: boolean;
}

/** Rules that accept answers without a canonical form: they only ask whether there is an answer. */
export const takesAnyForm = (oracle: Oracle | undefined): boolean => oracle === "any" || oracle === "not-none";

/** Whether an answer to a call is right by a rule; see `Oracle`. */
export function isRight(oracle: Oracle, { answer, expected, tolerance, strict }: Compared): boolean {
  const equal = (a: PyValue, b: PyValue): boolean => equalValues(a, b, tolerance, strict);
  switch (oracle) {
    case "any":
      return true;
    case "not-none":
      return isThere(answer) === isThere(expected);
    case "set": {
      const [ours, theirs] = [asSet(answer), asSet(expected)];
      return ours !== null && theirs !== null && equal(ours, theirs);
    }
    case "sequence":
      return equal(answer.t === "tuple" ? { ...answer, t: "list" } : answer, expected);
    case "types":
      return equalValues(answer, expected, tolerance, true);
    case "numbers":
      return equal(answer, expected); // for printed text see `sameNumbers`
  }
}

const isThere = (value: PyValue): boolean => (value.t === "bool" ? value.v : value.t !== "none");

/** The set that `set(value)` would make; null if that would raise. */
function asSet(value: PyValue): PyValue | null {
  const items =
    value.t === "str"
      ? Array.from(value.v, (v): PyValue => ({ t: "str", v }))
      : value.t === "dict"
        ? value.v.map(([key]) => key)
        : value.t === "list" || value.t === "tuple" || value.t === "set" || value.t === "frozenset"
          ? value.v
          : null;
  return items === null || !items.every(isHashable) ? null : { t: "set", v: distinctValues(items) };
}

const isHashable = (value: PyValue): boolean =>
  value.t === "tuple" ? value.v.every(isHashable) : value.t !== "list" && value.t !== "set" && value.t !== "dict";

/** Whether two printed texts are equal line by line, without blanks at either end: the same text, or the same decimal numbers. */
export function sameNumbers(a: string, b: string): boolean {
  const [ours, theirs] = [a.trim().split("\n"), b.trim().split("\n")];
  return ours.length === theirs.length && ours.every((line, i) => sameLine(line.trim(), (theirs[i] as string).trim()));
}

function sameLine(a: string, b: string): boolean {
  if (a === b) return true;
  const [ours, theirs] = [a.split(/\s+/), b.split(/\s+/)];
  return (
    ours.length === theirs.length &&
    ours.every((word, i) => {
      const number = decimalKey(word);
      return number !== null && number === decimalKey(theirs[i] as string);
    })
  );
}

/** A text that is the same for equal numbers, in time linear in the digits; null if the word is not a finite decimal. */
function decimalKey(word: string): string | null {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/.exec(word) ?? [];
  const digits = whole + fraction;
  if (sign === undefined || digits === "") return null;
  const begin = digits.search(/[1-9]/);
  if (begin < 0) return "0";
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return `${sign === "-" ? "-" : ""}${digits.slice(begin, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
