/**
 * The trusted Python process (judge.py). It gets one request at a time: a candidate's answer can make a test use up all memory or time,
 * and then it is known which request did. It is restarted when it ends. It never gets a candidate's code.
 */
import { CodescoreError, messageOf } from "../errors.ts";
import type { Problem } from "../types.ts";
import type { Sandbox } from "./sandbox/backend.ts";
import { ServerProcess } from "./sandbox/process.ts";

/** One comparison, which gives one verdict. `inputs` are indices into the suite of calls. */
export type JudgeUnit = { readonly test: string; readonly inputs: readonly number[] } & (
  | { readonly kind: "equal"; readonly expected: string | null; readonly tolerance: number; readonly also?: string }
  /** `number`: the unit's number in `check`. `guarded`: the test code itself handles exceptions of the program. */
  | { readonly kind: "judge"; readonly number: number; readonly code: string; readonly guarded: boolean }
  | { readonly kind: "opaque"; readonly code: string }
);

export interface JudgeReply {
  readonly inputs: readonly string[];
  readonly units: readonly JudgeUnit[];
  /** Tests that cannot be judged: [test id, why]. */
  readonly skipped: readonly (readonly [string, string])[];
}

/** An answer as the judge takes it: canonical text, or for an exception its class, message and built-in base class. */
export type JudgeAnswer = string | readonly [string, string, string];
/** `opaque`: the test cannot be judged on these answers (judging.py). */
export type Judgement = "pass" | "fail" | "timeout" | "memory" | "opaque" | readonly [string, string];

const ATTEMPTS = 2;
const JUDGING_S = 10; // CPU seconds for all tests of one program; others wait for the judge meanwhile
const SILENCE_MS = 120_000; // the judge ends itself long before this
const MEMORY_MB = 1024; // in WebAssembly; elsewhere judging.py limits the memory that a test adds
// The judge's own limit of CPU time ended it: by the signal, or by what watch.mjs writes. 152 is 128 + SIGXCPU, judge.py's status in bubblewrap.
const OUT_OF_TIME = /SIGXCPU|status 152$/;

/** `cpu`: CPU seconds used, if the judge survived. `ended`: the judgement if it did not. */
type CheckReply = { results?: readonly Judgement[]; cpu?: number; ended?: Judgement };
const LATE: CheckReply = { results: ["timeout"], cpu: 0 };

export class Judge {
  readonly #sandbox: Sandbox;
  readonly #maxTimeouts: number;
  #server: ServerProcess | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #next = 0;
  #closed = false;

  /** After `maxTimeouts` timeouts of one program, or when its `JUDGING_S` are used up, its other units count as timeouts. */
  constructor(sandbox: Sandbox, maxTimeouts: number) {
    this.#sandbox = sandbox;
    this.#maxTimeouts = maxTimeouts;
  }

  /** If the judge does not survive the tests of a problem, all of them are skipped. */
  async prepare(key: string, { prompt, entryPoint, setup, tests }: Problem): Promise<JudgeReply> {
    const reply = await this.#ask({ op: "prepare", key, problem: { prompt, entryPoint, setup, tests } });
    if ("ended" in reply) {
      const why = "preparing the problem's tests exceeds the time or memory limit";
      return { inputs: [], units: [], skipped: tests.map(({ id }) => [id, why]) };
    }
    return reply as JudgeReply;
  }

  /** Sorted names of the modules that programs can import. */
  async modules(): Promise<string[]> {
    return ((await this.#ask({ op: "modules" })) as { modules: string[] }).modules;
  }

  /** Judges units of a prepared problem. Prepares the problem again if the process has forgotten it. */
  async check(
    key: string,
    problem: Problem,
    units: readonly (readonly [number, readonly JudgeAnswer[]])[],
  ): Promise<readonly Judgement[]> {
    const { results, ended } = await this.#check(key, problem, units, JUDGING_S);
    if (results) return results;
    return units.length === 1 ? [ended as Judgement] : this.#checkEach(key, problem, units);
  }

  async #check(
    key: string,
    problem: Problem,
    units: readonly (readonly [number, readonly JudgeAnswer[]])[],
    seconds: number,
  ): Promise<CheckReply> {
    const request = { op: "check", key, units, maxTimeouts: this.#maxTimeouts, seconds };
    let crash: string | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const reply = (await this.#ask(request)) as CheckReply & { unknown?: boolean; crash?: string };
      if (!reply.unknown) return reply;
      crash = reply.crash;
      await this.prepare(key, problem);
    }
    if (crash !== undefined) return { ended: crashed(crash) }; // it crashed each time; the next judge does not know the problem
    throw new CodescoreError("infra", "the judge forgot a problem it was just given");
  }

  /** Judges the units one at a time, because the judge did not survive them together. */
  async #checkEach(
    key: string,
    problem: Problem,
    units: readonly (readonly [number, readonly JudgeAnswer[]])[],
  ): Promise<Judgement[]> {
    const found: Judgement[] = [];
    let [timeouts, left] = [0, JUDGING_S];
    for (const unit of units) {
      const isLate = timeouts >= this.#maxTimeouts || left <= 0;
      const { results, ended, cpu = 1 } = isLate ? LATE : await this.#check(key, problem, [unit], left);
      found.push(...(results ?? [ended as Judgement]));
      if (found.at(-1) === "timeout") timeouts += 1;
      left -= cpu;
    }
    return found;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#server?.kill();
  }

  #ask(request: object): Promise<object> {
    const reply = this.#last.then(() => this.#askNow(request));
    this.#last = reply.catch(() => {});
    return reply;
  }

  /**
   * The reply, with `crash` if the judge died and its successor replied; or `ended`: the judgement that follows from how the judge died during
   * this request.
   */
  async #askNow(request: object): Promise<object> {
    this.#next += 1;
    const text = JSON.stringify({ ...request, id: this.#next });
    let last: unknown;
    for (let attempt = 0; attempt < ATTEMPTS && !this.#closed; attempt++) {
      if (!this.#server || this.#server.gone) {
        this.#server = new ServerProcess(this.#sandbox.command("judge", MEMORY_MB));
      }
      const server = this.#server;
      const silence = setTimeout(() => void server.kill(), SILENCE_MS);
      silence.unref();
      try {
        const reply = JSON.parse(await server.request(text)) as { fault?: string };
        if (reply.fault) throw new CodescoreError("infra", `the judge failed: ${reply.fault}`);
        return last === undefined ? reply : { ...reply, crash: messageOf(last) };
      } catch (error) {
        if (error instanceof CodescoreError) throw error;
        if (OUT_OF_TIME.test(messageOf(error))) return { ended: "timeout" };
        last = error;
      } finally {
        clearTimeout(silence);
      }
    }
    if (this.#closed) throw new CodescoreError("infra", "the executor was closed");
    return { ended: crashed(messageOf(last)) };
  }
}

const crashed = (why: string): Judgement => ["Crash", `the judge process ended: ${why}`];
