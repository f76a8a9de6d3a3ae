/** Channels that carry rows from the reader of the input to their request, and a count of the waiting rows. */

/** Number of rows that wait in all channels of a session. */
export class Waiting {
  readonly #most: number;
  #rows = 0;
  #wake: (() => void) | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  add(rows: number): void {
    this.#rows += rows;
    if (this.#rows > this.#most) return;
    this.#wake?.();
    this.#wake = null;
  }

  /** Resolves when at most the maximum number of rows wait. Only one caller at a time may wait. */
  async room(): Promise<void> {
    if (this.#rows > this.#most) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

export class RowChannel implements AsyncIterable<unknown> {
  readonly #waiting: Waiting;
  #parts: (readonly unknown[])[] = [];
  #ended = false;
  #closed = false;
  #error: Error | null = null;
  #wake: (() => void) | null = null;

  constructor(waiting: Waiting) {
    this.#waiting = waiting;
  }

  /** Adds rows. A channel that nobody reads any more drops them. */
  push(rows: readonly unknown[]): void {
    if (this.#closed || this.#ended || rows.length === 0) return;
    this.#parts.push(rows);
    this.#waiting.add(rows.length);
    this.#rouse();
  }

  /** Marks the end of the rows. If there is an error, the reader gets it after the last row. */
  end(error: Error | null = null): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#rouse();
  }

  /** Nobody reads any more: drops the waiting rows, and ends a waiting reader. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiting.add(-this.#parts.reduce((sum, rows) => sum + rows.length, 0));
    this.#parts = [];
    this.#rouse();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    for (;;) {
      const rows = this.#parts.shift();
      if (rows !== undefined) {
        this.#waiting.add(-rows.length);
        yield* rows;
      } else if (this.#closed) return;
      else if (this.#ended) {
        if (this.#error !== null) throw this.#error;
        return;
      } else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #rouse(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
