/** The package as others install it: packed, installed in a folder of its own, imported, type-checked and run. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/util/files.ts";
import { makeModel } from "../score/model.ts";

const root = packageRoot;
let folder: string;
let model: string;

const run = (command: string, args: readonly string[], cwd = folder) =>
  promisify(execFile)(command, args, { cwd, env: { ...process.env, npm_config_ignore_scripts: "true" } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-pack-"));
  model = await makeModel();
  await run("npm", ["pack", "--pack-destination", folder], root);
  const [tarball] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  await writeFile(join(folder, "package.json"), '{"name": "user", "private": true, "type": "module"}\n');
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${tarball}`]);
}, 600_000);

afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(model, { recursive: true });
});

describe("the packed package", () => {
  it("scores when imported", async () => {
    const program = `
      import { CodeScorer } from "codescore";
      const scorer = await CodeScorer.load(${JSON.stringify(model)});
      async function* rows() { yield { candidate: "x = 1", reference: "x = 2" }; }
      for await (const { result } of scorer.score(rows())) console.log(result.score > 0 && result.score < 1);
      await scorer.close();`;
    await writeFile(join(folder, "use.mjs"), program);
    expect((await run(process.execPath, ["use.mjs"])).stdout).toBe("true\n");
  });

  it("has metrics, similarities, round trips and tables beside it", async () => {
    const program = `
      import { CodeScorer } from "codescore";
      import { evaluate, metricColumn } from "codescore/evaluate";
      import { openExecutor } from "codescore/execute";
      import { getMetric, metricNames, scorePairs, spearman } from "codescore/metrics";
      import { streamProblems } from "codescore/problems";
      import { openSimilarity, replayLlm, similarityNames, synthesisRtc } from "codescore/rtc";
      import { writeFile } from "node:fs/promises";

      const pairs = [{ candidate: "x = 1", reference: "x = 1" }, { candidate: "y = 2", reference: "x = 1" }];
      for (const name of ["bleu", "meteor", "rule"]) {
        const [same, other] = await scorePairs(getMetric(name), pairs);
        console.log(name, metricNames.includes(name), same > other);
      }
      console.log(spearman([1, 2, 3], [10, 20, 40]));

      const row = { task_id: "t", sample_id: "0", source: "s", made_by: "m", reference: "x = 1", description: null,
        executable: 1, n_tests: 1, status: "ok", first_error: null, reason: null, weight: 1 };
      const rows = pairs.map(({ candidate }, i) => ({ ...row, task_id: "t" + i, candidate, pass_ratio: 1 - i, n_passed: 1 - i }));
      const table = evaluate({ rows, columns: [await metricColumn(getMetric("chrf"), rows)], resamples: 10 });
      console.log(table.columns.map(({ name }) => name).join());

      const code = "def inc(x):\\n    return x + 1\\n";
      const test = { id: "0", origin: "given", kind: "call", args: "1", expected: "2", tolerance: 0 };
      const problem = { id: "p", description: "Adds one.", prompt: "", entryPoint: "inc", references: [code], tests: [test],
        setup: "", contract: "", source: "s" };
      const said = [["forward", "Adds one."], ["backward", "return 1 + x"]];
      const lines = said.map(([direction, text]) => JSON.stringify({ task_id: "p", direction, sample: 0, text }));
      await writeFile("said.jsonl", lines.join("\\n"));
      const llm = await replayLlm("said.jsonl");
      const [scorer, executor] = [await CodeScorer.load(${JSON.stringify(model)}), await openExecutor({ workers: 1 })];
      const context = { codescore: scorer.similarity(), executor, problems: new Map([["p", problem]]) };
      const similarities = ["codescore", "pass", "exact"].map((name) => openSimilarity(name, context));
      const { summary } = await synthesisRtc({ problems: [problem], forward: llm, backward: llm, similarities, out: "rtc",
        samples: { forward: { samples: 1 } }, lift: false, quiet: true });
      for (const { name, rtc } of summary.similarities) console.log(name, name === "codescore" ? rtc.value > 0 : rtc.value);
      console.log(similarityNames.includes("hybrid"), typeof streamProblems);
      await Promise.all([scorer.close(), executor.close()]);`;
    await writeFile(join(folder, "rooms.mjs"), program);
    expect((await run(process.execPath, ["rooms.mjs"])).stdout.trimEnd().split("\n")).toEqual([
      "bleu true true",
      "meteor true true",
      "rule true true",
      "1",
      "chrf,difficulty-only oracle",
      "codescore true",
      "pass 1",
      "exact 0",
      "true function",
    ]);
  });

  it("has types that resolve", async () => {
    const program = `
      import { CodeScorer, type Score, type ScoreInput, type Similarity } from "codescore";
      import { type EvaluationResult, evaluate } from "codescore/evaluate";
      import { type Executor, openExecutor } from "codescore/execute";
      import { getMetric, type Metric, scorePairs } from "codescore/metrics";
      import { readProblems } from "codescore/problems";
      import { type Llm, openAiLlm, openSimilarity, type SignedSimilarity } from "codescore/rtc";
      const scorer = await CodeScorer.load("model", { threads: 1, precision: "int8" });
      const rows: ScoreInput[] = [{ candidate: "x = 1", reference: "x = 2" }];
      const scores: Score[] = (await scorer.scoreAll(rows)).flatMap((one) => ("error" in one ? [] : [one]));
      export const [similarity, best]: [Similarity, number] = [scorer.similarity(), Math.max(...scores.map(({ score }) => score))];
      export const metric: Metric = getMetric("bleu");
      export const values: number[] = await scorePairs(metric, [{ candidate: "x", reference: "y" }]);
      export const executor: Executor = await openExecutor();
      export const problems = await readProblems(["problems.jsonl"]);
      export const pass: SignedSimilarity = openSimilarity("pass", { executor, problems });
      export const llm: Llm = openAiLlm({ model: "m" });
      export const table: EvaluationResult = evaluate({ rows: [], columns: [] });
      // @ts-expect-error: a similarity has a name
      openSimilarity(1);
      // @ts-expect-error: a candidate is a text
      await scorer.scoreAll([{ candidate: 1 }]);`;
    await writeFile(join(folder, "use.ts"), program);
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node"];
    const types = ["--typeRoots", join(root, "node_modules", "@types")];
    await run(process.execPath, [
      join(root, "node_modules", "typescript", "bin", "tsc"),
      ...options,
      ...types,
      "use.ts",
    ]);
  });

  it("has a command", async () => {
    await writeFile(join(folder, "a.py"), "def f(a):\n    return a\n");
    const args = ["codescore", "score", "--model", model, "--reference", "a.py", "a.py"];
    expect((await run("npx", args)).stdout).toMatch(/^a\.py {2}score 0\.\d{3} {2}exec 0\.\d{3}\n$/);
  });
});
