import { beforeAll, expect, it } from "vitest";
import { gate, loadGate } from "../../../src/metrics/static/gate.ts";

const reference = "import numpy\ndef mean(xs: List[int]):\n    return sum(xs) / len(xs)\n";

beforeAll(loadGate);

it.each([
  ["def mean(xs):\n    return 0", 1],
  ["def mean(xs: List[int]):\n    return numpy.mean(xs)", 0], // does not import it
  ["import numpy\ndef mean(xs: List[int]):\n    return numpy.mean(xs)", 1], // the reference has both too
  ["import scipy\ndef mean(xs):\n    return 0", 0],
  ["def average(xs):\n    return sum(xs) / len(xs)", 0], // not the function that the tests call
  ["mean = lambda xs: sum(xs) / len(xs)", 1],
  ["def mean(xs):\n    return total / len(xs)", 0],
  ["def mean(xs)\n    return 0", 0],
  ["", 0],
])("of %j is %i", (candidate, value) => {
  expect(gate(candidate, reference)).toBe(value);
});

it("goes by the modules that are there", () => {
  const candidate = "import scipy, math\ndef mean(xs):\n    return 0";
  expect(gate(candidate, reference, new Set(["math", "scipy"]))).toBe(1);
  expect(gate(candidate, reference, new Set(["math"]))).toBe(0);
  expect(gate(candidate, reference, new Set(["scipy"]))).toBe(0);
});

it("asks for no name where the reference defines none", () => {
  expect(gate("print(int(input()) + 1)", "x = int(input())\nprint(x + 1)")).toBe(1);
});
