/** `codescore score --run`: the options, and the executor that they ask for. */
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

/** Inputs of a task, unless told otherwise: as `RUN_DEFAULTS.inputs`, which help texts must not load. */
export const RUN_INPUTS = 40;

export interface Runs {
  /** For the scorer; empty where nothing is run. */
  readonly options: { readonly run?: RunOptions };
  /** The result, with the reason where no sandbox came up. */
  note(result: ScoreResult): ScoreResult;
  /** Why no sandbox came up; null where one did, or none was asked for. */
  readonly reason: string | null;
  close(): Promise<void>;
}

const NONE: Runs = { options: {}, note: (result) => result, reason: null, close: async () => {} };

/** Opens the executor. Where no sandbox comes up every row says so and keeps its score; a wrong option is an error. */
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
    if (!(error instanceof CodescoreError) || error.code !== "environment") throw error;
    const { withReason } = await import("../../score/index.ts");
    const { message } = error;
    process.stderr.write(`nothing is run: ${message}\n`);
    return { ...NONE, reason: message, note: (result) => withReason(result, message) };
  }
}
