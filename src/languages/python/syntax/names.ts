/**
 * The names of a statement, by Python's scope rules: which it binds in its own scope, which it may change (`a[0] = 1`,
 * `a.append(1)`, `global a`), and which outer names it uses. Locals of functions, lambdas and comprehensions belong to those. A
 * class's names count as used. If in doubt a name counts as used, so that pruning keeps too much rather than too little.
 */

import { oncePer } from "../../../util/remember.ts";
import { field, fields, type Node, ofType, type Program, textOf } from "./walk.ts";

export interface Names {
  readonly binds: ReadonlySet<string>;
  readonly changes: ReadonlySet<string>;
  readonly uses: ReadonlySet<string>;
}

interface Scope {
  readonly binds: Set<string>;
  readonly changes: Set<string>;
  readonly uses: Set<string>;
  /** Declared `global` or `nonlocal`, so bound in another scope. */
  readonly outer: Set<string>;
}

const newScope = (): Scope => ({ binds: new Set(), changes: new Set(), uses: new Set(), outer: new Set() });

export function namesOf(node: Node, code: string): Names {
  const scope = newScope();
  new Collector(code).visit(node, scope);
  return scope;
}

/** The names of a whole program. */
export const namesOfProgram: (program: Program) => Names = oncePer(({ root, code }: Program) => namesOf(root, code));

const AS_TEXT = new Set(["locals", "globals", "vars", "eval", "exec", "dir", "__dict__"]);

/** Whether the program looks names up as text (`locals()`, `eval`, `f"{x=}"`). Then no variable may be renamed. */
export const usesNamesAsText: (program: Program) => boolean = oncePer(
  (program: Program) =>
    ofType(program, "identifier").some((node) => AS_TEXT.has(textOf(program, node))) ||
    ofType(program, "interpolation").some(({ children }) => children.some(({ type }) => type === "=")),
);

/**
 * Whether an identifier is a variable that is read or bound: not an attribute, a keyword's name or a part of an import. The
 * names of a `case` are variables, too.
 */
export function isVariable(node: Node): boolean {
  const { type, field, parent } = node;
  if (type !== "identifier" || parent === null || field === "attribute") return false;
  if (parent.type === "keyword_argument") return field !== "name";
  if (parent.type === "dotted_name") return parent.children[0] === node && !IN_IMPORTS.has(parent.parent?.type ?? "");
  return parent.type !== "keyword_pattern" && !IN_IMPORTS.has(parent.type);
}

const COMPREHENSIONS = new Set([
  "list_comprehension",
  "set_comprehension",
  "dictionary_comprehension",
  "generator_expression",
]);
const IMPORTS = new Set(["import_statement", "import_from_statement", "future_import_statement"]);
const IN_IMPORTS = new Set([...IMPORTS, "aliased_import"]);
const BINDINGS = new Set([
  "assignment",
  "augmented_assignment",
  "named_expression",
  "for_statement",
  "for_in_clause",
  "type_alias_statement",
]);

class Collector {
  readonly #code: string;

  constructor(code: string) {
    this.#code = code;
  }

  visit(node: Node, scope: Scope): void {
    if (node.type === "identifier") scope.uses.add(this.#text(node));
    else if (node.type === "function_definition" || node.type === "lambda") this.#function(node, scope);
    else if (node.type === "class_definition") this.#class(node, scope);
    else if (COMPREHENSIONS.has(node.type)) this.#close(this.#inner(node.children), scope);
    else if (IMPORTS.has(node.type)) this.#import(node, scope);
    else if (node.type === "global_statement" || node.type === "nonlocal_statement") {
      for (const child of node.children) if (child.type === "identifier") scope.outer.add(this.#text(child));
    } else if (node.type === "attribute") this.visit(node.children[0] as Node, scope);
    else if (node.type === "keyword_argument") {
      for (const child of node.children) if (child.field !== "name") this.visit(child, scope);
    } else {
      this.#effects(node, scope);
      for (const child of node.children) this.visit(child, scope);
    }
  }

  /** Records what a statement or expression itself binds and changes. */
  #effects(node: Node, scope: Scope): void {
    if (BINDINGS.has(node.type)) {
      const target = node.children.find(({ field }) => field === "left" || field === "name");
      if (target !== undefined) this.#target(target, scope);
      // `visit` counts the target as used too, because `a += 1` and `a: int` mention the earlier value.
    } else if (node.type === "as_pattern_target" || node.type === "delete_statement") {
      for (const child of node.children) this.#target(child, scope);
    } else if (node.type === "call") {
      const callee = node.children[0];
      const root = callee?.type === "attribute" ? rootOf(callee) : null;
      if (root !== null) scope.changes.add(this.#text(root));
    }
  }

  #target(node: Node, scope: Scope): void {
    if (node.type === "identifier") {
      scope.binds.add(this.#text(node));
    } else if (node.type === "subscript" || node.type === "attribute") {
      const root = rootOf(node);
      if (root !== null) scope.changes.add(this.#text(root));
    } else {
      for (const child of node.children) this.#target(child, scope);
    }
  }

  #function(node: Node, scope: Scope): void {
    const name = field(node, "name");
    if (name !== undefined) scope.binds.add(this.#text(name));
    const inner = newScope();
    for (const child of node.children) {
      if (child.field === "name") continue;
      if (child.field === "parameters") this.#parameters(child, inner, scope);
      else this.visit(child, child.field === "body" ? inner : scope);
    }
    this.#close(inner, scope);
  }

  /** Parameters belong to the function. Their defaults and annotations are evaluated outside it. */
  #parameters(node: Node, inner: Scope, outer: Scope): void {
    for (const child of node.children) {
      if (child.field === "value" || child.field === "type") this.visit(child, outer);
      else if (child.type === "identifier") inner.binds.add(this.#text(child));
      else this.#parameters(child, inner, outer);
    }
  }

  #class(node: Node, scope: Scope): void {
    for (const child of node.children) {
      if (child.field === "name") scope.binds.add(this.#text(child));
      else if (child.field !== "body") this.visit(child, scope);
    }
    const inner = this.#inner(fields(node, "body"));
    inner.binds.clear(); // methods do not see class names, so the same name inside them is an outer one
    this.#close(inner, scope);
  }

  #inner(nodes: readonly Node[]): Scope {
    const inner = newScope();
    for (const node of nodes) this.visit(node, inner);
    return inner;
  }

  #close(inner: Scope, scope: Scope): void {
    const isLocal = (name: string): boolean => inner.binds.has(name) && !inner.outer.has(name);
    for (const name of inner.uses) if (!isLocal(name)) scope.uses.add(name);
    for (const name of inner.changes) if (!isLocal(name)) scope.changes.add(name);
    for (const name of inner.outer) if (inner.binds.has(name)) scope.changes.add(name);
  }

  #import(node: Node, scope: Scope): void {
    for (const part of fields(node, "name")) {
      const alias = field(part, "alias");
      scope.binds.add(alias === undefined ? (this.#text(part).split(".")[0] as string).trim() : this.#text(alias));
    }
  }

  #text(node: Node): string {
    return this.#code.slice(node.start, node.end);
  }
}

/** `a` in `a.b[0].c`; null if the root is not a name, as in `f().x`. */
function rootOf(node: Node): Node | null {
  let at: Node | undefined = node;
  while (at !== undefined && (at.type === "attribute" || at.type === "subscript")) at = at.children[0];
  return at?.type === "identifier" ? at : null;
}

/** Whether a node is in the body of a class, outside the class's functions. */
export function isInClassBody(node: Node): boolean {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.type === "function_definition" || at.type === "lambda") return false;
    if (at.type === "class_definition") return true;
  }
  return false;
}
