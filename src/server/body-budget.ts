/** Limits the bytes of request bodies that are held at a time, for all clients together. */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { BusyError } from "./answers.ts";

/** Seconds after which to retry. Complete bodies are processed soon, and incomplete ones are refused. */
const RETRY_S = 5;

/** The bytes held for one body. */
interface Held {
  bytes: number;
  /** Ends the request; null once its body is complete. */
  refuse: ((error: BusyError) => void) | null;
}

/**
 * A body counts from its first piece until its request is answered. If there is no room for a piece, the incomplete body that
 * started first is refused, possibly the piece's own. So clients that are slow on purpose lose against those that are not.
 */
export class BodyBudget {
  readonly #most: number;
  readonly #held = new Set<Held>();
  #bytes = 0;

  /** @param most maximum number of bytes */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Runs `read`, which reads a body and reports the bytes that arrive. Throws what `read` throws, and `BusyError` if there is no
   * room for them.
   */
  async during<Value>(c: Context, read: (came: (bytes: number) => void) => Promise<Value>): Promise<Value> {
    const held: Held = { bytes: 0, refuse: null };
    const refused = new Promise<never>((_, reject) => {
      held.refuse = reject;
    });
    this.#held.add(held);
    const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
    if (outgoing !== undefined) outgoing.once("close", () => this.#release(held));
    try {
      return await Promise.race([read((bytes) => this.#add(held, bytes)), refused]);
    } catch (error) {
      if (error instanceof BusyError) c.header("Connection", "close"); // do not read the rest of the body
      this.#release(held);
      throw error;
    } finally {
      held.refuse = null;
      if (outgoing === undefined) this.#release(held);
    }
  }

  #add(held: Held, bytes: number): void {
    if (!this.#held.has(held)) throw this.#busy();
    held.bytes += bytes;
    this.#bytes += bytes;
    for (const other of this.#held) {
      if (this.#bytes <= this.#most) return;
      if (other.refuse === null) continue;
      other.refuse(this.#busy());
      this.#release(other);
    }
  }

  #release(held: Held): void {
    if (this.#held.delete(held)) this.#bytes -= held.bytes;
  }

  #busy(): BusyError {
    return new BusyError(`expected at most ${this.#most} bytes in the bodies of all requests together`, RETRY_S);
  }
}
