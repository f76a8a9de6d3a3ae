/**
 * Runs the test command of a Python project, each time on a fresh copy with some files replaced. In bubblewrap the copy is in memory
 * and disappears with its namespace. There is no network, and of this machine only the system, the Python environment and the project
 * are visible, all read-only. Reports how the command ended; does not look at single tests.
 * The project's files are read once: later changes in its folder are not seen.
 */
import { execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { CodescoreError, messageOf } from "../../errors.ts";
import { packageRoot } from "../../util/files.ts";
import { SCRIPTS } from "../sandbox/python.ts";
import type { SandboxKind } from "../types.ts";
import { bare, environmentOf, lookAt, type PythonEnvironment, type Start, walled } from "./walls.ts";

export interface ProjectOptions {
  readonly folder: string;
  /** Runs with `sh` in the project's folder. Only exit status 0 means that all tests passed. */
  readonly command: string;
  /** The Python whose environment contains what the project needs; its folder comes first on the PATH. @default "python3" */
  readonly python?: string;
  /** `auto` is bubblewrap; WebAssembly and Landlock cannot run commands. @default "auto" */
  readonly sandbox?: SandboxKind | "auto";
  /** @default false */
  readonly allowUnsafe?: boolean;
  /** Number of parallel runs. @default the number of cores */
  readonly workers?: number;
}

export interface ProjectLimits {
  /** Wall seconds after which everything is killed. */
  readonly wallS: number;
  /** CPU seconds of each process. */
  readonly cpuS: number;
}

export interface ProjectRun {
  readonly outcome: "pass" | "fail" | "timeout";
  /** CPU seconds of the command and of the processes that it started and waited for. */
  readonly cpuS: number;
  readonly wallS: number;
  /** The end of what it printed. */
  readonly output: string;
}

/** Environments and caches, which are not part of a project. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(
  "__pycache__ .git .hg .svn .tox .nox .venv venv .mypy_cache .pytest_cache .ruff_cache node_modules".split(" "),
);

/** The settings of record.py; see there. */
export type RecorderSettings =
  | { readonly mode: "lines"; readonly files: readonly string[] }
  | { readonly mode: "calls"; readonly functions: readonly FunctionPlace[] };

/** Where a function begins, including its decorators: lines from 1. */
export interface FunctionPlace {
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

const memoryMb = 4096;
/** The files of the recorder. A `sitecustomize` beside them (`SITE`) starts record.py. */
const recorderFiles = ["record.py", "pickled.py", "outcome.py"];
const run = promisify(execFile);

/**
 * Opens a project. Close it when done.
 * Throws `CodescoreError`: `usage` for `none` without allowUnsafe and for sandboxes that cannot run commands, `input` for a folder that
 * cannot be read, `environment` if there is no sandbox or no such Python.
 */
export async function openProject(options: ProjectOptions): Promise<ProjectTests> {
  const { sandbox = "auto", allowUnsafe = false, python: name = "python3" } = options;
  const unable = sandbox !== "auto" && sandbox !== "bwrap" && sandbox !== "none";
  if (unable || (sandbox === "none" && !allowUnsafe)) {
    const why = unable
      ? `sandbox \`${sandbox}\` cannot run a project's test command; use bwrap`
      : "sandbox `none` runs model-written code with your rights. Add --allow-unsafe (allowUnsafe: true) if you trust it";
    throw new CodescoreError("usage", why);
  }
  const python = await lookAt(name);
  // A copy that any user of the sandbox can read; the original often cannot be read by others.
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
    const runner = join(packageRoot, "src", "execute", "project", "project.py");
    const command = sandbox === "none" ? bare(python, runner) : await walled(python, snapshot, runner);
    return new ProjectTests(options, snapshot, python, command);
  } catch (error) {
    await rm(snapshot, { recursive: true, force: true });
    throw error;
  }
}

export class ProjectTests {
  readonly sandbox: SandboxKind;
  /** Version of the Python of the environment. */
  readonly python: string;
  readonly command: string;
  /** Folder with the project's files as they were when the project was opened. */
  readonly snapshot: string;
  readonly workers: number;
  /** The Python environment that runs the tests. */
  readonly environment: PythonEnvironment;
  readonly #start: Start;
  readonly #env: Readonly<Record<string, string>>;
  /** Functions that kill the current runs. */
  readonly #running = new Set<() => void>();
  readonly #killAll = (): void => {
    for (const kill of this.#running) kill();
  };

  constructor({ command, workers }: ProjectOptions, snapshot: string, python: PythonEnvironment, start: Start) {
    this.sandbox = start.kind;
    this.python = python.version;
    this.command = command;
    this.snapshot = snapshot;
    this.workers = workers ?? availableParallelism();
    this.environment = python;
    this.#start = start;
    process.once("exit", this.#killAll);
    this.#env = environmentOf(python);
  }

  /**
   * Runs the command with the given files replaced (path within the project to text).
   * Throws `CodescoreError("infra")` if the sandbox itself fails twice.
   */
  run(changes: Readonly<Record<string, string>>, limits: ProjectLimits): Promise<ProjectRun> {
    return this.#run(changes, limits, null);
  }

  /**
   * Runs the command on the unchanged project, watched by record.py. `recorded` has what each process of the tests wrote; its form depends on
   * the settings. Throws as `run` does.
   */
  async record(
    settings: RecorderSettings,
    limits: ProjectLimits,
  ): Promise<ProjectRun & { readonly recorded: readonly unknown[] }> {
    const files: Record<string, string> = { "sitecustomize.py": SITE };
    for (const name of recorderFiles) {
      files[name] = await readFile(join(packageRoot, "src", "execute", "project", name), "utf8");
    }
    const scripts = this.sandbox === "bwrap" ? "/codescore" : SCRIPTS;
    const { recorded = [], ...run } = await this.#run({}, limits, { files, settings: { ...settings, scripts } });
    return { ...run, recorded };
  }

  async #run(
    changes: Readonly<Record<string, string>>,
    limits: ProjectLimits,
    recorder: object | null,
  ): Promise<ProjectRun & { readonly recorded?: readonly unknown[] }> {
    const isWalled = this.sandbox === "bwrap";
    const request = {
      command: this.command,
      original: isWalled ? "/original" : this.snapshot,
      folder: isWalled ? "/tmp/project" : null,
      changes,
      recorder,
      env: this.#env,
      memoryMb,
      pidNamespace: isWalled,
      userNamespace: isWalled,
      wallS: limits.wallS,
      cpuS: Math.ceil(limits.cpuS),
    };
    const text = JSON.stringify(request);
    // Once in hundreds of starts a sandbox does not come up or is killed from outside. This says nothing about the tests, so try again.
    const reply = await this.#exchange(text, limits.wallS).catch(() => this.#exchange(text, limits.wallS));
    const { status, cpuS, wallS, output, recorded } = JSON.parse(reply) as {
      status: number | null;
      cpuS: number;
      wallS: number;
      output: string;
      recorded?: unknown[];
    };
    const outOfTime = status === null || -status === CPU_SIGNAL || status === 128 + CPU_SIGNAL;
    const outcome = status === 0 ? "pass" : outOfTime ? "timeout" : "fail";
    return { outcome, cpuS, wallS, output, ...(recorded && { recorded }) };
  }

  /** Kills current runs and removes the files. */
  async close(): Promise<void> {
    process.off("exit", this.#killAll);
    this.#killAll();
    await rm(this.snapshot, { recursive: true, force: true });
  }

  /** The reply of project.py. It watches the time itself; if it fails to, it is killed with everything it started. */
  #exchange(request: string, wallS: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const { file, args } = this.#start;
      const child = spawn(file, args, { env: {}, cwd: "/", detached: true });
      const pieces: string[] = [];
      let stderr = "";
      const kill = (): void => {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      };
      const timer = setTimeout(kill, (wallS + GRACE_S) * 1000);
      this.#running.add(kill);
      const ended = (how: string): void => {
        clearTimeout(timer);
        this.#running.delete(kill);
        const said = stderr.trim().split("\n").at(-1);
        const stdout = pieces.join("");
        if (stdout.endsWith("}")) resolve(stdout);
        else reject(new CodescoreError("infra", `the sandbox of the project's tests ${how}${said ? `: ${said}` : ""}`));
      };
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        pieces.push(text);
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr = (stderr + text).slice(-2000);
      });
      child.once("close", (status, signal) => ended(`ended with ${signal ?? `status ${status}`}`));
      child.once("error", (error) => ended(`did not start (${error.message})`));
      child.stdin.on("error", () => {}); // the "close" event reports a dead child
      child.stdin.end(request);
    });
  }
}

/** Starts the recorder and removes its traces from the path by which the tests import. */
const SITE = `import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import record
del sys.path[0], sys.modules["record"]
record.start()
`;
/** SIGXCPU. */
const CPU_SIGNAL = 24;
/** Seconds for copying the project, and for delays on a busy machine. */
const GRACE_S = 30;
