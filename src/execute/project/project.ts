/**
 * Runs the test command of a Python project, each time on a fresh copy with some files replaced. In bubblewrap the copy
 * lies in memory and goes with its namespace; there is no network, and nothing of this machine is seen but the system, the
 * Python environment and the project, all read-only. Says how the command ended; does not look at single tests.
 * Files of the project are read once: what changes in its folder later is not seen.
 */
import { execFile, spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { CodescoreError, messageOf } from "../../errors.ts";
import { packageRoot } from "../../util/files.ts";
import { asNobody, systemWalls } from "../sandbox/bwrap.ts";
import type { Command } from "../sandbox/process.ts";
import { which } from "../sandbox/python.ts";
import type { SandboxKind } from "../types.ts";

export interface ProjectOptions {
  readonly folder: string;
  /** For `sh`, run in the project's folder; 0 is the only exit status that means that all tests passed. */
  readonly command: string;
  /** The Python whose environment has what the project needs; its folder comes first on the PATH. @default "python3" */
  readonly python?: string;
  /** `auto` is bubblewrap; WebAssembly and Landlock's walls run no commands. @default "auto" */
  readonly sandbox?: SandboxKind | "auto";
  /** @default false */
  readonly allowUnsafe?: boolean;
  /** Runs at a time. @default the number of cores */
  readonly workers?: number;
}

export interface ProjectLimits {
  /** Seconds until everything is killed. */
  readonly wallS: number;
  /** CPU seconds of each process. */
  readonly cpuS: number;
}

export interface ProjectRun {
  readonly outcome: "pass" | "fail" | "timeout";
  /** Of the command and what it started and waited for. */
  readonly cpuS: number;
  readonly wallS: number;
  /** The last of what it printed. */
  readonly output: string;
}

/** Environments and caches: no part of a project. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(
  "__pycache__ .git .hg .svn .tox .nox .venv venv .mypy_cache .pytest_cache .ruff_cache node_modules".split(" "),
);

const memoryMb = 4096;
/** The copy and what the tests write. */
const scratchMb = 1024;
const run = promisify(execFile);

/**
 * Opens a project; close it when done.
 * Throws `CodescoreError`: `usage` for `none` without allowUnsafe, `input` for a folder that cannot be read, `environment`
 * where there is no sandbox or no such Python.
 */
export async function openProject(options: ProjectOptions): Promise<ProjectTests> {
  const { sandbox = "auto", allowUnsafe = false, python: name = "python3" } = options;
  const unable = sandbox !== "auto" && sandbox !== "bwrap" && sandbox !== "none";
  if (unable || (sandbox === "none" && !allowUnsafe)) {
    const why = unable
      ? `sandbox \`${sandbox}\` cannot run a project's test command; use bwrap`
      : "sandbox `none` runs what a model wrote with your rights. Say --allow-unsafe (allowUnsafe: true) if it is trusted";
    throw new CodescoreError("usage", why);
  }
  const python = await lookAt(name);
  // Readable by whoever the sandbox runs as; the original often is not.
  const snapshot = await mkdtemp(join(tmpdir(), "codescore-project-"));
  try {
    await cp(options.folder, snapshot, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => path === options.folder || !SKIPPED_FOLDERS.has(basename(path)),
    }).catch((error: unknown) => {
      throw new CodescoreError("input", `cannot copy the project ${options.folder}: ${messageOf(error)}`, {
        cause: error,
      });
    });
    await run("chmod", ["-R", "a+rX", snapshot]);
    const command = sandbox === "none" ? bare(python) : await walled(python, snapshot);
    return new ProjectTests(options, snapshot, python, command);
  } catch (error) {
    await rm(snapshot, { recursive: true, force: true });
    throw error;
  }
}

interface Environment {
  /** Of a link from elsewhere (`~/.local/bin/python3`) what it leads to. */
  readonly executable: string;
  readonly version: string;
  /** Folders that it needs, those of a virtual environment's base among them. */
  readonly folders: readonly string[];
}

async function lookAt(name: string): Promise<Environment> {
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

type Start = { readonly kind: "bwrap" | "none" } & Pick<Command, "file" | "args">;

const runner = join(packageRoot, "src", "execute", "project", "project.py");

const bare = ({ executable }: Environment): Start => ({
  kind: "none",
  file: executable,
  args: ["-I", "-S", runner],
});

async function walled({ executable, folders }: Environment, snapshot: string): Promise<Start> {
  const bwrap = process.platform === "linux" ? await which("bwrap") : null;
  if (bwrap === null) {
    throw new CodescoreError(
      "environment",
      "a project's tests run in bubblewrap, which is not installed (Linux: apt-get install bubblewrap)",
    );
  }
  const walls = [...(await systemWalls()), "--perms", "0700", "--size", String(scratchMb << 20), "--tmpfs", "/tmp"];
  walls.push("--size", String(64 << 20), "--tmpfs", "/dev/shm"); // semaphores of multiprocessing
  for (const folder of folders) {
    if (folder !== "/" && folder !== "/usr" && !folder.startsWith("/usr/")) walls.push("--ro-bind", folder, folder);
  }
  walls.push("--ro-bind", runner, "/project.py");
  walls.push("--ro-bind", snapshot, "/original", "--dir", "/tmp/project", "--remount-ro", "/", "--chdir", "/tmp");
  const inside = [...walls, executable, "-I", "-S", "/project.py"];
  let why = "";
  for (const [file, ...rest] of [...(await asNobody(bwrap)), [bwrap]] as [string, ...string[]][]) {
    // Installed is not enough: containers often forbid new namespaces, and nobody may not reach the environment.
    try {
      await run(file, [...rest, ...walls, executable, "-I", "-c", ""], { timeout: 30_000, env: {} });
      return { kind: "bwrap", file, args: [...rest, ...inside] };
    } catch (error) {
      why = messageOf(error).trim().split("\n").at(-1)!;
    }
  }
  throw new CodescoreError(
    "environment",
    `bubblewrap does not work here (${why}); it needs unprivileged user namespaces`,
  );
}

export class ProjectTests {
  readonly sandbox: SandboxKind;
  /** Version of the Python of the environment. */
  readonly python: string;
  readonly command: string;
  /** Folder with the project's files as they were when it was opened. */
  readonly snapshot: string;
  readonly workers: number;
  readonly #start: Start;
  readonly #env: Readonly<Record<string, string>>;
  /** What ends each run under way. */
  readonly #running = new Set<() => void>();
  readonly #killAll = (): void => {
    for (const kill of this.#running) kill();
  };

  constructor({ command, workers }: ProjectOptions, snapshot: string, python: Environment, start: Start) {
    this.sandbox = start.kind;
    this.python = python.version;
    this.command = command;
    this.snapshot = snapshot;
    this.workers = workers ?? availableParallelism();
    this.#start = start;
    process.once("exit", this.#killAll);
    this.#env = {
      PATH: `${dirname(python.executable)}:/usr/bin:/bin`,
      HOME: "/tmp",
      LANG: "C.UTF-8",
      PYTHONHASHSEED: "0",
      PYTHONDONTWRITEBYTECODE: "1",
      MALLOC_ARENA_MAX: "2",
      // Runs stand beside each other, and every thread reserves address space.
      OMP_NUM_THREADS: "1",
      OPENBLAS_NUM_THREADS: "1",
    };
  }

  /**
   * Runs the command with these files (path within the project to text) replaced.
   * Throws `CodescoreError("infra")` when the sandbox itself fails twice.
   */
  async run(changes: Readonly<Record<string, string>>, limits: ProjectLimits): Promise<ProjectRun> {
    const walled = this.sandbox === "bwrap";
    const request = {
      command: this.command,
      original: walled ? "/original" : this.snapshot,
      folder: walled ? "/tmp/project" : null,
      changes,
      env: this.#env,
      memoryMb,
      pidNamespace: walled,
      userNamespace: walled,
      wallS: limits.wallS,
      cpuS: Math.ceil(limits.cpuS),
    };
    const text = JSON.stringify(request);
    // Once in hundreds of starts a sandbox does not come up or is killed from outside, which says nothing of the tests.
    const reply = await this.#exchange(text, limits.wallS).catch(() => this.#exchange(text, limits.wallS));
    const { status, cpuS, wallS, output } = JSON.parse(reply) as {
      status: number | null;
      cpuS: number;
      wallS: number;
      output: string;
    };
    const outOfTime = status === null || -status === CPU_SIGNAL || status === 128 + CPU_SIGNAL;
    return { outcome: status === 0 ? "pass" : outOfTime ? "timeout" : "fail", cpuS, wallS, output };
  }

  /** Ends what runs and removes the files. */
  async close(): Promise<void> {
    process.off("exit", this.#killAll);
    this.#killAll();
    await rm(this.snapshot, { recursive: true, force: true });
  }

  /** What project.py answers; it watches the time, and is killed with all it started when it does not. */
  #exchange(request: string, wallS: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const { file, args } = this.#start;
      const child = spawn(file, args, { env: {}, cwd: "/", detached: true });
      let [stdout, stderr] = ["", ""];
      const kill = (): void => {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      };
      const timer = setTimeout(kill, (wallS + GRACE_S) * 1000);
      this.#running.add(kill);
      const ended = (how: string): void => {
        clearTimeout(timer);
        this.#running.delete(kill);
        const said = stderr.trim().split("\n").at(-1);
        if (stdout.endsWith("}")) resolve(stdout);
        else reject(new CodescoreError("infra", `the sandbox of the project's tests ${how}${said ? `: ${said}` : ""}`));
      };
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr = (stderr + text).slice(-2000);
      });
      child.once("close", (status, signal) => ended(`ended with ${signal ?? `status ${status}`}`));
      child.once("error", (error) => ended(`did not start (${error.message})`));
      child.stdin.on("error", () => {}); // one that died says so by closing
      child.stdin.end(request);
    });
  }
}

/** SIGXCPU. */
const CPU_SIGNAL = 24;
/** Copying the project, and seconds that a busy machine may take more. */
const GRACE_S = 30;
