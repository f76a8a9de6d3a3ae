import { expect, it } from "vitest";
import { isMatrix, newValues, withOptions } from "../../src/expand/index.ts";
import { Random } from "../../src/util/random.ts";

it("makes byte strings of any bytes, some longer than a line of a hex dump", () => {
  const values = newValues([{ weight: 1, of: { t: "bytes" } }], 200, new Random(0), "");
  const texts = values.map((value) => (value.t === "bytes" ? value.v : ""));
  expect(texts.every((text) => /^(?:[\da-f]{2})*$/.test(text))).toBe(true);
  expect(texts.some((text) => /^(?:..)*0[\da-f]/.test(text))).toBe(true);
  expect(Math.max(...texts.map((text) => text.length))).toBeGreaterThan(16);
});

it("reads a reversed matrix that is transposed", () => {
  expect(isMatrix("grid", "zip(*grid[::-1])")).toBe(true);
  expect(isMatrix("grid", "sum(grid[::-1])")).toBe(false);
});

it("passes -1 for an optional integer if the description names negative numbers", () => {
  const options = (description: string): string[] =>
    withOptions([{ args: "[[1]]" }], {
      source: "def f(grid, times=1):\n    return grid * times\n",
      entryPoint: "f",
      description,
    }).flatMap((input) => ("args" in input ? [input.args] : []));
  expect(options("Rotates `times` times; negative times rotate back.")).toContain("[[1]], times=-1");
  expect(options("Rotates `times` times, which is non-negative.")).not.toContain("[[1]], times=-1");
});
