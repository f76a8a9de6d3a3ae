/**
 * The pool of warm guards, and the queue of jobs for them. If a guard dies, no job is lost: each unanswered job runs again in a new guard,
 * alone in it. A job is given up after it was running during `ATTEMPTS` such deaths. The pool does not interpret answers.
 */
import { CodescoreError, messageOf } from "../errors.ts";
import {
  BEGINNING,
  type Budgets,
  type Hello,
  jobLimits,
  type Line,
  readHello,
  readReply,
  type Start,
  type Suite,
  writeJob,
} from "./protocol.ts";
import type { Sandbox } from "./sandbox/backend.ts";
import { ServerGone, ServerProcess } from "./sandbox/process.ts";
import type { Limits } from "./types.ts";

interface Job {
  readonly suite: Suite;
  readonly code: string;
  readonly budgets: () => Budgets;
  readonly from: Start;
  /** Runs while nothing else runs; its verdicts on time are final. */
  readonly alone: boolean;
  readonly resolve: (lines: readonly Line[]) => void;
  readonly reject: (error: Error) => void;
  /** How often a guard died with this job. After the first time it runs with no other job in the guard, to find out which is to blame. */
  lost: number;
}

interface Guard {
  readonly server: ServerProcess;
  /** Characters of each suite that the guard holds, by key, least recently used first. */
  readonly suites: Map<string, number>;
  /** The jobs sent to the guard, by number, in the order in which they were sent. */
  readonly running: Map<number, Job>;
  /** A job holds the guard up, so it has given back jobs that it had not begun. */
  slow: boolean;
  watchdog: NodeJS.Timeout | null;
}

const ATTEMPTS = 3;
/** Limits of the suites that a guard holds: their number, and their total characters. */
const KEPT_SUITES = 160;
const KEPT_CHARACTERS = 2 ** 26;
const LOOK_AHEAD = 64;
const DEEPEST = 32;

export class Pool {
  readonly #sandbox: Sandbox;
  readonly #limits: Limits;
  readonly #size: number;
  readonly #isolate: boolean;
  readonly #files: string | undefined;
  readonly #guards = new Set<Guard>();
  readonly #queue: Job[] = [];
  /** Jobs that need a quiet machine: they begin when nothing runs and nothing else waits. */
  readonly #quiet: Job[] = [];
  #next = 0;
  #feeding = false;
  #closed = false;

  /** `files`: a folder with data files that the guards see, read-only. */
  constructor(sandbox: Sandbox, limits: Limits, size: number, isolate: boolean, files?: string) {
    this.#sandbox = sandbox;
    this.#files = files;
    this.#limits = limits;
    this.#size = size;
    this.#isolate = isolate;
  }

  /** Starts the guards. Resolves with the `Hello` of one of them. */
  async start(): Promise<Hello> {
    for (let i = 0; i < this.#size; i++) this.#open();
    const [first] = this.#guards;
    return readHello(await (first as Guard).server.hello);
  }

  /**
   * Runs a program on a suite. Returns one line per input, in order. If a test ended near a limit that is not provisional, the program
   * runs again while nothing else does. `urgent`: the job goes to the front of the queue. Rejects with CodescoreError("infra").
   */
  async run(
    suite: Suite,
    code: string,
    budgets: () => Budgets,
    { from = BEGINNING, urgent = false }: { readonly from?: Start; readonly urgent?: boolean } = {},
  ): Promise<readonly Line[]> {
    let provisional = false;
    const ask = (): Budgets => {
      const asked = budgets();
      provisional = asked.provisional ?? false;
      return asked;
    };
    const add = (alone: boolean): Promise<readonly Line[]> => {
      if (this.#closed) return Promise.reject(closedError());
      return new Promise((resolve, reject) => {
        const job = { suite, code, budgets: ask, from, alone, resolve, reject, lost: 0 };
        if (alone) this.#quiet.push(job);
        else if (urgent) this.#queue.unshift(job);
        else this.#queue.push(job);
        this.#feed();
      });
    };
    const lines = await add(false);
    return !provisional && lines.some(({ status }) => status === "n") ? add(true) : lines;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const guards = [...this.#guards];
    this.#guards.clear();
    for (const job of [...this.#queue.splice(0), ...this.#quiet.splice(0)]) job.reject(closedError());
    await Promise.all(guards.map(({ server }) => server.kill()));
  }

  #open(): void {
    const guard: Guard = {
      server: new ServerProcess(this.#sandbox.command("guard", this.#limits.memoryMb, this.#files)),
      suites: new Map(),
      running: new Map(),
      slow: false,
      watchdog: null,
    };
    this.#guards.add(guard);
  }

  /** Hands out jobs after all replies that have arrived are read and their callers have asked for more: these jobs then go out together. */
  #feed(): void {
    if (this.#feeding) return;
    this.#feeding = true;
    setImmediate(() => {
      this.#feeding = false;
      this.#giveOut();
    });
  }

  #giveOut(): void {
    const guards = [...this.#guards];
    if (guards.some((guard) => firstOf(guard)?.alone)) return;
    if (this.#queue.length === 0) {
      const [guard] = guards;
      if (guard && this.#quiet.length > 0 && guards.every(({ running }) => running.size === 0)) {
        void this.#send(guard, this.#quiet.shift() as Job);
      }
      return;
    }
    // Jobs wait in the guard's pipe while it works: it is never idle, and it runs shareable programs together. Near the end of the queue
    // few jobs wait in each pipe, so that no guard finishes long before another.
    const share = Math.ceil(this.#queue.length / this.#size);
    const depth = this.#sandbox.abilities.forks ? Math.min(DEEPEST, Math.max(2, share)) : 1;
    for (let load = 0; load < depth; load++) {
      for (const guard of guards) {
        const [next] = this.#queue;
        if (!next) return;
        if (guard.running.size !== load || guard.slow || firstOf(guard)?.lost) continue;
        if (next.lost === 0 || load === 0) void this.#send(guard, this.#take(guard));
      }
    }
  }

  /** The next job for a guard. If the guard does not fork, changing the suite costs more than running a program. */
  #take(guard: Guard): Job {
    const near = this.#sandbox.abilities.forks ? [] : this.#queue.slice(0, LOOK_AHEAD);
    const known = near.findIndex(({ suite }) => [...guard.suites.keys()].at(-1) === suite.key);
    return this.#queue.splice(Math.max(known, 0), 1)[0] as Job;
  }

  async #send(guard: Guard, job: Job): Promise<void> {
    this.#next += 1;
    guard.running.set(this.#next, job);
    this.#watch(guard);
    try {
      this.#receive(guard, await guard.server.request(this.#request(guard, this.#next, job)));
    } catch (error) {
      if (guard.running.size > 0) await this.#replace(guard, error);
    }
  }

  /** Takes a reply: the lines of a job, or a job that the guard gives back without having begun it. */
  #receive(guard: Guard, reply: string): void {
    const { id, lines } = readReply(reply);
    const job = guard.running.get(id);
    if (!job) throw new CodescoreError("infra", `a guard answered job ${id}, which it was not given`);
    const count = job.suite.inputs.length;
    if (lines && lines.length !== count) {
      throw new CodescoreError("infra", `a guard answered ${lines.length} lines to ${count} inputs`);
    }
    guard.running.delete(id);
    guard.slow = !lines && guard.running.size > 0;
    this.#watch(guard);
    if (lines) job.resolve(lines);
    else if (this.#closed) job.reject(closedError());
    else this.#queue.unshift(job);
    this.#feed();
  }

  #request(guard: Guard, id: number, { suite, code, budgets, from, alone }: Job): string {
    const drop: string[] = [];
    const known = guard.suites.get(suite.key);
    guard.suites.delete(suite.key);
    guard.suites.set(suite.key, known ?? suite.inputs.reduce((sum, input) => sum + input.length, 0));
    let characters = [...guard.suites.values()].reduce((sum, size) => sum + size, 0);
    for (const [key, size] of guard.suites) {
      if (key === suite.key || (guard.suites.size <= KEPT_SUITES && characters <= KEPT_CHARACTERS)) break;
      guard.suites.delete(key);
      characters -= size;
      drop.push(key);
    }
    const asked = budgets();
    const { seconds, provisional = false, final = alone } = asked;
    return writeJob({
      id,
      key: suite.key,
      ...(known !== undefined ? {} : { suite: { ...suite, isolate: this.#isolate } }),
      drop,
      code,
      budgets: seconds,
      provisional,
      final,
      alone,
      from,
      limits: jobLimits(this.#limits, asked, from),
    });
  }

  /** Kills a guard that has been silent for longer than its own limits allow. */
  #watch(guard: Guard): void {
    if (guard.watchdog) clearTimeout(guard.watchdog);
    guard.watchdog = null;
    if (guard.running.size === 0) return;
    guard.watchdog = setTimeout(() => void guard.server.kill(), (120 + 30 * this.#limits.candidateCpuS) * 1000);
    guard.watchdog.unref();
  }

  /** Replaces a guard that is gone. If it had one job, that job is to blame. If it had several, each runs alone in a guard next. */
  async #replace(guard: Guard, error: unknown): Promise<void> {
    const jobs = [...guard.running.values()];
    guard.running.clear();
    if (guard.watchdog) clearTimeout(guard.watchdog);
    this.#guards.delete(guard);
    await guard.server.kill();
    for (const job of jobs.toReversed()) {
      job.lost = jobs.length === 1 ? job.lost + 1 : Math.max(job.lost, 1);
      if (this.#closed) job.reject(closedError());
      else if (job.lost >= ATTEMPTS || !(error instanceof ServerGone)) {
        const why = `the sandbox ended ${job.lost} times while it ran this program: ${messageOf(error)}`;
        job.reject(new CodescoreError("infra", why));
      } else (job.alone ? this.#quiet : this.#queue).unshift(job);
    }
    if (this.#closed) return;
    this.#open();
    this.#feed();
  }
}

const closedError = (): CodescoreError => new CodescoreError("infra", "the executor is closed");

const firstOf = ({ running }: Guard): Job | undefined => running.values().next().value;
