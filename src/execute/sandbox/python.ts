/** Finds a Python on this machine, and says how our servers are started with it. */
import { execFile } from "node:child_process";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { CodescoreError, messageOf } from "../../errors.ts";
import { exists, packageRoot } from "../../util/files.ts";

export interface Python {
  readonly file: string;
  /** The folder that contains its library. */
  readonly prefix: string;
  readonly version: readonly [number, number];
  /** The packages of its environment; null if programs see only the standard library. */
  readonly packages: Packages | null;
}

/** The packages of an environment. */
export interface Packages {
  /** Folders in which packages are looked for, in order. */
  readonly folders: readonly string[];
  /** `numpy==1.26.4`, sorted. */
  readonly versions: readonly string[];
}

const run = promisify(execFile);
const LEAST = "3.9";
const SECONDS = 30;

/** The folder of guard.py, judge.py and what they import. */
export const SCRIPTS: string = join(packageRoot, "src", "execute", "python");

// A fixed seed makes the order of sets of strings the same in every run; -I would ignore it.
// MALLOC_ARENA_MAX: otherwise every thread would reserve 64 MB of address space for its own arena.
export const pythonEnv = (hashSeed: number): Readonly<Record<string, string>> => ({
  PYTHONHASHSEED: String(hashSeed),
  MALLOC_ARENA_MAX: "2",
  LANG: "C.UTF-8",
  PATH: "/usr/bin:/bin",
  HOME: "/tmp",
});
export const pythonFlags: readonly string[] = ["-s", "-S", "-B", "-X", "utf8"];

/**
 * Environment variables for the packages of an environment: their folders for our servers (packages.py); for the packages themselves, that
 * they use one thread each, because many processes run side by side, and that there is no screen.
 */
export const packagesEnv = (folders: readonly string[]): Readonly<Record<string, string>> => ({
  CODESCORE_PACKAGES: JSON.stringify(folders),
  OMP_NUM_THREADS: "1",
  OPENBLAS_NUM_THREADS: "1",
  MKL_NUM_THREADS: "1",
  NUMEXPR_MAX_THREADS: "1",
  MPLBACKEND: "Agg",
});

/** The variable that tells guard.py and notebook.py the folder with data files. */
export const FILES_VARIABLE = "CODESCORE_FILES";

/** Finds the base interpreter of a virtual environment, if it is one. The base interpreter runs, and packages are put on its path. */
const WHERE = `
import os, sys
print(os.path.realpath(getattr(sys, '_base_executable', '') or sys.executable))
print(sys.base_prefix)
print(*sys.version_info[:2])
`;

const PACKAGES = `
import json, os, re, sys, sysconfig
from importlib import metadata
library = {os.path.realpath(sysconfig.get_path(name)) for name in ('stdlib', 'platstdlib')}
library |= {os.path.join(folder, 'lib-dynload') for folder in library}
folders = [p for p in sys.path if os.path.isdir(p) and os.path.realpath(p) not in library]
versions = {(d.metadata['Name'] or '').lower() + '==' + d.version for d in metadata.distributions(path=folders)}
print(json.dumps([folders, sorted(versions)]))
`;

/** The first Python of at least 3.9 on the PATH. */
export async function findPython(): Promise<Python | null> {
  for (const name of ["python3", "python"]) {
    const found = await lookAt(name).catch(() => null); // not there, or not a Python: try the next name
    if (found) return found;
  }
  return null;
}

/** The Python of an environment, with its packages. Throws `CodescoreError("usage")` if it is not a Python, or too old. */
export async function pythonOf(name: string): Promise<Python> {
  const expected = `expected --python (python) to be a Python of at least ${LEAST}, such as ENV/bin/python, got \`${name}\``;
  try {
    const python = await lookAt(name);
    if (!python) throw new CodescoreError("usage", `${expected}, which is older`);
    const { stdout } = await run(name, ["-I", "-c", PACKAGES], { timeout: SECONDS * 1000, maxBuffer: 1 << 26 });
    const [folders, versions] = JSON.parse(stdout.trim().split("\n").at(-1)!) as [string[], string[]];
    return { ...python, packages: { folders, versions } };
  } catch (error) {
    if (error instanceof CodescoreError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const missing = (await exists(name))
      ? `it is not on PATH; write ./${name} for the file here`
      : "there is no such program";
    const other = code === "EACCES" ? "it is a folder, or not executable" : messageOf(error).trim().split("\n").at(-1);
    const why = code === "ENOENT" ? missing : other;
    throw new CodescoreError("usage", `${expected}: ${why}`, { cause: error });
  }
}

/** Null if the Python is too old. */
async function lookAt(name: string): Promise<Python | null> {
  const { stdout } = await run(name, ["-I", "-S", "-c", WHERE], { timeout: SECONDS * 1000 });
  const [file = "", prefix = "", version = ""] = stdout.trim().split(/\r?\n/);
  const [major = 0, minor = 0] = version.split(" ").map(Number);
  if (major !== 3 || minor < 9) return null;
  return { file, prefix: await realpath(prefix), version: [major, minor], packages: null };
}

export async function which(name: string): Promise<string | null> {
  for (const folder of (process.env.PATH ?? "/usr/bin:/bin").split(":")) {
    if (folder !== "" && (await exists(join(folder, name)))) return join(folder, name);
  }
  return null;
}
