/**
 * The last build step: puts ONNX Runtime's WebAssembly into dist/. Its package has 139 MB, of which scoring needs 14 MB, so the packed
 * codescore contains only those. The faster onnxruntime-node is not included: its install script downloads from outside npm's
 * registry, and it has 288 MB for all platforms. Users can install it in addition to codescore (README.md).
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
// Its package has no license file. The license is the same as ours (MIT).
const license = await readFile(join(root, "LICENSE"), "utf8");
const notice = "Copyright (c) Microsoft Corporation\n\nThird parties: https://github.com/microsoft/onnxruntime";
await writeFile(join(to, "LICENSE"), license.replace(/^Copyright .*$/m, `${notice}/blob/main/ThirdPartyNotices.txt`));
