/**
 * EvalPlus tests (Liu et al. 2023): lists of inputs whose expected answer is the reference's (`base_input`, `plus_input`), and
 * the scripts in the field `test` of HumanEval+ and MBPP+ on the hub (`inputs = [...]`, `results = [...]`, a loop). JSON has no
 * tuples, sets and complex numbers. They are restored from the row's own asserts, never from lists of task ids. Scripts that
 * judge in another way (`_poly(...)`, a set of the output) are left to the caller.
 */
import { CodescoreError } from "../errors.ts";
import { parseArguments, parseLiteral, printLiteral } from "../languages/python/literals/index.ts";
import { callsOf } from "../languages/python/syntax/source.ts";
import type { PyValue, TestCase } from "../types.ts";
import { optionalString } from "../util/jsonl.ts";
import { callArguments } from "./fields.ts";
import type { Row } from "./rows.ts";

/** The tolerance for floats that EvalPlus uses if it names none (`is_floats` in its evaluator). */
export const FLOAT_TOLERANCE = 1e-6;

/** Builds calls from `base_input` and `plus_input`. Tolerance: `atol`, or 1e-6 if it is 0. Throws `CodescoreError("input")` for other shapes. */
export function inputTests(row: Row, entryPoint: string): TestCase[] {
  const atol = row.value.atol ?? 0;
  if (typeof atol !== "number" || !(atol >= 0)) {
    throw new CodescoreError("input", `${row.where}: expected \`atol\` to be a number of at least 0`);
  }
  const shown = shownArguments(row, entryPoint);
  const tests = (name: string, label: string, added: { readonly added?: true }): TestCase[] =>
    argumentLists(row, name).map((args, i) => ({
      id: `${label}-${i}`,
      origin: "given",
      ...added,
      kind: "call",
      args: callArguments({
        t: "list",
        v: args.map((arg, place) =>
          restored(
            arg,
            shown.flatMap((call) => call[place] ?? []),
          ),
        ),
      }),
      expected: null,
      tolerance: atol === 0 ? FLOAT_TOLERANCE : atol,
    }));
  return [...tests("base_input", "base", {}), ...tests("plus_input", "plus", { added: true })];
}

function argumentLists(row: Row, name: string): (readonly PyValue[])[] {
  const field = row.exact(name);
  if (field === null || field.t === "none") return [];
  const lists = field.t === "list" ? field.v.map((list) => (list.t === "list" ? list.v : null)) : [null];
  if (lists.includes(null)) {
    throw new CodescoreError("input", `${row.where}: expected \`${name}\` to be a list of argument lists`);
  }
  return lists as (readonly PyValue[])[];
}

/** The arguments of the entry point's calls in the row's asserts: in `assertion` (MBPP+), otherwise in the prompt. */
function shownArguments(row: Row, entryPoint: string): (readonly PyValue[])[] {
  const text = optionalString(row, "assertion", "prompt") ?? "";
  return callsOf(text, entryPoint).flatMap((args) => {
    try {
      return [parseArguments(args).positional];
    } catch (error) {
      if (error instanceof CodescoreError) return []; // an expression: its type is unknown
      throw error;
    }
  });
}

/** Converts a value from JSON to the type that values in the same position have, if these agree. */
export function restored(value: PyValue, shown: readonly PyValue[]): PyValue {
  const [kind, ...others] = new Set(shown.map(({ t }) => t));
  if (kind === undefined || others.length > 0) return value;
  if (value.t === "str" && (kind === "complex" || kind === "float")) return numberIn(value);
  if (value.t === "dict" && kind === "dict") {
    const values = shown.flatMap((example) => (example.t === "dict" ? example.v.map(([, item]) => item) : []));
    return { t: "dict", v: value.v.map(([key, item]) => [key, restored(item, values)] as const) };
  }
  if (value.t !== "list" || !isSequence(kind)) return value;
  const examples = shown.flatMap((example) => (isSequence(example.t) ? [(example as Sequence).v] : []));
  const places = kind === "tuple" && examples.every(({ length }) => length === value.v.length);
  const items = value.v.map((item, i) =>
    restored(item, places ? examples.map((example) => example[i] as PyValue) : examples.flat()),
  );
  return { t: kind, v: items } as PyValue;
}

type Sequence = Extract<PyValue, { t: "list" | "tuple" | "set" | "frozenset" }>;

const isSequence = (kind: PyValue["t"]): boolean => ["list", "tuple", "set", "frozenset"].includes(kind);

function numberIn(value: PyValue & { t: "str" }): PyValue {
  try {
    const number = parseLiteral(value.v);
    return number.t === "complex" || number.t === "float" || number.t === "int" ? number : value;
  } catch (error) {
    if (error instanceof CodescoreError) return value;
    throw error;
  }
}

/** The calls of a hub script; null for a script of another form. */
export function scriptTests(script: string): TestCase[] | null {
  const loop = /\bassertion\(\s*\w+\(\*inp\),\s*(exp|ref_func\(\*inp\)),\s*([\d.eE+-]+)\s*\)/.exec(script);
  const inputs = listAfter(script, "inputs");
  const results = loop?.[1] === "exp" ? listAfter(script, "results") : null;
  if (loop === null || inputs === null) return null;
  if (loop[1] === "exp" && results?.length !== inputs.length) return null;
  const tests: TestCase[] = [];
  for (const [i, input] of inputs.entries()) {
    if (input.t !== "list" && input.t !== "tuple") return null;
    const expected = results?.[i] ?? null;
    const atol = Number(loop[2]);
    tests.push({
      id: `plus-${i}`,
      origin: "given",
      kind: "call",
      args: callArguments({ t: "list", v: input.v }),
      expected: expected === null ? null : printLiteral(expected),
      tolerance: atol === 0 && (expected === null || areFloats(expected)) ? FLOAT_TOLERANCE : atol,
    });
  }
  return tests;
}

function listAfter(script: string, name: string): readonly PyValue[] | null {
  const text = new RegExp(`^[ \\t]*${name}[ \\t]*=[ \\t]*(.+)$`, "m").exec(script)?.[1];
  try {
    const list = text === undefined ? null : parseLiteral(text);
    return list?.t === "list" ? list.v : null;
  } catch (error) {
    if (error instanceof CodescoreError) return null; // not a literal: `inf`, or code
    throw error;
  }
}

const areFloats = (value: PyValue): boolean =>
  value.t === "float" || ((value.t === "list" || value.t === "tuple") && value.v.every(({ t }) => t === "float"));
