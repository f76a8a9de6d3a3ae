import { afterAll, describe, expect, it } from "vitest";
import { choose } from "../../src/behaviour/choose.ts";
import { type Answered, missingModule, Oracle, sameAnswer } from "../../src/behaviour/oracle.ts";
import { type Answer, decodeValue } from "../../src/execute/index.ts";
import { closeExecutor, executor } from "./run.ts";

afterAll(closeExecutor);

const ok = (text: string): Answered => ({ outcome: "ok", value: decodeValue(text), text, cpuS: 0 });

describe("sameAnswer", () => {
  it.each<[string, string, boolean]>([
    ["1", "1", true],
    ["1", '["f","1.0"]', true],
    ["true", "1", true],
    ['["f","0.3"]', '["f","0.3000000001"]', true],
    ['["f","0.3"]', '["f","0.31"]', false],
    ['["l",[1]]', '["t",[1]]', false],
    ['"a \\n"', '"a\\n\\n"', false],
  ])("%s and %s: %s", (a, b, isSame) => {
    expect(sameAnswer(ok(a), ok(b), false)).toBe(isSame);
  });

  it("passes over blanks at ends of what is printed", () => {
    expect(sameAnswer(ok('"a \\n"'), ok('"a\\n\\n"'), true)).toBe(true);
    expect(sameAnswer(ok('"a b"'), ok('"ab"'), true)).toBe(false);
  });

  it("is never a failure's", () => {
    expect(sameAnswer({ outcome: "timeout" }, ok("1"), false)).toBe(false);
    expect(sameAnswer({ outcome: "error", errorType: "E", message: "" }, ok("null"), false)).toBe(false);
  });
});

describe("a missing module", () => {
  const error = (errorType: string) => ({ outcome: "error", errorType, message: "No module named 'numpy'" }) as const;
  const missing = async (code: string, answers: readonly Answer[]) => missingModule(code, answers, await executor());

  it("is one that the text imports, where the first answer wants one", async () => {
    expect(await missing("import os, numpy.linalg", [error("ModuleNotFoundError")])).toBe("numpy");
    expect(await missing("def f(x):\n    from torch import nn", [error("ModuleNotFoundError")])).toBe("torch");
    expect(await missing("import numpy", [error("ImportError")])).toBeNull();
    expect(await missing("import numpy", [ok("1"), error("ModuleNotFoundError")])).toBeNull();
    expect(await missing("import numpy", [])).toBeNull();
  });

  it("is none that a program only speaks of", async () => {
    const raised = "def f(x):\n    raise ModuleNotFoundError(\"No module named 'numpy'\")";
    expect(await missing(raised, [error("ModuleNotFoundError")])).toBeNull();
    expect(await missing(`"""\nimport numpy\n"""\nimport os\n${raised}`, [error("ModuleNotFoundError")])).toBeNull();
  });
});

describe("Oracle", () => {
  const call = { kind: "call", name: "f" } as const;
  const open = async (reference: string | null, candidates: readonly string[] = []): Promise<Oracle> =>
    new Oracle(
      await executor(),
      call,
      "",
      { reference, description: null, candidates },
      { asked: 5, limit: { steps: 20_000, cpuS: 0.05 } },
    );
  const inputs = ["1", "2", "'a'"].map((args) => ({ args }));

  it("knows the inputs that the reference answers, and its answers", async () => {
    const known = await (await open("def f(n):\n    return n + 1")).known(inputs);
    expect(known.map(({ input, answer }) => [input, answer?.text])).toEqual([
      [{ args: "1" }, "2"],
      [{ args: "2" }, "3"],
    ]);
  });

  it("asks a fifth of the candidates where there is no reference", async () => {
    const wrong = "def f(n):\n    raise ValueError";
    const one = [wrong, wrong.replace("Value", "Type"), "def f(n):\n    return n + 1"];
    expect(await (await open(null, one)).answered(inputs)).toEqual([true, true, false]);
    expect(await (await open(null, [wrong])).answered(inputs)).toEqual([false, false, false]);
    expect((await (await open(null, one)).known(inputs)).map(({ answer }) => answer)).toEqual([null, null]);
  });

  it("is late where the reference runs out of time", async () => {
    const oracle = await open("def f(n):\n    while True: pass");
    expect(oracle.isLate).toBe(false);
    expect(await oracle.known([{ args: "1" }])).toEqual([]);
    expect(oracle.isLate).toBe(true);
  });

  it("runs the reference on what comes after an input on which it never ends, a few times", async () => {
    const oracle = await open("def f(n):\n    while n % 2: pass\n    return n");
    const asked = Array.from({ length: 40 }, (_, i) => ({ args: String(i) }));
    const known = await oracle.known(asked);
    expect(known.map(({ input }) => input)).toEqual(asked.filter((_, i) => i % 2 === 0 && i < 14));
    expect(asked.map((input) => oracle.wasTried(input))).toEqual(asked.map((_, i) => i < 14));
  });

  it("gives more steps when asked, and counts the inputs with too many of them again", async () => {
    const oracle = await open("def f(n):\n    for i in range(n): pass\n    return n");
    const asked = Array.from({ length: 10 }, (_, i) => ({ args: String(30_000 + i) }));
    expect(await oracle.known(asked)).toEqual([]);
    expect(oracle.wasTried(asked[9]!)).toBe(false);
    oracle.giveTime();
    const far = ["200000", "200001"].map((args) => ({ args }));
    expect((await oracle.known([...far, ...asked])).map(({ input }) => input)).toEqual(asked);
  });

  it.each([
    ["an identifier", "import uuid\ndef f(n):\n    return str(uuid.uuid4()) if n > 1 else n"],
    [
      "the clock",
      "from math import *; from time import perf_counter\ndef f(n):\n    return perf_counter() if n > 1 else n",
    ],
    ["a clock that has run for long", "import time\ndef f(n):\n    return 1e9 + time.perf_counter() if n > 1 else n"],
    ["an import inside", "def f(n):\n    return __import__('os').urandom(9) if n > 1 else n"],
  ])("does not confirm answers that hang on %s", async (_, code) => {
    const oracle = await open(code);
    const known = await oracle.known([{ args: "1" }, { args: "2" }]);
    expect(known).toHaveLength(2);
    expect((await oracle.confirmed(known)).map(({ input }) => input)).toEqual([{ args: "1" }]);
  });

  it("confirms answers that hang on no random state", async () => {
    const oracle = await open("import random\ndef f(n):\n    return random.random() if n > 1 else n");
    const known = await oracle.known([{ args: "1" }, { args: "2" }]);
    expect(known).toHaveLength(2);
    expect((await oracle.confirmed(known)).map(({ input }) => input)).toEqual([{ args: "1" }]);
  });

  it("confirms few answers of a function that chooses between two", async () => {
    const oracle = await open("import random\ndef f(n):\n    return random.choice([n, -n])");
    const inputs = Array.from({ length: 40 }, (_, i) => ({ args: String(i + 1) }));
    const known = await oracle.known(inputs);
    expect(known).toHaveLength(40);
    expect((await oracle.confirmed(known)).length).toBeLessThan(6);
  });
});

describe("choose", () => {
  const how = { seed: 0, mutants: 10, isPrinted: false };
  const openFor = async (reference: string | null): Promise<Oracle> =>
    new Oracle(
      await executor(),
      { kind: "call", name: "f" },
      "",
      { reference, description: null, candidates: [] },
      { asked: 1, limit: { steps: 20_000, cpuS: 0.05 } },
    );

  it("takes inputs on which mutants differ, each mutant that can be seen", async () => {
    const oracle = await openFor("def f(n):\n    return 'many' if n > 10 else 'few'");
    const pool = await oracle.known([...Array.from({ length: 30 }, (_, i) => ({ args: String(i - 10) }))]);
    const { chosen, killed } = await choose(pool, 6, oracle, how);
    expect(chosen).toHaveLength(6);
    expect(killed).toBe(1);
    const args = chosen.map(({ input }) => ("args" in input ? input.args : ""));
    expect(args.some((one) => one === "10" || one === "11")).toBe(true);
  });

  it("takes one of each answer where mutants tell nothing", async () => {
    const oracle = await openFor("def f(n):\n    return n");
    const pool = await oracle.known(["1", "1.0", "True", "'a'", "'b'"].map((args) => ({ args })));
    const { chosen, killed } = await choose(pool, 3, oracle, how);
    expect(new Set(chosen.map(({ answer }) => answer!.text)).size).toBe(3);
    expect(killed === null || killed === 1).toBe(true);
  });

  it("takes the first where there is no reference, and no more than there are", async () => {
    const pool = ["1", "2", "3"].map((args) => ({ input: { args }, answer: null, cpuS: 0, split: 1 }));
    expect(await choose(pool, 2, await openFor(null), how)).toEqual({ chosen: pool.slice(0, 2), killed: null });
    expect((await choose(pool, 9, await openFor(null), how)).chosen).toHaveLength(3);
    expect((await choose([], 5, await openFor("def f(n):\n    return n"), how)).chosen).toEqual([]);
  });
});
