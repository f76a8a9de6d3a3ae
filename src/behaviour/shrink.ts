/**
 * Shrinks an input on which a candidate and the reference differ: removes parts of it, or makes them smaller, as long as the two differ
 * (delta debugging, Zeller and Hildebrandt 2002; QuickCheck's shrinking).
 */
import type { Answer } from "../execute/index.ts";
import { isStamp } from "../expand/index.ts";
import { distinct, parseArguments, printLiteral } from "../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../types.ts";
import { sizeOf } from "./choose.ts";
import type { Answered } from "./oracle.ts";

export interface Difference {
  readonly input: ProgramInput;
  readonly expected: Answered;
  readonly got: Answer;
}

/** Maximum number of smaller inputs per round, and of rounds. */
const TRIED = 16;
const ROUNDS = 5;
/** Of a sequence of calls most can be left out, mostly one by one. */
const ROUNDS_OF_CALLS = 20;
/** How many items are removed or made smaller one by one. Items of lists longer than `LONG` are not made smaller: such lists are halved first. */
const MOST_ITEMS = 8;
const LONG = 50;

const firstOf = <T>(items: readonly T[]): readonly T[] => (items.length > LONG ? [] : items.slice(0, MOST_ITEMS));
/** An input of this length, in characters, is not shrunk. */
const SMALL = 1;

/** Returns those of the inputs that the reference answers and on which the candidate differs. */
export type Differing = (inputs: readonly ProgramInput[]) => Promise<readonly Difference[]>;

export async function shrink(found: Difference, differing: Differing): Promise<Difference> {
  let best = found;
  const hasEmpty = holdsEmpty(found.input); // a task may not define the answer to empty lists and texts
  const seen = new Set([JSON.stringify(found.input)]);
  const rounds = isSequence(found.input) ? ROUNDS_OF_CALLS : ROUNDS;
  for (let round = 0; round < rounds && sizeOf(best.input) > SMALL; round++) {
    const tried = smaller(best.input)
      .filter(
        (input) =>
          sizeOf(input) <= sizeOf(best.input) && (hasEmpty || !holdsEmpty(input)) && !seen.has(JSON.stringify(input)),
      )
      .slice(0, TRIED);
    for (const input of tried) seen.add(JSON.stringify(input));
    const [next] = [...(await differing(tried))].sort((a, b) => weight(a.input) - weight(b.input));
    if (next === undefined || weight(next.input) >= weight(best.input)) return best;
    best = next;
  }
  return best;
}

/** `[('Stack',), ('push', 3)]` */
const isSequence = (input: ProgramInput): boolean => "args" in input && /^\[\('\w+',/.test(input.args);

const holdsEmpty = (input: ProgramInput): boolean => "args" in input && /\[\]|\(\)|\{\}|''|""|\bset\(/.test(input.args);

/** Size for comparison. Of two inputs of equal length the one with the smaller characters is simpler. */
const weight = (input: ProgramInput): number => {
  const text = "args" in input ? input.args : input.stdin;
  let sum = 0;
  for (const c of text.slice(0, 1000)) sum += c.charCodeAt(0);
  return text.length * 1e6 + sum;
};

/** Inputs that are smaller in one place, the largest reductions first. */
export function smaller(input: ProgramInput): ProgramInput[] {
  if ("stdin" in input) return smallerTexts(input.stdin).map((stdin) => ({ stdin }));
  const { positional, keyword } = parseArguments(input.args);
  const print = (values: readonly PyValue[]): { args: string } => ({
    args: [
      ...values.slice(0, positional.length).map(printLiteral),
      ...keyword.map(([name], i) => `${name}=${printLiteral(values[positional.length + i]!)}`),
    ].join(", "),
  });
  const values = [...positional, ...keyword.map(([, value]) => value)];
  const each = values.map((value, i) =>
    smallerValues(value).map((one) => print(values.map((other, k) => (k === i ? one : other)))),
  );
  return [...new Map(interleave(each).map((one) => [one.args, one])).values()];
}

/** The first of each list, then the second of each, and so on. */
function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => (i < list.length ? [list[i]!] : []))).flat();
}

function smallerValues(value: PyValue): PyValue[] {
  switch (value.t) {
    case "int": {
      const { v } = value;
      const options = [0n, 1n, 2n, -1n, -2n, v / 1000n, v / 10n, v / 2n, v < 0n ? -v : v - 1n, v + 1n];
      const size = (n: bigint): bigint => (n < 0n ? -2n * n + 1n : 2n * n);
      return [...new Set(options)].filter((n) => size(n) < size(v)).map((n) => ({ t: "int", v: n }));
    }
    case "float": {
      const { v } = value;
      const options = [0, 1, Math.trunc(v), v / 2, Math.abs(v), Number(v.toFixed(1))];
      return [...new Set(options)]
        .filter(
          (n) =>
            Number.isFinite(n) && n !== v && printLiteral({ t: "float", v: n }).length <= printLiteral(value).length,
        )
        .map((n) => ({ t: "float", v: n }));
    }
    case "str":
      if (isStamp(value.v)) return [];
      return parts([...value.v]).map((chars) => ({ t: "str", v: chars.join("") }));
    case "list":
    case "tuple":
    case "set":
    case "frozenset": {
      const { t, v } = value;
      const inner = interleave(
        firstOf(v).map((item, i) =>
          smallerValues(item)
            .slice(0, 4)
            .map((one) => v.map((other, k) => (k === i ? one : other))),
        ),
      );
      const isSet = t === "set" || t === "frozenset";
      // A tuple mostly needs all its items, so its items are made smaller first.
      const all = t === "tuple" ? [...inner, ...parts(v)] : [...parts(v), ...inner];
      const isMatrix = v.length > 1 && areRows(v);
      return all
        .filter((items) => !isMatrix || areRows(items))
        .map((items) => ({ t, v: isSet ? distinct(items) : items }));
    }
    case "dict": {
      const inner = firstOf(value.v).flatMap(([key, item], i) =>
        smallerValues(item)
          .slice(0, 2)
          .map((one) => value.v.map((entry, k) => (k === i ? ([key, one] as const) : entry))),
      );
      return [...parts(value.v), ...inner].map((entries) => ({ t: "dict", v: entries }));
    }
    default:
      return [];
  }
}

/** Whether items are lists of equal lengths, as the rows of a matrix. */
const areRows = (items: readonly PyValue[]): boolean => {
  const [first] = items;
  return items.every((item) => item.t === "list" && first?.t === "list" && item.v.length === first.v.length);
};

/** The empty list, both halves, and the list without one of its first few items. */
function parts<T>(items: readonly T[]): (readonly T[])[] {
  if (items.length === 0) return [];
  const half = items.length >> 1;
  const halves = items.length > 2 ? [items.slice(0, half), items.slice(half)] : [];
  const one = items.slice(0, MOST_ITEMS).map((_, i) => items.filter((_, k) => k !== i));
  return [[], ...halves, ...one];
}

/** Numbers that are no parts of dates, times or decimals. */
const NUMBER = /(?<!\d[-/:.T]|\d)-?\d+(?!\d|[-/:.T]\d)/g;

/** Texts with one line less or one smaller integer. A count of lines may become wrong; `Differing` drops texts that the reference cannot answer. */
function smallerTexts(text: string): string[] {
  const tokens = [...text.matchAll(NUMBER)].slice(0, 12);
  const numbers = tokens.flatMap((match) =>
    smallerValues({ t: "int", v: BigInt(match[0]) })
      .slice(0, 3)
      .map((one) => text.slice(0, match.index) + printLiteral(one) + text.slice(match.index + match[0].length)),
  );
  const lines = text.split("\n");
  const fewer = lines.length > 2 ? lines.slice(0, 8).map((_, i) => lines.filter((_, k) => k !== i).join("\n")) : [];
  return [...fewer, ...numbers];
}
