/**
 * A thread for blocking work, such as reading programs. It does one job at a time, and a job can be stopped while it runs,
 * which JavaScript allows only for a whole thread. The code inside the thread is job-worker.ts.
 */
import { Worker } from "node:worker_threads";
import { CodescoreError, type ErrorCode } from "../errors.ts";

export interface JobThreadOptions {
  /** The JavaScript file that runs in the thread. It calls `doJobs`. */
  readonly entry: string;
  /** Data for the file (`workerData`). */
  readonly data?: unknown;
  /** Time limit of a job in ms. A longer one is stopped. */
  readonly jobMs: number;
  /** Idle time in ms after which the thread ends. The next job starts it again. @default never */
  readonly idleMs?: number;
  /** For the error message of a job that takes too much: what was expected. @default "programs that can be read" */
  readonly wanted?: string;
}

export interface JobAsked {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

export type JobAnswer = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly code: ErrorCode; readonly message: string }
);

interface Job extends JobAsked {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Number of jobs sent to the thread: one runs, and the next is ready when it is done. */
const AHEAD = 2;

/** Maximum heap of the thread, in megabytes. If a job exceeds it, the thread ends and the process continues. */
const HEAP = 1024;

/** Stack size in MB, as on the main thread: Node's default of 984 KB, plus 192 KB that Node reserves. Both then have the same nesting limit. */
const STACK = (984 + 192) / 1024;

export class JobThread {
  readonly #options: JobThreadOptions;
  #worker: Worker | null = null;
  /** In order. The first `#sent` of them are in the thread. */
  #jobs: Job[] = [];
  #sent = 0;
  #ids = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: JobThreadOptions) {
    this.#options = options;
  }

  /** Number of unfinished jobs. */
  get waiting(): number {
    return this.#jobs.length;
  }

  /**
   * Runs the job `name` on an argument; argument and result are cloned. Throws the job's error as `CodescoreError`, and
   * `CodescoreError("input")` if it takes too much time or memory. When `signal` aborts, the job is cancelled, even while it
   * runs, and this throws the signal's reason.
   */
  run<Value>(name: string, argument: unknown, signal?: AbortSignal): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new CodescoreError("usage", "the thread is closed");
      signal?.throwIfAborted();
      const giveUp = (): void => this.#drop(job, signal!.reason as Error);
      const done =
        <T>(settle: (with_: T) => void) =>
        (value: T): void => {
          signal?.removeEventListener("abort", giveUp);
          settle(value);
        };
      const job: Job = {
        ...{ id: this.#ids++, name, argument },
        ...{ resolve: done(resolve as (value: unknown) => void), reject: done(reject) },
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#jobs.push(job);
      this.#send();
    });
  }

  /** Stops at once. Unfinished jobs throw `CodescoreError("usage")`. */
  async close(): Promise<void> {
    this.#closed = true;
    const jobs = this.#jobs.splice(0);
    const stopped = this.#stop();
    for (const { reject } of jobs) reject(new CodescoreError("usage", "the thread is closed"));
    await stopped;
  }

  #send(): void {
    const { idleMs, jobMs } = this.#options;
    if (this.#jobs.length === 0) {
      this.#worker?.unref();
      this.#watch(idleMs === undefined ? null : idleMs, () => void this.#stop());
      return;
    }
    this.#worker ??= this.#start();
    this.#worker.ref();
    if (this.#sent === 0) this.#watch(jobMs, () => this.#fail(`more than ${jobMs / 1000} s`));
    for (; this.#sent < Math.min(AHEAD, this.#jobs.length); this.#sent++) {
      const { id, name, argument } = this.#jobs[this.#sent]!;
      this.#worker.postMessage({ id, name, argument } satisfies JobAsked);
    }
  }

  /** Sets the only timer. */
  #watch(ms: number | null, then: () => void): void {
    clearTimeout(this.#timer);
    if (ms !== null) this.#timer = setTimeout(then, ms).unref();
  }

  #start(): Worker {
    const { entry, data } = this.#options;
    const worker = new Worker(entry, {
      workerData: data,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP, stackSizeMb: STACK },
    });
    worker.on("message", (answer: JobAnswer) => {
      if (worker === this.#worker) this.#settle(answer);
    });
    worker.on("error", (error: NodeJS.ErrnoException) => {
      if (worker !== this.#worker) return;
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") this.#fail(`more than ${HEAP} MB of memory`);
      else this.#end(new CodescoreError("infra", `the thread ended: ${error.message}`, { cause: error }));
    });
    worker.on("exit", (code) => {
      if (worker === this.#worker) this.#end(new CodescoreError("infra", `the thread ended with code ${code}`));
    });
    return worker;
  }

  #settle(answer: JobAnswer): void {
    const job = this.#jobs.shift()!;
    this.#sent -= 1;
    if ("value" in answer) job.resolve(answer.value);
    else job.reject(new CodescoreError(answer.code, answer.message));
    const { jobMs } = this.#options;
    if (this.#sent > 0) this.#watch(jobMs, () => this.#fail(`more than ${jobMs / 1000} s`));
    this.#send();
  }

  /** Fails the first job, because it exceeded a limit. */
  #fail(took: string): void {
    const { wanted = "programs that can be read" } = this.#options;
    this.#end(new CodescoreError("input", `expected ${wanted}, got one that takes ${took}`));
  }

  /** Fails the first job. The others continue in a new thread. */
  #end(error: CodescoreError): void {
    void this.#stop();
    this.#jobs.shift()?.reject(error);
    this.#send();
  }

  #drop(job: Job, reason: Error): void {
    const at = this.#jobs.indexOf(job);
    if (at === -1) return;
    this.#jobs.splice(at, 1);
    if (at < this.#sent) void this.#stop(); // the other jobs in the thread start again
    job.reject(reason);
    this.#send();
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = null;
    this.#sent = 0;
    await worker?.terminate();
  }
}
