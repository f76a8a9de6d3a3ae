/** Whole sets from a small folder of collected data, with a fake executor: a program passes as many of four tests as it has `+`. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { buildSets } from "../../../src/dataset/build/index.ts";
import { readExamples, setTable } from "../../../src/dataset/index.ts";
import { kindOf } from "../../../src/dataset/kinds.ts";
import type { Execution, LabelledRow } from "../../../src/types.ts";
import { sha256 } from "../../../src/util/files.ts";
import { all, tempFolder } from "../../problems/helpers.ts";
import { type FakeOptions, fakeExecutor } from "../fake.ts";

const solution = (name: string, i: number): string =>
  `def ${name}(a, b):\n    total = a + b + ${i}\n    if a > b:\n        total = total + a\n    count = total + 1\n    return count\n`;

const problem = (task_id: string, i: number, more: object = {}) => ({
  task_id,
  source: "test",
  nl: `Task ${task_id}.`,
  entry_point: "f",
  references: [solution("f", i)],
  tests: [1, 2, 3, 4].map((n) => `assert f(${n}, ${i}) == 0`),
  tests_kind: "assert",
  ...more,
});

const copied = `def f(xs):\n    best = 0 + 0 + 0 + 0 + 0\n    for x in xs:\n        best = max(best, x * x - 1)\n    return best\n`;

const trainProblems = [
  ...Array.from({ length: 8 }, (_, i) => problem(`LC/p${i}`, i)),
  problem("LC/listed", 50),
  problem("LC/perhaps", 51),
  problem("LC/copy", 52, { references: [copied.replaceAll("best", "most")] }),
  problem("LC/no-reference", 53, { references: [] }),
  problem("LC/wrong-reference", 54, { references: ["def f(a, b):\n    return a\n"] }),
  problem("MBPP/20", 60),
  problem("MBPP/700", 61),
  problem("MBPP/701", 62, { tests_et: Array.from({ length: 12 }, (_, n) => `assert f(${n}, 62) == 0`) }),
  problem("MBPPT/20", 63),
];

const samples = Array.from({ length: 200 }, (_, i) => ({
  task_id: i < 60 ? `MBPP/${[20, 700, 701][i % 3]}` : `LC/p${i % 8}`,
  code: `def f(a, b):\n    value = ${"a + ".repeat(i % 6)}${i}\n    return value\n`,
  model: i % 2 ? "gpt" : "llama",
  label: i % 5 ? 1 : 0,
}));

function dataFolder(): string {
  const data = tempFolder();
  const write = (folder: string, name: string, rows: readonly object[]): void => {
    mkdirSync(join(data, folder), { recursive: true });
    writeFileSync(join(data, folder, name), gzipSync(rows.map((row) => JSON.stringify(row)).join("\n")));
  };
  write(
    "train",
    "problems_leetcode.jsonl.gz",
    trainProblems.filter(({ task_id }) => task_id.startsWith("LC")),
  );
  write(
    "train",
    "problems_mbpp.jsonl.gz",
    trainProblems.filter(({ task_id }) => task_id.startsWith("MBPP")),
  );
  write("train", "samples_mbpp_other.jsonl.gz", samples.slice(0, 60));
  write("train", "samples_leetcode.jsonl.gz", samples.slice(60));
  write("train", "humaneval_near_duplicates.jsonl.gz", [
    { task_id: "LC/listed", level: "high" },
    { task_id: "LC/perhaps", level: "maybe" },
    { task_id: "MBPP/20", level: "maybe" },
  ]);
  write("he-eval-dev", "problems.jsonl.gz", [
    {
      task_id: "HumanEval/0",
      prompt: "def f(xs):\n",
      entry_point: "f",
      canonical_solution: copied.slice(11),
      test: "def check(candidate):\n    assert candidate([]) == 0\n    assert candidate([1]) == 0\n",
      test_case_list: Array.from({ length: 9 }, (_, n) => `assert f([${n}]) == ${n}`),
    },
  ]);
  write("he-llm-dev", "samples.jsonl.gz", [
    ...Array.from({ length: 23 }, (_, i) => ({
      task_id: "HumanEval/0",
      code: `def f(xs):\n    return ${i}\n`,
      model: "other",
    })),
    { task_id: "HumanEval/9", code: "def g(xs):\n    return 0\n", model: "other" },
  ]);
  write("he-eval-dev", "samples.jsonl.gz", [
    { task_id: "HumanEval/0", completion: "    return 1 + 1\n", model: "codex" },
    { task_id: "HumanEval/0", completion: "    return 1 + 1\n", model: "codex" },
  ]);
  return data;
}

/** The fake of other tests, with verdicts named after the problem's tests. */
const executor = (more: FakeOptions = {}) => {
  const fake = fakeExecutor(more);
  const { execute } = fake;
  fake.execute = async (given, code): Promise<Execution> => {
    const found = await execute(given, code);
    const verdicts = found.verdicts.map((verdict, i) => ({ ...verdict, testId: given.tests[i]?.id ?? "extra" }));
    return { ...found, verdicts };
  };
  return fake;
};

const rowsOf = async (folder: string): Promise<Record<"train" | "dev" | "test", LabelledRow[]>> => ({
  train: await all(readExamples(join(folder, "train.arrow"))),
  dev: await all(readExamples(join(folder, "dev.arrow"))),
  test: await all(readExamples(join(folder, "test.arrow"))),
});

const fingerprint = (folder: string): string =>
  sha256(
    ["train.arrow", "dev.arrow", "train.arrow.manifest.json", "stats.json", "decontamination.jsonl"]
      .map((name) => sha256(readFileSync(join(folder, name))))
      .join(),
  );

describe("train-mix", () => {
  it("is made of clean problems, of models' programs and of ours, half of the weight or more on models'", async () => {
    const out = tempFolder();
    const [built] = await buildSets({ set: "train-mix", data: dataFolder(), out, executor: executor() });
    const { train, dev, test } = await rowsOf(join(out, "train-mix"));
    const rows = [...train, ...dev];
    expect(test).toEqual([]);
    const tasks = new Set(rows.map(({ task_id }) => task_id));
    expect([...tasks].sort()).toEqual(
      [...Array.from({ length: 8 }, (_, i) => `LC/p${i}`), "MBPP/700", "MBPP/701"].sort(),
    );
    expect(dev.filter(({ task_id }) => train.some((row) => row.task_id === task_id))).toEqual([]);

    const weights = { llm: 0, made: 0 };
    for (const row of rows) weights[kindOf(row.made_by) === "llm" ? "llm" : "made"] += row.weight;
    expect(weights.llm / (weights.llm + weights.made)).toBeGreaterThanOrEqual(0.5);
    expect(built?.llmWeight).toBeCloseTo(weights.llm / (weights.llm + weights.made), 9);
    const kinds = new Set(rows.map(({ made_by }) => kindOf(made_by)));
    expect([...kinds].sort()).toEqual(["cross", "llm", "mutant", "reference", "rewrite"]);
    expect(new Set(rows.map(({ sample_id }) => sample_id)).size).toBe(rows.length);

    const removed = readFileSync(join(out, "train-mix", "decontamination.jsonl"), "utf8")
      .trim()
      .split("\n");
    expect(removed.map((line) => JSON.parse(line))).toEqual([
      { task_id: "LC/listed", why: "listed", nearest: null, score: "high" },
      { task_id: "LC/perhaps", why: "listed", nearest: null, score: "maybe" },
      { task_id: "LC/copy", why: "same-tree", nearest: "HumanEval/0", score: 1 },
    ]);
    const manifest = JSON.parse(readFileSync(join(out, "train-mix", "train.arrow.manifest.json"), "utf8"));
    expect(manifest).toMatchObject({
      set: "train-mix",
      usable: { kept: 11, "no-reference": 1 },
      verified: { kept: 10, failing: 1, originalTests: 40 },
    });
  });

  it("has no rewrite whose label is not its original's", async () => {
    const out = tempFolder();
    await buildSets({ set: "train-mix", data: dataFolder(), out, executor: executor() });
    const candidates = readFileSync(join(out, "train-mix", "work", "candidates.jsonl"), "utf8")
      .trim()
      .split("\n");
    const original = new Map(candidates.map((line) => JSON.parse(line)).map((row) => [row.sample_id, row.original]));
    const passed = (code: string): number => Math.min(4, code.split("+").length - 1);
    const { train } = await rowsOf(join(out, "train-mix"));
    const rewrites = train.filter(({ made_by }) => kindOf(made_by) === "rewrite");
    expect(rewrites.length).toBeGreaterThan(10);
    for (const row of rewrites) expect(row.n_passed).toBe(passed(original.get(row.sample_id)));
  });

  it("goes on after a kill with the same bytes, executing nothing twice, and does nothing when it is done", async () => {
    const data = dataFolder();
    const whole = tempFolder();
    const first = executor();
    await buildSets({ set: "train-mix", data, out: whole, executor: first });
    const out = tempFolder();
    let left = 100;
    const dying = executor({
      verdict: () => {
        if (left-- === 0) throw new Error("killed");
        return {};
      },
    });
    await expect(buildSets({ set: "train-mix", data, out, executor: dying })).rejects.toThrow("killed");
    const rest = executor();
    await buildSets({ set: "train-mix", data, out, executor: rest });
    expect(fingerprint(join(out, "train-mix"))).toBe(fingerprint(join(whole, "train-mix")));
    expect(rest.executed.length).toBeLessThanOrEqual(first.executed.length - 100);
    const again = executor();
    await buildSets({ set: "train-mix", data, out, executor: again });
    expect(again.executed).toEqual([]);
  });

  it("makes again what is missing, and takes fewer problems and leaves files out when told", async () => {
    const data = dataFolder();
    const out = tempFolder();
    await buildSets({ set: "train-mix", data, out, executor: executor() });
    const before = fingerprint(join(out, "train-mix"));
    renameSync(join(out, "train-mix", "work", "labelled.arrow"), join(out, "elsewhere.arrow"));
    await buildSets({ set: "train-mix", data, out, executor: executor() });
    expect(existsSync(join(out, "train-mix", "work", "labelled.arrow"))).toBe(true);
    expect(fingerprint(join(out, "train-mix"))).toBe(before);
    const more = { limitProblems: 5, keepMaybe: true, without: ["mbpp_other"] };
    const [built] = await buildSets({ set: "train-mix", data, out, executor: executor(), ...more });
    expect(built?.problems.chosen).toBe(5);
    const { train, dev } = await rowsOf(join(out, "train-mix"));
    expect([...train, ...dev].some(({ sample_id }) => sample_id.startsWith("mbpp_other"))).toBe(false);
  });
});

describe("sets to test on", () => {
  it("hold programs of models alone, with MBPP's own split", async () => {
    const out = tempFolder();
    await buildSets({ set: "mbpp-eval", data: dataFolder(), out, executor: executor(), tests: 4 });
    const { train, dev, test } = await rowsOf(join(out, "mbpp-eval"));
    const tasks = (rows: readonly LabelledRow[]): string[] => [...new Set(rows.map(({ task_id }) => task_id))].sort();
    expect([tasks(train), tasks(dev), tasks(test)]).toEqual([["MBPP/700", "MBPP/701"], [], ["MBPP/20"]]);
    expect([...train, ...test].every(({ made_by, weight }) => kindOf(made_by) === "llm" && weight === 1)).toBe(true);
    const table = await setTable(join(out, "mbpp-eval"));
    expect(table).toMatchObject({
      name: "mbpp-eval",
      examples: { train: train.length, dev: null, test: test.length },
      perTask: { references: 1, tests: 4, originalTests: 4 },
    });
    const mean = test.reduce((sum, row) => sum + row.pass_ratio!, 0) / test.length;
    expect(table.passRatio.test).toBeCloseTo(mean, 9);
    expect(table.passAt1.test).toBeCloseTo(test.filter((row) => row.pass_ratio === 1).length / test.length, 9);
    expect(table.perTask.candidates).toBeCloseTo((train.length + test.length) / 3, 9);
  });

  it("he-eval has every recorded program, repeats too", async () => {
    const out = tempFolder();
    await buildSets({ set: "he-eval", data: dataFolder(), out, executor: executor() });
    const { train, test } = await rowsOf(join(out, "he-eval"));
    expect(train).toEqual([]);
    expect(test.map(({ sample_id }) => sample_id)).toEqual(["HumanEval/0#0", "HumanEval/0#1"]);
    expect((await setTable(join(out, "he-eval"))).perTask.originalTests).toBe(2);
  });

  it("he-llm has 20 programs of other models a problem, on the tests of he-eval", async () => {
    const out = tempFolder();
    await buildSets({ set: "he-llm", data: dataFolder(), out, executor: executor() });
    const { train, test } = await rowsOf(join(out, "he-llm"));
    expect(train).toEqual([]);
    expect(test).toHaveLength(20);
    expect(new Set(test.map(({ candidate }) => candidate)).size).toBe(20);
    expect(test.every(({ task_id, made_by }) => task_id === "HumanEval/0" && made_by === "other")).toBe(true);
  });

  it("refuses an unknown set, and a folder without data", async () => {
    const call = (set: string, data: string) => buildSets({ set, data, out: tempFolder(), executor: executor() });
    await expect(call("mbpp", dataFolder())).rejects.toThrow(
      "expected a set of mbpp-eval, apps-eval, train-mix, he-eval, he-llm or all, got `mbpp`",
    );
    await expect(call("he-eval", tempFolder())).rejects.toMatchObject({ code: "input" });
  });
});
