/** How many bytes of requests' bodies are held at a time, of all clients together. */
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { BusyError } from "./answers.ts";

/** When to come again, in seconds: bodies that came whole are soon worked off, and others give way. */
const RETRY_S = 5;

/** The bytes of one body. */
interface Held {
  bytes: number;
  /** Ends the request; gone once its body has come whole. */
  refuse: ((error: BusyError) => void) | null;
}

/**
 * Bodies count from their first piece until their requests are answered. Where there is no room for a piece, the body gives way
 * that has been coming for longest, which may be the piece's own. Clients that are slow on purpose lose against those that are not.
 */
export class BodyBudget {
  readonly #most: number;
  readonly #held = new Set<Held>();
  #bytes = 0;

  /** @param most bytes */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Does what reads a body, and counts the bytes that it says have come. Throws what it throws, and `BusyError` where there is no
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
      if (error instanceof BusyError) c.header("Connection", "close"); // the rest of the body is not wanted
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
