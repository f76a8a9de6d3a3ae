/** Execution of untrusted Python with verdicts; see types.ts for the interface and design.md, decisions 2 and 3. */
import { availableParallelism } from "node:os";
import { CodescoreError } from "../errors.ts";
import { PythonExecutor } from "./execute.ts";
import { defaultLimits } from "./limits.ts";
import { findSandbox } from "./sandbox/index.ts";
import type { Executor, ExecutorOptions, Limits } from "./types.ts";

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
  const limits: Limits = { ...defaultLimits, ...options.limits };
  for (const [name, value] of Object.entries(limits)) {
    if (typeof value === "number" && !(Number.isFinite(value) && value > 0)) {
      throw new CodescoreError("usage", `expected limit \`${name}\` to be a number above 0, got \`${value}\``);
    }
  }
  const workers = options.workers ?? availableParallelism();
  if (!Number.isInteger(workers) || workers < 1) {
    throw new CodescoreError("usage", `expected workers to be an integer of at least 1, got \`${workers}\``);
  }
  const sandbox = await findSandbox(options);
  const executor = await PythonExecutor.open(sandbox, limits, workers, options.isolate ?? false);
  if (sandbox.warning !== undefined) process.emitWarning(sandbox.warning, "CodescoreWarning");
  return executor;
}
