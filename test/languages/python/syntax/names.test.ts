/** Which identifiers are variables, and which of these are read. */
import { expect, it } from "vitest";
import { isVariable } from "../../../../src/languages/python/syntax/names.ts";
import { loadParser, type Node } from "../../../../src/languages/python/syntax/parse.ts";
import { isRead } from "../../../../src/mutate/names.ts";

const parse = await loadParser();

const namesThat = (code: string, test: (node: Node) => boolean): string => {
  const nodes = parse(code).nodes.filter((node) => node.type === "identifier" && test(node));
  return nodes.map(({ start, end }) => code.slice(start, end)).join(" ");
};

it.each([
  ["import a.b as c\nfrom d.e import f as g\nfrom h import i\nimport j\n", "", ""],
  ["a.b = c.d(e=f)\n", "a c f", "a c f"],
  ["def a(b, *c, d=e): return b\n", "a b c d e b", "e b"],
  ["for a, b in c: d += 1\n", "a b c d", "c"],
  ["match a:\n    case b: c\n", "a b c", "a c"],
  ["match a:\n    case b.c: pass\n", "a b", "a b"],
  ["match a:\n    case B(c=d): pass\n", "a B d", "a B"],
  ["match a:\n    case [b, *c] as d if d: pass\n", "a b c d d", "a d"],
  ["match a:\n    case {'b': c, **d}: pass\n", "a c d", "a"],
])("of %j: %j, read %j", (code, variables, read) => {
  expect(namesThat(code, isVariable)).toBe(variables);
  expect(namesThat(code, isRead)).toBe(read);
});
