/**
 * A thread for work that holds whoever does it, such as reading programs: it does one job at a time, and can be stopped in the
 * midst of one, which nothing else in JavaScript can. Its other side is job-worker.ts.
 */
import { Worker } from "node:worker_threads";
import { CodescoreError, type ErrorCode } from "../errors.ts";

export interface JobThreadOptions {
  /** The JavaScript file that runs in the thread; it calls `doJobs`. */
  readonly entry: string;
  /** What the file is given. */
  readonly data?: unknown;
  /** How long a job may take, in milliseconds; longer ones are stopped. */
  readonly jobMs: number;
  /** The thread ends when it had nothing to do for so long, in milliseconds; the next job starts it again. @default never */
  readonly idleMs?: number;
  /** What was expected where a job takes too much. @default "programs that can be read" */
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

/** Jobs that lie in the thread: one is done, and the next one is there when it is. */
const AHEAD = 2;

/** Memory that one job may take; beyond it the thread ends, and not the process. In megabytes. */
const HEAP = 1024;

/** As on the main thread, where Node's default is 984 KB; Node keeps 192 KB back. What is nested too deeply there is so here. */
const STACK = (984 + 192) / 1024;

export class JobThread {
  readonly #options: JobThreadOptions;
  #worker: Worker | null = null;
  /** In their order; the first of them lie in the thread. */
  #jobs: Job[] = [];
  #sent = 0;
  #ids = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: JobThreadOptions) {
    this.#options = options;
  }

  /** Jobs that are not done. */
  get waiting(): number {
    return this.#jobs.length;
  }

  /**
   * What the job of that name makes of an argument; both are cloned. Throws what it throws as `CodescoreError`, and "input" where
   * it takes more time or memory than it may. When `signal` aborts, the job is given up, in the midst of it too, and this throws
   * the signal's reason.
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

  /** Stops at once. Jobs that are not done throw `CodescoreError("usage")`. */
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

  /** Sets the one timer. */
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

  /** The first job is at fault. */
  #fail(took: string): void {
    const { wanted = "programs that can be read" } = this.#options;
    this.#end(new CodescoreError("input", `expected ${wanted}, got one that takes ${took}`));
  }

  /** The first job fails; the others go on in a new thread. */
  #end(error: CodescoreError): void {
    void this.#stop();
    this.#jobs.shift()?.reject(error);
    this.#send();
  }

  #drop(job: Job, reason: Error): void {
    const at = this.#jobs.indexOf(job);
    if (at === -1) return;
    this.#jobs.splice(at, 1);
    if (at < this.#sent) void this.#stop(); // whatever else lies there begins anew
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
