/** Control-flow analysis compared with Python: random programs, run with random outcomes. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { loadForms, type Term } from "../../../../src/languages/python/index.ts";
import { likelyTermFlow, termFlow } from "../../../../src/languages/python/normalize/canonical/term-flow.ts";
import { flowOf } from "../../../../src/languages/python/syntax/flow.ts";
import { loadParser, type Node, type Program } from "../../../../src/languages/python/syntax/parse.ts";
import { Random } from "../../../../src/util/random.ts";

const [parse, forms] = await Promise.all([loadParser(), loadForms()]);

const indented = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);

const inFunction = (lines: readonly string[]): string => `${["def f():", ...indented(lines)].join("\n")}\n`;

const bodyOf = ({ nodes }: Program): Node =>
  nodes.find(({ type, parent }) => type === "block" && parent?.type === "function_definition")!;

/** Whether the end of the only function can be reached, according to each representation; null if it has no terms. */
function endsOf(code: string): { tree: boolean; terms: boolean | null; likely: boolean | null } {
  const program = parse(code);
  const { terms } = forms(code).plain;
  const body = (terms?.items[0] as Term | undefined)?.items[2];
  return {
    tree: flowOf(program).completes(bodyOf(program)),
    terms: body === undefined ? null : termFlow.completes(body),
    likely: body === undefined ? null : likelyTermFlow.completes(body),
  };
}

const BODIES: readonly [ends: boolean, ...lines: string[]][] = [
  [false, "while True:", "    for y in x:", "        break"],
  [false, "while True:", "    while x:", "        break"],
  [true, "while True:", "    for y in x:", "        pass", "    else:", "        break"],
  [true, "while True:", "    while x:", "        pass", "    else:", "        break"],
  [false, "while True:", "    while True:", "        break"],
  [false, "while True:", "    def g():", "        for y in x:", "            break"],
  [false, "while True:", "    return 1", "    break"],
  [false, "while (True):", "    pass"],
  [false, "while 1:", "    try:", "        break", "    finally:", "        continue"],
  [true, "while 1:", "    try:", "        return", "    finally:", "        break"],
  [false, "for y in x:", "    pass", "else:", "    return 1"],
  [true, "for y in x:", "    break", "else:", "    return 1"],
  [true, "for y in x:", "    return 1"],
  [false, "while x:", "    pass", "else:", "    raise x"],
  [true, "while False:", "    return 1"],
  [false, "if x:", "    return 1", "elif y:", "    raise x", "else:", "    assert False"],
  [true, "if x:", "    return 1", "elif y:", "    raise x"],
  [false, "if True:", "    return 1"],
  [true, "if False:", "    return 1"],
  [false, "try:", "    return 1", "except E:", "    raise", "else:", "    pass"],
  [false, "try:", "    x()", "except E:", "    raise", "else:", "    return 1"],
  [true, "try:", "    x()", "except E:", "    pass", "else:", "    return 1"],
  [false, "try:", "    x()", "finally:", "    return 1"],
  [true, "def g():", "    return 1"],
  [true, "class A:", "    raise x"],
  [true, "g = lambda: (yield)"],
];

it.each(BODIES)("the end is reached: %s, of %j", (ends, ...lines) => {
  expect(endsOf(inFunction(lines))).toEqual({ tree: ends, terms: ends, likely: ends });
});

it("an error may be swallowed by a context manager, though few do", () => {
  for (const jump of ["return x()", "raise x"]) {
    expect(endsOf(inFunction(["with y:", `    ${jump}`]))).toEqual({ tree: true, terms: true, likely: false });
  }
});

it.each([
  ["_", false],
  ["y", false],
  ["(_)", false],
  ["1 | _", false],
  ["_ as y", false],
  ["_ if x", true],
  ["_,", true],
  ["1", true],
  ["y.z", true],
  ["[*_]", true],
  ["None", true],
])("the end is reached behind a match whose last case is %s: %s", (pattern, ends) => {
  const code = inFunction(["match x:", "    case 2:", "        return 1", `    case ${pattern}:`, "        return 2"]);
  expect(endsOf(code).tree).toBe(ends);
});

/** Writes statements of every kind, nested at random. A `try` or `with` body begins with something that may raise. */
class Writer {
  readonly #rng: Random;

  /** Terms cannot represent `match`. */
  readonly #matches: boolean;

  constructor(seed: number) {
    this.#rng = new Random(seed);
    this.#matches = seed % 4 === 0;
  }

  block(depth: number, inLoop: boolean, first: readonly string[] = []): string[] {
    const lines = [...first];
    for (let left = this.#rng.int(1, 2); left > 0; left--) lines.push(...this.#statement(depth, inLoop));
    return lines;
  }

  #statement(depth: number, inLoop: boolean): string[] {
    const kinds = [
      "pass",
      "e()",
      "return",
      "raise E",
      "raise F",
      "assert False",
      ...(inLoop ? ["break", "continue"] : []),
    ];
    if (depth === 0) return [this.#rng.pick(kinds)];
    const block = (first: readonly string[] = [], loop = inLoop): string[] =>
      indented(this.block(depth - 1, loop, first));
    const clause = (head: string, first?: readonly string[]): string[] =>
      this.#rng.chance(0.8) ? [head, ...block(first)] : [];
    switch (this.#rng.int(0, this.#matches ? 8 : 7)) {
      case 0:
      case 1: {
        const condition = this.#rng.pick(["d()", "d()", "d()", "True", "False"]);
        return [`if ${condition}:`, ...block(), ...clause("elif d():"), ...clause("else:")];
      }
      case 2:
        return ["for _ in it():", ...block(["tick()"], true), ...clause("else:")];
      case 3: {
        const condition = this.#rng.pick(["True", "1", "True", "d()", "False"]);
        return [`while ${condition}:`, ...block(["tick()"], true), ...clause("else:")];
      }
      case 4: {
        const handlers = ["except E:", ...block(), ...clause("except F:")];
        return ["try:", ...block(["e()"]), ...handlers, ...clause("else:"), ...clause("finally:")];
      }
      case 5:
        return ["try:", ...block(["e()"]), "finally:", ...block()];
      case 6:
        return ["with cm():", ...block(["e()"])];
      case 7:
        return this.#rng.chance(0.5) ? ["def g():", ...block([], false)] : [this.#rng.pick(kinds)];
      default: {
        const cases = [
          "case 0:",
          ...block(),
          ...clause(this.#rng.pick(["case _:", "case m:", "case 1:", "case _ if d():"])),
        ];
        return ["match n():", ...indented(cases)];
      }
    }
  }
}

/** For each program, whether its end was reached in any of many runs. A `tick()` in each iteration stops infinite loops. */
const RUNNER = `
import json, os, random, sys
class E(Exception): pass
class F(Exception): pass
rng = random.Random(1)
def d(): return rng.random() < 0.5
def e():
    if rng.random() < 0.3: raise rng.choice([E, F])
def it(): return range(rng.choice([0, 1, 2]))
def n(): return rng.choice([0, 1, 2])
class cm:
    def __enter__(self): pass
    def __exit__(self, kind, error, trace): return swallows and kind is not None and kind is not GeneratorExit and d()
kept, out, known = [], [], {}
asked = json.load(sys.stdin)
for code, swallows, runs in asked:
    key = code, swallows, runs
    if key in known:
        out.append(known[key])
        continue
    names = dict(globals())
    exec(compile(code.replace("tick()", "yield") + "    yield 'end'\\n", "program", "exec"), names)
    reached = False
    for _ in range(runs):
        program = names["f"]()
        try:
            for step in range(30):
                if next(program) == "end":
                    reached = True
                    break
            kept.append(program) # closing it would raise where it stands
        except (StopIteration, E, F, AssertionError):
            pass
        if reached: break
    out.append(reached)
    known[key] = reached
print(json.dumps(out), flush=True)
os._exit(0)
`;

const python = (code: string, input = ""): SpawnSyncReturns<string> =>
  spawnSync("python3", ["-W", "ignore", "-c", code], { input, encoding: "utf8" });

/** Programs of the smaller depth are so small that all their paths are found. In the others some paths are too rare. */
const DEPTHS = [2, 2, 3];

it.skipIf(python("match 1:\n    case _: pass").status !== 0)("is where Python goes", () => {
  const asked: { code: string; swallows: boolean; ends: boolean; all: boolean; by: string }[] = [];
  for (let seed = 0; seed < 720; seed++) {
    const depth = DEPTHS[seed % DEPTHS.length]!;
    const code = inFunction(new Writer(seed).block(depth, false));
    const all = depth === DEPTHS[0];
    const { tree, terms, likely } = endsOf(code);
    asked.push({ code, swallows: true, ends: tree, all, by: "tree" });
    if (terms !== null) asked.push({ code, swallows: true, ends: terms, all, by: "terms" });
    if (likely !== null) asked.push({ code, swallows: false, ends: likely, all, by: "likely" });
  }
  const runs = ({ ends, all }: { ends: boolean; all: boolean }): number => (!ends ? 100 : all ? 20_000 : 1);
  const input = JSON.stringify(asked.map((one) => [one.code, one.swallows, runs(one)]));
  const { stdout, stderr } = python(RUNNER, input);
  expect(stderr).toBe("");
  const reached = JSON.parse(stdout) as boolean[];
  const wrong = asked.filter(({ ends, all }, i) => (all ? ends !== reached[i] : reached[i] && !ends));
  expect(wrong.map(({ code, by, ends }) => `${by}: ${ends}\n${code}`)).toEqual([]);
  for (const by of ["tree", "terms", "likely"]) {
    for (const ends of [true, false]) {
      expect(asked.filter((one) => one.by === by && one.ends === ends && one.all).length).toBeGreaterThan(100);
    }
  }
});
