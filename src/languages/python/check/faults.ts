/**
 * Faults that show in a Python program without running it: it does not parse, it reads names that nothing binds, or it imports
 * modules that do not exist. Such programs fail, whatever their task.
 */

import { oncePer } from "../../../util/remember.ts";
import { BUILTINS } from "../syntax/builtins.ts";
import { JUDGE_NAMES, STANDARD_MODULES, WILDCARDS } from "../syntax/library.ts";
import { namesOfProgram } from "../syntax/names.ts";
import { KNOWN_PACKAGES } from "../syntax/packages.ts";
import { field, fields, ofType, type Program, textOf } from "../syntax/walk.ts";
import { unboundLookups } from "./lookups.ts";
import { isRefused } from "./refused.ts";

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

/** Whether the program mentions standard input in its code: `sys.stdin`, `open("/dev/stdin")`. Other texts and comments do not count. */
const usesStdin = (program: Program): boolean =>
  ofType(program, "identifier").some((node) => textOf(program, node) === "stdin") ||
  ofType(program, "string").some((node) => /^["']\/dev\/stdin["']$/.test(textOf(program, node)));

/** Names that functions declare global. A function that declares one usually binds it. */
function globalsBound(program: Program): string[] {
  return ofType(program, "global_statement")
    .flatMap(({ children }) => children.filter(({ type }) => type === "identifier"))
    .map((node) => textOf(program, node));
}

/** The modules of `from MODULE import *`. */
const wildcardModules = (program: Program): string[] =>
  ofType(program, "wildcard_import")
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
  const imports = [...ofType(program, "import_statement"), ...ofType(program, "import_from_statement")];
  return imports.flatMap((node) => {
    const role = node.type === "import_statement" ? "name" : "module_name";
    return fields(node, role)
      .map((part) => (part.type === "aliased_import" ? part.children[0]! : part))
      .map((part) => textOf(program, part).split(".")[0]!.trim())
      .filter((name) => name !== ""); // a relative import has no module name
  });
}
