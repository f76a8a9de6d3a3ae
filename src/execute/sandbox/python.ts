/** The Python of this machine, and how our servers are started in it. */
import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { exists, packageRoot } from "../../util/files.ts";

export interface Python {
  readonly file: string;
  /** Where its library lies. */
  readonly prefix: string;
  readonly version: readonly [number, number];
}

const run = promisify(execFile);

/** The folder of guard.py, judge.py and what they import. */
export const SCRIPTS: string = join(packageRoot, "src", "execute", "python");

// A fixed seed makes the order of sets of strings the same in every run; -I would ignore it.
// Every thread would reserve 64 MB of address space for an arena of its own.
export const pythonEnv = (hashSeed: number): Readonly<Record<string, string>> => ({
  PYTHONHASHSEED: String(hashSeed),
  MALLOC_ARENA_MAX: "2",
  LANG: "C.UTF-8",
  PATH: "/usr/bin:/bin",
  HOME: "/tmp",
});
export const pythonFlags: readonly string[] = ["-s", "-S", "-B", "-X", "utf8"];

/** The first Python of at least 3.9 on the PATH. */
export async function findPython(): Promise<Python | null> {
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

export async function which(name: string): Promise<string | null> {
  for (const folder of (process.env.PATH ?? "/usr/bin:/bin").split(":")) {
    if (folder !== "" && (await exists(join(folder, name)))) return join(folder, name);
  }
  return null;
}
