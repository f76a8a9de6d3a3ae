/**
 * A model in as many threads as batches can be computed at once. Small models gain nothing from sharing one batch's operations
 * between threads: of two threads on two cores they lose a third of the time waiting for each other (models/LOG.md).
 */
import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { type Integers, type Outputs, type Port, Session, type SessionOptions } from "./session.ts";

/** A file of more bytes is loaded once, its operations being large enough to share, and its copies too many to hold. */
const SMALL = 32e6;

export class SessionPool {
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** Batches that are computed at once, when as many wait. */
  readonly width: number;
  readonly #open: () => Promise<Session>;
  /** Opened as they are needed. */
  readonly #sessions: Promise<Session>[];
  readonly #busy: number[] = [0];

  private constructor(first: Session, width: number, open: () => Promise<Session>) {
    this.inputs = first.inputs;
    this.outputs = first.outputs;
    this.width = width;
    this.#open = open;
    this.#sessions = [Promise.resolve(first)];
  }

  /** As `Session.open`; `threads` are those of the pool. */
  static async open(path: string, { threads, device }: SessionOptions, remedy: string): Promise<SessionPool> {
    // A file that is not there is for `Session.open` to refuse.
    const bytes = await stat(path).then(
      ({ size }) => size,
      () => 0,
    );
    const width = device === "cpu" && bytes <= SMALL ? threads || availableParallelism() : 1;
    const open = () => Session.open(path, { threads: width > 1 ? 1 : threads, device }, remedy);
    return new SessionPool(await open(), width, open);
  }

  /** Whichever is least busy computes it. Otherwise as `Session.run`. */
  async run(feeds: Readonly<Record<string, Integers>>, wanted: readonly string[]): Promise<Outputs> {
    let chosen = this.#busy.indexOf(Math.min(...this.#busy));
    if (this.#busy[chosen]! > 0 && this.#sessions.length < this.width) {
      chosen = this.#sessions.push(this.#open()) - 1;
      this.#busy.push(0);
    }
    this.#busy[chosen]!++;
    try {
      return await (await this.#sessions[chosen]!).run(feeds, wanted);
    } finally {
      this.#busy[chosen]!--;
    }
  }

  /** Frees the model. What was not computed yet is rejected; a second call does nothing. */
  async close(): Promise<void> {
    const close = (session: Session): Promise<void> => session.close();
    await Promise.all(this.#sessions.map((opening) => opening.then(close, () => {}))); // one that failed to open is none
  }
}
