/** Rows on their way from who reads them to who takes them, with a count of those that wait. */

/** Rows that wait in all channels of a session. */
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

  /** Resolves when no more than the most wait. One may ask at a time. */
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

  /** Takes rows; those of a channel that nobody reads any more are dropped. */
  push(rows: readonly unknown[]): void {
    if (this.#closed || this.#ended || rows.length === 0) return;
    this.#parts.push(rows);
    this.#waiting.add(rows.length);
    this.#rouse();
  }

  /** No more rows come. With an error the reader gets it after the last row. */
  end(error: Error | null = null): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#rouse();
  }

  /** Nobody reads any more: what waits is dropped, and a reader that waits is ended. */
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
