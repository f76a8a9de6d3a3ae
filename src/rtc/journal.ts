/**
 * A JSON-lines file that only grows, so that a killed run goes on where it was: rows are appended whole, and a line
 * that a kill cut short is dropped when the file is opened again. One process at a time.
 */
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { CodescoreError, messageOf } from "../errors.ts";

export interface Journal {
  append(rows: readonly object[]): Promise<void>;
  close(): Promise<void>;
}

/** Throws `CodescoreError("input")` when the file cannot be made or written. */
export async function openJournal(path: string): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, "a+").catch((error: unknown) => {
    throw new CodescoreError("input", `cannot write ${path}: ${messageOf(error)}`, { cause: error });
  });
  const text = await file.readFile();
  const whole = text.lastIndexOf(0x0a) + 1;
  if (whole < text.length) await file.truncate(whole);
  let last: Promise<unknown> = Promise.resolve();
  return {
    append: async (rows) => {
      if (rows.length === 0) return;
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      // One append after the other: two at once could interleave when the disk takes only part of a write.
      const written = last.then(() => file.appendFile(lines));
      last = written.catch(() => {});
      await written.catch((error: unknown) => {
        throw new CodescoreError("infra", `cannot write ${path}: ${messageOf(error)}`, { cause: error });
      });
    },
    close: async () => {
      await last;
      await file.close();
    },
  };
}
