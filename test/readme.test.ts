/** The README's library snippet runs as it stands, but for the model it loads. */
import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { makeModel } from "./score/model.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

it("the README's library snippet runs, and loads no TensorFlow.js", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const snippet = /```ts\n([\s\S]*?)```/.exec(readme)![1]!;
  expect(snippet).toContain("CodeScorer.load()");
  const model = await makeModel();
  // Inside the repository, so that `import "codescore"` finds this package by its own name.
  const folder = join(root, "runs", `readme-${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    const loaded = `
import { createRequire } from "node:module";
const cached = Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes("tensorflow"));
if (cached.length > 0) throw new Error(cached[0]);`;
    await writeFile(join(folder, "snippet.mjs"), snippet.replace("load()", `load(${JSON.stringify(model)})`) + loaded);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "snippet.mjs")]);
    expect(stdout).toMatch(/score: 0\.\d+,\s+exec: 0\.\d+,\s+format: 'ref\+nl',\s+signature: 'codescore\|/);
  } finally {
    await rm(folder, { recursive: true });
    await rm(model, { recursive: true });
  }
});
