/**
 * Shapes from type annotations in a signature: `def f(xs: List[int], k: Optional[int] = None) -> bool`.
 * Names that stand for other types (`Grid = List[...]`) and classes are not resolved: their shape is empty, which means unknown.
 */
import escapeRegExp from "escape-string-regexp";
import type { PyValue } from "../types.ts";
import { readCall, splitTopLevel } from "./call.ts";
import { type Alternative, type ItemsShape, inferText, type Shape } from "./shape.ts";

/** Types with more characters, or nested this deep, are unknown. */
const LONGEST = 1000;
const DEEPEST = 6;

export interface Parameter {
  readonly name: string;
  readonly shape: Shape;
  /** The parameter has a default, so a call may leave it out. */
  readonly optional: boolean;
}

/** The positional parameters of the first `def` with this name (of a method: `Solution().f`), without `self`; null if there is none. */
export function readSignature(code: string, entryPoint: string): Parameter[] | null {
  const parts = partsOf(code, entryPoint);
  if (parts === null) return null;
  const star = parts.findIndex((part) => part.trim().startsWith("*"));
  return (star < 0 ? parts : parts.slice(0, star))
    .map(readPart)
    .filter((part) => part !== null)
    .map(({ name, annotation, fallback }) => ({
      name,
      shape: readAnnotation(annotation),
      optional: fallback !== undefined,
    }));
}

/** The names of the parameters in the first of the texts that has the `def`; empty if none has. */
export function parameterNames(texts: readonly string[], entryPoint: string): string[] {
  for (const text of texts) {
    const signature = readSignature(text, entryPoint);
    if (signature !== null) return signature.map(({ name }) => name);
  }
  return [];
}

/** The parameters that take any number of arguments: `*nums` and `**params`; null without one. */
export function readVariadic(code: string, entryPoint: string): Record<"positional" | "keyword", Parameter | null> {
  const parts = (partsOf(code, entryPoint) ?? []).map((part) => part.trim());
  const read = (stars: RegExp): Parameter | null => {
    const part = parts.find((one) => stars.test(one));
    const found = part === undefined ? null : readPart(part.replace(stars, ""));
    return found && { name: found.name, shape: readAnnotation(found.annotation), optional: true };
  };
  return { positional: read(/^\*(?=[^*])/), keyword: read(/^\*\*/) };
}

/** A parameter with a default. `type`: of its values besides None, by annotation or by the default; null if neither tells. */
export interface Option {
  readonly name: string;
  readonly type: PyValue["t"] | null;
  /** By annotation; empty if there is none, or it is unknown. */
  readonly shape: Shape;
  /** The default; null if it is not a literal. */
  readonly fallback: PyValue | null;
}

/** The parameters with a default, also those after `*`. */
export function readOptions(code: string, entryPoint: string): Option[] {
  return (partsOf(code, entryPoint) ?? [])
    .map(readPart)
    .filter((part) => part !== null)
    .flatMap(({ name, annotation, fallback }): Option[] => {
      if (fallback === undefined) return [];
      const value = readCall(fallback)[0]?.value ?? null;
      const shape = readAnnotation(annotation).filter(({ of }) => of.t !== "none");
      const types = [...shape.map(({ of }) => of.t), value?.t ?? null];
      return [{ name, type: types.find((type) => type !== "none") ?? null, shape, fallback: value }];
    });
}

/** The annotations of a function as they are written, empty where there is none, and the one of its result; null if there is no such function. */
export function annotationsOf(
  code: string,
  entryPoint: string,
): { readonly parameters: readonly { name: string; annotation: string }[]; readonly result: string } | null {
  const found = signatureIn(code, entryPoint);
  if (found === null) return null;
  const after = code.slice(found.end, found.end + LONGEST);
  return {
    parameters: splitTopLevel(code.slice(found.start, found.end))
      .map(readPart)
      .filter((part) => part !== null)
      .map(({ name, annotation }) => ({ name, annotation: annotation.trim() })),
    result: /^\)\s{0,40}->\s{0,40}([^\s:][^:\n]{0,200}):/.exec(after)?.[1]?.trim() ?? "",
  };
}

/** The code with other annotations of a function's parameters. `annotate` returns null to keep the one that is there. */
export function withAnnotations(code: string, entryPoint: string, annotate: (place: number) => string | null): string {
  const found = signatureIn(code, entryPoint);
  if (found === null) return code;
  let place = 0;
  const parts = splitTopLevel(code.slice(found.start, found.end)).map((part) => {
    const own = readPart(part);
    const annotation = own && annotate(place++);
    if (!annotation) return part;
    return ` ${own!.name}: ${annotation}${own!.fallback === undefined ? "" : ` = ${own!.fallback.trim()}`}`;
  });
  return `${code.slice(0, found.start)}${parts.join(",")}${code.slice(found.end)}`;
}

/** The parameters of a function as they are written; null if there is no such function. */
function partsOf(code: string, entryPoint: string): string[] | null {
  const found = signatureIn(code, entryPoint);
  return found && splitTopLevel(code.slice(found.start, found.end));
}

/** Where the parameters of the first `def` with this name are written. */
function signatureIn(code: string, entryPoint: string): { readonly start: number; readonly end: number } | null {
  const name = entryPoint.slice(entryPoint.lastIndexOf(".") + 1);
  const found = new RegExp(`\\bdef\\s+${escapeRegExp(name)}\\s*\\(`).exec(code);
  if (found === null) return null;
  const start = found.index + found[0].length;
  return { start, end: start + insideBrackets(code.slice(start - 1)).length };
}

interface Part {
  readonly name: string;
  readonly annotation: string;
  readonly fallback: string | undefined;
}

function readPart(part: string): Part | null {
  const match = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*(?::([\s\S]*?))?(?:=([^=][\s\S]*))?$/u.exec(part.trimEnd());
  const [, name, annotation = "", fallback] = match ?? [];
  return name === undefined || name === "self" ? null : { name, annotation, fallback };
}

/** How much more often an annotated text is made of the letters that the program looks for. */
const SPELLED = 2;

/** The shape, with texts that are mostly made of `letters`. In half of those texts all brackets are closed. */
export function spelled(shape: Shape, letters: readonly string[]): Shape {
  if (letters.length === 0) return shape;
  const inside = (part: Shape): Shape => spelled(part, letters);
  return shape.flatMap((one): Shape => {
    const { weight, of } = one;
    if (of.t === "dict") return [{ weight, of: { ...of, key: inside(of.key), value: inside(of.value) } }];
    if ("item" in of)
      return [{ weight, of: { ...of, item: inside(of.item), positions: of.positions?.map(inside) ?? null } }];
    if (of.t !== "str") return [one];
    const text = { ...inferText(["", letters.join(""), letters.slice(0, 2).join("")]), structured: false };
    return [one, ...[true, false].map((balanced) => ({ weight: (weight * SPELLED) / 2, of: { ...text, balanced } }))];
  });
}

/** Whether a program reads a parameter as a matrix: it asks for the length of the first row, or transposes. */
export function isMatrix(name: string, source: string): boolean {
  const own = escapeRegExp(name);
  return new RegExp(`\\blen\\(${own}\\[0\\]\\)|\\*${own}(?:\\[::-1\\])?\\)`).test(source);
}

/** The shape, with rows of equal lengths if the program reads the parameter as a matrix. */
export function asMatrix(shape: Shape, name: string, source: string): Shape {
  if (!isMatrix(name, source)) return shape;
  return shape.map(({ weight, of }) => ({
    weight,
    of: of.t === "list" && of.item.some((item) => item.of.t === "list") ? { ...of, rectangular: true } : of,
  }));
}

/** Whether a shape leaves the type of some part open, as `list` and `Dict[str, Any]` do. */
export function isVague(shape: Shape): boolean {
  return (
    shape.length === 0 ||
    shape.some(({ of }) => {
      if (of.t === "dict") return isVague(of.key) || isVague(of.value);
      return "item" in of && (of.positions?.some(isVague) ?? isVague(of.item));
    })
  );
}

/** The text between the bracket that opens `text` and its partner. */
function insideBrackets(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (/[[({]/.test(text[i] as string)) depth += 1;
    else if (/[\])}]/.test(text[i] as string)) depth -= 1;
    if (depth === 0) return text.slice(1, i);
  }
  return text.slice(1);
}

const one = (of: Alternative): Shape => [{ weight: 1, of }];
const items = (t: ItemsShape["t"], item: Shape, positions: readonly Shape[] | null = null): Shape =>
  one({
    t,
    item,
    positions,
    lengths: positions ? { min: positions.length, max: positions.length } : { min: 0, max: 6 },
    order: null,
    distinct: false,
    rectangular: false,
  });

const scalars: Record<string, Shape> = {
  int: one({ t: "int", min: -10n, max: 20n }),
  float: one({ t: "float", min: -10, max: 20, decimals: 2 }),
  complex: one({ t: "complex" }),
  bool: one({ t: "bool" }),
  str: one({ ...inferText(["", "Hello, world 12", "abcab"]), structured: false }),
  bytes: one({ t: "bytes" }),
  None: one({ t: "none" }),
};

const collections: Record<string, ItemsShape["t"]> = {
  list: "list",
  sequence: "list",
  iterable: "list",
  collection: "list",
  mutablesequence: "list",
  set: "set",
  mutableset: "set",
  abstractset: "set",
  frozenset: "frozenset",
};

/** The shape of a type expression; empty if the type is unknown. */
export function readAnnotation(text: string, depth = 0): Shape {
  if (text.length > LONGEST || depth === DEEPEST) return [];
  const inside = (part = ""): Shape => readAnnotation(part, depth + 1);
  const source = text.trim().replace(/^(['"])(.*)\1$/s, "$2");
  const union = splitUnion(source);
  if (union.length > 1) return union.flatMap(inside);
  const [, path = "", , inner] = /^([\w.]+)\s*(\[([\s\S]*)\])?$/.exec(source) ?? [];
  const name = path.replace(/^.*\./, "");
  const scalar = scalars[name];
  if (scalar) return scalar;
  const args = inner === undefined ? [] : splitTopLevel(inner).map((arg) => arg.trim());
  if (name === "Optional") return [...inside(args[0]), ...(scalars.None ?? [])];
  if (name === "Union") return args.flatMap(inside);
  if (name === "Tuple" || name === "tuple") {
    if (args.length === 0 || args[1] === "...") return items("tuple", inside(args[0]));
    const positions = args.map(inside);
    return items("tuple", positions.flat(), positions);
  }
  if (/^(?:default)?dict$|^(?:mutable)?mapping$/i.test(name)) {
    const [key, value] = args;
    return one({ t: "dict", lengths: { min: 0, max: 4 }, key: inside(key), value: inside(value) });
  }
  const collection = collections[name.toLowerCase()];
  return collection ? items(collection, inside(args[0])) : [];
}

/** Splits at the `|` outside of brackets. */
function splitUnion(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const c of text) {
    if (c === "[") depth += 1;
    if (c === "]") depth -= 1;
    if (c === "|" && depth === 0) parts.push("");
    else parts[parts.length - 1] += c;
  }
  return parts;
}
