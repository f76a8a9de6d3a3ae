/**
 * The quality of expansion and reduction on real programs. They start from only the original tests and are compared with labels recorded
 * with HumanEval-ET's tests (see the data's README). Expansion never sees an ET test, because the file it reads has none.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mutantsOf } from "../../src/cli/datasets/reduce.ts";
import { expandProblems, label, readExamples, reduceProblems } from "../../src/dataset/index.ts";
import { type Executor, openExecutor } from "../../src/execute/index.ts";
import { spearman } from "../../src/statistics/index.ts";
import type { Problem } from "../../src/types.ts";
import { readJsonLines } from "../../src/util/jsonl.ts";
import { every } from "../every.ts";
import { all } from "../problems/helpers.ts";

const data = process.env.CODESCORE_DATA ?? "";
/** Uses every n-th task. CODESCORE_EVERY=1 uses all 78, which takes four minutes. */
const each = every(6);
/** Its mutants alone take four fifths of the time, so it is only among all tasks. */
const LONGEST = "HumanEval/36";
/** The model whose programs are not used for choosing tests. */
const other = "codex-davinci";

describe.skipIf(data === "")("tests expanded from he-eval-dev's original ones", () => {
  const source = join(data, "he-eval-dev");
  let samples: string[] = [];
  let executor: Executor | undefined;
  let folder = "";
  const at = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "codescore-expand-"));
    executor = await openExecutor();
    const tasks = (await all(readJsonLines(join(source, "problems.jsonl.gz")))).filter(
      ({ value }, i) => i % each === 0 && (each === 1 || value.task_id !== LONGEST),
    );
    const chosen = new Set(tasks.map(({ value }) => value.task_id));
    const programs = await all(readJsonLines(join(source, "samples.jsonl.gz")));
    const write = (name: string, rows: readonly object[]): void =>
      writeFileSync(at(name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    write(
      "original.jsonl",
      tasks.map(({ value: { test_case_list: _, ...row } }) => row),
    );
    write(
      "samples.jsonl",
      programs.map(({ value }) => value).filter(({ task_id }) => chosen.has(task_id)),
    );
    samples = [at("samples.jsonl")];
  });
  afterAll(async () => {
    await executor?.close();
    if (folder !== "") rmSync(folder, { recursive: true, force: true });
  });

  it("rank programs as ET's tests do, and catch at least as many wrong ones", { timeout: 3_600_000 }, async () => {
    const result = await expandProblems({
      problems: [at("original.jsonl")],
      out: at("expanded.jsonl"),
      executor: executor!,
    });
    const out = at("labels.jsonl");
    await label({ problems: [at("expanded.jsonl")], samples, out, executor: executor! });
    const ours = (await all(readExamples(out))).map(({ pass_ratio }) => pass_ratio ?? 0);
    const recorded = (await all(readJsonLines(samples[0]!))).map(({ value }) => Number(value.pass_ratio));
    const wrong = (ratios: readonly number[]) => ratios.filter((ratio) => ratio < 1).length;
    const correlation = spearman(ours, recorded);
    const found = { correlation, ours: wrong(ours), et: wrong(recorded), short: result.short };
    process.stderr.write(`${JSON.stringify(found)}\n`);
    expect(correlation).toBeGreaterThanOrEqual(each === 1 ? 0.95 : 0.9); // .956 on all, .923 on a third
    expect(wrong(ours)).toBeGreaterThanOrEqual(wrong(recorded));
  });

  it("reduced to a tenth by mutants and one model, keep 95% of the kills on another", {
    timeout: 3_600_000,
  }, async () => {
    const mutants = (problem: Problem) => mutantsOf(problem, 60, 0);
    const out = at("mini.jsonl");
    const how = { by: ["mutants", "samples"], samples, holdOut: [other], mutants, size: 9 } as const;
    const { before, after, heldOut } = await reduceProblems({
      problems: [at("expanded.jsonl")],
      out,
      executor: executor!,
      ...how,
    });
    process.stderr.write(`${JSON.stringify({ other, before, after, heldOut })}\n`);
    expect(before / after).toBeGreaterThanOrEqual(10);
    expect(heldOut.all).toBeGreaterThan(400 / each);
    expect(heldOut.kept / heldOut.all).toBeGreaterThanOrEqual(0.95);
  });
});
