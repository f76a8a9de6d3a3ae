/**
 * The first build step: bundles src/ into dist/, because a command starts faster from a few files than from hundreds. Entries share
 * chunks, so that a class imported from two of them is the same class. Packages are not bundled.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
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

/**
 * Packages in CommonJS, of megabytes. Node searches the text of such a package for the names that it exports when a module imports it, which
 * takes longer than to run it. So `require` loads them, and the names are known from now.
 */
const REQUIRED = ["@tensorflow/tfjs", "@tensorflow/tfjs-backend-wasm"];
const required = {
  name: "required",
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(${REQUIRED.join("|")})$`);
    onResolve({ filter }, ({ path }) => ({ path, namespace: "required" }));
    onLoad({ filter, namespace: "required" }, ({ path }) => {
      const names = Object.keys(createRequire(join(root, "package.json"))(path)).filter((name) => name !== "default");
      const list = (one) => names.map(one).join(", ");
      const contents = `
        import { createRequire } from "node:module";
        const { ${list((name, i) => `${name}: n${i}`)} } = createRequire(import.meta.url)(${JSON.stringify(path)});
        export { ${list((name, i) => `n${i} as ${name}`)} };`;
      return { contents };
    });
  },
};

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
  plugins: [required],
  format: "esm",
  platform: "node",
  target: "node20",
  absWorkingDir: root,
  logLevel: "warning",
});
