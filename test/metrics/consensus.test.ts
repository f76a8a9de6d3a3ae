import { describe, expect, it } from "vitest";
import { consensus, getMetric, type Metric } from "../../src/metrics/index.ts";

/** Programs are numbers. The similarity is derived from their distance. "?" has no value. */
const near: Metric = {
  name: "near",
  signature: "near",
  score: (a, b) => (b === "?" ? Number.NaN : 1 - Math.abs(Number(a) - Number(b)) / 10),
};

describe("consensus", () => {
  it.each<[string, string[], number[]]>([
    ["is the mean over the others", ["0", "1", "5"], [(0.9 + 0.5) / 2, (0.9 + 0.6) / 2, (0.5 + 0.6) / 2]],
    ["counts what is there twice twice", ["0", "0", "10"], [0.5, 0.5, 0]],
    ["leaves out pairs without a value", ["0", "?", "4"], [0.6, Number.NaN, 0.6]],
    ["of two is what they are to each other", ["0", "3"], [0.7, 0.7]],
    ["of one is none", ["0"], [Number.NaN]],
    ["of none is empty", [], []],
  ])("%s", async (_, programs, expected) => {
    const rounded = (values: readonly number[]): number[] => values.map((value) => Math.round(value * 1e9));
    expect(rounded(await consensus(near, programs))).toEqual(rounded(expected));
  });

  it("compares each with as many others as it may, none of them twice, nor with itself", async () => {
    const programs = Array.from({ length: 23 }, (_, i) => String(i));
    const seen = new Map<string, string[]>();
    const counting: Metric = {
      ...near,
      score(candidate, reference) {
        seen.set(candidate, [...(seen.get(candidate) ?? []), reference]);
        return 1;
      },
    };
    for (const most of [1, 5, 22, 64]) {
      seen.clear();
      await consensus(counting, programs, { most });
      expect(seen.size).toBe(23);
      const asked = new Map<string, number>();
      for (const [candidate, others] of seen) {
        expect(new Set(others).size).toBe(Math.min(most, 22));
        expect(others).toHaveLength(Math.min(most, 22));
        expect(others).not.toContain(candidate);
        for (const other of others) asked.set(other, (asked.get(other) ?? 0) + 1);
      }
      expect(new Set(asked.values())).toEqual(new Set([Math.min(most, 22)])); // each is used equally often
    }
  });

  it("prefers what several samples do, by the rule", async () => {
    const [loop, sum, twice, other] = await consensus(getMetric("rule"), [
      "def f(xs):\n    s = 0\n    for x in xs:\n        s += x\n    return s\n",
      "def f(items):\n    total = 0\n    for item in items:\n        total += item\n    return total\n",
      "def f(values):\n    t = 0\n    for v in values:\n        t += v\n    return t\n",
      "def f(xs):\n    return max(xs) - min(xs)\n",
    ]);
    expect(Math.min(loop!, sum!, twice!)).toBeGreaterThan(other! + 0.1);
  });
});
