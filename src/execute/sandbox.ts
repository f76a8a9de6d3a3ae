/**
 * Finds what this machine can lock programs up with and says how to start a server in it. bubblewrap: every namespace
 * unshared, no network, read-only system, one small private scratch directory, no capabilities; seccomp.py and rlimits
 * are added by guard.py for each program. WebAssembly: wasm-host.mjs. Does not run anything but short probes.
 */
import { execFile } from "node:child_process";
import { readFile, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { CodescoreError, messageOf } from "../errors.ts";
import { cacheFolder } from "../util/cache.ts";
import { exists, packageRoot, sha256, writeAtomic } from "../util/files.ts";
import { type Command, ServerProcess } from "./process.ts";
import type { ExecutorOptions, SandboxKind } from "./types.ts";

export type ServerName = "guard" | "judge";

export interface Sandbox {
  readonly kind: SandboxKind;
  /** Why its programs run without the seccomp filter that it should have; only where that was allowed. */
  readonly unfiltered?: string;
  /** How to start a server. */
  command(server: ServerName, memoryMb: number): Command;
}

interface Python {
  readonly file: string;
  /** Where its library lies. */
  readonly prefix: string;
  readonly version: readonly [number, number];
}

const OLD_PERMISSION = "--experimental-permission"; // its name before Node 22.13
const NOBODY = "65534";
/** What bubblewrap gives a guard for its own. */
const OWN = ["pid-namespace", "private-tmp"];
const MAX_SNAPSHOT = 1 << 28; // bytes; it has 31 MB
const run = promisify(execFile);
const scripts = join(packageRoot, "src", "execute");
// A fixed seed makes the order of sets of strings the same in every run; -I would ignore it.
// Every thread would reserve 64 MB of address space for an arena of its own.
const pythonEnv = (hashSeed: number): Readonly<Record<string, string>> => ({
  PYTHONHASHSEED: String(hashSeed),
  MALLOC_ARENA_MAX: "2",
  LANG: "C.UTF-8",
  PATH: "/usr/bin:/bin",
  HOME: "/tmp",
});
const pythonFlags = ["-s", "-S", "-B", "-X", "utf8"];

/** The first of the sandboxes asked for that works here. Throws CodescoreError("usage" or "environment"). */
export async function findSandbox({
  sandbox = "auto",
  allowUnsafe = false,
  hashSeed = 0,
}: ExecutorOptions): Promise<Sandbox> {
  if (sandbox === "none") {
    if (!allowUnsafe) {
      throw new CodescoreError(
        "usage",
        "sandbox `none` runs untrusted programs with your rights: they can read and delete your files and use the " +
          "network. Say --allow-unsafe (allowUnsafe: true) if every program is trusted, or use --sandbox auto",
      );
    }
    const python = await findPython();
    if (python) return bare(python, hashSeed);
    throw new CodescoreError("environment", "sandbox `none` needs Python 3.9 or later on the PATH; found none");
  }
  if (sandbox !== "auto" && sandbox !== "bwrap" && sandbox !== "wasm") {
    throw new CodescoreError("usage", `expected sandbox to be auto, bwrap, wasm or none, got \`${String(sandbox)}\``);
  }
  const missing: string[] = [];
  if (sandbox !== "wasm") {
    const found = await bubblewrap(hashSeed, sandbox === "bwrap" && allowUnsafe);
    if (typeof found !== "string") return found;
    missing.push(`bwrap: ${found}`);
  }
  if (sandbox !== "bwrap") {
    const found = await wasm();
    if (typeof found !== "string") return found;
    missing.push(`wasm: ${found}`);
  }
  throw new CodescoreError("environment", `no sandbox to run untrusted programs in. ${missing.join(". ")}`);
}

async function findPython(): Promise<Python | null> {
  const script =
    "import sys,os;print(os.path.realpath(getattr(sys,'_base_executable','') or sys.executable));" +
    "print(sys.base_prefix);print(*sys.version_info[:2])";
  for (const name of ["python3", "python"]) {
    try {
      const { stdout } = await run(name, ["-I", "-S", "-c", script], { timeout: 20_000 });
      const [file = "", prefix = "", version = ""] = stdout.trim().split(/\r?\n/);
      const [major = 0, minor = 0] = version.split(" ").map(Number);
      if (major === 3 && minor >= 9) return { file, prefix: await realpath(prefix), version: [major, minor] };
    } catch {
      // not there, or not a Python: the next
    }
  }
  return null;
}

function bare(python: Python, hashSeed: number): Sandbox {
  return {
    kind: "none",
    command: (server) => ({
      file: python.file,
      args: [...pythonFlags, join(scripts, `${server}.py`)],
      env: pythonEnv(hashSeed),
    }),
  };
}

/** The sandbox, or why there is none. */
async function bubblewrap(hashSeed: number, allowUnfiltered: boolean): Promise<Sandbox | string> {
  if (process.platform !== "linux") return `bubblewrap needs Linux, this is ${process.platform}`;
  const python = await findPython();
  if (!python) return "needs Python 3.9 or later on the PATH (apt-get install python3)";
  const file = await which("bwrap");
  if (!file) return "bubblewrap is not installed (apt-get install bubblewrap)";
  const walls = await wallsAround(python, hashSeed);
  let why = "";
  for (const [first, ...rest] of [...(await asNobody(file)), [file]] as [string, ...string[]][]) {
    const command = (server: ServerName, memoryMb: number, facts: readonly string[]): Command => ({
      file: first,
      args: [
        ...[...rest, ...walls(memoryMb), python.file, ...pythonFlags, `/codescore/${server}.py`],
        ...(server === "guard" ? facts : []),
      ],
      env: {},
    });
    // Installed is not enough: containers often forbid new namespaces, and some kernels filters.
    const probe = new ServerProcess(command("guard", 64, OWN));
    try {
      const { unfiltered } = JSON.parse(await probe.hello) as { unfiltered: string | null };
      if (unfiltered === null) {
        return { kind: "bwrap", command: (server, memoryMb) => command(server, memoryMb, [...OWN, "seccomp"]) };
      }
      if (allowUnfiltered) {
        return { kind: "bwrap", unfiltered, command: (server, memoryMb) => command(server, memoryMb, OWN) };
      }
      return (
        `the seccomp filter, which keeps programs from new processes, sockets and signals, cannot be installed here (${unfiltered}); ` +
        "use --sandbox wasm, or say --sandbox bwrap --allow-unsafe (allowUnsafe: true) to run programs without it"
      );
    } catch (error) {
      why = messageOf(error);
    } finally {
      await probe.kill();
    }
  }
  return `bubblewrap does not work here (${why}); it needs unprivileged user namespaces`;
}

/**
 * Commands before bubblewrap's that give up root: to the kernel, root in the sandbox would still be root wherever it asks
 * for the user and not for capabilities. None where we are not root, or cannot (then root goes in, without capabilities).
 */
export async function asNobody(file: string): Promise<string[][]> {
  const setpriv = process.getuid?.() === 0 ? await which("setpriv") : null;
  return setpriv === null ? [] : [[setpriv, "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", file]];
}

export async function which(name: string): Promise<string | null> {
  for (const folder of (process.env.PATH ?? "/usr/bin:/bin").split(":")) {
    if (folder !== "" && (await exists(join(folder, name)))) return join(folder, name);
  }
  return null;
}

async function wallsAround(python: Python, hashSeed: number): Promise<(memoryMb: number) => string[]> {
  const args = await systemWalls();
  for (const [name, value] of Object.entries(pythonEnv(hashSeed))) args.push("--setenv", name, value);
  for (const folder of new Set([python.prefix, dirname(dirname(python.file))])) {
    if (folder !== "/" && !folder.startsWith("/usr/") && folder !== "/usr") args.push("--ro-bind", folder, folder);
  }
  return (memoryMb) => {
    const scratch = ["--perms", "0700", "--size", String(Math.min(memoryMb, 64) << 20), "--tmpfs", "/tmp"];
    return [...args, ...scratch, "--remount-ro", "/", "--chdir", "/tmp"];
  };
}

/** bubblewrap's options that every sandbox has: nothing shared, the system read-only, this room's scripts in /codescore. */
export async function systemWalls(): Promise<string[]> {
  const args = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox"];
  args.push("--clearenv", "--ro-bind", "/usr", "/usr");
  for (const folder of ["/lib", "/lib64", "/lib32", "/bin", "/sbin"]) {
    if (!(await exists(folder))) continue;
    const real = await realpath(folder);
    if (real === folder) args.push("--ro-bind", folder, folder);
    else args.push("--symlink", real, folder);
  }
  if (await exists("/etc/ld.so.cache")) args.push("--ro-bind", "/etc/ld.so.cache", "/etc/ld.so.cache");
  args.push("--ro-bind", scripts, "/codescore", "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev");
  // Settings of the kernel, some of which its root may write without any capability.
  args.push("--tmpfs", "/proc/sys", "--remount-ro", "/proc/sys");
  // The server itself is process 1, which nothing in its namespace can signal. bubblewrap's own would be open to
  // programs through /proc/1/mem, and is under no filter.
  args.push("--as-pid-1");
  return args;
}

async function wasm(): Promise<Sandbox | string> {
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve("pyodide");
  } catch {
    return "the package pyodide is not installed (npm install pyodide)";
  }
  const folder = await realpath(dirname(entry));
  const here = await realpath(scripts);
  // A second wall behind WebAssembly's own: no files but these two folders, no processes, no add-ons, no eval.
  const permission = process.allowedNodeEnvironmentFlags.has("--permission") ? "--permission" : OLD_PERMISSION;
  const walls = [permission, "--allow-worker", `--allow-fs-read=${folder}/`, `--allow-fs-read=${here}/`];
  walls.push("--disallow-code-generation-from-strings", "--no-warnings");
  const host = join(here, "wasm-host.mjs");
  const snapshot = await snapshotOf(folder, [...walls, host, "snapshot", folder]);
  if (snapshot !== "") walls.push(`--allow-fs-read=${snapshot}`);
  return {
    kind: "wasm",
    command: (server, memoryMb) => ({
      file: process.execPath,
      args: [...walls, host, server, folder, snapshot, String(memoryMb)],
      env: {},
    }),
  };
}

/**
 * The file with the memory of an interpreter that has started, from which others start in a sixth of the time; made once for each
 * Pyodide and Node. Empty where it cannot be made or kept: then each starts for itself.
 */
async function snapshotOf(folder: string, make: readonly string[]): Promise<string> {
  try {
    const sources = [join(folder, "package.json"), join(scripts, "wasm-boot.mjs")];
    const texts = await Promise.all(sources.map((path) => readFile(path, "utf8")));
    const key = sha256(JSON.stringify([...texts, process.version, process.arch]));
    const path = join(cacheFolder(), `pyodide-${key.slice(0, 16)}.snapshot`);
    if (!(await exists(path))) {
      const { stdout } = await run(process.execPath, make, { env: {}, encoding: "buffer", maxBuffer: MAX_SNAPSHOT });
      await writeAtomic(path, stdout);
    }
    return await realpath(path);
  } catch {
    return "";
  }
}
