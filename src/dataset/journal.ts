/**
 * What a long run has finished, so that a killed one goes on where it was: one JSON line `{key, value}` appended the
 * moment a piece of work is done. The key is a hash of all that the value depends on, so nothing stale is ever used, and
 * a line cut short by a kill is dropped. Values stay in the file and only their places in memory, so that a run of any length
 * fits. One run a journal at a time (`lockOutput`).
 */
import { appendFileSync, closeSync, ftruncateSync, openSync, readSync, statSync, truncateSync } from "node:fs";
import { rm } from "node:fs/promises";
import { fileError } from "../util/file-errors.ts";
import { type Lock, lockOutput } from "../util/lock.ts";

const BLOCK = 1 << 16;

/** What was worked out before, by a hash of all that it depends on. */
export interface Known {
  get(key: string): unknown;
  put(key: string, value: unknown): void;
}

/** Holds on to the last `most` in memory, and to nothing on disk: for a worker whose shards others schedule and retry. */
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
  /** Where the line of a key begins, in bytes. */
  readonly #places = new Map<string, number>();
  #file: number | null = null;
  #end = 0;

  private constructor(path: string, lock: Lock) {
    this.#path = path;
    this.#lock = lock;
  }

  /** Throws `CodescoreError` for a file that cannot be written, and where another run that is alive writes it. */
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

  /** Written before it returns: a kill of this process loses nothing that was put. */
  put(key: string, value: unknown): void {
    if (this.#file === null) throw new Error("put on a closed journal");
    const line = `${JSON.stringify({ key, value })}\n`;
    try {
      appendFileSync(this.#file, line);
    } catch (error) {
      ftruncateSync(this.#file, this.#end); // what others put after it must not stand on half a line
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

  /** Closes it for good: the work is done and written elsewhere. */
  async remove(): Promise<void> {
    await this.close();
    // Another run may have gone on from it since: then it is that run's.
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
    return null; // not ours, or a torn write: that work is done again
  }
}

/** The whole lines of a file from a place on, with the byte at which each begins. */
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

/** Cuts the file after its last newline. */
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
