import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Executor, openExecutor } from "../../src/execute/index.ts";
import { RunningScorer, type RunOptions } from "../../src/score/run.ts";
import type { TextScorer } from "../../src/score/run-task.ts";
import type { InputFormat, ScoreInput } from "../../src/types.ts";

const example = (path: string): string =>
  readFileSync(new URL(`../../examples/is_prime/${path}`, import.meta.url), "utf8");
const IS_PRIME = example("reference.py");
const REWRITE = example("candidates/rewrite.py");
const BUG = example("candidates/bug.py");

let executor: Executor;
beforeAll(async () => {
  executor = await openExecutor({ workers: 2 });
});
afterAll(() => executor.close());

/** A scorer that gives 0.5 for every text, and records the texts. */
function reader(): TextScorer & { readonly read: string[] } {
  const read: string[] = [];
  return {
    read,
    signatureOf: (format) => `text:${format}`,
    scoreAll: async (rows, { format }) => {
      read.push(...rows.map(({ candidate }) => candidate));
      return rows.map(() => ({ score: 0.5, exec: 0.5, low: 0, high: 1, format, signature: `text:${format}` }));
    },
  };
}

async function score(
  rows: readonly ScoreInput[],
  options: Partial<RunOptions> & { readonly format?: InputFormat | "auto"; readonly text?: TextScorer } = {},
) {
  const { format = "auto", text = reader(), ...run } = options;
  const scorer = await RunningScorer.load({ executor, ...run }, text);
  const results = [];
  for await (const { row, result } of scorer.run(rows, format)) results.push({ row, result });
  expect(results.map(({ row }) => row)).toEqual(rows);
  return results.map(({ result }) => {
    if ("error" in result) throw new Error(result.error.message);
    return result;
  });
}

describe("scores of candidates that are run", () => {
  it("orders a rewrite before a one-operator bug, and shows the smallest input on which that goes wrong", async () => {
    const [right, wrong] = await score(
      [BUG, REWRITE].map((candidate) => ({ candidate, reference: IS_PRIME })).reverse(),
    );
    expect(right!.score).toBeGreaterThan(wrong!.score);
    expect(right!.low).toBeGreaterThan(0.8);
    expect(right!.behaviour).toMatchObject({ agree: 1, source: "reference", counterexample: null });
    expect(wrong!.behaviour!.counterexample).toEqual({ input: "is_prime(4)", expected: "False", got: "True" });
  });

  it("names the line of a fault that keeps a candidate from answering", async () => {
    const [broken, unknown, wrong] = await score(
      ["def is_prime(n):\n    return (n\n", "def is_prime(n):\n    m = n + 1\n    return k > 1\n", BUG].map(
        (candidate) => ({ candidate, reference: IS_PRIME }),
      ),
    );
    expect(broken!.findings).toMatchObject([{ line: 2, certain: true }]);
    expect(unknown!.findings).toMatchObject([{ line: 3, what: "`k` is not defined" }]);
    expect(wrong!.findings).toBeUndefined();
  });

  it("says of which type the answers are where a reference's cannot be compared", async () => {
    const reason = async (reference: string): Promise<string | undefined> => {
      const [found] = await score([{ candidate: reference, reference }]);
      return found!.behaviour!.reason;
    };
    const cannot = "the reference returns values that cannot be compared";
    expect(await reason("def f(n: int):\n    return [(i for i in [n])]")).toBe(`${cannot} (generator)`);
    expect(await reason("def f(n: int):\n    return lambda: n")).toBe(`${cannot} (function)`);
    expect(await reason("def f(n: int):\n    raise ValueError")).toBe("the reference answered no input");
  });

  it("marks agreement with a reference that gives every input the same answer", async () => {
    const printing = (body: string): string => `def f(n: int) -> None:\n    ${body}\n`;
    const reference = printing("str(n)");
    const candidates = [reference, printing("pass"), printing("return n")];
    const [same, idle, wrong] = await score(candidates.map((candidate) => ({ candidate, reference })));
    for (const one of [same!, idle!]) expect(one.behaviour).toMatchObject({ agree: 1, constant: true });
    expect(wrong!.behaviour).toMatchObject({ agree: 0, constant: true });
    const [prime] = await score([{ candidate: REWRITE, reference: IS_PRIME }]);
    expect(prime!.behaviour).not.toHaveProperty("constant");
  });

  it("compares what a function that returns nothing does to its arguments", async () => {
    const inPlace = (body: string): string => `def f(xs: list[int]) -> None:\n    ${body}\n`;
    const reference = inPlace("xs.sort()");
    const candidates = [inPlace("xs[:] = sorted(xs)"), inPlace("pass"), inPlace("return sorted(xs)")];
    const [right, idle, wrong] = await score(candidates.map((candidate) => ({ candidate, reference })));
    expect(right).toMatchObject({ score: 1, behaviour: { agree: 1 } });
    expect(right!.behaviour).not.toHaveProperty("constant");
    for (const one of [idle!, wrong!]) {
      expect(one.behaviour!.agree).toBeLessThan(0.7);
      expect(one.behaviour!.counterexample).toEqual({ input: "f([2, 1])", expected: "[1, 2]", got: "[2, 1]" });
    }
  });

  it("reads no text where running shows enough, and says in the signature what was run", async () => {
    const text = reader();
    const [found] = await score([{ candidate: REWRITE, reference: IS_PRIME }], { text });
    expect(text.read).toEqual([]);
    expect(found!.signature).toMatch(/^text:ref\|run:40@[0-9a-f]{8}\|seed:0\|python:3\./);
  });

  it("keeps the text's score and says why where nothing can be run", async () => {
    const [module, nothing, needs] = await score([
      { candidate: "def f(x): return x", reference: "import numpy\n\ndef f(x): return numpy.abs(x)" },
      { candidate: "x = 1", reference: "x = 2" },
      { candidate: "import torch\n\ndef f(x): return x + 1", reference: "def f(x): return x + 1" },
    ]);
    expect(module).toMatchObject({ score: 0.5, behaviour: { inputs: 0, source: null } });
    expect(module!.behaviour!.reason).toContain("numpy");
    expect(nothing!.behaviour!.reason).toBe("found no function to call");
    expect(needs!.behaviour!.reason).toContain("torch");
  });

  it("says what is missing where a candidate imports it only for some inputs, unless it is also wrong elsewhere", async () => {
    const reference = "def f(xs: list[int]) -> int:\n    return sum(xs)\n";
    const lazy = (otherwise: string): string =>
      `def f(xs):\n    if len(xs) > 2:\n        import numpy\n        return int(numpy.sum(xs))\n    return ${otherwise}\n`;
    const [right, wrong, own] = await score([
      { candidate: lazy("sum(xs)"), reference },
      { candidate: lazy("sum(xs) + 1"), reference },
      { candidate: lazy("sum(xs)").replace("import numpy", 'raise ModuleNotFoundError("numpy")'), reference },
    ]);
    expect(right).toMatchObject({ score: 0.5, behaviour: { inputs: 0, source: null } });
    expect(right!.behaviour!.reason).toMatch(/^it needs numpy, which is not installed; use --python/);
    for (const one of [wrong!, own!]) {
      expect(one.behaviour!.source).toBe("reference");
      expect(one.behaviour!.agree).toBeLessThan(1);
    }
  });

  it("sets no upper bound to the score of a candidate that lacks a package", async () => {
    const text: TextScorer = {
      signatureOf: () => "text",
      scoreAll: async (rows, { format }) =>
        rows.map(() => ({ score: 0.01, exec: 0.01, low: 0, high: 0.4, format, signature: "text" })),
    };
    const reference = "def f(x): return x + 1";
    const rows = [{ candidate: `import torch\n\n${reference}`, reference }];
    const [needs] = await score(rows, { text });
    expect(needs).toMatchObject({ score: 0.01, low: 0, high: 1 });
    expect(needs).not.toHaveProperty("abstained");
    const scorer = await RunningScorer.load({ executor }, text, { abstain: 0.5 });
    for await (const { result } of scorer.run(rows, "auto")) expect(result).toMatchObject({ high: 1, abstained: true });
  });

  it("says of an empty candidate that it is empty, not that it has no function", async () => {
    const [empty, other] = await score([
      { candidate: " \n", description: "Double a number." },
      { candidate: "x = 1", description: "Double it." },
    ]);
    expect(empty!.behaviour!.reason).toBe("the candidate is empty");
    expect(other!.behaviour!.reason).toBe("found no function to call");
  });

  it("uses no reference for the format nl, even where a row has one", async () => {
    const description = "Whether a number is prime.\n\n>>> is_prime(4)\nFalse\n>>> is_prime(7)\nTrue\n";
    const rows = [REWRITE, IS_PRIME, BUG].map((candidate) => ({ candidate, reference: BUG, description }));
    const found = await score(rows, { format: "nl" });
    expect(found.map(({ behaviour }) => behaviour!.agree)).toEqual([null, null, null]);
    expect(found.map(({ behaviour }) => behaviour!.source)).toEqual(["samples", "samples", "samples"]);
    expect(found.map(({ behaviour }) => behaviour!.examples)).toEqual([
      { passed: 2, total: 2 },
      { passed: 2, total: 2 },
      { passed: 1, total: 2 },
    ]);
    expect(found[0]!.score).toBeGreaterThan(found[2]!.score);
    expect(found[2]!.behaviour!.counterexample).toEqual({ input: "is_prime(4)", expected: "False", got: "True" });
  });

  it("runs the examples of the description alone where no inputs are asked for", async () => {
    const description = ">>> is_prime(9)\nFalse\n";
    const rows = [REWRITE, BUG].map((candidate) => ({ candidate, reference: IS_PRIME, description }));
    const [right, wrong] = await score(rows, { inputs: 0 });
    expect(right!.behaviour).toMatchObject({ inputs: 0, agree: null, examples: { passed: 1, total: 1 } });
    expect(wrong!.behaviour).toMatchObject({ examples: { passed: 0, total: 1 } });
    expect(right!.score).toBeGreaterThan(wrong!.score);
  });

  it("runs on no more inputs than make the interval narrow enough", async () => {
    const rows = [{ candidate: "def is_prime(n): return undefined_name\n", reference: IS_PRIME }];
    const [all] = await score(rows);
    const [narrow] = await score(rows, { until: 0.6 });
    expect(all!.behaviour!.inputs).toBe(40);
    expect(narrow!.behaviour!.inputs).toBeLessThan(40);
    expect(narrow!.high! - narrow!.low!).toBeLessThanOrEqual(0.6);
    expect(narrow!.signature).toContain("|until:0.6");
  });

  it("runs on some inputs even if the interval may be wide, and says that a module is missing", async () => {
    const [right, missing] = await score(
      [REWRITE, "import torchx\ndef is_prime(n): return torchx.f(n)\n"].map((candidate) => ({
        candidate,
        reference: IS_PRIME,
      })),
      { until: 1 },
    );
    expect(right!.behaviour).toMatchObject({ inputs: 5, agree: 1 });
    expect(missing).toMatchObject({ low: 0, high: 1, exec: 0.5 });
    expect(missing!.behaviour!.reason).toContain("torchx");
  });

  it("gives the same scores again, whatever stands beside a row's task", async () => {
    const row = { candidate: BUG, reference: IS_PRIME };
    const other = { candidate: "def f(x): return x * 2", reference: "def f(x): return x + x", taskId: "other" };
    const [alone] = await score([row]);
    const [, beside] = await score([other, row, other]);
    expect(beside).toEqual(alone);
  });

  it("takes programs out of fences, and gives bad rows their errors", async () => {
    const scorer = await RunningScorer.load({ executor }, reader());
    const rows = [
      { candidate: `Here it is:\n\`\`\`python\n${REWRITE}\`\`\`\n`, reference: IS_PRIME },
      { candidate: "", reference: IS_PRIME },
      { candidate: "function f(x) { return x; }\nconsole.log(f(1));\n", reference: IS_PRIME },
      { candidate: REWRITE },
      { candidate: "def is_prime(n:\n    return n > 1\n", reference: IS_PRIME },
    ] as ScoreInput[];
    const results = [];
    for await (const { result } of scorer.run(rows, "auto")) results.push(result);
    expect(results[0]).toMatchObject({ notes: ["candidate: taken out of a Markdown fence"], behaviour: { agree: 1 } });
    const nothing = { score: 0, low: 0, high: 0, exec: 0, pass: 0, behaviour: { agree: 0 } };
    expect(results[1]).toMatchObject({ ...nothing, notes: ["candidate: empty"] });
    expect(results[4]).toMatchObject(nothing);
    expect(results[2]).toMatchObject({ error: { message: expect.stringContaining("JavaScript") } });
    expect(results[3]).toMatchObject({ error: { code: "input" } });
  });

  it("runs nothing for rows that nobody waits for", async () => {
    const scorer = await RunningScorer.load({ executor }, reader());
    const gone = { candidate: BUG, reference: IS_PRIME };
    const kept = { candidate: REWRITE, reference: IS_PRIME };
    const results = [];
    for await (const { result } of scorer.run([gone, kept], "auto", (row) => row === gone)) results.push(result);
    expect(results[0]).toMatchObject({ error: { code: "infra" } });
    expect(results[1]).toMatchObject({ behaviour: { agree: 1 } });
  });

  it("refuses options that make no sense", async () => {
    for (const wrong of [{ inputs: -1 }, { inputs: 1.5 }, { inputs: 1001 }, { until: 0 }, { until: 2 }])
      await expect(RunningScorer.load({ executor, ...wrong }, reader())).rejects.toMatchObject({ code: "usage" });
  });
});
