/**
 * The last step of the build: puts ONNX Runtime's WebAssembly into dist/. Its package is 139 MB, of which scoring needs 14, so
 * the packed codescore carries those; onnxruntime-node, faster, has an install script that downloads from outside of npm's
 * registry, and 288 MB for all platforms: who wants it installs it beside codescore (README.md).
 */
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { root } from "./prepare.mjs";

const FILES = ["ort.node.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"];

const from = dirname(createRequire(import.meta.url).resolve("onnxruntime-web"));
const to = join(root, "dist", "onnxruntime-web");
await rm(to, { recursive: true, force: true });
await mkdir(to, { recursive: true });
for (const name of FILES) await cp(join(from, name), join(to, name));
// Its package has no file of its license, which is the same as ours (MIT).
const license = await readFile(join(root, "LICENSE"), "utf8");
const notice = "Copyright (c) Microsoft Corporation\n\nThird parties: https://github.com/microsoft/onnxruntime";
await writeFile(join(to, "LICENSE"), license.replace(/^Copyright .*$/m, `${notice}/blob/main/ThirdPartyNotices.txt`));
