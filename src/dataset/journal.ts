/**
 * Journal of a long run, so that a killed run can resume. Each finished piece of work appends one JSON line `{key, value}`. The
 * key is a hash of everything the value depends on, so a stale value is never used. A line cut short by a kill is dropped. Memory
 * holds only the file offsets of the values, so a run can have any length. Only one run uses a journal at a time (`lockOutput`).
 */
import { appendFileSync, closeSync, ftruncateSync, openSync, readSync, statSync, truncateSync } from "node:fs";
import { rm } from "node:fs/promises";
import { fileError } from "../util/file-errors.ts";
import { type Lock, lockOutput } from "../util/lock.ts";

const BLOCK = 1 << 16;

/** Cache of results, keyed by a hash of everything that a result depends on. */
export interface Known {
  get(key: string): unknown;
  put(key: string, value: unknown): void;
}

/** Keeps the last `most` results in memory and nothing on disk. For workers whose shards an engine schedules and retries. */
export class Recent implements Known {
  readonly #values = new Map<string, unknown>();
  readonly #most: number;

  constructor(most = 10_000) {
    this.#most = most;
  }

  get(key: string): unknown {
    return this.#values.get(key);
  }

  put(key: string, value: unknown): void {
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#most) this.#values.delete(oldest as string);
  }
}

export class Journal implements Known {
  readonly #path: string;
  readonly #lock: Lock;
  /** Byte offset of each key's line. */
  readonly #places = new Map<string, number>();
  #file: number | null = null;
  #end = 0;

  private constructor(path: string, lock: Lock) {
    this.#path = path;
    this.#lock = lock;
  }

  /** Throws `CodescoreError` if the file cannot be written or another live run has it open. */
  static async open(path: string): Promise<Journal> {
    const journal = new Journal(path, await lockOutput(path));
    try {
      journal.#read();
      return journal;
    } catch (error) {
      await journal.close();
      throw fileError("write", error, path);
    }
  }

  #read(): void {
    const file = openSync(this.#path, "a+");
    this.#file = file;
    dropUnfinishedLine(this.#path);
    for (const { text, start } of linesFrom(file, 0)) {
      this.#end = start + Buffer.byteLength(text) + 1;
      const entry = parsed(text);
      if (entry) this.#places.set(entry.key, start);
    }
  }

  get size(): number {
    return this.#places.size;
  }

  get(key: string): unknown {
    const place = this.#places.get(key);
    if (place === undefined || this.#file === null) return undefined;
    for (const { text } of linesFrom(this.#file, place)) return parsed(text)?.value;
    return undefined;
  }

  /** Appends the line before it returns, so a kill of this process loses nothing that was put. */
  put(key: string, value: unknown): void {
    if (this.#file === null) throw new Error("put on a closed journal");
    const line = `${JSON.stringify({ key, value })}\n`;
    try {
      appendFileSync(this.#file, line);
    } catch (error) {
      ftruncateSync(this.#file, this.#end); // removes a partial line, so that the next one starts cleanly
      throw fileError("write", error, this.#path);
    }
    this.#places.set(key, this.#end);
    this.#end += Buffer.byteLength(line);
  }

  async close(): Promise<void> {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
    await this.#lock.release();
  }

  /** Closes and deletes the journal. Call it when the results are written elsewhere. */
  async remove(): Promise<void> {
    await this.close();
    // Another run may have resumed from this file in the meantime. Then that run owns it.
    const lock = await lockOutput(this.#path).catch(() => null);
    if (lock === null) return;
    await rm(this.#path, { force: true });
    await lock.release();
  }
}

function parsed(text: string): { readonly key: string; readonly value: unknown } | null {
  try {
    const { key, value } = JSON.parse(text) as { key?: unknown; value?: unknown };
    return typeof key === "string" ? { key, value } : null;
  } catch {
    return null; // not a journal line, or a torn write: that work is done again
  }
}

/** Yields the complete lines of a file from byte `from` on, each with its byte offset. */
function* linesFrom(file: number, from: number): Generator<{ readonly text: string; readonly start: number }> {
  const block = Buffer.alloc(BLOCK);
  let held: Buffer[] = [];
  let start = from;
  for (let at = from; ; ) {
    const read = readSync(file, block, 0, BLOCK, at);
    if (read === 0) return;
    at += read;
    let done = 0;
    for (let end = block.indexOf(10); end >= 0 && end < read; end = block.indexOf(10, done)) {
      const line = Buffer.concat([...held, block.subarray(done, end)]);
      held = [];
      done = end + 1;
      yield { text: line.toString(), start };
      start += line.length + 1;
    }
    held.push(Buffer.from(block.subarray(done, read)));
  }
}

/** Truncates the file after its last newline. */
function dropUnfinishedLine(path: string): void {
  const file = openSync(path, "r");
  const block = Buffer.alloc(BLOCK);
  let end = statSync(path).size;
  try {
    while (end > 0) {
      const start = Math.max(0, end - block.length);
      const read = readSync(file, block, 0, end - start, start);
      const newline = block.subarray(0, read).lastIndexOf(10);
      end = newline < 0 ? start : start + newline + 1;
      if (newline >= 0) break;
    }
  } finally {
    closeSync(file);
  }
  truncateSync(path, end);
}
