/** Parameters and arguments that Python refuses: a name twice, or in an order that it does not take. */
import { field, type Node, type Program, parts, textOf } from "../syntax/walk.ts";
import type { Refusal } from "./refusal.ts";

/** The parameters or arguments. A backslash at the end of a line is a node of its own. */
const listed = (node: Node): Node[] => parts(node).filter(({ type }) => type !== "line_continuation");

/** The part of a parameter that tells its kind: without its annotation. */
const bare = (node: Node): Node => (node.type === "typed_parameter" ? node.children[0]! : node);

export function refusedParameters(node: Node, program: Program): Refusal | null {
  const names = new Set<string>();
  let [hasDefault, hasStar, isLast] = [false, false, false];
  const all = listed(node).map((whole) => ({ at: whole.start, one: bare(whole) }));
  for (const [i, { at, one }] of all.entries()) {
    const refused = (why: string): Refusal => ({ at, why });
    if (isLast) return refused("no parameter may follow `**`");
    const { type } = one;
    if (type === "tuple_pattern") return refused("a parameter is in parentheses");
    if (type === "positional_separator") continue;
    if (type === "keyword_separator" || type === "list_splat_pattern") {
      if (hasStar) return refused("`*` is there twice");
      hasStar = true;
      const next = all[i + 1]?.one.type ?? "dictionary_splat_pattern";
      if (type === "keyword_separator") {
        if (next === "dictionary_splat_pattern") return refused("a name must follow `*`");
        continue;
      }
    }
    isLast = type === "dictionary_splat_pattern";
    const isOptional = type === "default_parameter" || type === "typed_default_parameter";
    if (type === "identifier" && hasDefault && !hasStar) return refused("a parameter without default follows one with");
    hasDefault ||= isOptional;
    const named = isOptional ? field(one, "name")! : type === "identifier" ? one : one.children.at(-1)!;
    const name = textOf(program, named);
    if (names.has(name)) return refused(`two parameters are called \`${name}\``);
    names.add(name);
  }
  return null;
}

export function refusedArguments(node: Node, program: Program): Refusal | null {
  if (node.children[1]?.type === ",") return { at: node.start, why: "an argument is missing" };
  const names = new Set<string>();
  let hasMapping = false;
  for (const one of listed(node)) {
    const { type, start: at } = one;
    if (type === "keyword_argument") {
      const name = textOf(program, field(one, "name")!);
      if (names.has(name)) return { at, why: `the argument \`${name}\` is there twice` };
      names.add(name);
    } else if (type === "dictionary_splat") hasMapping = true;
    else if (hasMapping || (names.size > 0 && type !== "list_splat"))
      return { at, why: "a positional argument follows one by name" };
  }
  return null;
}
