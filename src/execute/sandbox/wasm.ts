/** CPython in WebAssembly (the package `pyodide`) in a Node process: the sandbox that works on every platform. */
import { execFile } from "node:child_process";
import { readdir, readFile, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../../util/cache.ts";
import { exists, packageRoot, sha256, writeAtomic } from "../../util/files.ts";
import type { Backend, BackendOptions, Sandbox, ServerName } from "./backend.ts";
import { SCRIPTS } from "./python.ts";

const OLD_PERMISSION = "--experimental-permission"; // the flag's name before Node 22.13
const FEW_ADDRESSES = "--disable-wasm-trap-handler"; // what wasm-memory.ts advises
const MAX_SNAPSHOT = 1 << 28; // bytes; a snapshot has 31 MB
const SERVERS = join(packageRoot, "src", "execute", "wasm");
const run = promisify(execFile);
const abilities = { pidNamespace: false, privateTmp: true, forks: false } as const;

export const wasm: Backend = { kind: "wasm", abilities, open };

async function open({ python: asked }: BackendOptions): Promise<Sandbox | string> {
  if (asked !== undefined) return "it has its own Python, which cannot import packages of this machine (--python)";
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve("pyodide");
  } catch {
    return "the package pyodide is not installed (npm install pyodide)";
  }
  const folder = await realpath(dirname(entry));
  const [here, python] = await Promise.all([SERVERS, SCRIPTS].map((path) => realpath(path)));
  // A second wall behind WebAssembly's own: no files except these three folders (and the snapshot), no processes, no add-ons, no eval.
  const permission = process.allowedNodeEnvironmentFlags.has("--permission") ? "--permission" : OLD_PERMISSION;
  const walls = [
    permission,
    "--allow-worker",
    `--allow-fs-read=${folder}/`,
    `--allow-fs-read=${here}/`,
    `--allow-fs-read=${python}/`,
  ];
  walls.push("--disallow-code-generation-from-strings", "--no-warnings");
  if (`${process.env.NODE_OPTIONS} ${process.execArgv}`.includes(FEW_ADDRESSES)) walls.push(FEW_ADDRESSES);
  const host = join(here!, "host.mjs");
  const make = [...walls, host, "snapshot", folder];
  const [guard, judge] = await Promise.all(
    (["guard", "judge"] as const).map((server) => snapshotOf(server, folder, make)),
  );
  return {
    kind: "wasm",
    abilities,
    command: (server, memoryMb) => {
      const snapshot = (server === "guard" ? guard : judge) ?? "";
      const readable = snapshot === "" ? [] : [`--allow-fs-read=${snapshot}`];
      return {
        file: process.execPath,
        args: [...walls, ...readable, host, server, folder, snapshot, String(memoryMb)],
        env: {},
      };
    },
  };
}

/**
 * A file with the memory of a server's started interpreter. Others start from it in a sixth of the time. It is made once for each version of
 * Pyodide, Node and our modules. Returns an empty path if it cannot be made or stored: then each interpreter starts from scratch.
 */
async function snapshotOf(server: ServerName, folder: string, make: readonly string[]): Promise<string> {
  try {
    const modules = (await readdir(SCRIPTS)).filter((name) => name.endsWith(".py")).sort();
    const sources = [
      join(folder, "package.json"),
      join(SERVERS, "boot.mjs"),
      ...modules.map((name) => join(SCRIPTS, name)),
    ];
    const texts = await Promise.all(sources.map((path) => readFile(path, "utf8")));
    const key = sha256(JSON.stringify([...texts, server, process.version, process.arch]));
    const path = join(cacheFolder(), `pyodide-${server}-${key.slice(0, 16)}.snapshot`);
    if (!(await exists(path))) {
      const options = { env: {}, encoding: "buffer", maxBuffer: MAX_SNAPSHOT } as const;
      const { stdout } = await run(process.execPath, [...make, server], options);
      await writeAtomic(path, stdout);
    }
    return await realpath(path);
  } catch {
    return "";
  }
}
