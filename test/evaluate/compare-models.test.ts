/** `codescore compare A B`: the programs of two models. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { compareVerb } from "../../src/cli/compare.ts";
import { simulatedRows } from "./rows.ts";
import { run } from "./verb.ts";

let folder = "";
const at = (name: string): string => join(folder, name);
const put = (name: string, values: readonly object[]): Promise<void> =>
  writeFile(at(name), values.map((value) => JSON.stringify(value)).join("\n"));
const rows = simulatedRows(12, 8, 3);

// Model B passes more on every task.
const better = rows.map((row) => {
  const ratio = Math.min(1, row.pass_ratio! + 0.25);
  return { ...row, pass_ratio: ratio, n_passed: 4 * ratio };
});
const scoresOf = (of: typeof rows, more: object = {}) =>
  of.map(({ task_id, sample_id: id, pass_ratio: score }) => ({
    ...{ task_id, id, score, exec: 1, pass: Number(score === 1), signature: "s|run:40" },
    ...more,
  }));
const compared = async (...args: string[]) => {
  const text = await run(compareVerb(), ...args, "--resamples", "200", "--format", "json");
  return JSON.parse(text);
};
const byTask = (of: typeof rows, value: (ratio: number) => number): number => {
  const means = Array.from({ length: 12 }, (_, t) => {
    const some = of.filter(({ task_id }) => task_id === `t${t}`);
    return some.reduce((sum, one) => sum + value(one.pass_ratio!), 0) / some.length;
  });
  return means.reduce((sum, one) => sum + one, 0) / means.length;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-models-"));
  await put("a.jsonl", rows);
  await put(
    "plain.jsonl",
    rows.map((_, id) => ({ id, score: 0.5 })),
  );
  await put("b.jsonl", better);
  await put("a-scores.jsonl", scoresOf(rows));
  await put("b-scores.jsonl", scoresOf(better).toReversed());
});

afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

it.each([
  ["labels", "a.jsonl", "b.jsonl", ["AvgPassRatio", "pass@1"]],
  ["scores", "a-scores.jsonl", "b-scores.jsonl", ["score", "pass"]],
])("from %s, as means over tasks", async (_, a, b, names) => {
  const { measures, counts } = await compared(`one=${at(a)}`, at(b));
  expect(counts.tasks).toBe(12);
  expect(measures.map(({ measure }: { measure: string }) => measure)).toEqual(names);
  const [ratio, passes] = measures;
  expect(ratio.a).toBeCloseTo(
    byTask(rows, (one) => one),
    12,
  );
  expect(ratio.b).toBeCloseTo(
    byTask(better, (one) => one),
    12,
  );
  expect(passes.b).toBeCloseTo(
    byTask(better, (one) => Number(one === 1)),
    12,
  );
  expect(ratio.difference).toBeCloseTo(ratio.b - ratio.a, 12);
  expect(ratio.low).toBeGreaterThan(0);
  expect(ratio.pValue).toBeLessThan(0.02);
});

it("weighs tasks alike, pairs them, and leaves out what only one model has", async () => {
  await put("more.jsonl", [
    ...better,
    ...better.slice(0, 7),
    { ...better[0]!, task_id: "other" },
    { ...better[0]!, pass_ratio: null },
  ]);
  const { measures, counts, a, b } = await compared(at("a.jsonl"), at("more.jsonl"));
  expect([counts.tasks, a.othersLack, b.othersLack, b.unused]).toEqual([12, 0, 1, 1]);
  const said = await run(compareVerb(), at("a.jsonl"), at("more.jsonl"), "--resamples", "20");
  expect(said).toContain("more: 1 task not used, because a lacks it.");
  const same = await compared(at("a.jsonl"), at("a.jsonl"));
  expect(same.measures[0]).toMatchObject({ difference: 0, low: 0, high: 0, pValue: 1 });
  expect(measures[0].a).toBe(same.measures[0].a);
});

it("says where the programs were not run", async () => {
  const text = async (more: object) => {
    for (const [name, of] of [
      ["x.jsonl", rows],
      ["y.jsonl", better],
    ] as const)
      await put(name, scoresOf(of, more));
    return run(compareVerb(), at("x.jsonl"), at("y.jsonl"), "--resamples", "20");
  };
  expect(await text({})).not.toContain("--run");
  const read = await text({ signature: "s", pass: undefined });
  expect(read).toContain("Score with --run to compare what programs do.");
  expect(read).not.toMatch(/^pass/m);
});

it.each([
  [["a.jsonl"], "expected two files, one of each model, got 1"],
  [["a.jsonl", "a-scores.jsonl"], "expected two files of scores or two of labels"],
  [["a-scores.jsonl", "plain.jsonl"], "plain.jsonl:1: expected `task_id`, got none"],
  [
    ["a-scores.jsonl", "other-scores.jsonl"],
    "made in different ways, so they cannot be compared: a-scores s|run:40, other-scores other",
  ],
  [["a.jsonl", "elsewhere.jsonl"], "no task is in both files: t0 in a, elsewhere in elsewhere"],
  [
    ["a-scores.jsonl", "text-scores.jsonl"],
    "made in different ways, so they cannot be compared: a-scores s|run:40, text-scores s; score both with the same command",
  ],
])("refuses %s", async (names, message) => {
  await put("other-scores.jsonl", scoresOf(rows, { signature: "other" }));
  // A program that could not run has the signature of its text's score.
  await put("a-scores.jsonl", [
    ...scoresOf(rows),
    ...scoresOf(rows.slice(0, 1), { id: "not run", signature: "s", pass: undefined }),
  ]);
  await put("text-scores.jsonl", scoresOf(rows, { signature: "s", pass: undefined }));
  await put(
    "elsewhere.jsonl",
    rows.map((row) => ({ ...row, task_id: "elsewhere" })),
  );
  await expect(run(compareVerb(), ...names.map(at))).rejects.toThrow(message);
});

it("refuses options of the other comparison, and neither files nor --data", async () => {
  await expect(run(compareVerb(), at("a.jsonl"), at("b.jsonl"), "--metrics", "rule")).rejects.toThrow(
    "--metrics compares scores with labels",
  );
  await expect(run(compareVerb())).rejects.toThrow("expected two files, or --data with two metrics to compare");
});
