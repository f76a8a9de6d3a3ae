/**
 * Inputs from the uses of a function's parameters in its code: lists of records with the keys that it reads, graphs as dictionaries whose
 * values are keys, pairs that it takes apart, texts that it compares with. Values of many kinds, tried at random, are hardly ever such.
 */
import type { Shape } from "../../expand/index.ts";
import { printLiteral } from "../../languages/python/literals/index.ts";
import { loadParser } from "../../languages/python/syntax/parse.ts";
import type { PyValue } from "../../types.ts";
import { Random } from "../../util/random.ts";
import { isTakenApart } from "./compose.ts";
import { addFields, keysOf } from "./fields.ts";
import { giveFormats } from "./formats.ts";
import { formOf, hasFormat, Maker } from "./make.ts";
import { Uses } from "./read.ts";
import { Reads } from "./reads.ts";
import { saidLetters } from "./said-letters.ts";
import { type Term, textsOf, type Use, visited } from "./term.ts";

export interface Used {
  readonly name: string;
  readonly shape: Shape;
  /** Given by keyword, in half of the argument lists. */
  readonly optional: boolean;
}

export interface Making {
  readonly count: number;
  readonly seed: number;
  readonly description?: string | null;
  /** Types of parameters that the description states, by name. */
  readonly types?: ReadonlyMap<string, PyValue["t"]>;
  /** Texts that the description shows. */
  readonly shown: readonly string[];
  /** Whether numbers may be negative. */
  readonly isSigned: boolean;
}

const OPTION_SHARE = 0.5;

/** The uses that types in words stand for. */
const USES: Readonly<Partial<Record<PyValue["t"], Use>>> = {
  int: "number",
  float: "float",
  str: "text",
  bool: "bool",
  list: "list",
};

/** Names of collections of sets. */
const SETS = /(?:^|_)sets$/i;

/** Up to `count` argument lists for a function's parameters; none if the code shows nothing that values by type alone lack. */
export async function argumentsByUse(
  code: string,
  name: string,
  parameters: readonly Used[],
  { count, seed, description, types, shown, isSigned }: Making,
): Promise<string[]> {
  const parse = await loadParser();
  const uses = new Uses(parse(code));
  const own = name.slice(name.lastIndexOf(".") + 1);
  const terms = parameters.map((one) => uses.parameter(own, one.name));
  if (terms.length === 0 || terms.some((term) => term === null)) return [];
  const known = terms as Term[];
  for (const [i, { name: own, shape }] of parameters.entries()) {
    annotate(known[i]!, shape, uses);
    const said = shape.length === 0 ? types?.get(own) : undefined;
    const use = said === undefined ? undefined : USES[said];
    if (use !== undefined) known[i]!.root.uses.add(use);
    if (shape.length === 0 && SETS.test(own)) uses.terms.item(known[i]!).root.uses.add("set");
  }
  const names = parameters.map((one) => one.name);
  addFields(known, description ?? "", uses.terms);
  giveFormats(known, names, description ?? "", uses.terms, code);
  if (!isTelling(known)) return [];
  const rng = new Random(seed);
  const keys = keysOf(known);
  const texts = shown.filter((text) => !keys.has(text));
  const made = Array.from({ length: count }, () => {
    const values = new Maker(rng, texts, isSigned).arguments(known, names).map(printLiteral);
    const given = parameters.flatMap(({ name: own, optional }, i) =>
      optional ? (rng.chance(OPTION_SHARE) ? [`${own}=${values[i]}`] : []) : [values[i]!],
    );
    return given.join(", ");
  });
  return [...new Set(made)];
}

/** Up to `count` texts for a program that takes standard input apart; none if it does not. */
export async function textsByUse(
  code: string,
  { count, seed, description, shown, isSigned }: Omit<Making, "types">,
): Promise<string[]> {
  const parse = await loadParser();
  const { stdin, program, reads, terms } = new Uses(parse(code));
  const rng = new Random(seed);
  const { split } = stdin.root;
  const lines = Reads.of(program, reads, split?.separator === "\n" ? terms.item(split.parts) : null);
  if (lines !== null) {
    const letters = saidLetters(description ?? "");
    const texts = Array.from({ length: count }, () => lines.text(new Maker(rng, shown, isSigned), rng, letters));
    return [...new Set(texts)];
  }
  if (!isTakenApart(stdin)) return [];
  const made = Array.from({ length: count }, () => new Maker(rng, shown, isSigned).make(stdin, 0));
  return [
    ...new Set(made.flatMap((value) => (value.t === "str" && value.v !== "" ? [value.v.replace(/\n?$/, "\n")] : []))),
  ];
}

/** Adds what an annotation says. */
function annotate(term: Term, shape: Shape, uses: Uses): void {
  const [first] = shape;
  if (shape.length !== 1 || first === undefined) return;
  const { of } = first;
  const { terms } = uses;
  const { root } = term;
  if (of.t === "int") root.uses.add("number");
  else if (of.t === "float") root.uses.add("float");
  else if (of.t === "str") root.uses.add("text");
  else if (of.t === "bool") root.uses.add("bool");
  else if (of.t === "dict") {
    root.uses.add("dict");
    annotate(terms.item(root), of.key, uses);
    annotate(terms.value(root), of.value, uses);
  } else if ("item" in of) {
    root.uses.add(of.t === "frozenset" ? "set" : of.t);
    if (of.positions) for (const [i, one] of of.positions.entries()) annotate(terms.position(root, i), one, uses);
    else annotate(terms.item(root), of.item, uses);
  }
}

/**
 * Whether terms have what values by type alone lack: fields, tuples, texts that they are compared with or that the description shows, dates,
 * items that may be None, dictionaries of collections.
 * Names that two parameters share tell nothing by themselves: lists and numbers by trial share values as often.
 */
function isTelling(parameters: readonly Term[]): boolean {
  if (parameters.some((term) => formOf(term) === "atom" && (textsOf(term.root).length > 0 || isTakenApart(term))))
    return true;
  const roots = new Set(parameters.map(({ root }) => root));
  const all = visited(parameters, (term) => (formOf(term) === "atom" ? [] : [term.item, term.value]));
  return all.some((term) => {
    const form = formOf(term);
    if (term.tested.has("none") && !roots.has(term)) return true;
    if (form === "record" || form === "tuple" || form === "set") return true;
    if (form === "atom")
      return (
        term.examples.length > 0 ||
        hasFormat(term) ||
        isTakenApart(term) ||
        textsOf(term).some((text) => [...text].length > 1)
      );
    return form === "dict" && term.value !== null && formOf(term.value) !== "atom";
  });
}
