/**
 * Inputs aimed at what a program distinguishes: its constants as arguments, and values for its optional parameters. Random mutation rarely
 * hits the one value that a program compares with, and never passes an optional parameter that no given input has.
 */
import { printLiteral } from "../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../types.ts";
import { Random } from "../util/random.ts";
import { type Option, readOptions, readVariadic } from "./annotations.ts";
import { type Call, printCall, readCall, type Slot, withValue } from "./call.ts";
import { newValues } from "./generate.ts";
import { collectIngredients, type Ingredients } from "./ingredients.ts";

/** Calls that are changed, maximum number of inputs, and of values for an optional parameter. */
const CALLS = 4;
const MOST = 24;
const MOST_VALUES = 4;

/**
 * The first calls, each with one argument, or one item of it, replaced by a constant of the program or a neighbour of one, or by one of
 * `numbers`.
 */
export function atConstants(
  given: readonly ProgramInput[],
  source: string,
  numbers: readonly number[] = [],
): ProgramInput[] {
  const constants = collectIngredients([], [source, numbers.join(" ")]);
  const perCall = callsOf(given).map((call) =>
    call.flatMap((slot, i) =>
      slot.value === null ? [] : replacements(slot.value, constants).map((value) => replaced(call, i, slot, value)),
    ),
  );
  return printed(perCall);
}

const MINUS_ONE: PyValue = { t: "int", v: -1n };
const SAYS_NEGATIVE = /\b(?<!non[- ]?)negative\b/i;

/** Arguments for `**kwargs`, not in the order of their names. */
const KEYWORDS: readonly Call[] = ["b=2, a=1", "a='x'", "key=3, name='y', b=1"].map(readCall);

/** The first calls, each with one more argument for an optional parameter, or some for `**kwargs`. */
export function withOptions(
  given: readonly ProgramInput[],
  { source, entryPoint, description }: { source: string; entryPoint: string; description: string | null },
): ProgramInput[] {
  const constants = collectIngredients([], [source]);
  const options = publicOptions(source, entryPoint, description).slice(0, MOST);
  const variadic = readVariadic(source, entryPoint).keyword !== null;
  const isSigned = SAYS_NEGATIVE.test(description ?? "");
  // small calls and large ones: the value of an option may show in either alone
  const some = given.length > CALLS ? [...given.slice(0, CALLS >> 1), ...given.slice(-CALLS >> 1)] : given;
  const perCall = callsOf(some).map((call) => [
    ...(variadic && call.every(({ name }) => name === null) ? KEYWORDS.map((more): Call => [...call, ...more]) : []),
    ...options
      .filter(({ name }) => call.every((slot) => slot.name !== name))
      .flatMap(({ name, ...option }) =>
        [...valuesOf(option, constants), ...(isSigned && option.type === "int" ? [MINUS_ONE] : [])].map(
          (value): Call => [...call, withValue({ name, value, source: "" }, value)],
        ),
      ),
  ]);
  return printed(perCall);
}

const callsOf = (given: readonly ProgramInput[]): Call[] =>
  given.slice(0, CALLS).flatMap((input) => ("args" in input ? [readCall(input.args)] : []));

const replaced = (call: Call, i: number, slot: Slot, value: PyValue): Call =>
  call.map((other, k) => (k === i ? withValue(slot, value) : other));

/** The first change of each call, then the second of each, and so on. */
function printed(perCall: readonly (readonly Call[])[]): ProgramInput[] {
  const longest = Math.max(0, ...perCall.map((calls) => calls.length));
  const all = Array.from({ length: longest }, (_, i) => perCall.flatMap((calls) => calls.slice(i, i + 1))).flat();
  return [...new Set(all.map(printCall))].slice(0, MOST).map((args) => ({ args }));
}

function replacements(value: PyValue, constants: Ingredients): PyValue[] {
  if (value.t === "list" || value.t === "tuple") {
    const [first, ...others] = value.v;
    if (first === undefined) return [];
    return replacements(first, constants).map((item): PyValue => ({ t: value.t, v: [item, ...others] }));
  }
  // a text that is a number
  if (value.t === "str" && /^-?\d+$/.test(value.v))
    return constantsOf("int", constants)
      .slice(0, MOST)
      .map((number) => ({ t: "str", v: printLiteral(number) }));
  return constantsOf(value.t, constants).slice(0, MOST);
}

function constantsOf(type: PyValue["t"], constants: Ingredients): PyValue[] {
  const own = constants.get(type) ?? [];
  if (type !== "float") return [...own];
  const integers = (constants.get("int") ?? []).flatMap((value): PyValue[] =>
    value.t === "int" ? [{ t: "float", v: Number(value.v) }] : [],
  );
  return [...own, ...integers].filter((value) => value.t === "float" && Number.isFinite(value.v));
}

const SIMPLE: Partial<Record<PyValue["t"], readonly PyValue[]>> = {
  bool: [true, false].map((v) => ({ t: "bool", v })),
  int: [2n, 1n, 3n, 0n].map((v) => ({ t: "int", v })),
  float: [0.5, 2, 1, 0].map((v) => ({ t: "float", v })),
  str: ["a", "-", ""].map((v) => ({ t: "str", v })),
};

function valuesOf({ type, shape, fallback }: Omit<Option, "name">, constants: Ingredients): readonly PyValue[] {
  const simple = type === null ? [] : (SIMPLE[type] ?? newValues(shape, MOST_VALUES, new Random(0), ""));
  if (type === null || type === "bool") return simple;
  const near = fallback?.t === "int" ? [fallback.v + 1n, fallback.v - 1n].map((v): PyValue => ({ t: "int", v })) : null;
  const own = near ?? constantsOf(type, constants).slice(0, MOST_VALUES >> 1);
  return simple.length === 0 ? [] : [...own, ...simple].slice(0, MOST_VALUES);
}

/** Parameters that a program only passes to itself. */
const INTERNAL = /^(?:_\w*|memo\w*|cache|acc\w*|visited|seen|depth|path|res(?:ult)?s?|out|so_far)$/;

/** The optional parameters that callers know: the description names them; or there is none, and the program does not call itself. */
function publicOptions(source: string, entryPoint: string, description: string | null): Option[] {
  const named = description === null ? null : new Set(wordsOf(description));
  const own = entryPoint.slice(entryPoint.lastIndexOf(".") + 1);
  if (named === null && wordsOf(source).filter((word) => word === own).length > 1) return [];
  return readOptions(source, entryPoint).filter(({ name }) => named?.has(name) ?? !INTERNAL.test(name));
}

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}_]+/u);
