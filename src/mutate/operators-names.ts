/** Mutation operators on names and texts: the wrong variable, the wrong function, a changed string, a typo. */

import {
  contains,
  descendants,
  enclosing,
  field,
  type Node,
  ofType,
  type Program,
  textOf,
} from "../languages/python/syntax/walk.ts";
import type { Random } from "../util/random.ts";
import { type Change, isDocstring, type Operator, replace } from "./edits.ts";
import { boundIn, isPredefined, isRead, outerFunctions } from "./names.ts";

/** The variables that the body of each outermost function reads and the function binds, with all names that it binds. */
function readings(program: Program): { node: Node; name: string; own: string[] }[] {
  return outerFunctions(program).flatMap((definition) => {
    const own = [...boundIn(program, definition)];
    const body = field(definition, "body");
    return (body ? descendants(body) : [])
      .filter(isRead)
      .map((node) => ({ node, name: textOf(program, node), own }))
      .filter(({ name }) => own.includes(name));
  });
}

const wrongVariable: Operator = {
  name: "wrong-variable",
  weight: 4,
  find: (program, rng) =>
    readings(program).flatMap(({ node, name, own }) => {
      const others = own.filter((other) => other !== name);
      return others.length > 0 ? [[replace(node, rng.pick(others))]] : [];
    }),
};

const functionSwaps: readonly (readonly string[])[] = [
  ["min", "max"],
  ["any", "all"],
  ["sum", "len"],
  ["sorted", "list"],
  ["ord", "int"],
  ["chr", "str"],
  ["floor", "ceil"],
  ["int", "round"],
  ["set", "list"],
  ["tuple", "list"],
  ["gcd", "lcm"],
  ["enumerate", "zip"],
  ["abs", "int"],
  ["reversed", "list"],
  ["filter", "map"],
];

const methodSwaps: readonly (readonly string[])[] = [
  ["append", "extend"],
  ["append", "insert"],
  ["add", "discard"],
  ["upper", "lower"],
  ["strip", "lstrip"],
  ["strip", "rstrip"],
  ["startswith", "endswith"],
  ["find", "rfind"],
  ["find", "index"],
  ["isalpha", "isalnum"],
  ["isdigit", "isalpha"],
  ["isupper", "islower"],
  ["keys", "values"],
  ["values", "items"],
  ["pop", "remove"],
  ["popleft", "pop"],
  ["union", "intersection"],
  ["count", "index"],
  ["capitalize", "title"],
  ["title", "upper"],
  ["replace", "strip"],
  ["split", "strip"],
  ["ljust", "rjust"],
  ["floor", "ceil"],
  ["sqrt", "log"],
  ["heappush", "heappop"],
];

const partners = (table: readonly (readonly string[])[], name: string): string[] =>
  table.flatMap(([a, b]) => (a === name ? [b as string] : b === name ? [a as string] : []));

/** Whether a function of the program binds the builtin's name, as in `sum = 0`. */
const isOwn = (program: Program, name: string): boolean =>
  outerFunctions(program).some((definition) => boundIn(program, definition).has(name));

const wrongFunction: Operator = {
  name: "wrong-function",
  weight: 3,
  find: (program) =>
    ofType(program, "call").flatMap((node): Change[] => {
      const callee = field(node, "function");
      if (callee?.type === "identifier") {
        const name = textOf(program, callee);
        return isOwn(program, name) ? [] : partners(functionSwaps, name).map((to) => [replace(callee, to)]);
      }
      const method = callee?.type === "attribute" ? field(callee, "attribute") : undefined;
      return method ? partners(methodSwaps, textOf(program, method)).map((to) => [replace(method, to)]) : [];
    }),
};

/** `sorted(xs)` becomes `xs`, `abs(v)` becomes `v`: a forgotten call with one argument. */
const forgottenCall: Operator = {
  name: "forgotten-call",
  weight: 1,
  find: (program) =>
    ofType(program, "call").flatMap((node) => {
      const callee = field(node, "function");
      const list = field(node, "arguments");
      const items = list?.type === "argument_list" ? list.children.filter(({ named }) => named) : [];
      const only = items.length === 1 ? items[0] : undefined;
      const known = callee?.type === "identifier" && isPredefined(textOf(program, callee));
      const plain =
        only && !/splat|keyword_argument|generator/.test(only.type) && node.parent?.type !== "expression_statement";
      return known && plain ? [[replace(node, textOf(program, only))]] : [];
    }),
};

const changedString: Operator = {
  name: "changed-string",
  weight: 2,
  find: (program, rng) =>
    ofType(program, "string_content")
      .filter(
        (node) => node.parent?.parent && !isDocstring(node.parent.parent) && !textOf(program, node).includes("\\"),
      )
      .map((node) => [replace(node, changedText(textOf(program, node), rng))]),
};

function changedText(text: string, rng: Random): string {
  const cased = text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
  const options = [`${text} `, text.slice(1), text.slice(0, -1), cased, text + (text[0] ?? "")];
  const different = options.filter((option) => option !== text && !/[{}'"\n]/.test(option));
  return different.length > 0 ? rng.pick(different) : `${text} `;
}

const undefinedName: Operator = {
  name: "undefined-name",
  weight: 1,
  find: (program, rng) =>
    readings(program).map(({ node, name, own }) => {
      const at = rng.int(0, name.length - 1);
      const typos = [
        `${name}s`,
        `${name}_`,
        name.slice(0, at) + name.slice(at + 1),
        `${name.slice(0, at + 1)}${name.slice(at)}`,
      ];
      const wrong = typos.filter((typo) => /^[a-z_]\w*$/i.test(typo) && !own.includes(typo) && !isPredefined(typo));
      return [replace(node, wrong.length > 0 ? rng.pick(wrong) : `${name}s`)];
    }),
};

const missingImport: Operator = {
  name: "missing-import",
  weight: 1,
  find: (program) =>
    ofType(program, "import_statement", "import_from_statement")
      .filter((node) => !enclosing(node, "try_statement") && node.parent?.type === "module")
      .map((node) => [replace(wholeLine(program, node), "")]),
};

function wholeLine({ code }: Program, node: Node): { start: number; end: number } {
  return { start: node.start, end: code[node.end] === "\n" ? node.end + 1 : node.end };
}

/** The first argument of a recursive call (`n - 1`) loses its change (`n`). */
const wrongRecursion: Operator = {
  name: "wrong-recursion",
  weight: 1,
  find: (program) =>
    ofType(program, "call").flatMap((node) => {
      const callee = field(node, "function");
      const definition = enclosing(node, "function_definition");
      const name = definition && field(definition, "name");
      const first = field(node, "arguments")?.children.find(({ named }) => named);
      if (!callee || !name || !first || !contains(definition, node)) return [];
      if (textOf(program, callee) !== textOf(program, name)) return [];
      return first.type === "binary_operator" ? [[replace(first, textOf(program, field(first, "left") ?? first))]] : [];
    }),
};

export const nameOperators: readonly Operator[] = [
  wrongVariable,
  wrongFunction,
  forgottenCall,
  changedString,
  undefinedName,
  missingImport,
  wrongRecursion,
];
