import { expect, it } from "vitest";
import { seedsByTrial } from "../../src/behaviour/trial.ts";

const untyped = (...names: string[]) => names.map((name) => ({ name, type: null }));

it("keeps argument lists that are answered, and no others", async () => {
  const isGood = (args: string): boolean => /^'[^']*', \d+$/.test(args);
  const seeds = await seedsByTrial(untyped("a", "b"), "def f(a, b): ...", "", async (all) => all.map(isGood));
  expect(seeds.length).toBeGreaterThan(3);
  expect(seeds.every(isGood)).toBe(true);
  expect(new Set(seeds).size).toBe(seeds.length);
});

it("tries what an annotation says first", async () => {
  const tried: string[] = [];
  await seedsByTrial([{ name: "n", type: "dict" }], "def f(n): ...", "", async (all) => {
    tried.push(...all);
    return all.map(() => true);
  });
  expect(tried[0]).toMatch(/^\{/);
});

it("gives up where nothing is answered, and asks nothing without parameters", async () => {
  expect(await seedsByTrial(untyped("a"), "", "", async (all) => all.map(() => false))).toEqual([]);
  const never = () => Promise.reject(new Error("asked"));
  expect(await seedsByTrial([], "", "", never)).toEqual([]);
});

it("asks about a bounded number of combinations, whatever the number of parameters", async () => {
  const counts: number[] = [];
  const many = untyped(..."abcdefghijkl");
  await seedsByTrial(many, "", "", async (all) => {
    counts.push(all.length);
    return all.map(() => true);
  });
  expect(Math.max(...counts)).toBeLessThanOrEqual(3 * 160);
});
