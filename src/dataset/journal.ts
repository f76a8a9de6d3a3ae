/**
 * What a long run has finished, so that a killed one goes on where it was: one JSON line `{key, value}` appended the
 * moment a piece of work is done. The key is a hash of all that the value depends on, so nothing stale is ever used, and
 * a line cut short by a kill is dropped. One run a journal at a time.
 */
import { closeSync, existsSync, openSync, readSync, statSync, truncateSync, writeSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { readJsonLines } from "../util/jsonl.ts";

export class Journal {
  readonly #path: string;
  readonly #values = new Map<string, unknown>();
  #file: number | null = null;

  private constructor(path: string) {
    this.#path = path;
  }

  static async open(path: string): Promise<Journal> {
    const journal = new Journal(path);
    if (existsSync(path)) {
      dropUnfinishedLine(path);
      for await (const { value } of readJsonLines(path)) {
        if (typeof value.key === "string") journal.#values.set(value.key, value.value);
      }
    }
    await mkdir(dirname(path), { recursive: true });
    journal.#file = openSync(path, "a");
    return journal;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): unknown {
    return this.#values.get(key);
  }

  /** Written before it returns: a kill of this process loses nothing that was put. */
  put(key: string, value: unknown): void {
    if (this.#file === null) throw new Error("put on a closed journal");
    this.#values.set(key, value);
    writeSync(this.#file, `${JSON.stringify({ key, value })}\n`);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** Closes it for good: the work is done and written elsewhere. */
  async remove(): Promise<void> {
    this.close();
    await rm(this.#path, { force: true });
  }
}

/** Cuts the file after its last newline. */
function dropUnfinishedLine(path: string): void {
  const file = openSync(path, "r");
  const block = Buffer.alloc(1 << 16);
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
