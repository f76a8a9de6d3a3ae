/** Random programs for endless.py: `while` loops that never end, that end after a while, or that only look like one of these. */
import type { Random } from "../../../src/util/random.ts";
import type { RandomProgram } from "./compare.ts";

const ARGS = 2;

export function loopProgram(random: Random): RandomProgram {
  const helper = random.chance(0.4);
  const lines = [
    ...(random.chance(0.2) ? ["import math", "LIMIT = 40000"] : ["LIMIT = 20000"]),
    ...(random.chance(0.05) ? ["seen = []"] : []),
    ...(helper ? ["def g(n, xs):", ...indent(body(random, 1, "n"))] : []),
    ...(random.chance(0.05) ? ["@(lambda f: f)"] : []),
    `def f(n${random.chance(0.05) ? ", xs=[]" : ""}):`,
    ...indent(body(random, helper ? 2 : 1, helper ? "g" : "n")),
    "",
  ];
  const args = Array.from(
    { length: ARGS },
    () => `${random.pick([-7, -1, 0, 1, 3, 10, 99, 12_345, random.int(-99, 99)])}`,
  );
  return { code: lines.join("\n"), entry: "f", args };
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);

/** A hidden fuse that ends a function's loops after a while: the lines before the loop, and the lines inside it. */
function fuseOf(random: Random): [string[], string[]] {
  const most = random.pick([50, 4000, 12_000, 20_000]);
  const leave = `    ${random.pick(["return i", "return ys[:3]", "break"])}`;
  return random.pick<[string[], string[]]>([
    [["w = 0"], ["w += 1", `if w > ${most}:`, leave]],
    [["w = 0"], ["w += 1", `if w * 2 == ${most * 2}: return w`]],
    [
      ["ws = []", "vs = ws"],
      ["ws.append(1)", `if len(vs) > ${most}:`, leave],
    ],
    [["ws = []"], ["ws.append(n)", `if len(ws) > ${most}: return len(ws)`]],
    [["ws = [[]]"], ["ws[0].append(1)", `if len(ws[0]) > ${most}:`, leave]],
    [[`it = iter([0] * ${most} + [1] * 99)`], ["if next(it):", leave]],
    [["w = {0: 0}"], ["w[0] += 1", `if w[0] > ${most}:`, leave]],
    [
      ["w = [0]", "def go():", "    w[0] += 1", `    return w[0] > ${most}`],
      ["if go():", leave],
    ],
    [
      ["w = 0", "def go():", "    nonlocal w", "    w += 1", `    return w > ${most}`],
      ["if go():", leave],
    ],
    [[`w = set(range(${most}))`], ["w.pop()", "if not w:", "    return i"]],
    [["w = 0.0"], ["w += 0.5", `if w > ${most / 2}:`, leave]],
    [["w = 1"], [`w = w * 3 % 20011`, "if w == 1:", leave]],
    [["w = ''"], [`w += 'x'`, `if w.endswith('x' * ${most >> 4}):`, leave]],
    [["w = (0, 0)"], ["w = w[1], w[0] + 1", `if w[0] > ${most}:`, leave]],
    [["w = 0"], ["w += 1", `1 // (${most} - w)`]],
    [["w = ''"], ["w = str(n % 3) + w", `if len(w) > ${most}:`, leave]],
    [["w = v = ''"], ["w += str(n % 3)", "v = w", `if len(v) > ${most}:`, leave]],
    [["w = 0"], ["w = w + abs(n % 3) + 1", `if w > ${most}:`, leave]],
    [["w = vs = []"], ["w += [n]", `if len(vs) > ${most}:`, leave]],
  ]);
}

/** A function's body: variables, a loop, a return value. `callee`: `g`, or `n` for none. */
function body(random: Random, depth: number, callee: string): string[] {
  const [before, fuse] = random.chance(0.7) ? fuseOf(random) : [[], []];
  return [
    "u = ''",
    `a, b, i, t = ${random.int(-3, 9)}, n, 0, ${random.pick(["1.0", "0.5", "''", "'ab'", "2"])}`,
    `${random.pick(["ys = []", "ys = [n, 1, 2, 3]", "ys = [0] * 5"])}; zs = ${random.pick(["ys", "[1, 2]", "[ys, ys]", "{1: n}", "(1, n)"])}`,
    ...before,
    ...loop(random, depth, callee, fuse),
    `return ${random.pick(["i", "n", "a, b", "len(ys)", "ys[:5]", "t", "i, a", "u[:9]"])}`,
  ];
}

const condition = (random: Random): string =>
  random.pick([
    "n != 0",
    "n",
    "n > 0",
    "True",
    "True",
    "i < LIMIT",
    "i * 2 < 9000",
    "a != b",
    "b > 1",
    "len(ys) < 30",
    "len(str(t)) < 9",
    "a >= 0 and i < 30000",
    "not i == n",
    "ys and ys[0] < 5",
    "sum(ys) < 100",
    "abs(a) < 1000",
  ]);

function loop(random: Random, depth: number, callee: string, fuse: readonly string[]): string[] {
  const head = random.pick(["while", "while", "while", "for"]);
  const steps = Array.from({ length: random.int(1, 4) }, () => step(random, depth, callee, fuse)).flat();
  const lines = random.chance(0.5) ? [...fuse, ...steps] : [...steps, ...fuse];
  const line = `while ${condition(random)}:`;
  if (head === "for") return [`for k in range(${random.pick([2, 50, 3000])}):`, ...indent([line, ...indent(lines)])];
  if (random.chance(0.1))
    return [
      `${line} ${random.pick(["i += 1", "n //= 10", "n = n // 10; i += 1", "i = i + 1; ys = [q for q in ys[:9]]"])}`,
    ];
  return [line, ...indent(lines), ...(random.chance(0.05) ? ["else:", "    i = -1"] : [])];
}

function step(random: Random, depth: number, callee: string, fuse: readonly string[]): string[] {
  if (depth > 0 && random.chance(0.2)) return loop(random, depth - 1, callee, fuse);
  if (callee === "g" && random.chance(0.15))
    return [random.pick(["a = g(n, ys)", "b = g(i % 5, ys)", "g(a, [])", "n = g(n, ys) or n"])];
  if (random.chance(0.25)) {
    const test = random.pick([
      "i % 2",
      "n > 5",
      `i > ${random.pick([10, 5000, 30_000])}`,
      "a == b",
      "len(ys) > 40",
      "t",
    ]);
    const then = random.pick([
      "break",
      "return i",
      "continue",
      "i += 1",
      "n = n - 1",
      "a, b = b, a",
      "ys = ys[1:]",
      "return ys[:3]",
    ]);
    return [`if ${test}:`, `    ${then}`];
  }
  return [
    random.pick([
      "i += 1",
      "i += 1",
      "i -= 1",
      "i = i + 1",
      "n = n // 10",
      "n //= 10",
      "n = -n",
      "n = n - 1",
      "n -= 1",
      "a, b = b, a",
      "a, b = b, (a + b) % 1000",
      "a = (a * 5 + 1) % 65537",
      "a = a * 3 % 7",
      "b = b // 2",
      "ys.append(n)",
      "ys.append(a)",
      "ys.append(1)",
      "ys.append(t)",
      "ys.append(n % 10)",
      "ys.append(str(a))",
      "u += str(n % 10)",
      "u = str(a) + ',' + u",
      "u = u + 'x' * (n % 5)",
      "i = i + n % 3",
      "i += len(zs)",
      "zs = ys",
      "ys = ys[1:] + ys[:1]",
      "ys[0:1] = [a]",
      "ys = sorted(ys)[:8]",
      "ys = [y % 9 for y in ys[-5:]]",
      "ys = [(y +\n        1) % 9 for y in ys[-3:]]",
      "ys.reverse()",
      "t = t * 1",
      "t = -t if type(t) == float else t",
      "t = t + t",
      "t = str(n)",
      "x = sum([1 for _ in range(2000)])",
      "a = (i % 3 +\n        (b := b % 11 + 1) - b); n = n",
      "it = iter(ys); a = next(it, 0)",
      "s = {a, b}; a = len(s)",
      "pass",
      "print(n)",
      "a = [n] is ys",
      "k = lambda v: v + 1; a = k(a) % 100",
      "ys.sort(key=lambda v: -v)",
      "1 / (30000 - i)",
    ]),
  ];
}
