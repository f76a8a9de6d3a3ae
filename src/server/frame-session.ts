/**
 * Answers a client over a pair of pipes: many requests at a time, rows as they are ready. Memory is bounded: reading stops while
 * many rows wait, and rows are produced only as fast as the client reads answers. The methods define what can be requested.
 */
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { CodescoreError, messageOf } from "../errors.ts";
import { linesOf } from "../util/lines.ts";
import { type Answer, type Frame, MOST_FRAME, type Params, type RequestId, readFrame } from "./frames.ts";
import { RowChannel, Waiting } from "./row-channel.ts";

/** A request as its method sees it. */
export interface Call {
  readonly params: Params;
  /** The request's rows, as they arrive. Throws if the input ends before they are complete. */
  readonly rows: AsyncIterable<unknown>;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Answers with a row. Resolves when the next one may be produced. */
  put(row: object): Promise<void>;
}

/** Handles a request and returns its final result, apart from the rows. What it throws becomes the request's error. */
export type Method = (call: Call) => Promise<object>;

export interface SessionOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly methods: Readonly<Record<string, Method>>;
  /** Ends the session at once, without further answers. */
  readonly signal?: AbortSignal;
}

/** Reading stops while more rows than this wait. */
const MOST_WAITING = 4096;
/** Maximum number of open requests. */
const MOST_OPEN = 256;
/** Rows per frame of an answer. */
const PART_ROWS = 64;

interface Open {
  readonly channel: RowChannel;
  readonly gone: AbortController;
}

/** Resolves when the input has ended and all requests are answered. Throws `CodescoreError("input")` for a frame that is too long. */
export async function serveFrames({ input, output, methods, signal }: SessionOptions): Promise<void> {
  const session = new Session(output, methods);
  const end = (): void => {
    session.abort();
    input.destroy();
  };
  signal?.addEventListener("abort", end, { once: true });
  output.once("close", end); // nobody reads answers any more
  try {
    for await (const line of linesOf(input, MOST_FRAME)) {
      if (line.trim() === "") continue;
      await session.take(line);
    }
  } catch (error) {
    if (!(error instanceof CodescoreError)) {
      if (!signal?.aborted && !output.destroyed) throw error;
    } else {
      session.abort();
      await session.send({ id: null, error: { code: error.code, message: `${error.message}; the session ends` } });
      throw error;
    }
  } finally {
    signal?.removeEventListener("abort", end);
  }
  await session.finish();
}

class Session {
  readonly #output: Writable;
  readonly #methods: Readonly<Record<string, Method>>;
  readonly #waiting = new Waiting(MOST_WAITING);
  readonly #open = new Map<RequestId, Open>();
  readonly #running = new Set<Promise<void>>();
  /** Resolves when the output takes more; null while it does. */
  #drained: Promise<void> | null = null;

  constructor(output: Writable, methods: Readonly<Record<string, Method>>) {
    this.#output = output;
    this.#methods = methods;
  }

  /** Handles a line. Resolves when the next one may be read. */
  async take(line: string): Promise<void> {
    let frame: Frame;
    try {
      frame = readFrame(line);
    } catch (error) {
      await this.#fail(null, error);
      return;
    }
    const open = this.#open.get(frame.id);
    if (frame.kind === "request") {
      if (open === undefined && this.#open.size < MOST_OPEN) this.#begin(frame);
      else if (open === undefined) {
        await this.#fail(frame.id, new CodescoreError("usage", `${MOST_OPEN} requests are open: wait for one to end`));
      } else
        await this.#fail(null, new CodescoreError("usage", `the request ${JSON.stringify(frame.id)} is already open`));
    } else if (frame.kind === "cancel") {
      open?.gone.abort();
      open?.channel.close();
    } else if (open !== undefined) {
      open.channel.push(frame.part.rows);
      if (!frame.part.more) open.channel.end();
    } // otherwise the request ended with an error while the client was still sending
    await this.#waiting.room();
  }

  #begin({ id, method: name, params, part }: Frame & { readonly kind: "request" }): void {
    const channel = new RowChannel(this.#waiting);
    const gone = new AbortController();
    this.#open.set(id, { channel, gone });
    channel.push(part.rows);
    if (!part.more) channel.end();
    const running = this.#answer(id, name, { params, rows: channel, signal: gone.signal }).finally(() => {
      channel.close();
      this.#open.delete(id);
      this.#running.delete(running);
    });
    this.#running.add(running);
  }

  async #answer(id: RequestId, name: string, call: Omit<Call, "put">): Promise<void> {
    const rows = new RowsOut((part) => this.send({ id, rows: part }));
    try {
      const method = Object.hasOwn(this.#methods, name) ? this.#methods[name] : undefined;
      if (method === undefined) {
        const known = Object.keys(this.#methods).join(", ");
        throw new CodescoreError(
          "usage",
          `expected one of the methods ${known}, got ${JSON.stringify(name.slice(0, 60))}`,
        );
      }
      const result = await method({ ...call, put: (row) => rows.put(row) });
      await rows.flush();
      await this.send({ id, result });
    } catch (error) {
      await rows.flush().catch(() => {});
      await this.#fail(id, error);
    }
  }

  async #fail(id: RequestId | null, error: unknown): Promise<void> {
    const known = error instanceof CodescoreError;
    if (!known) process.stderr.write(`codescore: ${error instanceof Error ? error.stack : String(error)}\n`);
    await this.send({ id, error: { code: known ? error.code : "infra", message: messageOf(error) } });
  }

  /** Resolves when the client has read enough of the earlier answers. */
  async send(answer: Answer): Promise<void> {
    if (this.#output.destroyed || this.#output.write(`${JSON.stringify(answer)}\n`)) return;
    this.#drained ??= this.#drain(); // one for all that wait, because each would add listeners
    await this.#drained;
  }

  async #drain(): Promise<void> {
    const over = new AbortController();
    const events = ["drain", "close"].map((name) => once(this.#output, name, { signal: over.signal }));
    // `once` throws if the stream fails, which main.ts handles; `close` fires when nobody reads any more
    await Promise.race(events).catch(() => {});
    over.abort(); // otherwise the listeners for the other event stay, and a long session collects them
    this.#drained = null;
  }

  abort(): void {
    for (const { channel, gone } of this.#open.values()) {
      gone.abort();
      channel.close();
    }
  }

  /** The input has ended: answers all requests that arrived completely. */
  async finish(): Promise<void> {
    for (const { channel } of this.#open.values()) {
      channel.end(new CodescoreError("input", "the input ended before the last rows of this request"));
    }
    await Promise.all(this.#running);
  }
}

/** Combines rows that are ready at the same time into one frame. */
class RowsOut {
  readonly #send: (rows: readonly object[]) => Promise<void>;
  #rows: object[] = [];
  #soon: NodeJS.Immediate | undefined;

  constructor(send: (rows: readonly object[]) => Promise<void>) {
    this.#send = send;
  }

  async put(row: object): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length >= PART_ROWS) return this.flush();
    this.#soon ??= setImmediate(() => void this.flush());
  }

  async flush(): Promise<void> {
    clearImmediate(this.#soon);
    this.#soon = undefined;
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length > 0) await this.#send(rows);
  }
}
