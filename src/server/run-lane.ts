/**
 * Runs candidates, one task at a time, in a thread with its own sandbox. Making inputs and reading answers can take long for hostile
 * texts, and must not block anything else. A task that exceeds a limit is stopped, and so is one that nobody waits for.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import type { ExecutorOptions, SandboxKind } from "../execute/index.ts";
import type { RunOptions, ScoreResult } from "../score/index.ts";
import type { Score, ScoreInput } from "../types.ts";
import { packageRoot } from "../util/files.ts";
import { JobThread } from "../util/job-thread.ts";

/** The run settings of a request. */
export type Asked = Required<Pick<RunOptions, "inputs" | "seed">> & Pick<RunOptions, "until">;

/** A row and the score of its texts, for the case that running it shows too little. */
export interface TextScored extends ScoreInput {
  readonly byText: Score;
}

/** The rows of one task. */
export interface RunJob {
  readonly rows: readonly TextScored[];
  readonly asked: Asked;
}

export interface LaneFacts {
  readonly sandbox: SandboxKind;
  /** Version of the Python that runs candidates. */
  readonly python: string;
}

/** Handles one task at a time. */
export interface RunLane {
  /** One result per row, in order. Throws `CodescoreError` if the task was stopped, and the signal's reason if nobody waits. */
  run(job: RunJob, signal: AbortSignal): Promise<ScoreResult[]>;
  close(): Promise<void>;
}

export interface RunnerOptions extends Pick<ExecutorOptions, "sandbox" | "allowUnsafe" | "python"> {
  /** Programs that run at a time, in all lanes together. @default the number of cores */
  readonly workers?: number;
}

export interface Runner extends LaneFacts {
  readonly lanes: readonly RunLane[];
  /** Ends every sandbox. */
  close(): Promise<void>;
}

const entry = join(packageRoot, "dist", "server", "run-worker.js");

/** Maximum number of tasks at a time. Each lane holds a sandbox and about 100 MB. */
const MOST_LANES = 4;
/** Time limit of a task, in ms. A program that never ends takes one or two seconds. */
export const TASK_MS = 120_000;
/**
 * Maximum bytes of an answer. All answers of a task are in its thread's memory together. Reference answers of more than 20,000 characters
 * are not compared, so no correct program needs more.
 */
export const OUTPUT_BYTES = 100_000;

/**
 * Starts the lanes. Throws `CodescoreError("environment")` if no sandbox starts, and `CodescoreError("usage")` for `none` without
 * `allowUnsafe`, or for `workers` out of range.
 */
export async function openRunner({
  workers = availableParallelism(),
  ...options
}: RunnerOptions = {}): Promise<Runner> {
  if (!Number.isInteger(workers) || workers < 1) {
    throw new CodescoreError("usage", `expected \`workers\` to be an integer of at least 1, got ${workers}`);
  }
  const count = Math.min(workers, MOST_LANES);
  const limits = { outputBytes: OUTPUT_BYTES };
  const lanes = Array.from(
    { length: count },
    (_, i) => new SandboxLane({ ...options, limits, workers: Math.floor((workers + i) / count) }),
  );
  const close = async (): Promise<void> => void (await Promise.all(lanes.map((lane) => lane.close())));
  try {
    const [facts] = await Promise.all(lanes.map((lane) => lane.facts()));
    return { ...facts!, lanes, close };
  } catch (error) {
    await close();
    throw error;
  }
}

class SandboxLane implements RunLane {
  readonly #thread: JobThread;

  constructor(data: ExecutorOptions) {
    this.#thread = new JobThread({ entry, data, jobMs: TASK_MS, wanted: "programs that can be run" });
  }

  facts(): Promise<LaneFacts> {
    return this.#thread.run<LaneFacts>("facts", null);
  }

  run(job: RunJob, signal: AbortSignal): Promise<ScoreResult[]> {
    return this.#thread.run<ScoreResult[]>("run", job, signal);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
