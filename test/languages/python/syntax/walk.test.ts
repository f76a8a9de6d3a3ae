import { expect, it } from "vitest";
import { descendants, loadParser } from "../../../../src/languages/python/syntax/walk.ts";

const parse = await loadParser();

it("lists the nodes of a tree as the program does, parents first", () => {
  const { root, nodes } = parse("def f(x, y=[1, 2]):\n    return (x + y[0]) * 3\n");
  expect(descendants(root)).toEqual(nodes);
});

it("lists the nodes of a tree that is deeper than the stack", () => {
  const { root, nodes } = parse(`${"-".repeat(30_000)}x`);
  expect(descendants(root).length).toBe(nodes.length);
});
