/** Reduction: the set cover compared with brute force, and branches and kills of programs with obvious behaviour. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { branchCoverage } from "../../src/dataset/coverage.ts";
import { greedyCover, reduceProblems, reduceTests } from "../../src/dataset/index.ts";
import type { Executor } from "../../src/execute/index.ts";
import { readProblems } from "../../src/problems/index.ts";
import { openShared, problem, sandboxes, stdio } from "../execute/open.ts";
import { tempFolder, writeRows } from "../problems/helpers.ts";

const executors = new Map<string, Executor>();
for (const sandbox of sandboxes) executors.set(sandbox, await openShared(sandbox));
const executor = executors.get(sandboxes[0]!)!;

describe("greedyCover", () => {
  const goals = fc.array(fc.array(fc.nat(7), { minLength: 1, maxLength: 4 }), { maxLength: 12 });

  it("serves every goal, with at most ln(goals) + 1 times the tests of the best cover", () => {
    fc.assert(
      fc.property(goals, (all) => {
        const chosen = greedyCover(8, all);
        expect(all.every((servers) => servers.some((test) => chosen.includes(test)))).toBe(true);
        const subsets = Array.from({ length: 256 }, (_, bits) => [...Array(8).keys()].filter((i) => (bits >> i) & 1));
        const covers = subsets.filter((some) => all.every((servers) => servers.some((test) => some.includes(test))));
        const best = Math.max(1, Math.min(...covers.map((some) => some.length)));
        expect(chosen.length).toBeLessThanOrEqual(best * (Math.log(Math.max(1, all.length)) + 1));
      }),
    );
  });

  it("goes on to a size, serving goals again, and stops where further tests serve none", () => {
    expect(
      greedyCover(4, [
        [0, 1],
        [0, 2],
      ]),
    ).toEqual([0]);
    expect(
      greedyCover(
        4,
        [
          [0, 1],
          [0, 2],
        ],
        2,
      ),
    ).toEqual([0, 1]);
    expect(
      greedyCover(
        4,
        [
          [0, 1],
          [0, 2],
        ],
        4,
      ),
    ).toEqual([0, 1, 2]);
    expect(greedyCover(3, [[2], [1]], 1)).toEqual([1]);
  });

  it("keeps one test where there is nothing to tell apart, and none where there is none", () => {
    expect(greedyCover(3, [])).toEqual([0]);
    expect(greedyCover(0, [])).toEqual([]);
  });
});

describe.each(sandboxes)("branchCoverage in %s", (sandbox) => {
  const branches = async (code: string, args: string[], entry: string | null = "f") => {
    const inputs = args.map((text) => (entry === null ? { stdin: text } : { args: text }));
    return branchCoverage(problem(entry, [], { references: [code] }), executors.get(sandbox)!, inputs);
  };

  it.each([
    ["an if", "def f(x):\n    if x > 0:\n        return 1\n    return 2", ["5", "7", "-1"]],
    ["an expression", "def f(x):\n    return 1 if x > 0 else 2", ["5", "7", "-1"]],
    ["and", "def f(x):\n    return x > 0 and x < 10", ["5", "7", "-1"]],
    ["a comprehension", "def f(x):\n    return [k for k in [x] if k > 0]", ["5", "7", "-1"]],
    [
      "a helper",
      "def g(x):\n    while x > 9:\n        x -= 1\n    return x\ndef f(x):\n    return g(x)",
      ["1", "2", "11"],
    ],
    ["a recursion", "def f(x):\n    return 0 if x < 1 else f(x - 1)", ["5", "7", "-1"]],
    ["a chained comparison, from the left", "def f(x):\n    return 0 < x < 10", ["5", "7", "-1"]],
    ["a chained comparison, from the right", "def f(x):\n    return 0 < x < 10", ["-5", "-1", "11"]],
    ["a loop that has nothing to do", "def f(x):\n    for k in range(x): pass", ["5", "7", "0"]],
    ["a loop left early", "def f(x):\n    for k in range(5):\n        if k == x: break", ["1", "2", "7"]],
    ["a handler", "def f(x):\n    try: return 1 // x\n    except ZeroDivisionError: return 0", ["5", "7", "0"]],
    ["a lambda", "def f(x):\n    return sorted([3] * x, key=lambda k: -k)", ["5", "7", "0"]],
  ])("tells the sides of %s apart", async (_, code, args) => {
    const [a, b, c] = await branches(code, args);
    expect(a).toEqual(b);
    expect(a).not.toEqual(c);
    expect(a!.length).toBeGreaterThan(0);
  });

  // The same list for every sandbox and Python, so that coverage does not depend on where a problem was reduced.
  it("names the same branches whatever runs them", async () => {
    const code = [
      "from __future__ import annotations",
      "def f(x):",
      '    """Has everything."""',
      "    class Odd(Exception): pass",
      "    total = 0",
      "    for k in range(x):",
      "        if k % 2 and k > 2: continue",
      "        total += k if 1 < k < 9 else -k",
      "    else:",
      "        total += sum(i for i in [x, 3] if i > 3)",
      "    try:",
      "        assert total > 0 or x",
      "        if not total: raise Odd",
      "    except AssertionError: return -1",
      "    except (Odd, KeyError) as error: return str(error)",
      "    while True:",
      "        total -= (lambda: 1)()",
      "        if total < 0: break",
      "    return total, f.__doc__",
    ].join("\n");
    const [none, one, many] = await branches(code, ["0", "1", "5"]);
    const always = ["For 2 exhausted", "FunctionDef 1 taken", "comprehension 8 taken", "comprehension 8.0 false"];
    const entered = [
      "Assert 10 true",
      "BoolOp 4.0 false",
      "Compare 7 false at 0",
      "For 2 taken",
      "If 3 false",
      "IfExp 6 false",
    ];
    expect(new Set(none)).toEqual(
      new Set([...always, "Assert 10 false", "BoolOp 11.0 false", "ExceptHandler 14 taken"]),
    );
    expect(new Set(one)).toEqual(
      new Set([...always, ...entered, "BoolOp 11.0 false", "ExceptHandler 15 taken", "If 13 true"]),
    );
    const sides = ["BoolOp 4.0 true", "BoolOp 11.0 true", "Compare 7 true", "If 3 true", "If 13 false", "IfExp 6 true"];
    const last = ["comprehension 8.0 true", "If 18 false", "If 18 true", "Lambda 17 taken"];
    expect(new Set(many)).toEqual(new Set([...always, ...entered, ...sides, ...last]));
  });

  it.skipIf(executors.get(sandbox)?.python.startsWith("3.9"))("tells the cases of a match apart", async () => {
    const open = "def f(x):\n    match x:\n        case 1 | 2: return 'few'\n        case k if k > 9: return 'many'";
    const closed = `${open}\n        case 0 | _: return 'some'`;
    const [one, two, many, none] = await branches(open, ["1", "2", "10", "5"]);
    expect(one).toEqual(two);
    expect(one).toEqual(["FunctionDef 1 taken", "Match 2 case 0"]);
    expect(many).toEqual(["FunctionDef 1 taken", "Match 2 case 1", "Match 2.1 guard true"]);
    expect(none).toEqual(["FunctionDef 1 taken", "Match 2 no case", "Match 2.1 guard false"]);
    expect(await branches(closed, ["5"])).toEqual([["FunctionDef 1 taken", "Match 2 case 2", "Match 2.1 guard false"]]);
  });

  it("leaves what a program does as it is", async () => {
    const code = [
      "def f(x):",
      "    'Has a docstring.'",
      "    global last",
      "    last = f.__doc__",
      "    def lazily():",
      "        sent = yield 1",
      "        yield sent or (yield 2)",
      "    class A:",
      "        def __init__(self): self.__asked = []",
      "        def __lt__(self, other): self.__asked.append(1); return self.__asked",
      "    it, a = lazily(), A()",
      "    seen = [next(it), it.send(0), it.send(7), a < a, 0 < 1 < 2 < 1, x and 5, x or [], last]",
      "    if seen != [1, 2, 7, [1], False, 0, [], 'Has a docstring.']: raise ValueError(seen)",
    ].join("\n");
    expect(await branches(code, ["0"])).toEqual([expect.arrayContaining(["If 10 false"])]);
  });

  it("follows programs that read stdin, to their exit", async () => {
    const code = "import sys\nn = int(input())\nif n > 3:\n    print('big')\n    sys.exit()\nprint('small')";
    const [a, b, c] = await branches(code, ["5\n", "9\n", "1\n"], null);
    expect(a).toEqual(b);
    expect(a).not.toEqual(c);
  });

  it("is null where the reference fails, and ends where it runs for long", async () => {
    const code =
      "def f(x):\n    s = 0\n    for i in range(x):\n        s += 10 // i if i else 0\n    return s if x else 1 / x";
    const [long, fails] = await branches(code, ["400000", "0"]);
    expect(long!.length).toBeGreaterThan(0);
    expect(fails).toBeNull();
  });
});

describe("reduceTests", () => {
  const reference =
    "def f(x):\n    if x > 5:\n        return 'big'\n    if x < 0:\n        return 'low'\n    return 'mid'";
  const tests = ["1", "2", "3", "7", "8", "-1", "-2", "100"].map(
    (x) => [x, Number(x) > 5 ? "'big'" : Number(x) < 0 ? "'low'" : "'mid'"] as const,
  );
  const whole = problem("f", tests, { references: [reference] });
  const off = reference.replace("x > 5", "x > 50"); // fails on 7 and 8
  const never = reference.replace("x < 0", "x < -1"); // fails on -1
  const chosen = ({ tests }: typeof whole): string[] =>
    tests.flatMap((test) => (test.kind === "call" ? [test.args] : []));

  it("keeps every branch by coverage", async () => {
    const { problem: reduced, before, after, coverage } = await reduceTests(whole, executor, { by: ["coverage"] });
    expect(chosen(reduced)).toEqual(["1", "7", "-1"]);
    expect({ before, after }).toEqual({ before: 8, after: 3 });
    expect(coverage!.kept).toBe(coverage!.all);
  });

  it.each(["mutants", "samples"] as const)("keeps the kills of %s, and reports on held-out programs", async (by) => {
    const found = await reduceTests(whole, executor, { by: [by], [by]: [off, reference, "def f(x"], heldOut: [never] });
    expect(chosen(found.problem)).toEqual(["7"]);
    expect(found[by]).toEqual({ all: 2, kept: 2 });
    expect(found.heldOut).toEqual({ all: 1, kept: 0 });
  });

  it("keeps all of it when criteria are combined", async () => {
    const options = { mutants: [off], samples: [never] };
    const found = await reduceTests(whole, executor, options);
    expect(chosen(found.problem)).toEqual(["1", "7", "-1"]);
    const sized = await reduceTests(whole, executor, { ...options, by: ["mutants"], size: 2 });
    expect(chosen(sized.problem)).toEqual(["7", "8"]);
  });

  it("chooses among the asserts of a HumanEval check, and keeps asserts whose inputs cannot be read", async () => {
    const code =
      "def check(candidate):\n    assert candidate(1) == 'mid'\n    assert candidate(2) == 'mid'\n    assert candidate(9) == 'big'";
    const check = { id: "c", origin: "given", kind: "check", code } as const;
    const found = await reduceTests(problem("f", [check], { references: [reference] }), executor, { by: ["coverage"] });
    expect(found.before).toBe(3);
    expect(found.problem.tests).toMatchObject([
      { id: "c/0", kind: "call", args: "1", expected: "'mid'" },
      { id: "c/2", kind: "call", args: "9", expected: "'big'" },
    ]);
    const asserts = problem("f", ["assert f(1) == 'mid'", "assert f(9) == 'big'"], { references: [reference] });
    expect((await reduceTests(asserts, executor, { by: ["mutants"], mutants: [off] })).after).toBe(1);
  });

  it("keeps every test of a problem without references whose programs cannot be judged", async () => {
    const unanswered = problem(
      "f",
      tests.map(([args]) => [args, null] as const),
    );
    const options = { by: ["samples"], samples: [off, never] } as const;
    const unjudged = await reduceTests(unanswered, executor, options);
    expect(unjudged).toMatchObject({ before: 8, after: 8, samples: { all: 0, kept: 0 } });
    const judged = await reduceTests(problem("f", tests), executor, options);
    expect(chosen(judged.problem)).toEqual(["7", "-1"]);
  });

  it("works on programs that read stdin", async () => {
    const code = "n = int(input())\nprint('big' if n > 5 else 'small')";
    const streams = problem(
      null,
      ["1", "2", "8"].map((n) => stdio(n, `${n}\n`, Number(n) > 5 ? "big" : "small")),
      {
        references: [code],
      },
    );
    const { problem: reduced } = await reduceTests(streams, executor, {
      by: ["coverage", "mutants"],
      mutants: ["print('big')"],
    });
    expect(reduced.tests.map(({ id }) => id)).toEqual(["1", "8"]);
  });

  it("does not count tests that timeouts left untried", async () => {
    const slow = "def f(x):\n    while x != 100: pass\n    return 'mid'";
    const late = problem("f", tests, { references: [reference] });
    const { problem: reduced, mutants } = await reduceTests(late, executor, { by: ["mutants"], mutants: [slow] });
    expect(mutants).toEqual({ all: 1, kept: 1 });
    expect(chosen(reduced)).toEqual(["1"]);
  });

  it("writes problems that are read back, and a report; and a finished problem is not done again", async () => {
    const row = { task_id: "A", description: "", entry_point: "f", references: [reference], tests: whole.tests };
    const problems = [writeRows([row])];
    const samples = [
      writeRows([
        { task_id: "A", code: off, model: "one" },
        { task_id: "A", code: never, model: "two" },
      ]),
    ];
    const out = join(tempFolder(), "mini.jsonl");
    const mutants = async () => [off];
    const result = await reduceProblems({
      problems,
      out,
      executor,
      by: ["mutants", "samples"],
      samples,
      mutants,
      holdOut: ["two"],
    });
    expect(result).toMatchObject({ problems: 1, before: 8, after: 1, coverage: null, heldOut: { all: 1, kept: 0 } });
    expect((await readProblems([out])).get("A")?.tests).toMatchObject([{ args: "7" }]);
    const report = JSON.parse(readFileSync(result.report, "utf8"));
    expect(report).toMatchObject({ hold_out: ["two"], problems: [{ task_id: "A", before: 8, after: 1 }] });
    expect(JSON.parse(readFileSync(result.manifest, "utf8")).counts.after).toBe(1);
    expect(existsSync(`${out}.journal.jsonl`)).toBe(false);
  });
});
