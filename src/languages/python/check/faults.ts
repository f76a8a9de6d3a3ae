/**
 * Faults that show in a Python program without running it: it does not parse, it reads names that nothing binds, or it imports
 * modules that do not exist. Such programs fail, whatever their task.
 */

import { oncePer } from "../../../util/remember.ts";
import { BUILTINS } from "../syntax/builtins.ts";
import { JUDGE_NAMES, STANDARD_MODULES, WILDCARDS } from "../syntax/library.ts";
import { beforeOnLine } from "../syntax/lines.ts";
import { namesOfProgram } from "../syntax/names.ts";
import { KNOWN_PACKAGES } from "../syntax/packages.ts";
import { enclosing, field, fields, type Node, ofType, type Program, parts, textOf } from "../syntax/walk.ts";
import { unboundLookups } from "./lookups.ts";

export interface StaticFaults {
  /** Python refuses to compile the program. */
  readonly broken: boolean;
  /** Names that are read but not bound anywhere, not built in, and not imported by a judge before its `class Solution`; sorted. */
  readonly undefinedNames: readonly string[];
  /** The first parts of the names of imported modules; sorted. */
  readonly imports: readonly string[];
  /** Functions and classes defined at the top level; empty if the program is broken. */
  readonly definitions: readonly string[];
  /** The definitions that tests may call; empty if the program reads standard input. */
  readonly callable: readonly string[];
  /** All names bound at the top level, including definitions and names that functions declare global. */
  readonly bound: ReadonlySet<string>;
}

/** The static faults of a program. */
export const staticFaults: (program: Program) => StaticFaults = oncePer((program: Program) => {
  if (isRefused(program)) {
    return { broken: true, undefinedNames: [], imports: [], definitions: [], callable: [], bound: new Set() };
  }
  const { binds, uses } = namesOfProgram(program);
  const wildcards = wildcardModules(program).map((module) => WILDCARDS.get(module));
  const anything = wildcards.includes(undefined); // binds unknown names
  const bound = new Set([...binds, ...globalsBound(program)]);
  const definitions = definitionsOf(program);
  const isJudged = definitions.includes("Solution");
  const isThere = (name: string): boolean =>
    bound.has(name) ||
    BUILTINS.has(name) ||
    wildcards.some((names) => names?.has(name)) ||
    (isJudged && JUDGE_NAMES.has(name));
  const callable = uses.has("input") || usesStdin(program) ? [] : definitions;
  const missing = anything ? [] : [...uses].filter((name) => !isThere(name));
  const lookups = missing.length > 0 ? unboundLookups(program, callable.length > 0) : new Set();
  return {
    broken: false,
    undefinedNames: missing.filter((name) => lookups.has(name)).sort(),
    imports: [...new Set(importedModules(program))].sort(),
    definitions,
    callable,
    bound,
  };
});

/**
 * Imported modules that do not exist.
 * @param there the modules that exist @default the standard library of Python 3.11
 */
export const missingModules = ({ imports }: StaticFaults, there: ReadonlySet<string> = STANDARD_MODULES): string[] =>
  imports.filter((name) => !there.has(name));

/** Whether a module exists in some environment: in the standard library, or in a package that programs use. */
export const isKnownModule = (name: string): boolean => STANDARD_MODULES.has(name) || KNOWN_PACKAGES.has(name);

/** Whether Python refuses to compile the program, for the known reasons. */
export const isRefused: (program: Program) => boolean = oncePer(
  (program: Program) =>
    program.broken ||
    isTooDeep(program) ||
    program.nodes.some((node) => isRefusedNode(node) || isUneven(node, program)),
);

/** Nesting that CPython 3.11 compiles: of brackets, of indented blocks, of loops, `with` and `try` in one scope, and of tree nodes. */
const DEEPEST = { brackets: 200, indents: 99, blocks: 20, nodes: 3000 };
const OPENING = new Set(["(", "[", "{"]);
const CLOSING = new Set([")", "]", "}"]);
const KEPT_OPEN = /^(?:for|while|with|try)_statement$/;
const SCOPE = /^(?:function|class)_definition$/;

interface Depth {
  readonly indents: number;
  readonly blocks: number;
  readonly nodes: number;
}

/**
 * Whether the program is nested deeper than Python compiles. If it is not, code may walk the tree recursively without
 * overflowing the stack.
 */
export const isTooDeep: (program: Program) => boolean = oncePer(({ nodes }: Program) => {
  let brackets = 0;
  const depths = new Map<Node | null, Depth>([[null, { indents: 0, blocks: 0, nodes: 0 }]]);
  return nodes.some((node) => {
    if (OPENING.has(node.type)) brackets += 1;
    if (CLOSING.has(node.type)) brackets -= 1;
    if (node.children.length === 0) return brackets > DEEPEST.brackets;
    const around = depths.get(node.parent)!;
    const depth = {
      indents: around.indents + (node.type === "block" ? 1 : 0),
      blocks: SCOPE.test(node.type) ? 0 : around.blocks + (KEPT_OPEN.test(node.type) ? 1 : 0),
      nodes: around.nodes + 1,
    };
    depths.set(node, depth);
    return depth.indents > DEEPEST.indents || depth.blocks > DEEPEST.blocks || depth.nodes > DEEPEST.nodes;
  });
});

/** Whether the statements of a block, or of the module, have different indentation. */
function isUneven(node: Node, program: Program): boolean {
  const { type } = node;
  if (type !== "block" && type !== "module") return false;
  const indents = parts(node)
    .map(({ start }) => beforeOnLine(program, start))
    .filter((before) => /^[ \t]*$/.test(before)); // only statements that start a line
  return indents.some((indent) => indent !== (type === "module" ? "" : indents[0]));
}

/** What tree-sitter accepts and Python refuses: Python 2 statements, empty blocks, `return` and `yield` outside functions. */
function isRefusedNode(node: Node): boolean {
  if (node.type === "print_statement" || node.type === "exec_statement") return true;
  if (node.type === "block") return parts(node).length === 0;
  if (node.type === "return_statement" || node.type === "yield") {
    return enclosing(node, "function_definition", "lambda") === null;
  }
  return false;
}

/** Whether the program mentions standard input in its code: `sys.stdin`, `open("/dev/stdin")`. Other texts and comments do not count. */
const usesStdin = (program: Program): boolean =>
  ofType(program, "identifier", "string").some((node) =>
    /^(?:stdin|["']\/dev\/stdin["'])$/.test(textOf(program, node)),
  );

/** Names that functions declare global. A function that declares one usually binds it. */
function globalsBound(program: Program): string[] {
  return program.nodes
    .filter(({ type }) => type === "global_statement")
    .flatMap(({ children }) => children.filter(({ type }) => type === "identifier"))
    .map((node) => textOf(program, node));
}

/** The modules of `from MODULE import *`. */
const wildcardModules = (program: Program): string[] =>
  program.nodes
    .filter(({ type }) => type === "wildcard_import")
    .map(({ parent }) => parent && field(parent, "module_name"))
    .map((module) => (module ? textOf(program, module) : ""));

function definitionsOf(program: Program): string[] {
  return program.root.children
    .map((node) => (node.type === "decorated_definition" ? node.children.at(-1)! : node))
    .filter(({ type }) => type === "function_definition" || type === "class_definition")
    .flatMap((node) => fields(node, "name"))
    .map((node) => textOf(program, node));
}

function importedModules(program: Program): string[] {
  const imports = ofType(program, "import_statement", "import_from_statement");
  return imports.flatMap((node) => {
    const role = node.type === "import_statement" ? "name" : "module_name";
    return fields(node, role)
      .map((part) => (part.type === "aliased_import" ? part.children[0]! : part))
      .map((part) => textOf(program, part).split(".")[0]!.trim())
      .filter((name) => name !== ""); // a relative import has no module name
  });
}
