/**
 * Renames a Python program's variables by order of appearance. Programs that differ only in their names then have the same text,
 * and a model sees matching n-grams.
 */

import { oncePer } from "../../../util/remember.ts";
import { isTooDeep } from "../check/refused.ts";
import { BUILTINS } from "../syntax/builtins.ts";
import { isInClassBody, isVariable, namesOfProgram, usesNamesAsText } from "../syntax/names.ts";
import { field, type Node, ofType, type Program, textOf } from "../syntax/walk.ts";

const TARGETS = new Set([
  "assignment",
  "augmented_assignment",
  "named_expression",
  "for_statement",
  "for_in_clause",
  "as_pattern_target",
  "delete_statement",
]);

/**
 * New names for all variables and parameters: `va`, `vb`, ... `vz`, `vaa`, ... by first appearance. A name counts as the same
 * variable throughout the program. Functions, classes, modules, attributes and unbound names keep their names. So do variables
 * whose renaming would change the program's behaviour: those of class bodies, names of keyword arguments, and names that
 * elsewhere refer to something outside. Nothing is renamed if names are looked up as text, or if the program is nested deeper
 * than Python compiles.
 */
export const variableNames: (program: Program) => ReadonlyMap<string, string> = oncePer((program: Program) => {
  if (usesNamesAsText(program) || isTooDeep(program)) return new Map();
  const { nodes } = program;
  const bound = new Set<string>();
  const kept = new Set<string>(["self", "cls", "_"]);
  const bind = (node: Node): void => {
    if (node.type === "identifier") (isInClassBody(node) ? kept : bound).add(textOf(program, node));
    else if (node.type !== "attribute" && node.type !== "subscript") for (const child of node.children) bind(child);
  };
  for (const node of nodes) {
    if (TARGETS.has(node.type)) {
      const target = node.children.find(({ field }) => field === "left" || field === "name");
      if (target !== undefined) bind(target);
      else if (node.type === "as_pattern_target") bind(node);
    } else if (node.type === "parameters" || node.type === "lambda_parameters") {
      for (const child of node.children) bindParameter(child, bind);
    } else if (node.type === "function_definition" || node.type === "class_definition") {
      const name = field(node, "name");
      if (name !== undefined) kept.add(textOf(program, name));
    } else if (node.type === "keyword_argument" || node.type === "keyword_pattern") {
      kept.add(textOf(program, node.children[0]!));
    } else if (node.type === "import_statement" || node.type === "import_from_statement") {
      for (const name of identifiersIn(node)) kept.add(textOf(program, name));
    }
  }
  const { binds, uses } = namesOfProgram(program);
  for (const name of bound) if (binds.has(name) ? BUILTINS.has(name) : uses.has(name)) kept.add(name);
  const identifiers = ofType(program, "identifier");
  const taken = new Set(identifiers.map((node) => textOf(program, node)));
  const names = new Map<string, string>();
  let next = 0;
  for (const node of identifiers) {
    const name = textOf(program, node);
    if (!bound.has(name) || kept.has(name) || names.has(name) || !isVariable(node)) continue;
    let fresh = nameOf(next++);
    while (taken.has(fresh) && (!bound.has(fresh) || kept.has(fresh))) fresh = nameOf(next++);
    names.set(name, fresh);
  }
  return names;
});

/** Binds the names of parameters, but not the names in their defaults and annotations. */
function bindParameter(node: Node, bind: (node: Node) => void): void {
  if (node.type === "identifier") bind(node);
  else
    for (const child of node.children)
      if (child.field !== "value" && child.field !== "type") bindParameter(child, bind);
}

const identifiersIn = (node: Node): Node[] =>
  node.type === "identifier" ? [node] : node.children.flatMap(identifiersIn);

/** `v` and the letters of a number in base 26. Only letters, because tokenizers split letters from digits. */
function nameOf(index: number): string {
  let letters = "";
  for (let n = index; n >= 0; n = Math.floor(n / 26) - 1) letters = String.fromCharCode(97 + (n % 26)) + letters;
  return `v${letters}`;
}

/** Whether a name in a renamed program is a variable's. */
export const isRenamed = (name: string): boolean => /^v[a-z]+$/.test(name);
