import { afterAll, describe, expect, it } from "vitest";
import { TaskRun } from "../../src/behaviour/index.ts";
import { usesPackages } from "../../src/behaviour/packages.ts";
import type { Executor } from "../../src/execute/index.ts";
import { closeExecutor, executor, inputsOf, observe } from "./run.ts";

afterAll(closeExecutor);

const reference = "def f(xs: list[int]) -> int:\n    return max(xs, default=0) - min(xs, default=0)";

describe("agreement", () => {
  it.each<[string, string, (agrees: readonly boolean[]) => boolean]>([
    ["of the reference is whole", reference, (all) => all.every(Boolean)],
    [
      "of a rewrite is whole",
      "def f(v):\n    v = sorted(v)\n    return v[-1] - v[0] if v else 0",
      (all) => all.every(Boolean),
    ],
    [
      "of floats for integers is whole",
      "def f(v):\n    return float(max(v) - min(v)) if v else 0.0",
      (all) => all.every(Boolean),
    ],
    [
      "of a bug is in part",
      "def f(v):\n    return max(v, default=0) - (v[0] if v else 0)",
      (all) => all.some(Boolean) && !all.every(Boolean),
    ],
    ["of another answer is none", "def f(v):\n    return 'x'", (all) => !all.some(Boolean)],
    ["of what does not compile is none", "def f(v) return 1", (all) => !all.some(Boolean)],
    ["of what ends the process is none", "import os\ndef f(v):\n    os._exit(0)", (all) => !all.some(Boolean)],
    ["of what never ends is none", "def f(v):\n    while True: pass", (all) => !all.some(Boolean)],
    ["of another name is none", "def g(v):\n    return 0", (all) => !all.some(Boolean)],
  ])("%s", async (_, candidate, holds) => {
    const { observed } = await observe({ reference, candidates: [candidate] }, 12);
    expect(observed.candidates[0]!.agrees).toHaveLength(observed.inputs.known.length);
    expect(holds(observed.candidates[0]!.agrees!)).toBe(true);
  });

  it("is of one candidate, whatever the others do", async () => {
    const hostile = "import builtins\nbuiltins.max = lambda *a, **k: 7\ndef f(v):\n    return 7";
    const { observed } = await observe({ reference, candidates: [hostile, reference] }, 12);
    expect(observed.candidates[1]!.agrees!.every(Boolean)).toBe(true);
  });

  it("counts NaN as equal to NaN, and to nothing else", async () => {
    const program = (other: string): string => `def f(x: float):\n    return x * 2 if x > 0 else ${other}`;
    const candidates = [program("float('nan')"), program("None"), program("0.0")];
    const { observed } = await observe({ reference: program("float('nan')"), candidates }, 20);
    expect(observed.candidates.map(({ agrees }) => agrees!.every(Boolean))).toEqual([true, false, false]);
    expect(observed.candidates.map(({ agrees }) => agrees!.some(Boolean))).toEqual([true, true, true]);
  });

  it("compares objects by what they hold", async () => {
    const program = (n: string): string =>
      `class P:\n    def __init__(self, n): self.n = n\ndef f(x: int):\n    return P(${n})`;
    const { observed } = await observe({ reference: program("x"), candidates: [program("x"), program("x + 1")] }, 8);
    expect(observed.candidates.map(({ agrees }) => agrees!.every(Boolean))).toEqual([true, false]);
  });
});

it("a candidate that wants a module says which", async () => {
  const { observed } = await observe(
    { reference, candidates: ["import no_such_module_here\ndef f(v): return 0", reference] },
    5,
  );
  expect(observed.candidates.map(({ missing }) => missing)).toEqual(["no_such_module_here", null]);
});

it("runs on more inputs what ran on fewer, and nothing twice", async () => {
  const real = await executor();
  let ran: string[] = [];
  const spying = Object.create(real, {
    answers: {
      value: (...given: Parameters<Executor["answers"]>) => {
        if (given[0].code === "def f(v): return 0") ran.push(...given[1].map((input) => JSON.stringify(input)));
        return real.answers(...given);
      },
    },
  }) as Executor;
  const task = { reference, description: "f([1, 5]) == 4", candidates: ["def f(v): return 0", "def f(v): return 0"] };
  const run = (await TaskRun.open(task, spying, { inputs: 12, seed: 0 }))!;
  ran = [];
  await run.run([0, 1], 4);
  expect((await run.observed()).candidates.map(({ answers }) => answers.length)).toEqual([4, 4]);
  await run.run([0], 12);
  await run.run([0], 12);
  const { candidates, inputs } = await run.observed();
  expect(candidates[0]!.answers).toHaveLength(inputs.known.length);
  expect(new Set(ran).size).toBe(ran.length);
});

it("runs last on what the task may say nothing of, where a right program may never end", async () => {
  const ran = await observe({
    reference: "def f(n: int) -> int:\n    return n * 3 if n > 0 else 0\n",
    description: ">>> f(4)\n12\n>>> f(15)\n45\n",
    candidates: ["def f(n):\n    while n < 1: pass\n    return n * 3\n"],
  });
  const [{ agrees, answers }] = ran.observed.candidates as [(typeof ran.observed.candidates)[number]];
  const isUnusual = inputsOf(ran).map((args) => Number(args) < 1);
  expect(isUnusual).toContain(true);
  expect(agrees).toEqual(isUnusual.map((unusual) => !unusual));
  expect(answers.map(({ outcome }) => outcome === "timeout")).toEqual(isUnusual);
});

it("gives nothing to call as null", async () => {
  const options = { inputs: 5, seed: 0 };
  expect(
    await TaskRun.open({ reference: "x = 1", description: null, candidates: [] }, await executor(), options),
  ).toBeNull();
});

it("reference and candidates see no expected value", async () => {
  const looking =
    "import gc\ndef f(v):\n    return sorted(x for x in gc.get_objects() if isinstance(x, list) and x == ['secret-4711'])";
  const description = "f([1]) == ['secret-4711']";
  const ran = await observe({ description, candidates: [looking] }, 5);
  expect(ran.observed.candidates[0]!.exampleAnswers[0]).toMatchObject({ outcome: "ok", value: { t: "list", v: [] } });
  expect(inputsOf(ran)).not.toContain("secret");
});

it.each([
  ["import numpy as np", true],
  ["import math, pandas.core", true],
  ["    from sklearn.svm import SVC", true],
  ["from collections import Counter", false],
  ["import os.path, sys", false],
  ["x = 1  # import numpy", false],
  ["important = numpy", false],
])("knows whether a program imports packages: %s", (code, expected) => {
  expect(usesPackages(code)).toBe(expected);
});

it("gives programs with packages time for a slow first call", async () => {
  const slowly = (line: string): string =>
    `seen = []\ndef f(n):\n    if not seen:\n        seen.append(sum(range(4_000_000)))\n    if n is seen:\n        ${line}\n    return n + 1`;
  const reference = "def f(n: int) -> int:\n    return n + 1";
  const candidates = [slowly("import numpy"), slowly("import math")];
  const { observed } = await observe({ reference, candidates });
  expect(observed.candidates.map(({ answers }) => answers.some(({ outcome }) => outcome === "timeout"))).toEqual([
    false,
    true,
  ]);
});
