/**
 * A build step: puts the files that run on a box (`codescore train --pack`) into dist/box. The trainer becomes one file with all its
 * imports, because the packing machine may have installed other packages than a box needs. Dawn and Node are added when packing.
 */
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeLicenses } from "./licenses.mjs";
import { root } from "./prepare.mjs";

const from = join(root, "src", "train", "box");
const to = join(root, "dist", "box");
rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });

/** CommonJS code gets Node's built-in modules by `require`, and uses `__dirname`. */
const COMMONJS = `
import { createRequire as createRequireHere } from "node:module";
const require = createRequireHere(import.meta.url);
const __dirname = import.meta.dirname ?? require("node:path").dirname(require("node:url").fileURLToPath(import.meta.url));
`;

const { metafile } = await build({
  entryPoints: [join(from, "main.ts")],
  outfile: join(to, "run.mjs"),
  bundle: true,
  minify: true,
  metafile: true,
  format: "esm",
  platform: "node",
  target: "node20",
  mainFields: ["module", "main"], // ES modules, so that unused code can be left out
  legalComments: "none", // LICENSES.txt has them
  alias: { "@tensorflow/tfjs": fileURLToPath(new URL("box-tensorflow.mjs", import.meta.url)) },
  external: ["webgpu", "@tensorflow/tfjs-node", "@tensorflow/tfjs-node-gpu", "node-fetch"],
  banner: { js: COMMONJS },
  absWorkingDir: root,
  logLevel: "warning",
});

for (const name of ["run.sh", "README.txt"]) copyFileSync(join(from, name), join(to, name));
copyFileSync(join(from, "torch_peer.py"), join(to, "torch-peer.py"));
const wasm = join(root, "node_modules", "@tensorflow", "tfjs-backend-wasm", "dist");
for (const name of ["tfjs-backend-wasm.wasm", "tfjs-backend-wasm-simd.wasm"])
  copyFileSync(join(wasm, name), join(to, name));

writeLicenses(join(to, "LICENSES.txt"), metafile);
