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
  it("scores when imported", { timeout: 60_000 }, async () => {
    const program = `
      import { CodeScorer } from "codescore";
      const scorer = await CodeScorer.load(${JSON.stringify(model)});
      async function* rows() { yield { candidate: "x = 1", reference: "x = 2" }; }
      for await (const { result } of scorer.score(rows())) console.log(result.score > 0 && result.score < 1);
      await scorer.close();`;
    await writeFile(join(folder, "use.mjs"), program);
    expect((await run(process.execPath, ["use.mjs"])).stdout).toBe("true\n");
  });

  it("has types that resolve", { timeout: 60_000 }, async () => {
    const program = `
      import { CodeScorer, type Score, type ScoreInput, type Similarity } from "codescore";
      const scorer = await CodeScorer.load("model", { threads: 1, precision: "int8" });
      const rows: ScoreInput[] = [{ candidate: "x = 1", reference: "x = 2" }];
      const scores: Score[] = (await scorer.scoreAll(rows)).flatMap((one) => ("error" in one ? [] : [one]));
      export const [similarity, best]: [Similarity, number] = [scorer.similarity(), Math.max(...scores.map(({ score }) => score))];
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

  it("has a command", { timeout: 60_000 }, async () => {
    await writeFile(join(folder, "a.py"), "def f(a):\n    return a\n");
    const args = ["codescore", "score", "--model", model, "--reference", "a.py", "a.py"];
    expect((await run("npx", args)).stdout).toMatch(/^a\.py {2}score 0\.\d{3} {2}exec 0\.\d{3}\n$/);
  });
});
