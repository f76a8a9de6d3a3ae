/**
 * A JSON-lines file that is only appended to, so that a killed run can continue. Rows are appended whole. A line that a kill cut
 * short is removed when the file is opened again. Only one process may write it at a time (`lockOutput`).
 */
import { type FileHandle, open } from "node:fs/promises";
import { whileWriting } from "../../util/file-errors.ts";
import { lockOutput } from "../../util/lock.ts";

export interface Journal {
  append(rows: readonly object[]): Promise<void>;
  close(): Promise<void>;
}

/** @throws `CodescoreError` if the file cannot be created or written, or another live run is writing it */
export async function openJournal(path: string): Promise<Journal> {
  const lock = await lockOutput(path);
  const { file, size } = await whileWriting(path, () => openWhole(path)).catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  let end = size;
  let last: Promise<unknown> = Promise.resolve();
  return {
    append: async (rows) => {
      if (rows.length === 0) return;
      const lines = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
      const write = async (): Promise<void> => {
        try {
          await file.appendFile(lines);
          end += lines.length;
        } catch (error) {
          await file.truncate(end); // the next row must not follow half a line
          throw error;
        }
      };
      // Append one after the other. Two appends at once could interleave if the disk takes only part of a write.
      const written = last.then(write);
      last = written.catch(() => {});
      await whileWriting(path, () => written);
    },
    close: async () => {
      await last;
      await file.close();
      await lock.release();
    },
  };
}

/** A journal and what `read` reads from its file. If reading fails, the journal is closed again. */
export async function openKnown<T>(
  path: string,
  read: (path: string) => Promise<T>,
): Promise<{ readonly journal: Journal; readonly known: T }> {
  const journal = await openJournal(path);
  try {
    return { journal, known: await read(path) };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** Opens the file without a line that a kill cut short, and returns its size. */
async function openWhole(path: string): Promise<{ readonly file: FileHandle; readonly size: number }> {
  const file = await open(path, "a+");
  const text = await file.readFile();
  const size = text.lastIndexOf(0x0a) + 1;
  if (size < text.length) await file.truncate(size);
  return { file, size };
}
