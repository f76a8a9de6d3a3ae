/**
 * Constraints on the arguments that a description states (`1 <= n <= 10^4`, `nums is sorted`). Correct programs differ on inputs that break
 * them, so inputs are changed to satisfy them. What the description's own examples break was misread, and is dropped.
 */
import { parallelParameters } from "../../expand/index.ts";
import { stripPython } from "../../languages/python/index.ts";
import { parseArguments } from "../../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../../types.ts";
import { printArguments } from "../shown.ts";
import { readAliases, readChains } from "./chains.ts";
import { holdsFor } from "./check.ts";
import { declarationsIn } from "./declarations.ts";
import { formsIn } from "./forms.ts";
import { Names } from "./names.ts";
import { type Constraint, partTerm, type Step, type Term } from "./parts.ts";
import { readPhrases } from "./phrases.ts";
import { repaired } from "./repair.ts";
import { readSource } from "./source.ts";
import { statementsOf } from "./statements.ts";
import { textPart } from "./subjects.ts";
import { readTypes, type Typed, withTypes } from "./types.ts";

export type { Step } from "./parts.ts";
export { statementsOf } from "./statements.ts";

/** What makes an argument unusual (unusual.ts). */
export type Trait = "negative" | "zero" | "empty";

/** Maximum number of constraints. */
const MOST = 60;
/** Maximum characters of a reference that are read. */
const LONGEST = 20_000;

export class Constraints {
  readonly all: readonly Constraint[];
  /** Arguments that show the kinds. */
  readonly sample: readonly PyValue[];

  constructor(all: readonly Constraint[], sample: readonly PyValue[] = []) {
    this.all = all;
    this.sample = sample;
  }

  /** Whether an input satisfies all of them. */
  hold(input: ProgramInput): boolean {
    const values = positional(input);
    return values === null || this.all.every((constraint) => holdsFor(constraint, values));
  }

  /** Whether all values have the stated types. */
  haveTypes(input: ProgramInput): boolean {
    const types = this.all.filter(({ kind }) => kind === "types");
    const values = types.length === 0 ? null : positional(input);
    return values === null || types.every((constraint) => holdsFor(constraint, values));
  }

  /** The input changed to satisfy all of them; the input itself if it does, or cannot be changed so. */
  fitted(input: ProgramInput): ProgramInput {
    const values = positional(input);
    if (values === null || this.hold(input)) return input;
    const changed = repaired(values, this.all, this.sample);
    return changed === null
      ? input
      : { args: printArguments({ ...parseArguments("args" in input ? input.args : ""), positional: changed }) };
  }

  /** Whether a trait is within the task, because they say how small this number or length may be. */
  allows(trait: Trait, slot: number, path: readonly Step[]): boolean {
    return this.bounds(slot, path, trait === "empty" ? "length" : "value");
  }

  /** Whether they say how small a number may be, or how short a list or text; then 0, negative numbers and empty values are within the task. */
  bounds(slot: number, path: readonly Step[], of: "value" | "length"): boolean {
    return this.all.some((one) => {
      if (one.kind === "values") return of === "value" && matches(one.part.slot, one.part.path, slot, path);
      if (one.kind !== "order" || (one.op !== "<=" && one.op !== "<" && one.op !== "==")) return false;
      const { left, right, op } = one;
      const own = left.part === null ? right.part : op === "==" && right.part === null ? left.part : null;
      return own !== null && own.of === of && matches(own.slot, own.path, slot, path);
    });
  }
}

const matches = (slot: number, steps: readonly Step[], otherSlot: number, places: readonly Step[]): boolean =>
  slot === otherSlot && steps.length === places.length && steps.every((step, i) => step === "*" || step === places[i]);

/**
 * The constraints in a description. `names`: of the parameters. `sample`: an input that the reference accepts. `shown`: inputs that the
 * description shows. `reference`: its code, which names the parts of rows, and shows matrices.
 */
export function readConstraints(
  description: string,
  names: readonly string[],
  sample: ProgramInput,
  shown: readonly ProgramInput[],
  reference = "",
): Constraints {
  const values = positional(sample);
  if (values === null || values.length === 0) return new Constraints([]);
  const source = stripPython(reference.slice(0, LONGEST));
  const examples = shown.map(positional).filter((one) => one !== null);
  const isShown = (constraint: Constraint): boolean => examples.every((example) => holdsFor(constraint, example));
  const given = new Names(names, values, source);
  const statements = [...statementsOf(description), ...declarationsIn(description, [...names, ...given.aliasFields()])];
  const isMeant = (one: Typed): boolean => isShown(one) && (holdsFor(one, values) || !given.isAnnotated(one.part.slot));
  const types = readTypes(statements, given).filter(isMeant);
  const known = new Names(names, withTypes(values, types), source);
  known.aliasFields();
  const ofSource = readSource(known);
  const rows = readAliases(statements, known);
  const read = [
    ...types,
    ...readTypes(statements, known).filter(isMeant),
    ...statements.flatMap((one) => [...readChains(one, known), ...readPhrases(one, known)]),
    ...formsOf(description, known),
    ...rows,
    ...ofSource,
  ];
  const distinct = [...new Map(read.map((one) => [keyOf(one), one])).values()].slice(0, MOST);
  return new Constraints(distinct.filter(isShown), known.sample);
}

/** That texts have the form of those that the description shows. */
function formsOf(description: string, names: Names): Constraint[] {
  const only = names.only(["str"]) ?? names.onlyTexts();
  const onlyName = only === null ? null : names.names[only.slot]!;
  return [...formsIn(description, names.names, onlyName)].flatMap(([name, examples]): Constraint[] => {
    const part = textPart({ slot: names.names.indexOf(name), path: [], of: "value" }, names);
    return part === null ? [] : [{ kind: "form", part, examples }];
  });
}

/** That arguments which a reference reads in parallel have equal lengths, if they have in all of several given inputs. */
export function parallelLengths(
  references: readonly string[],
  names: readonly string[],
  given: readonly ProgramInput[],
): Constraint[] {
  const isSeveral = new Set(given.map((input) => JSON.stringify(input))).size > 1;
  const pairs = isSeveral ? references.flatMap((code) => parallelParameters(code, names)) : [];
  return pairs.map(lengthsEqual).filter((one) => given.every((input) => new Constraints([one]).hold(input)));
}

/** That two arguments have equal lengths. */
function lengthsEqual([a, b]: readonly [number, number]): Constraint {
  const length = (slot: number): Term => partTerm({ slot, path: [], of: "length" });
  return { kind: "order", left: length(a), op: "==", right: length(b) };
}

const keyOf = (constraint: Constraint): string =>
  JSON.stringify(constraint, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));

/** The positional arguments of a call; null for standard input. */
const positional = (input: ProgramInput): readonly PyValue[] | null =>
  "args" in input ? parseArguments(input.args).positional : null;
