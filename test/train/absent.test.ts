/** The built package without optional packages: a copy of it, with links to all other packages. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
let copy: string;

/** Links to the packages in node_modules, except those that a test wants absent. */
function link(from: string, to: string, absent: (name: string) => boolean, scope = ""): void {
  mkdirSync(to);
  for (const entry of readdirSync(from).filter((one) => !one.startsWith("."))) {
    if (entry.startsWith("@")) link(join(from, entry), join(to, entry), absent, `${entry}/`);
    else if (!absent(scope + entry)) symlinkSync(join(from, entry), join(to, entry), "junction");
  }
}

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "absent-"));
  cpSync(join(root, "dist"), join(copy, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(copy, "package.json"));
  mkdirSync(join(copy, "src"));
  cpSync(join(root, "src", "execute"), join(copy, "src", "execute"), { recursive: true });
  link(join(root, "node_modules"), join(copy, "node_modules"), (name) => /^@tensorflow\/|^pyodide$/.test(name));
  writeFileSync(join(copy, "rows.jsonl"), "{}\n");
  writeFileSync(
    join(copy, "library.mjs"),
    `import("codescore/train").catch(({ name, code, message }) => console.log(name, code, message))`,
  );
});
afterAll(() => rmSync(copy, { recursive: true }));

const run = (...args: string[]) =>
  spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, PATH: dirname(process.execPath) },
  });
const remedy = "@tensorflow/tfjs is not installed; training needs TensorFlow.js: npm install @tensorflow/tfjs";
const main = join("dist", "cli", "main.js");

describe("without TensorFlow.js", () => {
  it("importing codescore/train says what to install", () => {
    const { stdout, stderr } = run("library.mjs");
    expect([stdout, stderr]).toEqual([expect.stringContaining(`CodescoreError environment ${remedy}`), ""]);
  });

  it.each(["train", "pretrain"])("codescore %s says so, and shows its help", (verb) => {
    const { status, stderr } = run(main, verb, "--data", "rows.jsonl", "--output", "out");
    expect([status, stderr]).toEqual([1, expect.stringContaining(`codescore: ${remedy}`)]);
    expect(stderr).not.toContain("bug in codescore");
    expect(run(main, verb, "--help")).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(copy)).not.toContain("out");
  });

  it("codescore setup tensorflow says so", () => {
    const { status, stderr } = run(main, "setup", "tensorflow", "--dry-run");
    expect([status, stderr]).toEqual([1, expect.stringMatching(/npm install @tensorflow\/tfjs|on Linux only/)]);
  });
});

it("without Pyodide the WebAssembly sandbox says what to install", () => {
  writeFileSync(
    join(copy, "p.jsonl"),
    `${JSON.stringify({ task_id: "T/0", prompt: "def f():\n", entry_point: "f", test: "" })}\n`,
  );
  writeFileSync(join(copy, "s.jsonl"), `${JSON.stringify({ task_id: "T/0", completion: "    pass\n" })}\n`);
  const label = ["label", "--problems", "p.jsonl", "--samples", "s.jsonl", "--output", "o.jsonl", "--sandbox", "wasm"];
  const { status, stderr } = run(main, ...label);
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining("the package pyodide is not installed (npm install pyodide)"),
  ]);
});
