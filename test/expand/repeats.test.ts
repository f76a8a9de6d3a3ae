import { describe, expect, it } from "vitest";
import { withRepeats } from "../../src/expand/index.ts";
import { parseArguments } from "../../src/languages/python/literals/index.ts";
import { Random } from "../../src/util/random.ts";

const repeated = (args: string, seed = 0): string | null => {
  const found = withRepeats({ args }, new Random(seed));
  return found && "args" in found ? found.args : null;
};

describe("values that repeat", () => {
  it("are at most three of each type, all from the call", () => {
    for (let seed = 0; seed < 20; seed++) {
      const args = repeated("[5, 6, 7, 8, 9], ['a', 'b', 'c', 'd'], 4, k=3", seed) as string;
      const numbers = new Set(args.match(/\d+/g));
      expect(numbers.size).toBeLessThanOrEqual(3);
      for (const one of numbers) expect("3456789").toContain(one);
      expect(new Set(args.match(/[a-d]/g)).size).toBeLessThanOrEqual(3);
      expect(args).toMatch(/, k=\d$/);
    }
  });

  it("keep the form of a call", () => {
    const [graph, from] = parseArguments(repeated("{'a': ['b', 'c'], 'd': ['e']}, 'f'") as string).positional;
    expect(graph).toMatchObject({ t: "dict" });
    expect(from).toMatchObject({ t: "str" });
  });

  it("are not made of a few values, of floats, or of a text for standard input", () => {
    expect(repeated("[1, 2, 3], 'a'")).toBeNull();
    expect(repeated("[1.0, 2.0, 3.0, 4.0]")).toBeNull();
    expect(withRepeats({ stdin: "1 2 3 4" }, new Random(0))).toBeNull();
  });
});
