/**
 * One notebook's server, and the work that waits for it. Work is done in the order of the cells, so that each cell before a turn runs once.
 * Turns that are requested out of order wait for each other. Only a turn that the state has already passed needs a new start. Compares nothing.
 */
import { setImmediate } from "node:timers/promises";
import { CodescoreError, messageOf } from "../../errors.ts";
import type { NotebookTurn } from "../../types.ts";
import { ServerGone } from "../sandbox/process.ts";
import type { NotebookServer } from "./server.ts";

/** The cells before a turn cannot be run. */
export class ReplayError extends Error {}

interface Work {
  readonly turn: NotebookTurn;
  readonly use: (server: NotebookServer) => Promise<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

const ATTEMPTS = 2;

export class Session {
  readonly #open: () => Promise<NotebookServer>;
  readonly #cellCpuS: number;
  readonly #waiting: Work[] = [];
  #server: NotebookServer | null = null;
  /** The cells that have run in the current state. */
  #done: string[] = [];
  /** Why one of these cells failed, with its number. All turns after it fail for the same reason. */
  #failed: string | null = null;
  #running = false;

  /** `open` starts a server for the notebook. */
  constructor(open: () => Promise<NotebookServer>, cellCpuS: number) {
    this.#open = open;
    this.#cellCpuS = cellCpuS;
  }

  /** Number of turns that use it now or will do so soon. */
  users = 0;

  get idle(): boolean {
    return !this.#running && this.users === 0;
  }

  /** Uses the server with the state before a turn. Rejects with `ReplayError` if there is no such state. */
  at<T>(turn: NotebookTurn, use: (server: NotebookServer) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ turn, use, resolve: resolve as (value: never) => void, reject });
      if (!this.#running) void this.#work();
    });
  }

  /** Ends the server. Later work starts a new one. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#forget();
    await server?.close();
  }

  async #work(): Promise<void> {
    this.#running = true;
    await null; // collects all work that is requested in the same tick
    while (this.#waiting.length > 0) {
      const next = this.#next();
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      await this.#try(next).then(next.resolve as (value: unknown) => void, next.reject);
      await setImmediate(); // the caller of the last answer may need the same state again
    }
    this.#running = false; // with no `await` before it: work requested from now on starts a new loop
  }

  /** The nearest turn that the current state can go on to; if there is none, the earliest waiting turn. */
  #next(): Work {
    const distance = ({ turn: { before } }: Work): number =>
      this.#isBehind(before) ? before.length - this.#done.length : before.length + 1e9;
    return this.#waiting.reduce((best, work) => (distance(work) < distance(best) ? work : best));
  }

  #isBehind = (before: readonly string[]): boolean =>
    before.length >= this.#done.length && this.#done.every((cell, i) => cell === before[i]);

  async #try({ turn, use }: Work): Promise<unknown> {
    let last: unknown;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        return await use(await this.#stateOf(turn));
      } catch (error) {
        if (!(error instanceof ServerGone)) throw error;
        last = error;
        await this.close();
      }
    }
    throw new CodescoreError("infra", `the sandbox of ${turn.name} ended ${ATTEMPTS} times: ${messageOf(last)}`);
  }

  async #stateOf({ before, raising }: NotebookTurn): Promise<NotebookServer> {
    if (!this.#isBehind(before) || this.#server?.gone) await this.close();
    if (this.#failed !== null) throw new ReplayError(this.#failed);
    const server = this.#server ?? (await this.#open());
    this.#server = server;
    while (this.#done.length < before.length) {
      const place = this.#done.length;
      const why = await server.cell(before[place]!, this.#cellCpuS);
      this.#done.push(before[place]!);
      if (why !== null && (server.gone || !raising.includes(place))) {
        this.#failed = `code cell ${place + 1} of the notebook fails: ${why}`;
        throw new ReplayError(this.#failed);
      }
    }
    return server;
  }

  #forget(): void {
    this.#server = null;
    this.#done = [];
    this.#failed = null;
  }
}
