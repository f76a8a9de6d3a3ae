/**
 * Warm guards and the queue before them. A guard that dies loses nothing: what it had not answered runs again in a fresh
 * one; a program that is being run each time one dies is given up as lost. Does not know what answers mean.
 */
import { CodescoreError } from "../errors.ts";
import { ServerGone, ServerProcess } from "./process.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Limits } from "./types.ts";

/** Inputs that many programs get. Guards compile and keep them by key. */
export interface Suite {
  readonly key: string;
  /** `call`: one process runs all inputs; `stdin` and `exec` (test code beside the program): one process each. */
  readonly mode: "call" | "stdin" | "exec";
  readonly entry: string;
  readonly setup: string;
  readonly inputs: readonly string[];
}

/**
 * What became of one input: a canonical value (`v`), [class, message] as JSON of an exception in the call (`e`) or on
 * loading the program (`l`), out of memory (`m`) or timeout (`t`).
 */
export interface Line {
  readonly status: "v" | "e" | "l" | "m" | "t";
  readonly cpuS: number;
  readonly payload: string;
}

interface Job {
  readonly suite: Suite;
  readonly code: string;
  readonly budgets: readonly number[];
  readonly resolve: (lines: Line[]) => void;
  readonly reject: (error: Error) => void;
  lost: number;
}

interface Guard {
  readonly server: ServerProcess;
  /** Keys of the suites it holds, oldest first. */
  readonly suites: Set<string>;
  readonly running: Job[];
  watchdog: NodeJS.Timeout | null;
}

const ATTEMPTS = 3;
const KEPT_SUITES = 64;
const LOOK_AHEAD = 64;

export class Pool {
  readonly #sandbox: Sandbox;
  readonly #limits: Limits;
  readonly #size: number;
  readonly #guards = new Set<Guard>();
  readonly #queue: Job[] = [];
  #next = 0;
  #closed = false;

  constructor(sandbox: Sandbox, limits: Limits, size: number) {
    this.#sandbox = sandbox;
    this.#limits = limits;
    this.#size = size;
  }

  /** Starts the guards; resolves with the first frame of one. */
  async start(): Promise<string> {
    for (let i = 0; i < this.#size; i++) this.#open();
    const [first] = this.#guards;
    return (first as Guard).server.hello;
  }

  /** Runs a program on a suite; one line an input, in order. Rejects with CodescoreError("infra"). */
  run(suite: Suite, code: string, budgets: readonly number[]): Promise<Line[]> {
    if (this.#closed) return Promise.reject(new CodescoreError("infra", "the executor is closed"));
    return new Promise((resolve, reject) => {
      this.#queue.push({ suite, code, budgets, resolve, reject, lost: 0 });
      this.#feed();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const guards = [...this.#guards];
    this.#guards.clear();
    for (const job of this.#queue.splice(0)) job.reject(new CodescoreError("infra", "the executor was closed"));
    await Promise.all(guards.map(({ server }) => server.kill()));
  }

  #open(): void {
    const guard: Guard = {
      server: new ServerProcess(this.#sandbox.command("guard", this.#limits.memoryMb)),
      suites: new Set(),
      running: [],
      watchdog: null,
    };
    this.#guards.add(guard);
  }

  #feed(): void {
    // A second job waits in the guard's pipe while it works on the first, so that it is never idle.
    const depth = this.#sandbox.kind === "wasm" ? 1 : 2;
    for (let load = 0; load < depth; load++) {
      for (const guard of this.#guards) {
        if (this.#queue.length === 0) return;
        if (guard.running.length === load) void this.#send(guard, this.#take(guard));
      }
    }
  }

  /** The next job for a guard: in WebAssembly, changing the suite costs more than running a program. */
  #take(guard: Guard): Job {
    const near = this.#sandbox.kind === "wasm" ? this.#queue.slice(0, LOOK_AHEAD) : [];
    const known = near.findIndex(({ suite }) => [...guard.suites].at(-1) === suite.key);
    return this.#queue.splice(Math.max(known, 0), 1)[0] as Job;
  }

  async #send(guard: Guard, job: Job): Promise<void> {
    guard.running.push(job);
    this.#watch(guard);
    try {
      const reply = await guard.server.request(this.#request(guard, job));
      guard.running.shift();
      this.#watch(guard);
      job.resolve(parseReply(reply, job.suite.inputs.length));
    } catch (error) {
      if (guard.running[0] === job) await this.#replace(guard, error);
      return;
    }
    this.#feed();
  }

  #request(guard: Guard, { suite, code, budgets }: Job): string {
    const drop: string[] = [];
    const known = guard.suites.delete(suite.key);
    guard.suites.add(suite.key);
    for (const key of guard.suites) {
      if (guard.suites.size <= KEPT_SUITES) break;
      guard.suites.delete(key);
      drop.push(key);
    }
    const { memoryMb, outputBytes, candidateCpuS, maxTimeouts, testCpuS, testFactor } = this.#limits;
    const limits = { memoryMb, outputBytes, candidateCpuS, maxTimeouts, loadCpuS: testFactor * testCpuS };
    this.#next += 1;
    return JSON.stringify({
      id: this.#next,
      key: suite.key,
      suite: known ? undefined : suite,
      drop,
      code,
      budgets,
      limits,
    });
  }

  /** Kills a guard that has been silent for longer than its own limits allow. */
  #watch(guard: Guard): void {
    if (guard.watchdog) clearTimeout(guard.watchdog);
    guard.watchdog = null;
    if (guard.running.length === 0) return;
    guard.watchdog = setTimeout(() => void guard.server.kill(), (120 + 30 * this.#limits.candidateCpuS) * 1000);
    guard.watchdog.unref();
  }

  /** The guard is gone: its first job may be to blame, the others only waited. */
  async #replace(guard: Guard, error: unknown): Promise<void> {
    const jobs = guard.running.splice(0);
    if (guard.watchdog) clearTimeout(guard.watchdog);
    this.#guards.delete(guard);
    await guard.server.kill();
    const closed = this.#closed;
    const [first, ...waiting] = jobs as [Job, ...Job[]];
    first.lost += 1;
    const give = closed || first.lost >= ATTEMPTS || !(error instanceof ServerGone);
    if (give) {
      const why = error instanceof Error ? error.message : String(error);
      first.reject(new CodescoreError("infra", `the sandbox did not survive a program ${first.lost} times: ${why}`));
    } else {
      waiting.push(first); // last, so that what only waited is not held up again
    }
    if (closed) {
      for (const job of waiting) job.reject(new CodescoreError("infra", "the executor was closed"));
      return;
    }
    this.#queue.unshift(...waiting);
    this.#open();
    this.#feed();
  }
}

function parseReply(reply: string, count: number): Line[] {
  const [, ...lines] = reply.split("\n");
  if (lines.length !== count) {
    throw new CodescoreError("infra", `a guard answered ${lines.length} lines to ${count} inputs`);
  }
  return lines.map((line) => {
    const first = line.indexOf(" ");
    const second = line.indexOf(" ", first + 1);
    return {
      status: line.slice(0, first) as Line["status"],
      cpuS: Number(line.slice(first + 1, second)),
      payload: line.slice(second + 1),
    };
  });
}
