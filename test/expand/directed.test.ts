import { describe, expect, it } from "vitest";
import { atConstants, withOptions } from "../../src/expand/index.ts";

const given = [{ args: "3, 'ab', [1, 2]" }, { args: "4, '', []" }];
const argsOf = (inputs: readonly object[]): string[] => inputs.map((input) => (input as { args: string }).args);

describe("inputs at a program's constants", () => {
  it("replace one argument, or the first item of a list, by a constant or its neighbour", () => {
    const found = argsOf(atConstants(given, "def f(n, s, xs):\n    return n == 70 or s == 'push' or xs"));
    expect(found.sort()).toEqual(
      [
        ...["70", "69", "71"].flatMap((n) => [`${n}, 'ab', [1, 2]`, `${n}, '', []`, `3, 'ab', [${n}, 2]`]),
        ...["3, 'push', [1, 2]", "4, 'push', []"],
      ].sort(),
    );
  });

  it("pass an integer constant as a float", () => {
    expect(argsOf(atConstants([{ args: "1.5" }], "def f(x): return x > 0"))).toEqual(["0.0", "-1.0", "1.0"]);
  });

  it("are few, however many constants a program has", () => {
    const many = Array.from({ length: 500 }, (_, i) => `${i * 3}`).join();
    expect(atConstants(given, `def f(n, s, xs): return n in [${many}]`)).toHaveLength(24);
    expect(atConstants([{ stdin: "3" }], "print(70)")).toEqual([]);
  });
});

describe("inputs for optional parameters", () => {
  const options = (source: string, description: string | null = null): string[] =>
    argsOf(withOptions([{ args: "[1]" }], { source, entryPoint: "f", description }));

  it("pass values of the type that annotation or default tell", () => {
    expect(options("def f(xs, target: Optional[int] = None): return xs")).toEqual(
      [2, 1, 3, 0].map((n) => `[1], target=${n}`),
    );
    expect(options("def f(xs, *, reverse=False): return xs")).toEqual(["[1], reverse=True", "[1], reverse=False"]);
    expect(options("def f(xs, *more, sep=', '): return xs == ';'")).toContain("[1], sep=';'");
  });

  it("pass nothing to what is internal or of unknown type", () => {
    expect(options("def f(xs, memo={}, seen=None, _n=0, key=None): return xs")).toEqual([]);
    expect(options("def f(xs, n=0): return f(xs[1:], n + 1)")).toEqual([]);
  });

  it("pass only what the description names, if there is one", () => {
    const source = "def f(xs, n=1, m=2): return xs";
    expect(new Set(options(source, "The first n items.").map((args) => args.split("=")[0]))).toEqual(
      new Set(["[1], n"]),
    );
    expect(options(source, "The first items.")).toEqual([]);
  });
});
