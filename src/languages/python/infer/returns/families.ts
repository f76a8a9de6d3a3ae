/** Infers the families of values that an expression of a function can have. Ignores control flow: every assignment counts. */
import type { Meanings } from "../../normalize/canonical/purity.ts";
import { forEach, isName, type Term } from "../../normalize/canonical/terms.ts";
import { type Family, FUNCTION_GIVES, familyOf, type GivenType, MATH_GIVES, METHOD_GIVES } from "../types.ts";

/** Null means that the value may be anything. */
export type Families = ReadonlySet<Family> | null;

/** For each variable, all values assigned to it; null for an unknown value. */
type Given = Map<string, (Term | null)[]>;

/** What is known within one function. */
export interface Scope {
  /** The families of its variables, without parameters; empty sets at the start of the inference. */
  readonly families: ReadonlyMap<string, Families>;
  /** The families of the elements of lists and sets that its variables hold. */
  readonly members: ReadonlyMap<string, Families>;
  /** The names of its parameters. */
  readonly parameters: ReadonlySet<string>;
  readonly meanings: Meanings;
  /** The families that a call of one of the program's own functions returns; undefined if none has that name. */
  callOf(name: string): Families | undefined;
}

const only = (family: Family): Families => new Set([family]);

function familiesOfType(type: GivenType): Families {
  const family = familyOf(type);
  return family && only(family);
}

export const either = (all: readonly Families[]): Families =>
  all.some((families) => families === null) ? null : new Set(all.flatMap((families) => [...families!]));

export function familiesOf(of: Term, scope: Scope): Families {
  const families = (part: Term): Families => familiesOf(part, scope);
  switch (of.kind) {
    case "nothing":
      return only("None"); // a bare `return`
    case "literal":
      return literalFamily(of.text);
    case "fstring":
      return only("text");
    case "list":
    case "tuple":
    case "dict":
    case "set":
      return only(of.kind);
    case "comprehension":
      return only(of.text === "generator" ? "iterator" : (of.text as Family));
    case "compare":
      return scope.meanings.hasClasses ? null : only("number");
    case "unary":
    case "not":
      return only("number");
    case "logic":
      return either(of.items.map(families));
    case "conditional":
      return either([families(of.items[0]), families(of.items[2])]);
    case "walrus":
      return families(of.items[1]);
    case "operation":
      return operationKinds(of.text, families(of.items[0]), families(of.items[1]));
    case "subscript": {
      const [value, index] = of.items;
      const whole = families(value);
      return index?.kind === "slice" || (whole?.size === 1 && whole.has("text")) ? whole : null;
    }
    case "call":
      return callFamilies(of.items[0], of.items[1].items, scope, families);
    case "name":
      return scope.families.get(of.text) ?? null;
    default:
      return null;
  }
}

function literalFamily(text: string): Families {
  if (text === "None") return only("None");
  if (/^[ru]?['"]/i.test(text)) return only("text");
  return /^(?:\d|True$|False$)/.test(text) ? only("number") : null;
}

/** The result of an operator on two built-in values. If only one operand is known, the other is assumed to fit. */
function operationKinds(operator: string, left: Families, right: Families): Families {
  const known = new Set([...(left ?? []), ...(right ?? [])]);
  switch (operator) {
    case "/":
    case "//":
    case "**":
    case "<<":
    case ">>":
      return only("number");
    case "%":
      if (left === null) return null;
      return left.has("text") ? left : only("number");
    case "+":
      return known.size > 0 ? known : bothOr(left, right);
    case "*":
      known.delete("number");
      return known.size > 0 ? known : left !== null && right !== null ? only("number") : null;
    case "-":
      return known.has("number") ? only("number") : bothOr(left, right);
    default:
      return bothOr(left, right);
  }
}

const bothOr = (left: Families, right: Families): Families => (left === null || right === null ? null : left);

function callFamilies(
  callee: Term,
  items: readonly Term[],
  scope: Scope,
  families: (part: Term) => Families,
): Families {
  if (isName(callee)) {
    const { text } = callee;
    if (scope.families.has(text) || scope.parameters.has(text)) return null;
    const called = scope.callOf(text);
    if (called !== undefined) return called;
    if (!scope.meanings.isBuiltin(text) && !/^(?:Counter|OrderedDict|defaultdict)$/.test(text)) return null;
    const given = FUNCTION_GIVES.get(text);
    if (given !== undefined) return familiesOfType(given);
    return /^(?:max|min)$/.test(text) &&
      items.length > 1 &&
      items.every(({ kind }) => kind !== "keyword" && kind !== "star")
      ? either(items.map(families))
      : null;
  }
  if (callee.kind !== "attribute" || scope.meanings.hasClasses) return null;
  const [object] = callee.items;
  const name = object.kind === "name" ? object.text : null;
  if (name === "math") return MATH_GIVES.has(callee.text) ? only("number") : null;
  // Any other name may be a module.
  if (name !== null && (name === "self" || !(scope.families.has(name) || scope.parameters.has(name)))) return null;
  if (callee.text === "copy") return families(object);
  const given = METHOD_GIVES.get(callee.text);
  return given === undefined ? null : familiesOfType(given);
}

/** The families of the elements of a list, tuple, set or text; an empty set if it is empty. */
export function membersOf(of: Term, scope: Scope): Families {
  const members = (part: Term): Families => membersOf(part, scope);
  const ofText = (): Families => {
    const families = familiesOf(of, scope);
    return families?.size === 1 && families.has("text") ? families : null;
  };
  switch (of.kind) {
    case "list":
    case "tuple":
    case "set":
      return either(of.items.map((item) => familiesOf(item, scope)));
    case "comprehension":
      return of.text === "dict" ? null : familiesOf(of.items[0], scope);
    case "conditional":
      return either([members(of.items[0]), members(of.items[2])]);
    case "operation":
      if (of.text === "*") return members(of.items[0]);
      return of.text === "+" ? either(of.items.map(members)) : null;
    case "call": {
      const [callee, { items }] = of.items;
      if (callee.kind === "attribute" && /^(?:r?split|splitlines)$/.test(callee.text)) {
        return familiesOf(of, scope) && only("text");
      }
      const copies = isName(callee) && /^(?:list|set|sorted|tuple)$/.test(callee.text);
      if (!copies || !scope.meanings.isBuiltin(callee.text)) return ofText();
      return items[0] === undefined ? new Set() : members(items[0]);
    }
    case "name":
      return scope.members.get(of.text) ?? null;
    default:
      return ofText();
  }
}

/**
 * Infers what a function's variables hold: everything that is ever assigned to them. Repeats until nothing changes, because
 * variables may be assigned to each other.
 */
export function scopeOf(
  parameters: ReadonlySet<string>,
  body: Term,
  around: Pick<Scope, "meanings" | "callOf">,
): Scope {
  const given = givenIn(body);
  const names = [...given.values.keys()].filter((name) => !parameters.has(name));
  const [families, members] = [new Map<string, Families>(), new Map<string, Families>()];
  const scope = { families, members, parameters, ...around };
  for (const name of names) {
    families.set(name, new Set());
    members.set(name, new Set());
  }
  const all = (values: readonly (Term | null)[], read: (of: Term, scope: Scope) => Families): Families[] =>
    values.map((value) => (value === null ? null : read(value, scope)));
  const work = (): number => {
    for (const name of names) {
      const values = given.values.get(name)!;
      families.set(name, either([families.get(name)!, ...all(values, familiesOf)]));
      const put = given.members.get(name) ?? [];
      members.set(name, either([members.get(name)!, ...all(values, membersOf), ...all(put, familiesOf)]));
    }
    return known([...families.values(), ...members.values()]);
  };
  return isSettled(work) ? scope : { ...scope, families: new Map(), members: new Map() };
}

/** The total amount inferred, to detect a fixed point. Grows with each added family, and most if a value may be anything. */
export function known(all: Iterable<Families>): number {
  let sum = 0;
  for (const families of all) sum += families?.size ?? 100;
  return sum;
}

/** Maximum number of rounds. Ordinary programs need fewer; a program contrived to need more is not analysed. */
const MOST_ROUNDS = 20;

/** Whether the result of a round stops changing within `MOST_ROUNDS`. */
export function isSettled(round: () => number): boolean {
  let before = round();
  for (let rounds = 1; rounds < MOST_ROUNDS; rounds++) {
    const now = round();
    if (now === before) return true;
    before = now;
  }
  return false;
}

/**
 * Collects the values assigned to variables, and the values put into the containers that variables hold. Loop variables and most
 * unpacked values are unknown, except counters.
 */
function givenIn(body: Term): { values: Given; members: Given } {
  const [values, members]: [Given, Given] = [new Map(), new Map()];
  const add = (to: Given, { text }: Term, value: Term | null): void => {
    const before = to.get(text);
    if (before === undefined) to.set(text, [value]);
    else before.push(value);
  };
  const give = (target: Term, value: Term | null): void => {
    if (isName(target)) add(values, target, value);
    else if (target.kind === "subscript") {
      if (isName(target.items[0])) add(members, target.items[0], target.items[1]?.kind === "slice" ? null : value);
    } else if (/^(?:tuple|list)$/.test(target.kind)) {
      const matches =
        value !== null && /^(?:tuple|list)$/.test(value.kind) && value.items.length === target.items.length;
      const plain = matches && [...value.items, ...target.items].every(({ kind }) => kind !== "star");
      for (const [i, item] of target.items.entries()) give(item, plain ? value.items[i]! : null);
    } else if (target.kind === "star") give(target.items[0], null);
  };
  forEach(body, (part) => {
    if (part.kind === "assign" || part.kind === "walrus" || part.kind === "annotated")
      give(part.items[0], part.items[1]);
    else if (part.kind === "chain") for (const target of part.items.slice(0, -1)) give(target, part.items.at(-1)!);
    else if (part.kind === "augment") {
      const [target, value] = part.items;
      give(target, { kind: "operation", text: part.text, items: [target, value] });
    } else if (part.kind === "for" || part.kind === "forin") giveEach(part.items[0], part.items[1], give);
    else if (part.kind === "withitem" || part.kind === "handler") give(part.items[1], null);
    else if (part.kind === "function" || part.kind === "lambda") {
      if (part.kind === "function") give({ kind: "name", text: part.text.replace(/^.* /, ""), items: [] }, null);
      for (const parameter of (part.kind === "function" ? part.items[1] : part.items[0]).items)
        give(nameOf(parameter), null);
    } else if (part.kind === "global") for (const item of part.items) give(item, null);
    else if (part.kind === "call" && isName(part.items[0])) {
      // A function that gets a list may put anything into it.
      const given = FUNCTION_GIVES.has(part.items[0].text) ? [] : part.items[1].items;
      for (const item of given) if (isName(item)) add(members, item, null);
    } else if (part.kind === "call" && part.items[0].kind === "attribute" && isName(part.items[0].items[0])) {
      const [{ text, items }, { items: given }] = part.items;
      if (/^(?:add|append)$/.test(text)) add(members, items[0]!, given[0] ?? null);
      else if (/^(?:extend|insert|update|__setitem__)$/.test(text)) add(members, items[0]!, null);
    }
  });
  return { values, members };
}

const ZERO: Term = { kind: "literal", text: "0", items: [] };

function giveEach(target: Term, from: Term, give: (target: Term, value: Term | null) => void): void {
  const callee = from.kind === "call" ? from.items[0] : null;
  if (isName(callee ?? undefined, "range")) give(target, ZERO);
  else if (isName(callee ?? undefined, "enumerate") && target.kind === "tuple") {
    for (const [i, item] of target.items.entries()) give(item, i === 0 ? ZERO : null);
  } else give(target, null);
}

/** The name of a parameter; for `/` and `*`, the separator itself. */
export const nameOf = (parameter: Term): Term =>
  parameter.kind === "default" || parameter.kind === "star" ? nameOf(parameter.items[0]!) : parameter;
