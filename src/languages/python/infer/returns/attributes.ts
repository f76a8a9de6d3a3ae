/** Finds attributes that methods read of `self` but nothing defines. Reading one raises AttributeError. */
import { forEach, isName, some, type Term, type TermOf, unlessTooDeep } from "../../normalize/canonical/terms.ts";
import { nameOf } from "./families.ts";

/** Names that create or query attributes in ways that cannot be seen here, or that handle a missing one. */
const HIDDEN =
  /^(?:hasattr|getattr|setattr|vars|exec|eval|globals|locals|__dict__|__getattr__|__getattribute__|AttributeError)$/;

/**
 * The missing attributes, except names that start with an underscore. Empty if the program creates attributes in ways that
 * cannot be seen, has no terms, or is nested too deep for the stack. Classes with bases, decorators or keywords are not
 * analysed.
 */
export function missingAttributes(program: Term | null): ReadonlySet<string> {
  return program === null ? new Set() : unlessTooDeep(() => attributesMissing(program), new Set());
}

function attributesMissing(program: Term): ReadonlySet<string> {
  const classes: TermOf<"class">[] = [];
  const given = new Set<string>();
  let hidden = false;
  forEach(program, (part) => {
    hidden ||= (part.kind === "name" || part.kind === "attribute" || part.kind === "function") && isHidden(part.text);
    if (part.kind === "class") classes.push(part);
    for (const target of targetsOf(part)) {
      forEach(target, ({ kind, text }) => {
        if (kind === "attribute") given.add(text);
      });
    }
  });
  if (hidden) return new Set();
  // A base class may read what a subclass defines, so the members of all classes count.
  for (const { items } of classes) for (const item of items[2].items) forOwn(item, (name) => given.add(name));
  const missing = new Set<string>();
  for (const { items } of classes) {
    const [decorators, bases, body] = items;
    if (decorators.items.length > 0 || !bases.items.every((base) => isName(base, "object"))) continue;
    for (const item of body.items) {
      if (item.kind !== "function" || item.items[0].items.length > 0) continue;
      for (const name of readOfSelf(item)) if (!given.has(name) && !name.startsWith("_")) missing.add(name);
    }
  }
  return missing;
}

const isHidden = (text: string): boolean => HIDDEN.test(text.replace(/^.* /, ""));

/** The targets that a statement or clause assigns to. */
function targetsOf({ kind, items }: Term): readonly Term[] {
  switch (kind) {
    case "assign":
    case "augment":
    case "annotated":
    case "for":
    case "forin":
    case "delete":
      return [items[0]!];
    case "chain":
      return items.slice(0, -1);
    case "withitem":
      return [items[1]!];
    default:
      return [];
  }
}

/** Names that a statement of a class body binds, and some that it only reads. */
function forOwn(statement: Term, take: (name: string) => void): void {
  const { kind, text, items } = statement;
  if (kind === "function" || kind === "class") take(text.replace(/^.* /, ""));
  else if (kind === "name" || kind === "literal")
    text.split(/\W+/).forEach(take); // imported names are literals
  else for (const item of items) forOwn(item, take);
}

/** Attributes that a method reads of its first parameter. Empty if the method rebinds that parameter. */
function readOfSelf(method: TermOf<"function">): readonly string[] {
  const [, parameters, body] = method.items;
  const [first] = parameters.items;
  if (first?.kind !== "name") return [];
  const isSelf = (part: Term): boolean => isName(part, first.text);
  const isOther = (part: Term): boolean =>
    (part.kind === "parameters" && part.items.some((parameter) => isSelf(nameOf(parameter)))) ||
    targetsOf(part).some((target) => isSelf(target) || (target.kind === "tuple" && target.items.some(isSelf)));
  if (some(body, isOther)) return [];
  const read: string[] = [];
  forEach(body, (part) => {
    if (part.kind === "attribute" && isSelf(part.items[0])) read.push(part.text);
  });
  return read;
}
