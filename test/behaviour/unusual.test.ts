import { expect, it } from "vitest";
import { unusual } from "../../src/behaviour/unusual.ts";

it.each([
  ["-3", true],
  ["0", true],
  ["0.0", true],
  ["[]", true],
  ["[1, ['']]", true],
  ["{'a': -1}", true],
  ["xs=[1, 2], k=()", true],
  ["3", false],
  ["[1, 20, 0.5]", false],
  ["'-3 0'", false],
])("%s is unusual beside examples without signs, zeros and empty lists: %s", (args, expected) => {
  expect(unusual([{ args }], [{ args: "[1, 2], 'ab'" }])).toEqual([expected]);
});

it("takes for usual what an example has", () => {
  expect(unusual([{ args: "-3" }, { args: "0" }, { args: "[]" }], [{ args: "[-1, 0]" }])).toEqual([false, false, true]);
});

it("reads numbers of a text for standard input", () => {
  const inputs = ["3\n1 2 3\n", "3\n1 -2 3\n", "0\n", "10 x-1 1.0\n"].map((stdin) => ({ stdin }));
  expect(unusual(inputs, [])).toEqual([false, true, true, false]);
});
