/** Shapes of functions' arguments, from their annotations. */
import type { Node, Program } from "../../syntax/parse.ts";
import { ANYTHING, holding, INT, join, NONE, NUMBER, of, type Shape, TEXT, tupleOf } from "./shapes.ts";

/**
 * For each function and method of a program, by name: the shapes of its arguments by position, without `self`. ANYTHING if not
 * annotated.
 */
export function annotatedArguments({ nodes, code }: Program): ReadonlyMap<string, readonly Shape[]> {
  const text = ({ start, end }: Node): string => code.slice(start, end);
  const found = new Map<string, readonly Shape[]>();
  for (const { type, children } of nodes) {
    if (type !== "function_definition") continue;
    const name = children.find(({ field }) => field === "name");
    const parameters = children.find(({ field }) => field === "parameters");
    if (name === undefined || parameters === undefined) continue;
    const all = parameters.children.filter(({ named }) => named);
    const end = all.findIndex((part) => text(part).startsWith("*"));
    const shapes = all
      .slice(0, end < 0 ? all.length : end)
      .filter((part) => !/^(?:self|cls|\/)$/.test(text(part)))
      .map((part) => part.children.find(({ field }) => field === "type"))
      .map((annotation) => (annotation === undefined ? ANYTHING : saidBy(text(annotation))));
    found.set(text(name), shapes);
  }
  return found;
}

/** The shape of an annotation such as `List[int]`. */
function saidBy(annotation: string): Shape {
  const text = annotation.replace(/\s+/g, "").replace(/^(?:typing|t)\./, "");
  const [, name = "", inside = ""] = /^(\w+)(?:\[(.*)\])?$/.exec(text) ?? [];
  const parts = split(inside).map(saidBy);
  const [first = null, second = null] = parts;
  switch (name) {
    case "int":
    case "bool":
      return INT;
    case "float":
      return NUMBER;
    case "str":
      return TEXT;
    case "None":
      return NONE;
    case "list":
    case "List":
      return holding("list", first);
    case "set":
    case "Set":
      return holding("set", first);
    case "dict":
    case "Dict":
      return holding("dict", first, second);
    case "tuple":
    case "Tuple":
      if (first === null) return of("tuple");
      return /,\.\.\.$/.test(inside) ? holding("tuple", first) : tupleOf(parts);
    case "Optional":
      return first === null ? ANYTHING : join(first, NONE);
    case "Union":
      return parts.length === 0 ? ANYTHING : parts.reduce(join);
    default:
      return ANYTHING;
  }
}

/** Splits at commas outside brackets. */
function split(text: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let i = 0; i <= text.length; i++) {
    const at = text[i];
    if (at === "[" || at === "(") depth++;
    else if (at === "]" || at === ")") depth--;
    else if ((at === undefined || at === ",") && depth === 0) {
      if (i > from) parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return parts;
}
