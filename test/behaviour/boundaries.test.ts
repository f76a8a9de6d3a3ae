/** Inputs at the boundaries of the reference's comparisons, seen by programs that are wrong on them alone. */
import { afterAll, describe, expect, it } from "vitest";
import { changes } from "../../src/behaviour/change.ts";
import { recordComparisons, recorder, recording } from "../../src/behaviour/compared.ts";
import { parseArguments } from "../../src/languages/python/literals/index.ts";
import { readProblems } from "../../src/problems/index.ts";
import { packageRoot } from "../../src/util/files.ts";
import { closeExecutor, executor, observe } from "./run.ts";

afterAll(closeExecutor);

const call = { kind: "call", name: "f" } as const;

/** Name, the reference, what is wrong in it, and what a wrong program has there. */
const FAULTS: readonly (readonly [name: string, reference: string, from: string, to: string])[] = [
  ["a difference and a parameter", "def f(sessions: dict[str, int], now: int, ttl: int) -> list[str]:\n    return [k for k, t in sessions.items() if now - t > ttl]\n", "t > ttl", "t >= ttl"],
  ["a sum and a parameter", "def f(moves: list[int], limit: int) -> int:\n    total = 0\n    for x in moves:\n        if total + x <= limit:\n            total += x\n    return total\n", "<= limit", "< limit"],
  ["an optional parameter and a constant", 'def f(points: int, years: int = 0) -> str:\n    """Members for more than 5 years get the next tier."""\n    return "gold" if points >= 1234 or years > 5 else "silver"\n', "years > 5", "years > 6"],
  ["a quotient and a constant", "def f(n: int) -> str:\n    return f'{n // 977} M' if n / 977 >= 1024 else f'{n} B'\n", ">= 1024", "> 1024"],
  ["a length and a constant", "def f(s: str) -> str:\n    return s if len(s) <= 23 else s[:22] + '.'\n", "<= 23", "< 23"],
  ["a length and a parameter", "class f:\n    def __init__(self, capacity):\n        self.capacity, self.items = capacity, {}\n    def put(self, key, value):\n        self.items[key] = value\n        if len(self.items) > self.capacity:\n            self.items.pop(min(self.items))\n        return sorted(self.items)\n", "> self.capacity", ">= self.capacity"],
  ["a chain of three", "def f(x: int, low: int, high: int) -> bool:\n    return low * 3 <= x < high * 7\n", "x < high", "x <= high"],
  ["two texts", "def f(rows: list[tuple[str, str]]) -> str:\n    best = rows[0]\n    for row in rows[1:]:\n        if row[1] >= best[1]:\n            best = row\n    return best[0]\n", ">=", ">"],
  ["numbers in texts", "def f(start: str, end: str) -> int:\n    '''\n    >>> f('09:30', '17:45')\n    495\n    '''\n    a, b = (int(t[:2]) * 60 + int(t[3:]) for t in (start, end))\n    return b - a if b > a else b - a + 1440\n", "b > a", "b >= a"],
  ["standard input", "balance = 0\nfor line in open(0):\n    word, n = line.split()\n    if word == 'in':\n        balance += int(n)\n    elif int(n) > balance:\n        print('no', n)\n    else:\n        balance -= int(n)\nprint(balance)\n", "> balance", ">= balance"],
]; // biome-ignore format: one reference a line

const SAMPLE =
  "Reads movements and prints the balance.\n\nSample input:\nin 12\nout 5\nout 9\n\nSample output:\nno 9\n7\n";

describe("a boundary of", () => {
  it.each(FAULTS)("%s", async (name, reference, from, to) => {
    const wrong = reference.replace(from, to);
    expect(wrong).not.toBe(reference);
    const description = name === "standard input" ? SAMPLE : (/("""|''')[\s\S]*?\1/.exec(reference)?.[0] ?? null);
    const { observed } = await observe({ reference, description, candidates: [wrong, reference] }, 40);
    const [wrongs, rights] = observed.candidates.map(({ agrees }) => agrees!);
    expect(rights!.every(Boolean)).toBe(true);
    expect(wrongs!.every(Boolean)).toBe(false);
  });
});

describe("recorded comparisons", () => {
  it("change no answer of the starter problems", async () => {
    const problems = [...(await readProblems([`${packageRoot}/datasets/starter`])).values()].filter(
      ({ entryPoint }) => entryPoint !== null,
    );
    let compared = 0;
    for (const problem of problems) {
      const { references, entryPoint, setup } = problem;
      const code = references[0]!;
      const recorded = await recording(code);
      const inputs = recorded === null ? [] : (await (await executor()).inputs(problem)).slice(0, 4);
      if (recorded === null || inputs.length === 0) continue;
      compared += 1;
      const [before, after] = await Promise.all(
        [
          { code, setup },
          { code: recorded.code, setup: `${setup}\n${recorder(true)}` },
        ].map(async (program) => (await executor()).answers({ ...program, entryPoint }, inputs)),
      );
      const texts = (all: typeof before): string[] =>
        all!.map((one) => (one.outcome === "ok" ? one.text : one.outcome));
      expect(texts(after), recorded.code).toEqual(texts(before));
    }
    expect(compared).toBeGreaterThan(20);
  });

  it.each([
    ["if a < b:\n  pass", "if _codescore_lt(0, a, b):\n  pass"],
    ["x = (a == b) != (c >= d)", "x = _codescore_ne(0, (_codescore_eq(2, a, b)), (_codescore_ge(4, c, d)))"],
    ["x = 0 <= i < len(s)", "x = (_codescore_le(0, 0, i) and _codescore_lt(1, i, len(s)))"],
    ["x = a < f(b) < c", null],
    ["x = a in b", null],
    ["x = f'{a < b}'", null],
    ["def f(:\n  a < b", null],
  ])("%j", async (code, expected) => {
    expect((await recording(code))?.code ?? null).toBe(expected);
  });

  it("show how operands relate, and the closest that differ", async () => {
    const reference =
      "import datetime\ndef f(xs, d):\n    found = [x for x in xs if x < 5]\n    return found, d > datetime.date(2024, 1, 9)\n";
    const comparing = await recordComparisons(reference, call, await executor(), { steps: 20_000, cpuS: 0.1 });
    expect([...comparing!.orders]).toEqual([0, 2]);
    const [first, second] = await comparing!.run([
      { args: "[1, 7, 5, 9], __import__('datetime').date(2024, 1, 8)" },
      { args: "[], None" },
    ]);
    const number = (v: bigint) => ({ t: "int", v });
    expect(first!.get(0)!.closest).toEqual([number(7n), number(5n)]);
    expect([...first!.get(0)!.signs].sort()).toEqual(["<", "=", ">"]);
    expect(first!.get(2)).toEqual({
      signs: ["<"],
      closest: [
        { t: "str", v: "2024-01-08" },
        { t: "str", v: "2024-01-09" },
      ],
    });
    expect(second!.size).toBe(0);
  });

  it("survive a reference that is hostile or replaces built-in functions", async () => {
    for (const code of [
      "def abs(x): return abs(x)\ndef f(n): return n < 3",
      "def f(n):\n    _codescore_found.update({0: 1, 'x': [2]})\n    return n < 3",
      "class L(list):\n    def __lt__(self, o): raise MemoryError\ndef f(n): return L() < 3",
      "def f(n):\n    for i in range(10 ** 9):\n        if i < n: n += 1",
    ]) {
      const comparing = await recordComparisons(code, call, await executor(), { steps: 20_000, cpuS: 0.1 });
      const found = await comparing!.run([{ args: "1" }]);
      expect(found).toHaveLength(1);
    }
  });
});

describe("changes", () => {
  const int = (v: number) => ({ t: "int", v: BigInt(v) }) as const;
  const made = (args: string, operands: Parameters<typeof changes>[0]["operands"], sign: "<" | "=" | ">") =>
    changes({ input: { args }, operands, change: null }, sign).map(({ input }) => ("args" in input ? input.args : ""));

  it("move numbers by the distance, those that equal an operand first", () => {
    expect(made("7, 100", [int(7), int(40)], "=")).toEqual(["40, 100", "7, 133", "7, 67"]);
    expect(made("7, 100", [int(7), int(40)], "<").slice(0, 1)).toEqual(["39, 100"]);
    expect(made("7, 100", [int(7), int(40)], ">").slice(0, 1)).toEqual(["41, 100"]);
  });

  it("resize what has the length of an operand", () => {
    expect(made("'ab', [1, 2, 3]", [int(2), int(3)], "=")).toContain("'aba', [1, 2, 3]");
    expect(made("'ab', [1, 2, 3]", [int(3), int(2)], "=")).toContain("'ab', [1, 2]");
  });

  it("keep keys, and the width of numbers in texts", () => {
    expect(made("{'a1': '09:05'}", [int(5), int(7)], "=")).toContain("{'a1': '09:07'}");
    for (const args of made("{'a1': '09:05'}", [int(1), int(7)], "=")) expect(args).toContain("'a1'");
  });

  it("are bounded", () => {
    const digits = "7 ".repeat(50_000);
    const long = `'${digits}', [${Array.from({ length: 5000 }, (_, i) => i).join()}]`;
    expect(made(long, [int(7), int(8)], "=").length).toBeLessThan(200);
    expect(made("1", [int(1), { t: "int", v: 10n ** 30n }], "=")).toEqual([]);
    for (const args of made("'ab'", [int(2), int(1_000_000)], "="))
      expect(parseArguments(args).positional).toHaveLength(1);
  });
});
