import { afterAll, describe, expect, it } from "vitest";
import { answersWithin, NOT_RUN, TOO_MANY } from "../../src/behaviour/steps.ts";
import type { Answer } from "../../src/execute/index.ts";
import { closeExecutor, executor } from "./run.ts";

afterAll(closeExecutor);

/** What `f` answers to integers, with so many steps. */
async function run(code: string, inputs: readonly number[], steps: number | null, mostLate = 100): Promise<Answer[]> {
  const program = { code, entryPoint: "f", setup: "" };
  const all = inputs.map((n) => ({ args: String(n) }));
  return answersWithin(await executor(), program, all, { steps, cpuS: 0.1, mostLate });
}

const textOf = (answer: Answer): string =>
  answer === TOO_MANY
    ? "too many"
    : answer === NOT_RUN
      ? "not run"
      : answer.outcome === "ok"
        ? answer.text
        : answer.outcome;

describe("a limit of steps", () => {
  // Each makes n + 1 steps for n.
  it.each([
    ["a loop", "def f(n):\n    total = 0\n    for i in range(n):\n        # one\n        total += i\n    return total"],
    ["a loop with `while`", "def f(n):\n    m = 0\n    while m < n:\n        m += 1\n    return m"],
    ["a loop on one line", "def f(n):\n    m = 0\n    while m < n: m += 1\n    return m"],
    ["a loop that begins with a block", "def f(n):\n\tfor i in range(n):\n\t\tif i:\n\t\t\tpass\n\treturn n"],
    ["a list", "def f(n):\n    return [i for i in range(n) if i % 2]"],
    ["a generator that is read", "def f(n): return sum(i * i for i in range(n))"],
    ["calls of itself", 'def f(n):\n    """Counts down."""\n    return 0 if n <= 0 else 1 + f(n - 1)'],
    ["calls of another function", "def f(n):\n    return sum(map(g, range(n)))\ndef g(n):\n    return n"],
    [
      "calls of a method",
      "class C:\n    def g(self, n): return n\nc = C()\ndef f(n):\n    return sum(map(c.g, range(n)))",
    ],
  ])("counts %s", async (_, code) => {
    expect((await run(code, [9, 10], 10)).map(textOf)).toEqual([expect.not.stringMatching(/too/), "too many"]);
  });

  it.each([
    [
      "handles all exceptions",
      "def f(n):\n    try:\n        while True:\n            n += 1\n    except BaseException:\n        return n",
    ],
    ["ends a `map` early", "def g(n):\n    return n\ndef f(n):\n    return list(map(g, range(n)))"],
    [
      "handles it in a generator",
      "def f(n):\n    def g():\n        try:\n            for i in range(n):\n                yield i\n        except RuntimeError:\n            yield 0\n    return list(g())",
    ],
  ])("holds for a program that %s", async (_, code) => {
    expect((await run(code, [50], 10)).map(textOf)).toEqual(["too many"]);
  });

  it("does not run the others after so many inputs with too many steps", async () => {
    const code = "def f(n):\n    return len([i for i in range(n)])";
    const found = (await run(code, [1, 20, 2, 20, 3, 4], 10, 2)).map(textOf);
    expect(found).toEqual(["1", "too many", "2", "too many", "not run", "not run"]);
  });

  it("changes no other answer", async () => {
    const code =
      "limit = [k * k for k in range(100)]\ndef f(n):\n    if n == 1:\n        raise TimeoutError('slow')\n    if n == 2:\n        return n / 0\n    return sorted({k: len(limit) for k in range(n)}.items(), key=lambda p: -p[0])";
    expect(await run(code, [0, 1, 2, 3], 10)).toEqual(
      (await run(code, [0, 1, 2, 3], null)).map((one) => ("cpuS" in one ? { ...one, cpuS: expect.any(Number) } : one)),
    );
  });

  it("also limits the time, because a step may be slow, and where the program has no tree", async () => {
    expect((await run("def f(n):\n    return sum(range(10 ** 9))", [1], 1000)).map(textOf)).toEqual(["timeout"]);
    expect((await run("def f(n:\n    return 1", [1], 1000)).map(textOf)).toEqual(["error"]);
  });
});
