/** Keys that records need, and forms of texts. A changed input keeps them, because a program may rely on them. */
import { isStamp, itemsOf } from "../expand/index.ts";
import { parseArguments } from "../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../types.ts";

/** `record["price"]`, but not `record.get("price")`. */
const SUBSCRIPT = /\w\]?\[(["'])([^"'\\\n]{1,40})\1\]/g;

/**
 * Whether an input still has the keys that the reference reads and all records at the same place of the known inputs have. Such records have no
 * other keys than these have.
 */
export function keepsKeys(reference: string, inputs: readonly ProgramInput[]): (input: ProgramInput) => boolean {
  const known = new Set([...reference.matchAll(SUBSCRIPT)].map(([, , key]) => key!));
  const needed = new Map<string, Set<string>>();
  const seen = new Map<string, Set<string>>();
  for (const input of inputs)
    visit(input, (place, keys) => {
      const own = keys.filter((key) => known.has(key));
      seen.set(place, new Set([...(seen.get(place) ?? []), ...keys]));
      const before = needed.get(place);
      needed.set(place, new Set(before === undefined ? own : own.filter((key) => before.has(key))));
    });
  return (input) => {
    let isKept = true;
    visit(input, (place, keys) => {
      const own = needed.get(place);
      if (own === undefined || own.size === 0) return;
      isKept &&= [...own].every((key) => keys.includes(key)) && keys.every((key) => seen.get(place)!.has(key));
    });
    return isKept;
  };
}

/** Whether an input has dates and times wherever all of the inputs have them, and the earlier one first in pairs if they have. */
export function keepsStamps(inputs: readonly ProgramInput[]): (input: ProgramInput) => boolean {
  const areStamps = new Map<string, boolean>();
  for (const input of inputs)
    visitTexts(input, (place, text) => areStamps.set(place, isStamp(text) && areStamps.get(place) !== false));
  const pairs = inputs.flatMap(stampPairs);
  const areAscending = pairs.length > 0 && pairs.every(isAscending);
  return (input) => {
    let isKept = !areAscending || stampPairs(input).every(isAscending);
    visitTexts(input, (place, text) => {
      isKept &&= areStamps.get(place) !== true || isStamp(text);
    });
    return isKept;
  };
}

const isAscending = ([a, b]: readonly [string, string]): boolean => a <= b;

/** Pairs of dates or times that are rows: `("09:30", "10:00")`. */
function stampPairs(input: ProgramInput): [string, string][] {
  const pairsIn = (value: PyValue): [string, string][] => {
    const items = itemsOf(value);
    const [a, b] = items;
    const isPair = items.length === 2 && a?.t === "str" && b?.t === "str" && isStamp(a.v) && isStamp(b.v);
    return isPair ? [[a.v, b.v]] : items.flatMap(pairsIn);
  };
  return "args" in input ? readArguments(input.args).flatMap(pairsIn) : [];
}

/**
 * Whether an input has one of the known texts wherever all of the inputs have one, at least one of them being a constant of the reference: a
 * status is "paid" or "refunded". `known`: constants of the reference. `quoted`: texts that the description has in quotes.
 */
export function keepsChoices(
  inputs: readonly ProgramInput[],
  known: ReadonlySet<string>,
  quoted: ReadonlySet<string>,
): (input: ProgramInput) => boolean {
  const found = new Map<string, Set<string>>();
  const fields = new Set<string>();
  for (const input of inputs)
    visit(input, (_, keys) => {
      for (const key of keys) fields.add(key);
    });
  const isChoice = (text: string): boolean => (known.has(text) || quoted.has(text)) && !fields.has(text);
  for (const input of inputs)
    visitTexts(input, (place, text) => found.set(place, (found.get(place) ?? new Set()).add(text)));
  const closed = [...found].filter(([place, texts]) => {
    const all = [...texts];
    const isInside = /[.[]/.test(place) && all.every((text) => text.length > 1);
    return isInside && all.some((text) => known.has(text)) && all.every(isChoice);
  });
  const places = new Set(closed.map(([place]) => place));
  return (input) => {
    let isKept = true;
    visitTexts(input, (place, text) => {
      isKept &&= !places.has(place) || isChoice(text);
    });
    return isKept;
  };
}

/** Calls back for each text that is no key, with its place: the same for all items of a list. */
function visitTexts(input: ProgramInput, found: (place: string, text: string) => void): void {
  const walk = (value: PyValue, place: string): void => {
    if (value.t === "str") found(place, value.v);
    else if (value.t === "dict")
      for (const [key, item] of value.v) walk(item, `${place}.${key.t === "str" ? key.v : ""}`);
    else for (const [i, item] of itemsOf(value).entries()) walk(item, `${place}[${value.t === "tuple" ? i : ""}]`);
  };
  for (const [slot, value] of ("args" in input ? readArguments(input.args) : []).entries()) walk(value, `${slot}`);
}

/** Calls back for each dictionary with keys that are texts: with its place, the same for all items of a list, and its keys. */
function visit(input: ProgramInput, found: (place: string, keys: readonly string[]) => void): void {
  const given = "args" in input ? readArguments(input.args) : [];
  const walk = (value: PyValue, place: string): void => {
    if (value.t !== "dict") {
      for (const item of itemsOf(value)) walk(item, `${place}[]`);
      return;
    }
    found(
      place,
      value.v.flatMap(([key]) => (key.t === "str" ? [key.v] : [])),
    );
    for (const [key, item] of value.v) walk(item, `${place}.${key.t === "str" ? key.v : ""}`);
  };
  for (const [slot, value] of given.entries()) walk(value, `${slot}`);
}

function readArguments(args: string): readonly PyValue[] {
  try {
    return parseArguments(args).positional;
  } catch {
    return []; // not only literals
  }
}
