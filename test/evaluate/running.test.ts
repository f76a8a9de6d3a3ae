/** `codescore evaluate` and `compare` with programs that run: three for a starter problem, in the sandbox available here. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { compareVerb } from "../../src/cli/compare.ts";
import { evaluateVerb } from "../../src/cli/evaluate.ts";
import { label } from "../../src/dataset/index.ts";
import { type CostStage, readRows } from "../../src/evaluate/index.ts";
import { type Executor, openExecutor } from "../../src/execute/index.ts";
import { CodeScorer } from "../../src/score/index.ts";
import { mean } from "../../src/statistics/index.ts";
import type { LabelledRow, Score } from "../../src/types.ts";
import { packageRoot } from "../../src/util/files.ts";

const folder = mkdtempSync(join(tmpdir(), "codescore-running-"));
const at = (name: string): string => join(folder, name);
const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
let rows: LabelledRow[] = [];
let executor: Executor;
let scorer: CodeScorer;

beforeAll(async () => {
  const starter = readFileSync(join(packageRoot, "datasets/starter/mbpp-style.jsonl"), "utf8").split("\n").slice(0, 1);
  const problems = starter.map((line) => JSON.parse(line) as { task_id: string; code: string; references: string[] });
  writeFileSync(at("problems.jsonl"), lines(problems));
  const samples = problems.flatMap(({ task_id, code, references }) => {
    const wrong = [code.replace(" > ", " >= "), code.replace("return ", "return None and ")];
    return [references[0]!, ...wrong].map((solution, i) => ({ task_id, sample_id: `${task_id}#${i}`, solution }));
  });
  writeFileSync(at("samples.jsonl"), lines(samples));
  [executor, scorer] = await Promise.all([openExecutor({ workers: 1 }), CodeScorer.load("tiny")]);
  await label({ problems: [at("problems.jsonl")], samples: [at("samples.jsonl")], out: at("data.jsonl"), executor });
  rows = await readRows(at("data.jsonl"));
}, 60_000);
afterAll(async () => {
  await Promise.all([executor?.close(), scorer?.close()]);
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => vi.restoreAllMocks());

/** The JSON output of the verb. */
async function run<T>(verb: Command, ...args: string[]): Promise<T> {
  let printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  const common = ["--data", at("data.jsonl"), "--resamples", "5", "--format", "json"];
  await verb.exitOverride().parseAsync([...common, ...args], { from: "user" });
  return JSON.parse(printed) as T;
}

interface Result {
  readonly columns: readonly { readonly name: string; readonly mean: number; readonly signature: string }[];
  readonly costCurve: { readonly stages: readonly CostStage[] } | null;
}
const NONE = ["--no-model", "--metrics", "none"];

describe("--metrics behaviour", () => {
  it("gives the scores of codescore score --run, in the place where it is named", async () => {
    const inputs = rows.map(({ task_id: taskId, ...row }) => ({ ...row, taskId }));
    const scores = (await scorer.scoreAll(inputs, { run: { executor, inputs: 5 } })) as Score[];
    const args = ["--model", "tiny", "--metrics", "exact,behaviour,chrf", "--inputs", "5", "--workers", "1"];
    const { columns } = await run<Result>(evaluateVerb(), ...args);
    expect(columns.map(({ name }) => name)).toEqual(["tiny", "exact", "behaviour", "chrf", "difficulty-only oracle"]);
    const behaviour = columns[2]!;
    expect(behaviour.mean).toBeCloseTo(mean(scores.map(({ score }) => score)), 12);
    expect(behaviour.signature).toBe(scores[0]!.signature);
    const width = expect.closeTo(mean(scores.map(({ low, high }) => high! - low!)), 12);
    expect(behaviour).toMatchObject({ withinAuc: 1, intervals: { width }, pass: { programs: 3 } });
  }, 60_000);

  it("uses no reference where the input format has none, and is compared", async () => {
    const args = ["--metrics", "behaviour,chrf", "--inputs", "4", "--seed", "3", "--workers", "1"];
    const { a, b } = await run<Record<"a" | "b", { name: string; signature: string }>>(
      compareVerb(),
      ...args,
      "--input-format",
      "nl",
    );
    expect([a.name, b.name]).toEqual(["behaviour", "chrf"]);
    expect(a.signature).toMatch(/\|input:nl\|.*\|run:4@.*\|seed:3\|/);
  }, 60_000);
});

it("--cost-curve measures text, examples, inputs and tests, with their costs", async () => {
  const report = ["--report", at("report.html")];
  const args = [...NONE, "--cost-curve", "8", "--problems", at("problems.jsonl"), "--workers", "1", ...report];
  const { costCurve } = await run<Result>(evaluateVerb(), ...args);
  const { stages } = costCurve!;
  expect(stages.map(({ name }) => name)).toEqual(["text", "examples", "8 inputs", "tests"]);
  expect(stages[2]).toMatchObject({ withinAuc: 1, enoughInputs: 0 });
  expect(stages[3]).toMatchObject({ spearman: expect.closeTo(1, 12), mae: 0, top1Passes: 1 });
  for (const { secondsPerThousand } of stages) expect(secondsPerThousand).toBeGreaterThan(0);
  expect(readFileSync(at("report.html"), "utf8")).toContain("Cost and benefit of running more");
}, 60_000);

it.each([
  [["--inputs", "4"], "--inputs needs --metrics behaviour"],
  [["--workers", "1"], "--workers needs --metrics behaviour"],
  [["--cost-curve", "--inputs", "4"], "--inputs needs --metrics behaviour"],
  [["--problems", "p.jsonl"], "--problems needs --cost-curve"],
  [["--tables", "cost-curve"], "the table `cost-curve` needs --cost-curve"],
  [["--metrics", "behaviour", "--sandbox", "none"], "allowUnsafe"],
])("%s: is refused", async (args, message) => {
  await expect(run(evaluateVerb(), ...NONE, ...args)).rejects.toThrow(message);
});

it("runs nothing unless asked to", async () => {
  const { costCurve, columns } = await run<Result>(evaluateVerb(), "--model", "tiny", "--metrics", "chrf");
  expect(costCurve).toBeNull();
  expect(columns.every(({ signature }) => !signature.includes("|run:"))).toBe(true);
}, 60_000);
