/**
 * bubblewrap: all namespaces unshared, no network, read-only system, one small private scratch directory, no capabilities.
 * For each program guard.py adds a seccomp filter (seccomp.py) and rlimits. Needs Linux and Python.
 */
import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../../errors.ts";
import { exists } from "../../util/files.ts";
import { type Backend, type BackendOptions, guardArguments, type Sandbox, type ServerName } from "./backend.ts";
import { type Command, ServerProcess } from "./process.ts";
import {
  FILES_VARIABLE,
  findPython,
  type Python,
  packagesEnv,
  pythonEnv,
  pythonFlags,
  SCRIPTS,
  which,
} from "./python.ts";

const NOBODY = "65534";
/** Where data files appear. */
const FILES = "/files";
const abilities = { pidNamespace: true, privateTmp: true, forks: true } as const;
const OWN = guardArguments(abilities);

/** Refused if its seccomp filter cannot be installed, unless the user names this sandbox and sets `allowUnsafe`. */
export const bwrap: Backend = { kind: "bwrap", abilities, open };

async function open({ hashSeed, allowUnsafe, python: asked }: BackendOptions): Promise<Sandbox | string> {
  if (process.platform !== "linux") return `bubblewrap needs Linux, this is ${process.platform}`;
  const python = asked ?? (await findPython());
  if (!python) return "needs Python 3.9 or later on the PATH (apt-get install python3)";
  const file = await which("bwrap");
  if (!file) return "bubblewrap is not installed (apt-get install bubblewrap)";
  const walls = await wallsAround(python, hashSeed);
  const packages = python.packages === null ? {} : { packages: python.packages.versions };
  let why = "";
  for (const [first, ...rest] of [...(await asNobody(file)), [file]] as [string, ...string[]][]) {
    const command = (server: ServerName, memoryMb: number, facts: readonly string[], files?: string): Command => ({
      file: first,
      args: [
        ...[...rest, ...walls(memoryMb, files), python.file, ...pythonFlags, `/codescore/${server}.py`],
        ...(server === "judge" ? [] : facts),
      ],
      env: {},
    });
    // Being installed is not enough: containers often forbid new namespaces, and some kernels forbid filters.
    const probe = new ServerProcess(command("guard", 64, OWN));
    try {
      const { unfiltered } = JSON.parse(await probe.hello) as { unfiltered: string | null };
      if (unfiltered === null) {
        return {
          kind: "bwrap",
          abilities,
          ...packages,
          command: (server, memoryMb, files) => command(server, memoryMb, [...OWN, "seccomp"], files),
        };
      }
      if (allowUnsafe) {
        const lost = "they can start processes, open sockets and signal each other within their namespaces";
        const warning = `programs run without a seccomp filter (${unfiltered}): ${lost}`;
        return {
          kind: "bwrap",
          abilities,
          warning,
          ...packages,
          command: (server, memoryMb, files) => command(server, memoryMb, OWN, files),
        };
      }
      return (
        `the seccomp filter, which blocks new processes, sockets and signals, cannot be installed here (${unfiltered}); ` +
        "use --sandbox wasm, or --sandbox bwrap --allow-unsafe (allowUnsafe: true) to run programs without it"
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
 * Commands that give up root before bubblewrap starts. Otherwise root in the sandbox would still be root to the kernel wherever it checks
 * the user and not capabilities. Empty if we are not root, or cannot give it up (then root goes in, without capabilities).
 */
export async function asNobody(file: string): Promise<string[][]> {
  const setpriv = process.getuid?.() === 0 ? await which("setpriv") : null;
  return setpriv === null ? [] : [[setpriv, "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", file]];
}

async function wallsAround(python: Python, hashSeed: number): Promise<(memoryMb: number, files?: string) => string[]> {
  const args = await systemWalls();
  for (const [name, value] of Object.entries(pythonEnv(hashSeed))) args.push("--setenv", name, value);
  for (const folder of new Set([python.prefix, dirname(dirname(python.file))])) {
    if (folder !== "/" && !folder.startsWith("/usr/") && folder !== "/usr") args.push("--ro-bind", folder, folder);
  }
  args.push(...packageWalls(python));
  return (memoryMb, files) => {
    const scratch = ["--perms", "0700", "--size", String(Math.min(memoryMb, 64) << 20), "--tmpfs", "/tmp"];
    const data = files === undefined ? [] : ["--ro-bind", files, FILES, "--setenv", FILES_VARIABLE, FILES];
    return [...args, ...data, ...scratch, "--remount-ro", "/", "--chdir", "/tmp"];
  };
}

/**
 * Mounts of the packages, read-only. Folders within the interpreter's prefix or /usr are visible already. Each other folder is mounted
 * under its own name in /packages, so that programs see nothing else of this machine, wherever the packages are.
 */
function packageWalls({ prefix, packages }: Python): string[] {
  if (packages === null) return [];
  const args: string[] = [];
  const folders = packages.folders.map((folder, i) => {
    if (isWithin(folder, prefix) || isWithin(folder, "/usr")) return folder;
    args.push("--ro-bind", folder, `/packages/${i}`);
    return `/packages/${i}`;
  });
  for (const [name, value] of Object.entries(packagesEnv(folders))) args.push("--setenv", name, value);
  return args;
}

const isWithin = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** bubblewrap's options that every sandbox has: all namespaces unshared, the system read-only, our scripts in /codescore. */
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
  args.push("--ro-bind", SCRIPTS, "/codescore", "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev");
  // Hides the kernel's settings: root may write some of them without any capability.
  args.push("--tmpfs", "/proc/sys", "--remount-ro", "/proc/sys");
  // Settings of single processes too: root may set the guard's share of the cores (autogroup) and who is killed when memory runs out.
  args.push("--remount-ro", "/proc");
  // The server itself is process 1, which nothing in its namespace can signal. Without this option bubblewrap's own process 1 would be
  // open to programs through /proc/1/mem, and it is under no filter.
  args.push("--as-pid-1");
  return args;
}
