import { describe, expect, it } from "vitest";
import { reasonsOf, some } from "../../src/util/counted.ts";

describe("reasons", () => {
  const of = (...counts: readonly number[]) => reasonsOf(new Map(counts.map((n, i) => [`r${i}`, n])), 2);

  it("are named, the most frequent first, with their numbers if there are several", () => {
    expect(of(3)).toBe("r0");
    expect(of(1, 3)).toBe("r1 (3); r0 (1)");
  });

  it("are all named if only one would be left, else the number of the others is", () => {
    expect(of(3, 2, 1)).toBe("r0 (3); r1 (2); r2 (1)");
    expect(of(3, 2, 1, 1)).toBe("r0 (3); r1 (2); 2 other reasons (2)");
  });
});

it("some of many names, and how many more", () => {
  expect(some(["a", "b"])).toBe("a, b");
  expect(some(["a", "b", "c", "d", "e", "f"])).toBe("a, b, c, d, e and 1 more");
});
