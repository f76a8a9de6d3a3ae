/** Checks of the image that need no build. docs/clusters.md says how it was built. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), "utf8");
const manifest = JSON.parse(read("package.json"));

/** The Dockerfile without comments, one step per line. */
const steps = read("Dockerfile")
  .replace(/^#.*\n/gm, "")
  .replace(/\\\n\s*/g, "")
  .trim()
  .split("\n");
const stage = steps.slice(
  0,
  steps.findLastIndex((step) => step.startsWith("FROM ")),
);

it("leaves development packages out of the image, but for onnxruntime-node of the locked version", () => {
  const commands = stage.flatMap((step) => step.replace(/^RUN /, "").split(/ && /));
  const pruned = commands.indexOf("npm prune --omit=dev");
  expect(pruned).toBeGreaterThan(commands.indexOf("npm run build"));
  // A later `npm install` would bring them back.
  expect(commands.slice(pruned).filter((command) => /^npm (i|ci|install)\b/.test(command))).toEqual([]);
  expect(manifest.devDependencies).toHaveProperty("onnxruntime-node");
  // Prune removes packages that only onnxruntime-node needs. So what it loads must be our dependency too.
  const runtime = JSON.parse(read("node_modules/onnxruntime-node/package.json"));
  const scripts = ["adm-zip", "global-agent"]; // used only by its install script, which does not run
  const wanted = Object.keys(runtime.dependencies).filter((name) => !scripts.includes(name));
  for (const name of wanted) expect(manifest.dependencies).toHaveProperty(name);
});

it("copies and links files that there are and that are not left out", () => {
  const ignored = read(".dockerignore").trim().split("\n");
  const sources = steps
    .filter((step) => /^COPY (?!--from)/.test(step))
    .flatMap((step) => step.split(" ").slice(1, -1))
    .filter((source) => source !== ".");
  expect(sources).toContain("package-lock.json");
  for (const source of sources) {
    expect(existsSync(join(root, source)), source).toBe(true);
    expect(ignored).not.toContain(source);
  }
  for (const source of ["src", "scripts", "models", "python", "bin"]) expect(ignored).not.toContain(source);
  const linked = /ln -s \/codescore\/(\S+) \/usr\/local\/bin\/codescore/.exec(steps.join("\n"))![1]!;
  expect(read("bin/codescore.mjs")).toContain(linked);
  expect(statSync(join(root, "python", "pyproject.toml")).isFile()).toBe(true);
});

it("has one base, whose Node is one that the package takes", () => {
  const bases = steps.filter((step) => step.startsWith("FROM ")).map((step) => step.split(" ")[1]);
  expect(new Set(bases).size).toBe(1);
  const [, major] = /^node:(\d+)-/.exec(bases[0]!)!;
  expect(Number(major)).toBeGreaterThanOrEqual(Number(/>=(\d+)/.exec(manifest.engines.node)![1]));
});
