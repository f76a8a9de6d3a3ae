/** The library snippets of the documents run unchanged, except for the model that they load. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { makeModel } from "./score/model.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The output of a program inside the repository, where `import "codescore"` finds this package by its name. */
async function run(program: string): Promise<string> {
  const folder = join(root, "runs", `readme-${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(join(folder, "snippet.mjs"), program);
    return (await promisify(execFile)(process.execPath, [join(folder, "snippet.mjs")])).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const noTensorFlow = `
import { createRequire } from "node:module";
const cached = Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes("tensorflow"));
if (cached.length > 0) throw new Error(cached[0]);`;

const snippetsOf = (document: string): string[] =>
  [...readFileSync(join(root, document), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(([, snippet]) => snippet!);

it("names a command that works outside the clone", async () => {
  const [, path] = /`node CLONE\/(\S+)`/.exec(readFileSync(join(root, "README.md"), "utf8"))!;
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, path!), "--version"], { cwd: tmpdir() });
  expect(stdout.trim()).toBe(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
});

describe("library snippets run, and load no TensorFlow.js", () => {
  it("the README's", async () => {
    const [scoring, ...more] = snippetsOf("README.md");
    expect(more).toEqual([]);
    expect(scoring).toContain("CodeScorer.load()");
    const model = await makeModel();
    try {
      const stdout = await run(scoring!.replace("load()", `load(${JSON.stringify(model)})`) + noTensorFlow);
      expect(stdout).toMatch(
        /score: 0\.\d+,\s+exec: 0\.\d+,\s+format: 'ref\+nl',\s+conclusion: '[a-z-]+',\s+reason: '.*',\s+signature: 'codescore\|/,
      );
    } finally {
      await rm(model, { recursive: true });
    }
  });

  it("the one of metrics and similarities", async () => {
    const [others, ...more] = snippetsOf("docs/metrics.md");
    expect(await run(others! + noTensorFlow)).toMatch(/^\[ 0\.\d+ \]\n\[ 0\.\d+ \]\n$/);
    expect(more).toEqual([]);
  });
});
