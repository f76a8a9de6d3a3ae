/**
 * Turns one function of a file into a program with only the statements that it needs, so that it can be called without the
 * project. Works on syntax and runs nothing.
 */
import { BUILTINS } from "../../languages/python/syntax/builtins.ts";
import { STANDARD_MODULES } from "../../languages/python/syntax/library.ts";
import { type Names, namesOf } from "../../languages/python/syntax/names.ts";
import { field, fields, loadParser, type Node, parts } from "../../languages/python/syntax/walk.ts";
import { nameOf, textOf } from "./region.ts";
import type { Span } from "./span.ts";

export interface Alone {
  readonly program: string;
  readonly entryPoint: string;
}

/** The top-level function around a span, with `code` in place of the span. A string says why it cannot be called alone. */
export async function functionAlone(
  { file, start, end }: Pick<Span, "file" | "start" | "end">,
  code: string,
): Promise<Alone | string> {
  const parse = await loadParser();
  const all = parts(parse(file.text).root).map((node) => ({ node, ...namesOf(node, file.text) }));
  const own = all.find(({ node }) => node.start < end && node.end > start)?.node;
  if (own === undefined || own.end < end || !isFunction(own)) return "the span is not inside a top-level function";
  const text = file.text.slice(own.start, start) + code + file.text.slice(end, own.end);
  const others = all.filter(({ node }) => node !== own);
  const needed = neededBy(namesOf(parse(text).root, text), others);
  const [module] = needed.flatMap(({ node }) => foreignModules(node, file.text));
  if (module !== undefined) return `its function needs ${module}, which is not in the standard library`;
  const lines = [{ at: own.start, text }];
  for (const { node } of needed) lines.push({ at: node.start, text: textOf(node, file.text) });
  const sorted = lines.sort((a, b) => a.at - b.at).map((line) => line.text);
  return { program: `${sorted.join("\n\n")}\n`, entryPoint: nameOf(own, file.text) };
}

/** A top-level statement of a file. */
interface Statement extends Names {
  readonly node: Node;
}

/**
 * The statements that define a name that the function uses, or that another of these statements uses. Includes `from x import *`
 * if no other statement defines a name.
 */
function neededBy(own: Names, others: readonly Statement[]): readonly Statement[] {
  const needed = new Set(others.filter(({ node }) => node.type === "future_import_statement"));
  const known = new Set(own.binds);
  for (let wanted = [...own.uses, ...own.changes]; wanted.length > 0; ) {
    const fresh = new Set(wanted.filter((name) => !known.has(name)));
    for (const name of fresh) known.add(name);
    const given = new Set(others.flatMap(({ binds }) => [...binds]));
    const isOpen = [...fresh].some((name) => !given.has(name) && !BUILTINS.has(name));
    const found = others.filter(
      (one) => !needed.has(one) && ((isOpen && isStar(one.node)) || [...fresh].some((name) => gives(one, name))),
    );
    for (const one of found) needed.add(one);
    wanted = found.flatMap(({ uses, changes }) => [...uses, ...changes]);
  }
  return [...needed];
}

/** Whether a statement binds a name or changes its value. Definitions change values only when they are called, so they do not count. */
const gives = ({ node, binds, changes }: Statement, name: string): boolean =>
  binds.has(name) || (changes.has(name) && !DEFINITIONS.has(node.type));

const DEFINITIONS = new Set(["function_definition", "class_definition", "decorated_definition"]);

const isFunction = (node: Node): boolean =>
  (node.type === "decorated_definition" ? field(node, "definition") : node)?.type === "function_definition";

const isStar = ({ type, children }: Node): boolean =>
  type === "import_from_statement" && children.some((child) => child.type === "wildcard_import");

/** The modules outside the standard library that an import statement needs. Imports inside `try` are not looked at: they may fail. */
function foreignModules(node: Node, text: string): string[] {
  const from = field(node, "module_name");
  const modules =
    node.type === "import_statement" ? fields(node, "name").map((part) => field(part, "name") ?? part) : [];
  return [...(node.type === "import_from_statement" && from ? [from] : modules)]
    .map((part) => textOf(part, text).trim())
    .filter((module) => !STANDARD_MODULES.has(module.split(".")[0] as string));
}
