/** Reads types in words: `qty is a positive int`, `names is a list of str`, `given a string s and an integer k`. */
import { printLiteral } from "../../languages/python/literals/index.ts";
import type { PyValue } from "../../types.ts";
import { dayOf } from "../dates.ts";
import { CONDITION } from "./chains.ts";
import { holdsFor } from "./check.ts";
import type { Names } from "./names.ts";
import { ADJECTIVE, TYPE } from "./nouns.ts";
import type { Constraint, Part } from "./parts.ts";
import type { Statement } from "./statements.ts";
import { bare, partsBefore } from "./subjects.ts";

type Type = PyValue["t"];
export type Typed = Extract<Constraint, { kind: "types" }>;

/** `integer list`, `list of pairs of ints` say more than the first word. */
const END = "\\b(?! (?:lists?|arrays?)\\b)";

const SAID = new RegExp(
  `\\b(is|are|be)(?: always| both| all| each)?(?: an?| two| a plain)? ${ADJECTIVE}{0,3}(${TYPE})${END}(?: of (?:\\([^()\\n]{1,60}\\) )?${ADJECTIVE}{0,3}(${TYPE})${END})?(?!(?<=numbers?) of (?!at\\b|length\\b|size\\b))`,
  "gi",
);
const GIVEN = new RegExp(
  `\\b(?:an?|the|given|two) ${ADJECTIVE}{0,3}(${TYPE})(?: of ${ADJECTIVE}{0,3}(${TYPE}))?(?: called| named)? (\\w{1,30})(?![\\w[-])(?! (?:of|represent\\w*|as)\\b)`,
  "gi",
);

/** `qty is at least 1`, `qty >= 1`, `qty must be positive` */
const COMPARED =
  /(?<![\w.[])(\w{1,30}) (?:(?:is|must be|will be|should be)(?: always| guaranteed to be)? (?:positive|non-?negative|(?:at least|at most|no (?:less|more) than|greater than|less than|more than|between) -?\d|never negative)|[<>]=? ?-?\d)/g;

const WORDS: readonly (readonly [RegExp, readonly Type[]])[] = [
  [/^(?:int|whole)/i, ["int"]],
  [/^(?:number|float)/i, ["int", "float"]],
  [/^(?:str|text)/i, ["str"]],
  [/^bool/i, ["bool"]],
  [/^(?:list|array)/i, ["list", "tuple"]],
  [/^(?:tuple|pair|triple)/i, ["tuple", "list"]],
  [/^dict/i, ["dict", "list", "tuple", "set"]], // also one of words
  [/^set/i, ["set", "frozenset", "list", "tuple"]],
];

const typesOf = (word: string): readonly Type[] => WORDS.find(([pattern]) => pattern.test(word))![1];
const isCollection = (types: readonly Type[]): boolean => types.some((type) => /^(?:list|tuple|set|dict)$/.test(type));

/** The types that statements give to parts. Statements that contradict each other count for nothing. */
export function readTypes(statements: readonly Statement[], names: Names): Typed[] {
  const read = [
    ...statements.flatMap((one) => [...said(one, names), ...given(one, names), ...implied(one, names)]),
    ...onlyText(statements, names),
  ];
  const byPart = new Map<string, Typed>();
  for (const one of read) {
    const key = JSON.stringify(one.part);
    const before = byPart.get(key);
    const types = before === undefined ? one.types : before.types.filter((type) => one.types.includes(type));
    byPart.set(key, { ...one, types });
  }
  return [...byPart.values()].filter(({ types }) => types.length > 0);
}

function said({ text, isListed }: Statement, names: Names): Typed[] {
  return [...text.matchAll(SAID)].flatMap((match) => {
    const before = text.slice(0, match.index);
    if (isListed ? /\b(?:if|when|whether|unless)\b/i.test(before) : CONDITION.test(before)) return [];
    const after = text.slice(match.index + match[0].length);
    const own = names.part(bare(before.trim().split(/\s+/).at(-1)!));
    if (own === null) return []; // `a perfect number is an integer`
    return partsBefore(before.replace(/ (?:will|must|should)\s*$/i, ""), names).flatMap((part) =>
      part.of === "value" ? typed(part, match[1]!, match[2]!, match[3], after, names) : [],
    );
  });
}

function given({ text }: Statement, names: Names): Typed[] {
  return [...text.matchAll(GIVEN)].flatMap(([, type, item, name], i, all) => {
    if (CONDITION.test(text.slice(0, all[i]!.index))) return [];
    const part = names.names.includes(name!) ? names.part(name!) : null;
    return part === null ? [] : typed(part, "is", type!, item, "", names);
  });
}

const TEXT = /(?<!\b(?:as|into|to|returns?|returning|is|be)) (?:an?|the|given) (?:\w{1,20} )?string\b(?! \w{1,30}\[)/i;
const OTHERS =
  /\b(?:strings|lists?|arrays?|tuples?|dict\w*|sets?|integers?|ints?|floats?|numbers?(?! of\b)|digits?|sequences?|matri\w+|characters?)\b/i;

/** The only parameter is a text if the description speaks of a string, and of nothing else: `reverse a string`. */
function onlyText(statements: readonly Statement[], names: Names): Typed[] {
  const text = statements.map((one) => ` ${one.text}`).join("\n");
  const isText = names.names.length === 1 && TEXT.test(text) && !OTHERS.test(text);
  return isText ? [{ kind: "types", part: { slot: 0, path: [], of: "value" }, types: ["str"] }] : [];
}

/** What is compared with a number is one, even if the sample has a text there, other than a date. */
function implied({ text, isListed }: Statement, names: Names): Typed[] {
  return [...text.matchAll(COMPARED)].flatMap((match) => {
    if (!isListed && CONDITION.test(text.slice(0, match.index))) return [];
    const slot = names.names.indexOf(match[1]!);
    const value = names.sample[slot];
    const isNumber = value === undefined || value.t === "int" || value.t === "float";
    const isDate = value?.t === "str" && dayOf(value.v) !== null;
    const isList = names.mayHaveItems({ slot, path: [], of: "value" }) && /s$/.test(match[1]!);
    if (isNumber || isDate || isList) return [];
    return [{ kind: "types", part: { slot, path: [], of: "value" }, types: ["int", "float"] }];
  });
}

function typed(part: Part, verb: string, word: string, item: string | undefined, after: string, names: Names): Typed[] {
  const none: readonly Type[] = /^,? or (?:is )?none\b/i.test(after) ? ["none"] : [];
  const types = typesOf(word);
  const items: Part = { ...part, path: [...part.path, "*"] };
  // names are strings: the items of a list
  const isMany = /^are$/i.test(verb) && /s$/.test(word) && !isCollection(types) && names.mayHaveItems(part);
  if (isMany) return [{ kind: "types", part: items, types }];
  return [
    { kind: "types", part, types: [...types, ...none] },
    ...(item === undefined ? [] : [{ kind: "types", part: items, types: typesOf(item) } as const]),
  ];
}

const DEFAULTS: Readonly<Partial<Record<Type, PyValue>>> = {
  int: { t: "int", v: 3n },
  float: { t: "float", v: 2.5 },
  str: { t: "str", v: "abc" },
  bool: { t: "bool", v: true },
  tuple: { t: "tuple", v: [1n, 2n, 3n].map((v) => ({ t: "int", v })) },
  dict: { t: "dict", v: [] },
};

/** The sample with values of the stated types in place of others. Later, phrases about numbers are read only for numbers. */
export function withTypes(sample: readonly PyValue[], all: readonly Typed[]): readonly PyValue[] {
  return sample.map((value, slot) => {
    const own = all.find(({ part }) => part.slot === slot && part.path.length === 0);
    const items = all.find(({ part }) => part.slot === slot && part.path.length === 1 && part.path[0] === "*");
    const isRight =
      (own === undefined || holdsFor(own, onlyAt(slot, value))) &&
      (items === undefined || holdsFor(items, onlyAt(slot, value)));
    if (isRight) return value;
    const type = own?.types[0] ?? (items === undefined ? "int" : "list");
    if (type !== "list" && type !== "tuple") return DEFAULTS[type] ?? value;
    const item = DEFAULTS[items?.types[0] ?? "int"] ?? DEFAULTS.int!;
    return { t: type, v: [item] };
  });
}

const onlyAt = (slot: number, value: PyValue): readonly PyValue[] =>
  Array.from({ length: slot + 1 }, (_, i) => (i === slot ? value : { t: "none" as const }));

/** A value of the first type. */
export const defaultOf = ([type]: readonly Type[]): PyValue =>
  type === "list" ? { t: "list", v: [DEFAULTS.int!] } : (DEFAULTS[type ?? "int"] ?? DEFAULTS.int!);

/** The value as one of the types, if it can be read as such: 2.0 as 2, 3 as '3', 'abc' as 3 or as its characters. */
export function converted(value: PyValue, types: readonly Type[]): PyValue {
  const [type] = types;
  if (type === "list" && value.t === "str") return { t: "list", v: [...value.v].map((v) => ({ t: "str", v })) };
  const number = value.t === "int" || value.t === "bool" ? Number(value.v) : value.t === "float" ? value.v : null;
  const size = value.t === "str" ? value.v.length : number;
  if (size === null || !Number.isFinite(size)) return value;
  if (type === "int" && Number.isFinite(size)) return { t: "int", v: BigInt(Math.trunc(size)) };
  if (type === "float") return { t: "float", v: size };
  if (type === "bool") return { t: "bool", v: size % 2 !== 0 };
  return type === "str" && value.t !== "str" ? { t: "str", v: printLiteral(value) } : value;
}
