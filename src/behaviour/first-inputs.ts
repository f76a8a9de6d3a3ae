/** The first inputs of a task whose description shows none: by trial, by uses, from patterns and quotes. */
import escapeRegExp from "escape-string-regexp";
import { aligned, isMatrix, lengthOf, readSignature } from "../expand/index.ts";
import { parseArguments, printLiteral } from "../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../types.ts";
import { readConstraints } from "./constraints/index.ts";
import { lastName } from "./entry.ts";
import { textsOf } from "./line-forms.ts";
import { type Known, type Oracle, onTexts } from "./oracle.ts";
import { patternTexts } from "./patterns.ts";
import { quotedTexts } from "./quoted.ts";
import { printArguments } from "./shown.ts";
import { type Parameter, seedsByTrial } from "./trial.ts";
import type { Entry, Task } from "./types.ts";
import { handledBy, testedBy } from "./unusual.ts";
import { argumentsByUse } from "./uses/index.ts";
import { ofOtherLengths, type Parameters } from "./variadic.ts";

/** Calls of a function of one text with texts that the description has in quotes, and texts for the reference's patterns. */
export function textsIn({ reference, description }: Task, pool: ReadonlyMap<string, Known>): ProgramInput[] {
  const [first] = inputsIn(pool);
  if (first === undefined || "stdin" in first) return [];
  const { positional, keyword } = parseArguments(first.args);
  if (positional.length !== 1 || keyword.length > 0 || positional[0]!.t !== "str") return [];
  return [...quotedTexts(description), ...patternTexts(reference)].map((v) => ({
    args: printLiteral({ t: "str", v }),
  }));
}

/** Inputs with one empty text or list, if reference or description say what these give. Mutations of examples hardly ever have any. */
export function emptied(task: Task, entry: Entry, pool: ReadonlyMap<string, Known>): ProgramInput[] {
  const [first] = inputsIn(pool);
  if (first === undefined || "stdin" in first || !handledBy(task, entry).includes("empty")) return [];
  const given = parseArguments(first.args);
  return given.positional.flatMap((value, slot) => {
    const none = value.t === "str" ? { ...value, v: "" } : value.t === "list" ? { ...value, v: [] } : null;
    if (none === null) return [];
    return [{ args: printArguments({ ...given, positional: given.positional.with(slot, none) }) }];
  });
}

/** Maximum number of inputs with a negated number, and of deeper ones. */
const MOST_CHANGED = 8;

/** Inputs with one number negated, if reference and description say what these give. */
export function negated(task: Task, entry: Entry, pool: ReadonlyMap<string, Known>): ProgramInput[] {
  if (entry.kind === "stdin" || !handledBy(task, entry).includes("negative")) return [];
  return inputsIn(pool)
    .flatMap((input) => {
      const given = parseArguments("args" in input ? input.args : "");
      return given.positional.flatMap((value, slot): ProgramInput[] =>
        value.t === "int" && value.v > 0n
          ? [{ args: printArguments({ ...given, positional: given.positional.with(slot, { t: "int", v: -value.v }) }) }]
          : [],
      );
    })
    .slice(0, MOST_CHANGED);
}

/** Inputs one level deeper, if the reference calls itself on what a dictionary or list holds. Mutations keep the depth of examples. */
export function deepened({ reference }: Task, entry: Entry, pool: ReadonlyMap<string, Known>): ProgramInput[] {
  const name = entry.kind === "call" ? lastName(entry.name) : "";
  const own = new RegExp(`(?<![\\w.])(?:self\\.)?${escapeRegExp(name)}\\(`, "g");
  if (name === "" || (reference?.match(own) ?? []).length < 2) return [];
  return inputsIn(pool)
    .flatMap((input) => {
      const given = parseArguments("args" in input ? input.args : "");
      return given.positional.flatMap((value, slot): ProgramInput[] =>
        [deeper(value, value), deeper(value, { t: "dict", v: [] })].flatMap((changed) =>
          changed === null
            ? []
            : [{ args: printArguments({ ...given, positional: given.positional.with(slot, changed) }) }],
        ),
      );
    })
    .slice(0, MOST_CHANGED);
}

/** The value with `leaf` in place of its last value at the deepest level. Null if it is not nested. */
function deeper(value: PyValue, leaf: PyValue): PyValue | null {
  if (value.t === "dict") {
    const [key, item] = value.v.at(-1) ?? [];
    if (key === undefined || !value.v.some(([, one]) => one.t === "dict" || one.t === "list")) return null;
    return { t: "dict", v: [...value.v.slice(0, -1), [key, deeper(item!, leaf) ?? leaf]] };
  }
  if (value.t !== "list" || !value.v.some(({ t }) => t === "list")) return null;
  return leaf.t === "dict" ? null : { t: "list", v: [...value.v.slice(0, -1), deeper(value.v.at(-1)!, leaf) ?? leaf] };
}

export const inputsIn = (pool: ReadonlyMap<string, Known>): ProgramInput[] =>
  [...pool.values()].map(({ input }) => input);

export async function byTrial(
  task: Task,
  entry: Entry,
  { parameters, variadic }: Parameters,
  oracle: Oracle,
  seed: number,
): Promise<ProgramInput[]> {
  if (entry.kind === "stdin") {
    const texts = await textsOf(onTexts(oracle), task, seed);
    return texts.map((stdin) => ({ stdin }));
  }
  const code = task.reference ?? task.candidates[0] ?? "";
  const said = saidTypes(
    task.description ?? "",
    parameters.map(({ name }) => name),
  );
  const typed = (types: ReadonlyMap<string, PyValue["t"]>): Parameter[] =>
    parameters.map(({ name, shape }) => {
      return { name, type: shape.length === 1 ? shape[0]!.of.t : (types.get(name) ?? null) };
    });
  const byTypes = (types: ReadonlyMap<string, PyValue["t"]>): Promise<string[]> =>
    seedsByTrial(typed(types), code, task.description ?? "", (all) => oracle.answered(all.map((args) => ({ args }))));
  const bySaid = await byTypes(said);
  // A list of operators may be a text in the code.
  const lists = bySaid.length === 0 && said.size > 0 ? await byTypes(new Map()) : bySaid;
  const names = parameters.map(({ name }) => name);
  const matrices = names.flatMap((name, i) => (isMatrix(name, code) ? [i] : []));
  const even = lists.filter((args) => matrices.every((i) => hasEvenRows(parseArguments(args).positional[i])));
  return ofOtherLengths(aligned(even.length > 0 ? even : lists, code, names, seed), variadic).map((args) => ({ args }));
}

function hasEvenRows(value: PyValue | undefined): boolean {
  const lengths = value?.t === "list" || value?.t === "tuple" ? value.v.map(lengthOf) : [];
  return new Set(lengths).size <= 1;
}

/** Inputs from the uses of parameters in the reference. */
export async function byUse(task: Task, entry: Entry, seed: number, count: number): Promise<ProgramInput[]> {
  const { reference, description } = task;
  if (entry.kind === "stdin" || reference === null) return [];
  const parameters = (readSignature(reference, entry.name) ?? []).filter(
    ({ name, optional }) => !optional || new RegExp(`\\b${name}\\b`).test(description ?? ""),
  );
  // Few different values make equal inputs.
  const lists = await argumentsByUse(reference, entry.name, parameters, {
    count: 2 * count,
    seed,
    description,
    types: saidTypes(
      description ?? "",
      parameters.map((one) => one.name),
    ),
    shown: [...quotedTexts(description), ...patternTexts(reference)],
    isSigned: testedBy(reference).includes("negative"),
  });
  return lists.slice(0, count).map((args) => ({ args }));
}

/** The types of parameters according to the description. */
function saidTypes(description: string, names: readonly string[]): Map<string, PyValue["t"]> {
  const sample = { args: names.map(() => "None").join(", ") };
  const said = readConstraints(description, names, sample, []).all.flatMap((one) =>
    one.kind === "types" && one.part.path.length === 0 ? [one] : [],
  );
  return new Map(said.map(({ part, types }) => [names[part.slot]!, types[0]!]));
}
