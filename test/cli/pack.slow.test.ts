/**
 * The package as a user installs it: packed, installed from npm's registry in a separate folder with install scripts enabled
 * and without our settings, imported, type-checked and run. Uses the existing dist/, which `npm run build` makes.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CodeScorer, type Score } from "../../src/index.ts";
import { readProblems } from "../../src/problems/index.ts";
import { packageRoot } from "../../src/util/files.ts";
import { makeModel } from "../score/model.ts";

const root = packageRoot;
let folder: string;
let model: string;

const run = (command: string, args: readonly string[], cwd = folder, env: NodeJS.ProcessEnv = strangers) =>
  promisify(execFile)(command, args, { cwd, env, maxBuffer: 1e8 });

/** The environment without npm's settings, which `npm test` passes on, but with this machine's registry and cache. */
let strangers: NodeJS.ProcessEnv;

async function strangersEnvironment(home: string): Promise<NodeJS.ProcessEnv> {
  const setting = async (name: string) => (await run("npm", ["config", "get", name], root, process.env)).stdout.trim();
  const others = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return {
    ...Object.fromEntries(others),
    HOME: home,
    USERPROFILE: home,
    npm_config_registry: await setting("registry"),
    npm_config_cache: await setting("cache"),
    npm_config_userconfig: join(home, "none"),
    npm_config_globalconfig: join(home, "no-other"),
    npm_config_dangerously_allow_all_scripts: "true", // also runs the scripts that an npm version would ask about first
  };
}

/** The installed command without npx, whose start takes as long as the command. */
const installed = (args: readonly string[]) => run(join(folder, "node_modules", ".bin", "codescore"), args);

/** Total size of all files in a folder. */
async function bytesOf(path: string): Promise<number> {
  const files = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return sizes.reduce((a, b) => a + b, 0);
}

let tarball: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-pack-"));
  await mkdir(join(folder, "home"));
  strangers = await strangersEnvironment(join(folder, "home"));
  model = await makeModel();
  await run("npm", ["pack", "--pack-destination", folder], root, process.env);
  tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz"))!;
  await writeFile(join(folder, "package.json"), '{"name": "user", "private": true, "type": "module"}\n');
  await run("npm", ["install", `./${tarball}`]);
}, 600_000);

afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(model, { recursive: true });
});

describe("the packed package", () => {
  it("is small, and has of its models what scoring needs", async () => {
    expect((await stat(join(folder, tarball))).size).toBeLessThan(15e6);
    expect(await bytesOf(join(folder, "node_modules"))).toBeLessThan(150e6);
    const models = await readdir(join(folder, "node_modules", "codescore", "models"), { recursive: true });
    expect(models.filter((name) => /\.onnx$|\.safetensors$/.test(name)).sort()).toEqual([
      join("codescore-small", "onnx", "model_quantized.onnx"),
      join("codescore-small", "trees.safetensors"),
      join("codescore-tiny", "trees.safetensors"),
    ]);
  });

  it("says how to get what it leaves out", async () => {
    const small = join("node_modules", "codescore", "models", "codescore-small");
    const rows = join(folder, "none.jsonl");
    await writeFile(rows, "");
    const refused = (...args: string[]) =>
      installed(args).then(
        () => "nothing",
        ({ stderr }: { stderr: string }) => stderr,
      );
    const where = /the npm package does not contain it: get models\/codescore-small from codescore's repository/;
    expect(await refused("score", "--input", rows, "--model", "small", "--precision", "fp16")).toMatch(where);
    expect(await refused("export", small)).toMatch(where);
    const install = /onnxruntime-node is not installed; .*npm install onnxruntime-node --ignore-scripts/;
    expect(await refused("score", "--input", rows, "--model", "small", "--device", "cuda")).toMatch(install);
  });

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
    expect((await run("npx", args)).stdout).toMatch(
      /^a\.py {2}score 0\.\d{3} {2}exec 0\.\d{3} {2}unknown \(not executed\)\n$/,
    );
  });

  it("runs candidates, and scores what they do", async () => {
    await writeFile(join(folder, "double.py"), "def f(x: int) -> int:\n    return 2 * x\n");
    await writeFile(join(folder, "sum.py"), "def f(x: int) -> int:\n    return x + x\n");
    const args = ["score", "--run", "--reference", "double.py", "sum.py"];
    expect((await installed(args)).stdout).toContain("behaves right");
  });

  it("scores as the checkout does: in WebAssembly, and with onnxruntime-node beside it", async () => {
    const problems = [...(await readProblems([join(root, "datasets", "starter")])).values()].filter(
      (_, i) => i % 32 < 2,
    );
    const rows = problems.map(({ references, description }, i) => ({
      candidate: problems[(i + (i % 2)) % problems.length]!.references.at(-1)!, // a solution of the same problem or of the next one
      reference: references[0]!,
      description,
    }));
    await writeFile(join(folder, "rows.json"), JSON.stringify(rows));
    const program = `
      import { readFile } from "node:fs/promises";
      import { CodeScorer } from "codescore";
      const rows = JSON.parse(await readFile("rows.json", "utf8"));
      const all = {};
      for (const name of ["small", "tiny"]) {
        const scorer = await CodeScorer.load(name);
        all[name] = await scorer.scoreAll(rows);
        await scorer.close();
      }
      console.log(JSON.stringify(all));`;
    await writeFile(join(folder, "all.mjs"), program);
    const theirs = async () => JSON.parse((await run(process.execPath, ["all.mjs"])).stdout);
    const compare = async (device: string, found: Record<string, Score[]>) => {
      for (const name of ["small", "tiny"]) {
        const scorer = await CodeScorer.load(name, { device, precision: "int8" });
        for (const [i, ours] of (await scorer.scoreAll(rows)).entries()) {
          if ("error" in ours) throw new Error(ours.error.message);
          const { score, exec, signature } = found[name]![i]!;
          expect(signature).toBe(ours.signature);
          expect(Math.abs(score - ours.score)).toBeLessThan(1e-6);
          expect(Math.abs(exec - ours.exec)).toBeLessThan(1e-6);
        }
        expect(scorer.device).toBe(name === "tiny" ? "none" : device);
        await scorer.close();
      }
    };
    await compare("wasm", await theirs());

    const { version } = JSON.parse(
      await readFile(join(root, "node_modules", "onnxruntime-node", "package.json"), "utf8"),
    );
    await run("npm", ["install", `onnxruntime-node@${version}`, "--ignore-scripts"]);
    await compare("cpu", await theirs());
  }, 600_000);
});
