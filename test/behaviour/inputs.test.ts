import { afterAll, describe, expect, it } from "vitest";
import { parseArguments } from "../../src/languages/python/literals/index.ts";
import { closeExecutor, inputsOf, observe } from "./run.ts";

afterAll(closeExecutor);

const types = (inputs: readonly string[]): string[] => [
  ...new Set(
    inputs.map((args) =>
      parseArguments(args)
        .positional.map(({ t }) => t)
        .join(),
    ),
  ),
];

describe("inputs of a function", () => {
  it.each<[string, string, string]>([
    [
      "an untyped one of numbers",
      "def f(n):\n    if n < 2: return n\n    return f(n - 1) + f(n - 2) if n < 15 else n % 7",
      "int",
    ],
    ["an untyped one of texts", "def f(s):\n    return s.upper()[::-1]", "str"],
    ["an untyped one of lists", "def f(xs):\n    return sorted(x * x for x in xs)[:3]", "list"],
    ["an untyped one of dicts", "def f(d):\n    return sorted(d.items())", "dict"],
    [
      "an untyped one of two kinds",
      "def f(words, n):\n    return [w for w in words if len(w.lower()) > n]",
      "list,int",
    ],
  ])("%s", async (_, reference, expected) => {
    const ran = await observe({ reference });
    expect(ran.run.inputs.from).toBe("trial");
    expect(inputsOf(ran).length).toBeGreaterThanOrEqual(10);
    expect(types(inputsOf(ran))).toContain(expected);
  });

  it("are those of its annotations", async () => {
    const ran = await observe({ reference: "def f(xs: list[str], n: int) -> str:\n    return '-'.join(xs) * (n % 4)" });
    expect(ran.run.inputs.from).toBe("annotations");
    expect(inputsOf(ran).length).toBeGreaterThanOrEqual(15);
    expect(types(inputsOf(ran))).toEqual(["list,int"]);
  });

  it("leave defaults and keyword arguments out, or give them", async () => {
    const ran = await observe({
      reference: "def f(xs, start=3, *, reverse=False):\n    return sorted(xs, reverse=reverse)[start % 5:]",
    });
    expect(inputsOf(ran).length).toBeGreaterThanOrEqual(10);
    for (const args of inputsOf(ran)) expect(parseArguments(args).positional[0]!.t).toMatch(/list|tuple|str|set|dict/);
  });

  it("begin with the examples that the description shows", async () => {
    const reference =
      "def f(s):\n    parts = s.split(';')\n    return {k: int(v) for k, v in (p.split('=') for p in parts)}";
    const ran = await observe({ reference, description: "Parse.\n>>> f('a=1;b=2')\n{'a': 1, 'b': 2}" });
    expect(ran.run.inputs.from).toBe("examples");
    expect(inputsOf(ran)).toContain("'a=1;b=2'");
    expect(ran.run.inputs.examples).toHaveLength(1);
  });

  it("are of methods of a `Solution` too, which counts on LeetCode's names", async () => {
    const reference = `class Solution:
    def f(self, nums: List[int], k: int) -> int:
        seen = defaultdict(int)
        for x in nums: seen[x % 7] += pow(k, 2, 5)
        return max(seen.values(), default=inf if not nums else 0)`;
    const ran = await observe({
      reference,
      candidates: [reference],
      description: "Input: nums = [1,2,8], k = 3\nOutput: 8",
    });
    expect(ran.run.inputs.entry).toEqual({ kind: "call", name: "Solution().f" });
    expect(ran.run.inputs.examples).toHaveLength(1);
    expect(inputsOf(ran).length).toBeGreaterThanOrEqual(10);
    expect(ran.observed.candidates[0]!.agrees!.every(Boolean)).toBe(true);
  });

  it("tell mutants of the reference apart", async () => {
    const reference =
      "def f(n):\n    if n < 2:\n        return False\n    return all(n % i for i in range(2, int(n ** 0.5) + 1))";
    const ran = await observe({ reference, description: "Whether a number is prime." });
    expect(ran.run.inputs.killed).toBeGreaterThanOrEqual(0.8);
  });

  it("are all that the reference answers in time, where they are few", async () => {
    const ran = await observe({
      reference: "def f(n: int):\n    return n if n < 2 else f(n - 1) + f(n - 2)",
      description: ">>> f(8)\n21",
    });
    expect(inputsOf(ran).length).toBeGreaterThanOrEqual(15);
  });

  it("are the same for the same seed, and others for another", async () => {
    const reference = "def f(xs, n):\n    return [x for x in xs if x > n]";
    const [one, same, other] = [
      await observe({ reference }, 20, 5),
      await observe({ reference }, 20, 5),
      await observe({ reference }, 20, 6),
    ];
    expect(inputsOf(one)).toEqual(inputsOf(same));
    expect(inputsOf(one)).not.toEqual(inputsOf(other));
    expect(new Set(inputsOf(one)).size).toBe(inputsOf(one).length);
  });

  it("are no more than wanted, and only the examples' where none are", async () => {
    const reference = "def f(xs: list[int]) -> int:\n    return sum(xs)";
    expect(inputsOf(await observe({ reference }, 7))).toHaveLength(7);
    const none = await observe({ reference, description: "f([1, 2]) == 3" }, 0);
    expect(inputsOf(none)).toEqual([]);
    expect(none.run.inputs.examples).toHaveLength(1);
  });
});

describe("inputs of a program that reads", () => {
  const reference = "n = int(input())\nxs = list(map(int, input().split()))\nprint(sum(xs[:n]))\n";

  it("are made of the samples", async () => {
    const description = "-----Examples-----\nInput\n3\n1 2 3\n\nOutput\n6\n\nInput\n1\n5\n\nOutput\n5\n";
    const ran = await observe({ reference, description, candidates: [reference, "print(6)"] });
    expect(ran.run.inputs.from).toBe("examples");
    for (const text of inputsOf(ran)) expect(text).toMatch(/^-?\d+\n/);
    expect(ran.observed.candidates.map(({ examples }) => examples)).toEqual([
      { passed: 2, total: 2 },
      { passed: 1, total: 2 },
    ]);
  });

  it("are found by trial where none are shown", async () => {
    const ran = await observe({ reference });
    expect(ran.run.inputs.from).toBe("trial");
    expect(inputsOf(ran).length).toBeGreaterThanOrEqual(5);
    for (const text of inputsOf(ran)) expect(text).toMatch(/^-?\d+\n/);
  });
});

describe("inputs of a program that reads standard input in no common layout", () => {
  it.each<[string, string, RegExp]>([
    [
      "five numbers and a time",
      "a, b, c, d, e = map(int, input().split())\nh, m = map(int, input().split(':'))\nprint(a + b * c - d + e + 60 * h + m)",
      /^(?:-?\d+ ){4}-?\d+\n\d+:\d+\n$/,
    ],
    [
      "words of a queue, the last a date",
      "import sys\nfrom collections import deque\nwords = deque(sys.stdin.read().split())\na, b = int(words.popleft()), int(words.popleft())\ny, m, d = map(int, words.popleft().split('-'))\nprint(a * y + b * m + d)",
      /^\d+\s\d+\s\d+-\d+-\d+\n$/,
    ],
    [
      "rows whose number comes first, by readline",
      "import sys\nread = sys.stdin.readline\nn = int(read())\nrows = [[int(x) for x in read().split('-')] for _ in range(n)]\nprint(sum(a * b * c for a, b, c in rows))",
      /^\d+\n(?:\d+-\d+-\d+\n)+$/,
    ],
  ])("%s", async (_, reference, expected) => {
    const ran = await observe({ reference });
    expect(ran.run.inputs.from).toBe("trial");
    expect(inputsOf(ran).length).toBeGreaterThanOrEqual(5);
    for (const text of inputsOf(ran)) expect(text).toMatch(expected);
  });

  it("are calls of the description, whose answers are examples", async () => {
    const description = 'Write `find`.\n\nfind("!?") === "?!"\nfind("a!b?") === "?b!a"\n';
    const ran = await observe({ reference: "print(input()[::-1])", description });
    expect(ran.run.inputs).toMatchObject({ from: "examples", entry: { kind: "stdin" } });
    expect(ran.run.inputs.examples).toHaveLength(2);
    expect(ran.run.inputs.examples.map(({ input }) => input)).toContainEqual({ stdin: "a!b?\n" });
  });
});

describe("what cannot be compared gives no input", () => {
  it.each([
    ["random answers", "import random\ndef f(n: int):\n    return random.random()"],
    ["iterators in a list", "def f(n: int):\n    return [iter([n])]"],
    ["functions", "def f(n: int):\n    return lambda: n"],
    ["exceptions alone", "def f(n: int):\n    raise ValueError(n)"],
    ["loops without end", "def f(n: int):\n    while True: pass"],
  ])("%s", async (_, reference) => {
    const { run } = await observe({ reference });
    expect(run.inputs.known).toEqual([]);
  });

  it("a module that is not there, which is named", async () => {
    const { run } = await observe({ reference: "import no_such_module_here\ndef f(n: int):\n    return n" });
    expect(run.inputs).toMatchObject({ known: [], missing: "no_such_module_here" });
  });

  it("answers that differ by the random state on some inputs, but for those", async () => {
    const ran = await observe({
      reference: "import random\ndef f(n: int):\n    return random.random() if n > 3 else n",
    });
    expect(inputsOf(ran).length).toBeGreaterThan(0);
    for (const args of inputsOf(ran)) expect(Number(args)).toBeLessThanOrEqual(3);
  });
});

describe("examples", () => {
  it("that the reference contradicts are none", async () => {
    const description = "f(2) == 4, f(3) == 10 and f(4) == 16";
    const { run } = await observe({ reference: "def f(n):\n    return n * n", description });
    expect(run.inputs.examples.map(({ expected }) => expected)).toEqual(["4", "16"]);
  });

  it("are taken as they are without a reference", async () => {
    const description = "f(2) == 4 and f(3) == 10";
    const candidates = ["def f(n):\n    return n * n", "def f(n):\n    return 4"];
    const { run, observed } = await observe({ description, candidates });
    expect(run.inputs.examples).toHaveLength(2);
    expect(observed.candidates.map(({ examples }) => examples.passed)).toEqual([1, 1]);
    expect(observed.candidates.map(({ agrees }) => agrees)).toEqual([null, null]);
  });
});

it("without a reference inputs are those that a fifth of the candidates answer", async () => {
  const candidates = [
    "def f(s):\n    return s.upper()",
    "def f(s):\n    return s.lower()",
    "def f(s):\n    raise ValueError",
  ];
  const ran = await observe({ candidates, description: "Change a string's case." });
  expect(inputsOf(ran).length).toBeGreaterThanOrEqual(5);
  expect(types(inputsOf(ran))).toEqual(["str"]);
  expect(ran.run.inputs.killed).toBeNull();
});
