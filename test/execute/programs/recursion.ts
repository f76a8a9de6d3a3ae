/** Random programs for memoize.py: tree recursion that may be cached, and similar programs that may not. */
import type { Random } from "../../../src/util/random.ts";
import type { RandomProgram } from "./compare.ts";

export function recursionProgram(random: Random): RandomProgram {
  const two = random.chance(0.4);
  const name = random.pick(["f", "fib", "r"]);
  const lines = [
    `def ${name}(${two ? "n, m" : "n"}${random.chance(0.05) ? ", k=1" : ""}):`,
    ...(random.chance(0.2) ? ['"""Says what it does."""'] : []),
    ...bases(random, two),
    ...Array.from({ length: random.int(0, 2) }, () => statement(random, two, name)),
    `return ${combined(random, two, name)}`,
  ].map((line, i) => (i === 0 ? line : `    ${line}`));
  const decorated = random.chance(0.03) ? ["import functools", "@functools.lru_cache(None)", ...lines] : lines;
  const guarded = random.chance(0.04)
    ? [random.pick(["if True:", "for _ in [1, 2]:"]), ...decorated.map((line) => `    ${line}`)]
    : decorated;
  const [around, entry] = random.chance(0.4) ? surroundings(random, two, name) : [[], name];
  const args = Array.from({ length: random.int(2, 4) }, () => {
    const [one, other] = [argument(random, two), argument(random, two)];
    return random.chance(0.03) ? `${entry}(${one})${two ? `, ${entry}(${other})` : ""}` : one;
  });
  return { code: [...guarded, ...around, ""].join("\n"), entry, args };
}

const bases = (random: Random, two: boolean): string[] => {
  const leaf = (): string =>
    random.pick(["n", "1", "0", "1", two ? "m" : "2", "max(n, 1)", "True", "None", "n * n", `${random.int(2, 9)}`]);
  const first = random.pick([
    "n < 2",
    "n <= 1",
    "n in (0, 1)",
    "n < 1",
    "not n > 0",
    "n <= 0 or n == 1",
    "n is None or n < 2",
  ]);
  const bad = random.chance(0.05) ? ['if n < 0: raise ValueError("expected n")', "assert n == n, 'a number'"] : [];
  const more = random.chance(0.4) ? [`if n == ${random.int(1, 4)}: return ${leaf()}`] : [];
  return [...bad, `if ${first}: return ${leaf()}`, ...more];
};

const operand = (random: Random, two: boolean): string => random.pick(["n", two ? "m" : "n", `${random.int(1, 99)}`]);

function statement(random: Random, two: boolean, name: string): string {
  const [a, b] = [operand(random, two), operand(random, two)];
  return random.pick([
    `x = (${a} * 7 + ${b}) % 13`,
    `x = abs(${a} - ${b}) // 3`,
    "x = ((((n + 1) * 3 - 1) % 11 + 4) // 2 - 1) & 15",
    `if n > ${random.int(5, 20)}: x = ${"(".repeat(9)}n${" + 1) % 97".repeat(9)}`,
    `if n % 5 == 0: return ${self(random, two, name)}`,
    ...(two ? ["m = m + 1", "m *= m", "m = m * m"] : ["pass"]),
    ...(random.chance(0.1)
      ? [
          "x = sum(range(n * 20))",
          "for i in range(n): x = i",
          "print(n)",
          "x = [n, n]",
          "x = 2 ** n",
          "x = n / 3",
          "global g; g = n",
        ]
      : []),
  ]);
}

function self(random: Random, two: boolean, name: string): string {
  const less = random.pick(["n - 1", "n - 1", "n - 2", "n - 3", "n // 2", "n - 1 - n % 2"]);
  const other = random.pick([
    "m",
    "m",
    "m + 1",
    "m - 1",
    "m % 7",
    "m * m",
    "m * 2",
    "n",
    `min(m, ${random.int(1, 9)})`,
  ]);
  return two ? `${name}(${less}, ${other})` : `${name}(${less})`;
}

function combined(random: Random, two: boolean, name: string): string {
  const [a, b, c] = [self(random, two, name), self(random, two, name), self(random, two, name)];
  return random.pick([
    `${a} + ${b}`,
    `${a} + ${b}`,
    `${a} + ${b} + ${c}`,
    `(${a} + ${b}) % 1000003`,
    `${a} - ${b}`,
    `max(${a}, ${b}) + 1`,
    `${a} * ${b}`,
    `${a} if n % 3 else ${b}`,
    `${a} and ${b}`,
    `${a} * 2 + ${b} ${random.pick(["|", "&", "^", "-"])} ${c}`,
    ...(random.chance(0.1)
      ? [`[${a}, ${b}]`, `str(${a}) + str(${b})`, `(${a} + ${b}) / 2`, `${a} is ${b}`, `0.5 * ${a} + ${b}`]
      : []),
  ]);
}

/** The rest of a program, and which of its functions is tested. */
function surroundings(random: Random, two: boolean, name: string): [string[], string] {
  const call = (n: string): string => (two ? `${name}(${n}, ${random.int(0, 3)})` : `${name}(${n})`);
  const times = random.pick([10, 1000, 20_000, 100_000]);
  return random.pick<[string[], string]>([
    [["def g(*a):", `    return ${call("a[0]")}`], "g"],
    [["def g(*a):", `    return sum(${call("i % 3")} for i in range(${times}))`], "g"],
    [["def g(*a):", `    x = ${call("a[0]")}`, `    return x + ${call("a[0] - 1")}`], "g"],
    [
      [
        "def g(*a):",
        "    i = 0",
        `    while ${call("i % 25")} < a[0] * 10 and i < 40:`,
        "        i += 1",
        "    return i",
      ],
      "g",
    ],
    [["seen = []", "def g(*a):", "    seen.append(a)", `    return len(seen) + ${call("a[0]")}`], "g"],
    [
      ["if True:", "    def g(*a, seen=[]):", "        seen.append(a)", `        return len(seen) + ${call("a[0]")}`],
      "g",
    ],
    [["def g(*a: (seen := [])):", "    seen.append(a)", `    return len(seen) + ${call("a[0]")}`], "g"],
    [[`other = ${name}`, "def g(*a):", `    return ${name} is other`], "g"],
    [["def g(*a):", "    global max", "    max = min", "    return 0"], name],
    [["from operator import add as abs"], name],
    [["calls = 0", "def g(*a):", "    global calls", "    calls += 1", `    return calls + ${call("a[0]")}`], "g"],
  ]);
}

function argument(random: Random, two: boolean): string {
  const usual = (): string => `${random.int(0, random.pick([8, 20, 28, 36]))}`;
  const odd = random.pick([
    "-1",
    "-5",
    "True",
    "None",
    "2.5",
    "'x'",
    "10**400",
    "2**62",
    "[3]",
    "90",
    "400",
    "1200",
    "10 - 3",
    "n=3",
  ]);
  const first = random.chance(0.12) ? odd : usual();
  if (!two) return first;
  return `${first}, ${random.chance(0.15) ? random.pick(["10**400", "-1", "1.5", "2**70", "2**61", "'m'"]) : random.int(0, 30)}`;
}
