/**
 * The first build step: bundles src/ into dist/, because a command starts faster from a few files than from hundreds. Entries share
 * chunks, so that a class imported from two of them is the same class. Packages are not bundled.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./prepare.mjs";

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const built = ["dist/cli/main.js", ...Object.values(exports).flatMap((one) => one.default ?? [])];
/** Entry points of threads and child processes. */
const started = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((path) =>
  /-worker\.ts$|^setup.check\.ts$/.test(path),
);
/** Files that our own scripts import: the site's reference of commands, and the quickstart. */
const used = ["cli/program.ts", "dataset/index.ts", "util/jsonl.ts"];

rmSync(join(root, "dist"), { recursive: true, force: true });
await build({
  entryPoints: [
    ...built.map((path) => path.replace(/^(\.\/)?dist/, "src").replace(/\.js$/, ".ts")),
    ...[...started, ...used].map((path) => join("src", path)),
  ],
  outbase: "src",
  outdir: "dist",
  // The same depth as the modules that find the package folder relative to themselves (util/files.ts).
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20",
  absWorkingDir: root,
  logLevel: "warning",
});
