/**
 * Runs candidates, a task at a time, in a thread with a sandbox of its own: making inputs and reading answers takes as long as hostile
 * texts make it, and holds nobody else. A task that takes too much is stopped in its midst, and so is one for which nobody waits.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import type { ExecutorOptions, SandboxKind } from "../execute/index.ts";
import type { RunOptions, ScoreResult } from "../score/index.ts";
import type { Score, ScoreInput } from "../types.ts";
import { packageRoot } from "../util/files.ts";
import { JobThread } from "../util/job-thread.ts";

/** What a request says of its runs. */
export type Asked = Required<Pick<RunOptions, "inputs" | "seed">> & Pick<RunOptions, "until">;

/** A row, and what its texts score: running it may show too little. */
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

/** One task is with it at a time. */
export interface RunLane {
  /** One result a row, in order. Throws `CodescoreError` where the task was stopped, and the signal's reason where nobody waits. */
  run(job: RunJob, signal: AbortSignal): Promise<ScoreResult[]>;
  close(): Promise<void>;
}

export interface RunnerOptions extends Pick<ExecutorOptions, "sandbox" | "allowUnsafe" | "python"> {
  /** Programs that run at a time, in all lanes. @default the number of cores */
  readonly workers?: number;
}

export interface Runner extends LaneFacts {
  readonly lanes: readonly RunLane[];
  /** Ends every sandbox. */
  close(): Promise<void>;
}

const entry = join(packageRoot, "dist", "server", "run-worker.js");

/** Tasks at a time: each lane holds a sandbox and some 100 MB. */
const MOST_LANES = 4;
/** How long a task may take, in milliseconds. A program that never ends takes a second or two. */
const TASK_MS = 120_000;
/**
 * Bytes of an answer; answers of a task lie in its thread's memory together. References' answers of more than 20,000 characters are not
 * compared with, so no right program needs more.
 */
const OUTPUT_BYTES = 100_000;

/**
 * Starts the lanes. Throws `CodescoreError("environment")` where no sandbox comes up, and "usage" for `none` without `allowUnsafe` and
 * workers out of range.
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
