import { afterAll, describe, expect, it } from "vitest";
import { counterexamplesOf, showCounterexample } from "../../src/behaviour/index.ts";
import type { Observed } from "../../src/behaviour/observe.ts";
import type { Known } from "../../src/behaviour/oracle.ts";
import type { Task } from "../../src/behaviour/types.ts";
import type { Answer } from "../../src/execute/index.ts";
import { closeExecutor, executor, observe } from "./run.ts";

afterAll(closeExecutor);

async function counterexample(task: Omit<Task, "description"> & { description?: string }): Promise<string | null> {
  const whole: Task = { description: null, ...task };
  const { observed } = await observe(whole, 30);
  const found = await counterexamplesOf(whole, observed, await executor())(0);
  return found && showCounterexample(found);
}

it("says so where the answer is wrong only after other calls", async () => {
  const reference = "def collect(n: int) -> list[int]:\n    return [n]";
  const keeps = "def collect(n, seen=[]):\n    seen.append(n)\n    return seen[::-1]";
  const wrong = "def collect(n):\n    return [n, n]";
  expect(await counterexample({ reference, candidates: [keeps] })).toMatch(/^collect\(.*\(after other calls\)$/);
  expect(await counterexample({ reference, candidates: [wrong] })).not.toContain("after");
  const description = "Lists n. collect(1) == [1], collect(2) == [2]";
  expect(await counterexample({ reference: null, description, candidates: [keeps] })).toMatch(
    /^collect\(2\): expected \[2\], got \[2, 1\] \(after other calls\)$/,
  );
});

describe("an unusual input", () => {
  const reference = "def f(n: int) -> int:\n    return abs(n) * 2";
  const unusual = async (candidate: string, description: string | null = null): Promise<true | undefined | null> => {
    const task: Task = { description, reference, candidates: [candidate] };
    const { observed } = await observe(task, 30);
    const found = await counterexamplesOf(task, observed, await executor())(0);
    return found === null ? null : found.unusual;
  };

  it("is shown, and said to be one, where candidate and reference differ on no other", async () => {
    expect(await unusual("def f(n: int) -> int:\n    return n * 2")).toBe(true);
    expect(
      await unusual("def f(n: int) -> int:\n    return n * 2", "Twice how far it is from 0. f(-3) == 6"),
    ).toBeUndefined();
  });

  it("is not one any more where it is made smaller to a usual one", async () => {
    const sorted = (key: string): string =>
      `def f(words: list[str]) -> list[str]:\n    return sorted(words, key=lambda w: ${key})`;
    const task: Task = { description: null, reference: sorted("len(w)"), candidates: [sorted("(len(w), w)")] };
    const { observed } = await observe(task, 1);
    const [known] = observed.inputs.known;
    const input = { args: "['', 'b', 'a', 'cc']" };
    const answersOf = async (code: string): Promise<Answer> =>
      (await (await executor()).answers({ code, entryPoint: "f", setup: "" }, [input]))[0]!;
    const answer = (await answersOf(task.reference!)) as Known["answer"];
    const only: Observed = {
      inputs: { ...observed.inputs, known: [{ ...known!, input, answer }], unusual: [true] },
      candidates: [{ ...observed.candidates[0]!, answers: [await answersOf(task.candidates[0]!)], agrees: [false] }],
    };
    const found = await counterexamplesOf(task, only, await executor())(0);
    expect(found!.input).not.toMatch(/''|\[\]/);
    expect(found!.unusual).toBeUndefined();
  });

  it("is not what a usual one is made smaller to", async () => {
    expect(await unusual("def f(n: int) -> int:\n    return n")).toBeUndefined();
  });
});

it("keeps the keys that records need, and what the description says of arguments", async () => {
  const shown = async (task: Task): Promise<string> => {
    const { observed } = await observe(task, 30);
    return (await counterexamplesOf(task, observed, await executor())(0))!.input;
  };
  const total = (test: string): string =>
    `def f(items: list):\n    return sum(x["price"] * x["qty"] for x in items if ${test})\n`;
  const lazy =
    "def f(items: list):\n    return sum(x['price'] * x['qty'] if x['qty'] < 3 else x['price'] for x in items)\n";
  expect(await shown({ description: null, reference: total("x['qty'] > -9"), candidates: [lazy] })).toMatch(
    /^f\(\[\{(?=.*'price': ).*'qty': .*\}\]\)$/,
  );
  const reference = "def f(text: str, width: int):\n    return text[: width - 1] + '.'\n";
  const wrong = "def f(text: str, width: int):\n    return text[:width] + '.'\n";
  const description = "Shortens a text. width >= 3.";
  expect(await shown({ description, reference, candidates: [wrong] })).toMatch(/^f\('.*', (?:[3-9]|\d\d+)\)$/);
});

const isPrime = (bound: string): string =>
  `def is_prime(n):\n    if n < 2:\n        return False\n    i = 2\n    while i * i ${bound} n:\n        if n % i == 0:\n            return False\n        i += 1\n    return True\n`;

describe("the smallest input on which a candidate differs", () => {
  it.each<[string, string, string, string | RegExp]>([
    ["< for <=", isPrime("<="), isPrime("<"), "is_prime(4): expected False, got True"],
    [
      "a missing abs",
      "def f(a, b):\n    return abs(a - b)",
      "def f(a, b):\n    return a - b",
      /^f\((?:0, 1|0, [12]|1, 2)\): expected [12], got -[12]$/,
    ],
    [
      "a slice that ends too early",
      "def f(xs, n):\n    return list(xs)[:n]",
      "def f(xs, n):\n    return list(xs)[:n - 1]",
      /^f\(.{1,14}\): expected \[.{1,3}\], got \[.{0,3}\]$/,
    ],
    [
      "a missing case",
      "def f(s: str) -> str:\n    return s.strip().lower()",
      "def f(s: str) -> str:\n    return s.strip()",
      /^f\('([A-Z])'\): expected '[a-z]', got '\1'$/,
    ],
    [
      "an exception",
      "def f(xs: list[int]) -> int:\n    return sum(xs) // max(1, len(xs))",
      "def f(xs: list[int]) -> int:\n    return sum(xs) // len(xs)",
      /^f\(\[\]\): expected 0, got ZeroDivisionError: /, // the message differs in Python 3.14
    ],
    [
      "a loop without end",
      "def f(n: int) -> int:\n    return max(n, 0)",
      "def f(n: int) -> int:\n    while n < 0: pass\n    return n",
      /^f\(-\d{1,2}\): expected 0, got no answer in time$/,
    ],
    [
      "a method",
      "class Solution:\n    def f(self, n: int) -> bool:\n        return n > 3",
      "class Solution:\n    def f(self, n: int) -> bool:\n        return n >= 3",
      "f(3): expected False, got True",
    ],
    [
      "an object in the answer",
      "def f(n: int) -> list:\n    return [n]",
      "class A: pass\ndef f(n: int) -> list:\n    return [A(), n]",
      /^f\(-?\d\): expected \[-?\d\], got \[A\(\{\}\), -?\d\]$/,
    ],
  ])("%s", async (_, reference, candidate, expected) => {
    const found = await counterexample({ reference, candidates: [candidate] });
    if (typeof expected === "string") expect(found).toBe(expected);
    else expect(found).toMatch(expected);
  });

  it("of a program that reads", async () => {
    const program = (items: string): string =>
      `n = int(input())\nxs = list(map(int, input().split()))\nprint(max(${items}, default=0))\n`;
    const description = "Example\nInput\n3\n1 5 3\nOutput\n5\n";
    const found = await counterexample({ reference: program("xs"), candidates: [program("xs[:-1]")], description });
    expect(found).toMatch(/^"-?\d+\\n[-\d ]{1,12}": expected '-?\d+\\n', got '-?\d+\\n'$/);
  });

  it("is null where nothing differs, or nothing is known", async () => {
    expect(await counterexample({ reference: isPrime("<="), candidates: [isPrime("<=")] })).toBeNull();
    expect(await counterexample({ reference: null, candidates: ["def f(n):\n    return n"] })).toBeNull();
  });
});

describe("a failed example comes first", () => {
  it("the smallest", async () => {
    const description = "f([1, 2, 3]) == 6, f([4]) == 4 and f([5, 6]) == 11";
    const found = await counterexample({ reference: null, description, candidates: ["def f(xs):\n    return 0"] });
    expect(found).toBe("f([4]): expected 4, got 0");
  });

  it("with a reference that does as it says", async () => {
    const description = "f([3, 1, 2]) == 3";
    const task = {
      reference: "def f(xs):\n    return max(xs)",
      candidates: ["def f(xs):\n    return xs[-1]"],
      description,
    };
    expect(await counterexample(task)).toBe("f([3, 1, 2]): expected 3, got 2");
  });

  it("of what is printed", async () => {
    const description = "Example\nInput\n3\nOutput\n9\n";
    expect(await counterexample({ reference: null, description, candidates: ["print(int(input()))"] })).toBe(
      "\"3\": expected '9\\n', got '3\\n'",
    );
  });
});

it("is the same again", async () => {
  const task = { reference: isPrime("<="), candidates: [isPrime("<")] };
  expect(await counterexample(task)).toBe(await counterexample(task));
});
