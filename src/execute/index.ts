/** Execution of untrusted Python with verdicts; see types.ts for the interface and design.md, decisions 2 and 3. */
import { availableParallelism } from "node:os";
import { CodescoreError } from "../errors.ts";
import { memoryBytes } from "../util/memory.ts";
import { PythonExecutor } from "./execute.ts";
import { defaultLimitsIn } from "./limits.ts";
import { findSandbox } from "./sandbox/index.ts";
import type { Executor, ExecutorOptions, Limits, SandboxKind } from "./types.ts";

export { contractProgram } from "./contract.ts";
export { showLibrary } from "./library-shown.ts";
export { defaultLimits } from "./limits.ts";
export {
  openProject,
  type ProjectLimits,
  type ProjectOptions,
  type ProjectRun,
  ProjectTests,
  SKIPPED_FOLDERS,
} from "./project/project.ts";
export { openReplay, type ProjectReplay, type Replayed, type ReplayProgram } from "./project/replay.ts";
export { unpackWheel } from "./project/wheel.ts";
export { pythonOf } from "./sandbox/python.ts";
export { settingsOf } from "./settings.ts";
export type { Answer, Executor, ExecutorOptions, LandlockLevel, Limits, ProgramInput, SandboxKind } from "./types.ts";
export { decodeValue, equalValues } from "./value.ts";
export { sameOutput } from "./verdicts.ts";

/**
 * Opens a pool of sandboxed Python workers. Close it when done.
 * Throws CodescoreError("usage") for options out of range or for `none` without allowUnsafe, and CodescoreError("environment") if no
 * sandbox works; the message says what to install. Warns if programs run without a seccomp filter, and if the kernel's Landlock is too
 * old to cover everything.
 */
export async function openExecutor(options: ExecutorOptions = {}): Promise<Executor> {
  for (const [name, value] of Object.entries(options.limits ?? {})) {
    if (typeof value === "number" && !(Number.isFinite(value) && value > 0)) {
      throw new CodescoreError("usage", `expected limit \`${name}\` to be a number above 0, got \`${value}\``);
    }
  }
  const asked = options.workers;
  if (asked !== undefined && !(Number.isInteger(asked) && asked >= 1)) {
    throw new CodescoreError("usage", `expected workers to be an integer of at least 1, got \`${asked}\``);
  }
  const sandbox = await findSandbox(options);
  const workers = asked ?? workersIn(sandbox.kind);
  const limits: Limits = { ...defaultLimitsIn(sandbox.kind), ...options.limits };
  const executor = await PythonExecutor.open(sandbox, limits, workers, options.isolate ?? false);
  if (sandbox.warning !== undefined) process.emitWarning(sandbox.warning, "CodescoreWarning");
  return executor;
}

/** What a WebAssembly worker may take. Two of them and a judge took .92 GiB on he-eval-dev, but a program may use more. */
const WASM_WORKER_BYTES = 2 ** 30;

/** One worker for each core. In WebAssembly each has its own interpreter, so memory may allow fewer. */
export const workersIn = (kind: SandboxKind, bytes = memoryBytes(), cores = availableParallelism()): number =>
  kind === "wasm" ? Math.max(1, Math.min(cores, Math.floor(bytes / WASM_WORKER_BYTES))) : cores;
