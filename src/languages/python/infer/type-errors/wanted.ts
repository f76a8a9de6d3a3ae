/** Infers from a reference the shapes of its functions' arguments, and which of its functions tests call. */

import type { ReadForms } from "../../normalize/canonical/index.ts";
import { namesIn, type Term, unlessTooDeep } from "../../normalize/canonical/terms.ts";
import type { Program } from "../../syntax/parse.ts";
import type { ValueType } from "../types.ts";
import { annotatedArguments } from "./annotations.ts";
import { exampleArguments } from "./examples.ts";
import { aroundOf, type Functions, functionsOf, isOdd, NO_NAMES, positionalOf, SILENT, walk } from "./program.ts";
import { ANYTHING, argument, of, type Place, type Shape } from "./shapes.ts";
import { State } from "./state.ts";
import { shapeOf } from "./values.ts";

export interface Wanted {
  /** For each function by name: the shapes of its arguments by position. */
  readonly shapes: ReadonlyMap<string, readonly Shape[]>;
  /** The only function that no other one calls; null if there are several. */
  readonly entry: string | null;
}

const UNKNOWN: Wanted = { shapes: new Map(), entry: null };

/**
 * What a program says about its functions. The shape of an argument comes from its annotation, otherwise from example calls,
 * otherwise from how the function uses it. Empty if the program reads standard input, has classes or no terms, or is nested too
 * deep for the stack.
 */
export function wantedBy(program: Program, forms: ReadForms): Wanted {
  const { terms } = forms(program.code).plain;
  return terms === null ? UNKNOWN : unlessTooDeep(() => readWanted(terms, program, forms), UNKNOWN);
}

function readWanted(terms: Term, program: Program, forms: ReadForms): Wanted {
  if (isOdd(terms)) return UNKNOWN;
  const { top, methods } = functionsOf(terms);
  const alone = (part: Term): Shape => shapeOf(part, new State(aroundOf(part, new Map(), SILENT), NO_NAMES));
  const [annotated, shown] = [annotatedArguments(program), exampleArguments(program, forms, alone)];
  const functions = new Map([...top, ...methods]);
  const shapes = new Map<string, readonly Shape[]>();
  for (const [name, definition] of functions) {
    const demands = new Map<string, Set<ValueType>>();
    const demand = ({ path }: Place, types: readonly ValueType[]): void => {
      const before = demands.get(path);
      demands.set(path, new Set(before === undefined ? types : types.filter((type) => before.has(type))));
    };
    const parameters = positionalOf(definition);
    const unknown = parameters.map((_, i) => argument(String(i)));
    walk(definition, aroundOf(terms, top, { ...SILENT, demand }), unknown);
    const said = parameters.map((_, i) =>
      [annotated.get(name)?.[i], shown.get(name)?.[i]].find((shape) => shape?.types?.size),
    );
    shapes.set(
      name,
      said.map((shape, i) => shape ?? demanded(String(i), demands)),
    );
  }
  return { shapes, entry: entryOf(functions) };
}

function entryOf(functions: Functions): string | null {
  const called = new Set<string>();
  for (const [name, { items }] of functions) for (const used of namesIn(items[2])) if (used !== name) called.add(used);
  const entries = [...functions.keys()].filter((name) => !called.has(name));
  return entries.length === 1 ? entries[0]! : null;
}

const HOLD = /^(?:list|tuple|set|view|iterator)$/;

function demanded(path: string, demands: ReadonlyMap<string, ReadonlySet<ValueType>>): Shape {
  const inner = [...demands.keys()].some((key) => key.startsWith(`${path}.item`))
    ? demanded(`${path}.item`, demands)
    : null;
  let types = demands.get(path);
  if (types === undefined || types.size === 0) return ANYTHING;
  // The items of a text are texts, and those of a range are numbers. This rules out types that do not match the items.
  const items = inner?.types;
  if (items && !items.has("text")) types = new Set([...types].filter((type) => type !== "text"));
  if (items && !items.has("int")) types = new Set([...types].filter((type) => type !== "range"));
  const holds = [...types].some((type) => HOLD.test(type));
  return { ...of(...types), item: holds && inner !== null ? inner : null };
}
