/** `codescore score --run`: its options, and the executor that they describe. */
import { CodescoreError } from "../../errors.ts";
import type { SandboxKind } from "../../execute/types.ts";
import type { RunOptions, ScoreResult } from "../../score/index.ts";

export interface RunFlags {
  readonly run?: true;
  readonly inputs?: number;
  readonly seed?: number;
  readonly until?: number;
  readonly sandbox: SandboxKind | "auto";
  readonly allowUnsafe?: boolean;
  readonly python?: string;
  readonly workers?: number;
}

/** Default number of inputs per task. The same as `RUN_DEFAULTS.inputs`, which help texts must not load. */
export const RUN_INPUTS = 40;

export interface Runs {
  /** Scorer options; empty if nothing is run. */
  readonly options: { readonly run?: RunOptions };
  /** Adds to the result the reason why no sandbox started, if so. */
  note(result: ScoreResult): ScoreResult;
  /** Why no sandbox started; null if one did or none was requested. */
  readonly reason: string | null;
  close(): Promise<void>;
}

const NONE: Runs = { options: {}, note: (result) => result, reason: null, close: async () => {} };

/**
 * Opens the executor. If no sandbox starts, every row says so and keeps its score. But if the user names a sandbox, its failure is an error:
 * a CI job that asks for runs must not pass because none took place. So is a wrong option.
 */
export async function openRun({
  run,
  inputs,
  seed,
  until,
  sandbox,
  allowUnsafe,
  python,
  workers,
}: RunFlags): Promise<Runs> {
  if (!run) return NONE;
  const { openExecutor } = await import("../../execute/index.ts");
  try {
    const executor = await openExecutor({
      sandbox,
      ...(allowUnsafe === undefined ? {} : { allowUnsafe }),
      ...(python === undefined ? {} : { python }),
      ...(workers === undefined ? {} : { workers }),
    });
    const options = {
      executor,
      ...(inputs === undefined ? {} : { inputs }),
      ...(seed === undefined ? {} : { seed }),
      ...(until === undefined ? {} : { until }),
    };
    return { options: { run: options }, note: (result) => result, reason: null, close: () => executor.close() };
  } catch (error) {
    if (sandbox !== "auto" || !(error instanceof CodescoreError) || error.code !== "environment") throw error;
    const { withReason } = await import("../../score/index.ts");
    const { message } = error;
    process.stderr.write(`cannot run candidates: ${message}\n`);
    return { ...NONE, reason: message, note: (result) => withReason(result, message) };
  }
}
