/** The options of the verbs that execute programs, and their translation to executor options. */
import type { Command } from "commander";
import { defaultLimits } from "../../execute/limits.ts";
import type { ExecutorOptions, Limits, SandboxKind } from "../../execute/types.ts";
import { allowUnsafeOption, integer, number, pythonOption, sandboxOption } from "./values.ts";

export interface ExecutorFlags {
  readonly sandbox: SandboxKind | "auto";
  readonly allowUnsafe?: boolean;
  readonly python?: string;
  readonly workers?: number;
  readonly isolate?: boolean;
  readonly strictTypes?: boolean;
  readonly testCpu?: number;
  readonly testFactor?: number;
  readonly candidateCpu?: number;
  readonly maxTimeouts?: number;
  readonly memory?: number;
}

const above = number(Number.MIN_VALUE);

const { testCpuS, testFactor, candidateCpuS, maxTimeouts, memoryMb } = defaultLimits;

/** Adds the options. Their defaults are those of `openExecutor`. */
export const addExecutor = (command: Command): Command =>
  command
    .addOption(sandboxOption())
    .addOption(allowUnsafeOption())
    .addOption(pythonOption())
    .option("--workers <n>", "programs to run at the same time (default: the number of cores)", integer(1))
    .option(
      "--test-cpu <s>",
      `CPU seconds for each test, at least (default: ${testCpuS}, in WebAssembly ${2 * testCpuS})`,
      above,
    )
    .option("--test-factor <x>", `CPU time of a test, as a multiple of the reference's (default: ${testFactor})`, above)
    .option("--candidate-cpu <s>", `CPU seconds of a program for all its tests (default: ${candidateCpuS})`, above)
    .option(
      "--max-timeouts <n>",
      `after n timeouts all other tests count as timeouts (default: ${maxTimeouts})`,
      integer(1),
    )
    .option("--memory <MiB>", `memory of a program (default: ${memoryMb})`, integer(16))
    .option("--strict-types", "treat 1, True and 1.0 as different, unlike Python's ==")
    .option("--isolate", "one process per program, no short cuts; slower, same verdicts");

export function executorOptions(flags: ExecutorFlags): ExecutorOptions {
  const { sandbox, allowUnsafe, python, workers, isolate, strictTypes } = flags;
  const limits: Partial<Limits> = {
    ...(flags.testCpu === undefined ? {} : { testCpuS: flags.testCpu }),
    ...(flags.testFactor === undefined ? {} : { testFactor: flags.testFactor }),
    ...(flags.candidateCpu === undefined ? {} : { candidateCpuS: flags.candidateCpu }),
    ...(flags.maxTimeouts === undefined ? {} : { maxTimeouts: flags.maxTimeouts }),
    ...(flags.memory === undefined ? {} : { memoryMb: flags.memory }),
    ...(strictTypes === undefined ? {} : { strictTypes }),
  };
  return {
    sandbox,
    limits,
    ...(allowUnsafe === undefined ? {} : { allowUnsafe }),
    ...(python === undefined ? {} : { python }),
    ...(workers === undefined ? {} : { workers }),
    ...(isolate === undefined ? {} : { isolate }),
  };
}
