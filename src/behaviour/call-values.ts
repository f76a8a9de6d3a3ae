/** The values of the parameters of a class's methods in a sequence of calls (sequences.ts). */
import escapeRegExp from "escape-string-regexp";
import { type Parameter as Declared, newValues } from "../expand/index.ts";
import { distinct, parseLiteral } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";
import type { Random } from "../util/random.ts";
import type { CallConstraints } from "./constraints/calls.ts";
import { KINDS, type Kind, likelihoods } from "./kinds.ts";
import type { ShownCalls } from "./shown-calls.ts";
import { usualValue } from "./unusual.ts";

/** Maximum number of different values per parameter of an object, so that some return. */
const VALUES = 4;
/** Maximum number of different keys of an object. */
const KEYS = 4;
/** Maximum number of values that the description shows, beside the others. */
const SHOWN = 3;
/**
 * Parameters get values of their likeliest kind. If a method never returns, its parameters get that kind only with this probability, and
 * otherwise one of the next kinds. If too few sequences return, this holds for all parameters.
 */
const LIKELIEST = 0.7;
const KINDS_TRIED = 3;
/** How often an object's values are usual (unusual.ts). */
const USUAL_SHARE = 0.7;
/** How often an object's integers are small, so that a few calls reach a capacity. */
const SMALL_SHARE = 0.6;
const isLow = (literal: string): boolean => !/^\d+$/.test(literal) || Number(literal) < 4;

/** What tells the kinds of values. */
export interface Source {
  readonly body: string;
  /** Public attributes that the description names. They are read after the calls. */
  readonly attributes: readonly string[];
  readonly description: string;
  /** For each parameter name, kinds by likelihood. */
  readonly kinds: Map<string, number[]>;
  /** Names of parameters that do not always get their likeliest kind. */
  readonly doubtful: ReadonlySet<string>;
  readonly constraints: CallConstraints;
  /** For each parameter name, values that the code takes apart. */
  readonly used: ReadonlyMap<string, readonly PyValue[]>;
  /** For each parameter name, values in calls that the description shows. */
  readonly shown: ShownCalls["values"];
}

/** Whether a parameter is looked up in a dictionary, a list or a set. */
export function isKey(name: string, body: string): boolean {
  const code = body.replace(LOOP, "for");
  const own = `(?<![\\w.])${escapeRegExp(name)}(?!\\w)`;
  return new RegExp(`\\[${own}\\]|\\.(?:get|pop|setdefault|add|discard|remove)\\(${own}|${own} (?:not )?in\\b`).test(
    code,
  );
}

const LOOP = /\bfor [\w, ()]{1,60} in\b/g;

/**
 * The values of an object's parameters. Parameters of one name take the same values in all methods: what `put(key, value)` stores,
 * `get(key)` finds. So do all keys of one kind, and the keys of dictionaries: what the constructor knows, methods name.
 */
export function pools(source: Source, rng: Random): (parameter: Declared) => readonly PyValue[] {
  const { body, constraints, used, shown } = source;
  const made = new Map<string, readonly PyValue[]>();
  const isUsual = rng.chance(USUAL_SHARE);
  const isSmall = rng.chance(SMALL_SHARE);
  const once = (name: string, make: () => readonly PyValue[]): readonly PyValue[] => {
    const values = made.get(name) ?? make().map((value) => (isUsual ? usualValue(value) : value));
    made.set(name, values);
    return values;
  };
  const keys = (type: string, make: () => readonly PyValue[]): readonly PyValue[] =>
    once(`keys ${type}`, () => make().slice(0, rng.int(1, KEYS)));
  return ({ name, shape }) => {
    const type = shape[0]?.of.t;
    const isLookedUp = isKey(name, body);
    const kind = type === undefined ? likelyKind(name, source, rng, isLookedUp) : null;
    const make = (): readonly PyValue[] => {
      const own = used.get(name)?.filter((value) => type === undefined || value.t === type) ?? [];
      const values =
        own.length > 0
          ? rng.shuffle(own).slice(0, VALUES)
          : kind === null
            ? newValues(shape, VALUES, rng, body)
            : rng
                .shuffle(isSmall ? kind.literals.filter(isLow) : kind.literals)
                .slice(0, VALUES)
                .map(parseLiteral);
      const some = rng.shuffle(shown.get(name) ?? []).slice(0, rng.int(0, SHOWN));
      return distinct([...some, ...values]).map((value) => constraints.fittedValue(name, value));
    };
    if (isLookedUp) return keys(kind?.type ?? (type as string), make);
    return once(name, () => make().map((value) => withKeys(value, keys)));
  };
}

/** A dictionary with other keys of the same type. */
function withKeys(value: PyValue, keys: (type: string, make: () => readonly PyValue[]) => readonly PyValue[]): PyValue {
  if (value.t !== "dict" || value.v.length === 0) return value;
  const own = value.v.map(([key]) => key);
  const pool = keys(own[0]!.t, () => own);
  return { t: "dict", v: value.v.slice(0, pool.length).map(([, item], i) => [pool[i]!, item]) };
}

/** `isLookedUp`: values are keys of a dictionary or items of a set, so they are hashable. */
function likelyKind(
  name: string,
  { body, description, kinds, doubtful, constraints, shown }: Source,
  rng: Random,
  isLookedUp: boolean,
): Kind {
  const examples = shown.get(name)?.map(({ t }) => t) ?? [];
  const said = examples.length > 0 ? examples : constraints.typesOf(name);
  const mayBe = (type: PyValue["t"]): boolean =>
    (!isLookedUp || /^(?:int|str|tuple)$/.test(type)) && (said === null || said.includes(type));
  const all = kinds.get(name) ?? rank(likelihoodsIn(name, body, description));
  const fitting = all.filter((i) => mayBe(KINDS[i]!.type));
  const ranked = fitting.length > 0 ? fitting : all;
  kinds.set(name, ranked);
  return KINDS[
    ranked[!doubtful.has(name) || rng.chance(LIKELIEST) ? 0 : rng.int(1, KINDS_TRIED - 1) % ranked.length]!
  ]!;
}

/** The same in a class, where `self.capacity = capacity` is used, too, and where few sentences are about the parameter. */
export function likelihoodsIn(name: string, body: string, description: string): number[] {
  const own = `(?<![\\w.])${escapeRegExp(name)}(?!\\w)`;
  const assigned = new RegExp(`^[ \\t]+self\\.(\\w{1,40})(?::[^=\\n]{1,60})?[ \\t]*=[ \\t]*${own}(?![ \\t]*,)`, "gm");
  const held = [...body.matchAll(assigned)].map(([, attribute]) => attribute!);
  const code = held.length === 0 ? body : body.replace(new RegExp(`\\bself\\.(?:${held.join("|")})\\b`, "g"), name);
  const about = description.split(/(?<=[.;])\s/).filter((sentence) => new RegExp(own).test(sentence));
  return likelihoods(name, code, about.join(" "));
}

export const rank = (weights: readonly number[]): number[] =>
  weights.map((_, i) => i).sort((a, b) => weights[b]! - weights[a]! || a - b);
