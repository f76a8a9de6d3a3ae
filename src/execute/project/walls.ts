/** The Python that runs a project's tests, and bubblewrap's walls around it, which show it the project and the system read-only. */
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { CodescoreError, messageOf } from "../../errors.ts";
import { asNobody, systemWalls } from "../sandbox/bwrap.ts";
import type { Command } from "../sandbox/process.ts";
import { which } from "../sandbox/python.ts";

export interface PythonEnvironment {
  /** If it is a link from elsewhere (`~/.local/bin/python3`), its target. */
  readonly executable: string;
  readonly version: string;
  /** Folders that it needs, including those of a virtual environment's base. */
  readonly folders: readonly string[];
}

/** How project.py is started. */
export type Start = { readonly kind: "bwrap" | "none" } & Pick<Command, "file" | "args">;

const run = promisify(execFile);
/** Room for the copy of the project and for what the tests write. */
const SCRATCH_MB = 1024;

/** Throws `CodescoreError("environment")` if there is no such Python. */
export async function lookAt(name: string): Promise<PythonEnvironment> {
  const script =
    "import json,os,sys;f=os.path.realpath;e=sys.executable;e=e if e.startswith(sys.prefix+os.sep) else f(e);" +
    "print(json.dumps([e,'.'.join(map(str,sys.version_info[:3]))," +
    "[sys.prefix,sys.base_prefix,f(sys.base_prefix),os.path.dirname(os.path.dirname(f(e)))]]))";
  try {
    const { stdout } = await run(name, ["-I", "-c", script], { timeout: 30_000 });
    const [executable, version, folders] = JSON.parse(stdout) as [string, string, string[]];
    return { executable, version, folders: [...new Set(folders)] };
  } catch (error) {
    throw new CodescoreError(
      "environment",
      `expected a Python to run the tests with, got \`${name}\`: ${messageOf(error)}`,
    );
  }
}

/** Environment variables of the tests, and of the processes that replay their calls. */
export const environmentOf = ({ executable }: PythonEnvironment): Readonly<Record<string, string>> => ({
  PATH: `${dirname(executable)}:/usr/bin:/bin`,
  HOME: "/tmp",
  LANG: "C.UTF-8",
  PYTHONHASHSEED: "0",
  PYTHONDONTWRITEBYTECODE: "1",
  MALLOC_ARENA_MAX: "2",
  // Many runs work side by side, and every thread reserves address space.
  OMP_NUM_THREADS: "1",
  OPENBLAS_NUM_THREADS: "1",
});

/** Starts the runner without walls, with the caller's own rights. */
export const bare = ({ executable }: PythonEnvironment, runner: string): Start => ({
  kind: "none",
  file: executable,
  args: ["-I", "-S", runner],
});

/** Starts the runner in bubblewrap. The project is in /original; /tmp, in memory, is writable. */
export async function walled(environment: PythonEnvironment, snapshot: string, runner: string): Promise<Start> {
  const walls = [...(await systemWalls()), "--perms", "0700", "--size", String(SCRATCH_MB << 20), "--tmpfs", "/tmp"];
  walls.push("--size", String(64 << 20), "--tmpfs", "/dev/shm"); // semaphores of multiprocessing
  walls.push(...foldersOf(environment), "--ro-bind", runner, "/project.py");
  walls.push("--ro-bind", snapshot, "/original", "--dir", "/tmp/project", "--remount-ro", "/", "--chdir", "/tmp");
  const { file, args } = await startOf(environment, walls);
  return { kind: "bwrap", file, args: [...args, "-I", "-S", "/project.py"] };
}

/** Mounts that show an environment at its own path, read-only. */
export const foldersOf = ({ folders }: PythonEnvironment): string[] =>
  folders
    .filter((folder) => folder !== "/" && folder !== "/usr" && !folder.startsWith("/usr/"))
    .flatMap((folder) => ["--ro-bind", folder, folder]);

/**
 * Starts Python within walls that work here; its own arguments are to be appended.
 * Throws `CodescoreError("environment")` if bubblewrap is missing or not allowed to work.
 */
export async function startOf(
  { executable }: PythonEnvironment,
  walls: readonly string[],
): Promise<Pick<Command, "file" | "args">> {
  const bwrap = process.platform === "linux" ? await which("bwrap") : null;
  if (bwrap === null) {
    throw new CodescoreError(
      "environment",
      "a project's tests run in bubblewrap, which is not installed (Linux: apt-get install bubblewrap)",
    );
  }
  let why = "";
  for (const [file, ...rest] of [...(await asNobody(bwrap)), [bwrap]] as [string, ...string[]][]) {
    // Being installed is not enough: containers often forbid new namespaces, and the user nobody may not reach the environment.
    try {
      await run(file, [...rest, ...walls, executable, "-I", "-c", ""], { timeout: 30_000, env: {} });
      return { file, args: [...rest, ...walls, executable] };
    } catch (error) {
      why = messageOf(error).trim().split("\n").at(-1)!;
    }
  }
  throw new CodescoreError(
    "environment",
    `bubblewrap does not work here (${why}); it needs unprivileged user namespaces`,
  );
}
