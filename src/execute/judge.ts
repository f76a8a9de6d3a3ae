/** The trusted Python process (judge.py): restarted when it dies, asked again once. Never gets a candidate's code. */
import { CodescoreError, messageOf } from "../errors.ts";
import type { Problem } from "../types.ts";
import type { Sandbox } from "./sandbox/backend.ts";
import { ServerProcess } from "./sandbox/process.ts";

/** One verdict to come. `inputs` are indices into the suite of calls. */
export type JudgeUnit = { readonly test: string; readonly inputs: readonly number[] } & (
  | { readonly kind: "equal"; readonly expected: string | null; readonly tolerance: number }
  /** `number`: its name in `check`. `guarded`: the test code itself handles exceptions of the program. */
  | { readonly kind: "judge"; readonly number: number; readonly code: string; readonly guarded: boolean }
  | { readonly kind: "opaque"; readonly code: string }
);

export interface JudgeReply {
  readonly inputs: readonly string[];
  readonly units: readonly JudgeUnit[];
  /** Tests that cannot be judged: [test id, why]. */
  readonly skipped: readonly (readonly [string, string])[];
}

/** An answer as the judge takes it: canonical text, or the exception's class and message. */
export type JudgeAnswer = string | readonly [string, string];
export type Judgement = "pass" | "fail" | "opaque" | readonly [string, string];

const ATTEMPTS = 2;
const SILENCE_MS = 120_000;
const MEMORY_MB = 2048;

export class Judge {
  readonly #sandbox: Sandbox;
  #server: ServerProcess | null = null;
  #next = 0;
  #closed = false;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  async prepare(key: string, { prompt, entryPoint, setup, tests }: Problem): Promise<JudgeReply> {
    return (await this.#ask({ op: "prepare", key, problem: { prompt, entryPoint, setup, tests } })) as JudgeReply;
  }

  /** Names of the modules that programs can import, in order. */
  async modules(): Promise<string[]> {
    return ((await this.#ask({ op: "modules" })) as { modules: string[] }).modules;
  }

  /** Judges units of a prepared problem; prepares it again where the process has forgotten it. */
  async check(
    key: string,
    problem: Problem,
    units: readonly (readonly [number, readonly JudgeAnswer[]])[],
  ): Promise<Judgement[]> {
    type Reply = { results?: Judgement[]; unknown?: boolean };
    const request = { op: "check", key, units };
    let reply = (await this.#ask(request)) as Reply;
    if (reply.unknown) {
      await this.prepare(key, problem);
      reply = (await this.#ask(request)) as Reply;
    }
    if (!reply.results) throw new CodescoreError("infra", "the judge forgot a problem it was just given");
    return reply.results;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#server?.kill();
  }

  async #ask(request: object): Promise<object> {
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
        return reply;
      } catch (error) {
        if (error instanceof CodescoreError) throw error;
        last = error;
      } finally {
        clearTimeout(silence);
      }
    }
    throw new CodescoreError("infra", this.#closed ? "the executor was closed" : `the judge died: ${messageOf(last)}`);
  }
}
