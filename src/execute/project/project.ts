/**
 * Runs the test command of a Python project, each time on a fresh copy with some files replaced. In bubblewrap the copy
 * lies in memory and goes with its namespace; there is no network, and nothing of this machine is seen but the system, the
 * Python environment and the project, all read-only. Says how the command ended; does not look at single tests.
 * Files of the project are read once: what changes in its folder later is not seen.
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

/** What record.py is told; see there. */
export type RecorderSettings =
  | { readonly mode: "lines"; readonly files: readonly string[] }
  | { readonly mode: "calls"; readonly functions: readonly FunctionPlace[] };

/** Where a function begins, its decorators included: lines from 1. */
export interface FunctionPlace {
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

const memoryMb = 4096;
/** The files of the recorder: record.py begins as `sitecustomize` does. */
const recorderFiles = ["record.py", "pickled.py", "outcome.py"];
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
  /** Folder with the project's files as they were when it was opened. */
  readonly snapshot: string;
  readonly workers: number;
  /** What runs the tests. */
  readonly environment: PythonEnvironment;
  readonly #start: Start;
  readonly #env: Readonly<Record<string, string>>;
  /** What ends each run under way. */
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
   * Runs the command with these files (path within the project to text) replaced.
   * Throws `CodescoreError("infra")` when the sandbox itself fails twice.
   */
  run(changes: Readonly<Record<string, string>>, limits: ProjectLimits): Promise<ProjectRun> {
    return this.#run(changes, limits, null);
  }

  /**
   * Runs the command on the project as it is, watched by record.py: `recorded` has what each process of the tests wrote, for whoever
   * knows what it asked for. Throws as `run` does.
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
    // Once in hundreds of starts a sandbox does not come up or is killed from outside, which says nothing of the tests.
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
      child.stdin.on("error", () => {}); // one that died says so by closing
      child.stdin.end(request);
    });
  }
}

/** Begins the recorder and leaves nothing of it on the path by which the tests import. */
const SITE = `import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import record
del sys.path[0], sys.modules["record"]
record.start()
`;
/** SIGXCPU. */
const CPU_SIGNAL = 24;
/** Copying the project, and seconds that a busy machine may take more. */
const GRACE_S = 30;
