/**
 * The first step of the build: bundles src/ into dist/, since a command starts sooner from a few files than from hundreds. Entries share
 * chunks, so that a class imported from two of them is one class. Packages stay outside.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./prepare.mjs";

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const built = ["dist/cli/main.js", ...Object.values(exports).flatMap((one) => one.default ?? [])];
/** What starts as a thread or process of its own. */
const started = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((path) =>
  /-worker\.ts$|^setup.check\.ts$/.test(path),
);
/** What our own scripts import: the site's reference of commands, the quickstart. */
const used = ["cli/program.ts", "dataset/index.ts", "util/jsonl.ts"];

rmSync(join(root, "dist"), { recursive: true, force: true });
await build({
  entryPoints: [
    ...built.map((path) => path.replace(/^(\.\/)?dist/, "src").replace(/\.js$/, ".ts")),
    ...[...started, ...used].map((path) => join("src", path)),
  ],
  outbase: "src",
  outdir: "dist",
  // As deep as the modules that find the package's folder by their own (util/files.ts).
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
