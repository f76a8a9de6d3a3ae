/**
 * Reads rows in a thread of their own, so that a server answers meanwhile whatever it is sent. A row that takes too long, or too
 * much memory, is that row's error; the thread begins anew, and the others go on.
 */
import { join } from "node:path";
import { packageRoot } from "../util/files.ts";
import { JobThread } from "../util/job-thread.ts";
import type { ReaderFacts, ReadRow, RowReader } from "./reading.ts";
import { rowError, type ScoreError } from "./rows.ts";

/** A thread begins from a file that Node itself can read: the built one, from `src/` too. */
const entry = join(packageRoot, "dist", "score", "reading-worker.js");

/** How long a row may take to be read, in milliseconds; the longest programs that people write take a second or two. */
const ROW_MS = 20_000;

/** Throws as `openReader`. */
export async function openReadingThread(folder: string): Promise<RowReader> {
  const thread = new JobThread({ entry, data: { folder }, jobMs: ROW_MS });
  const facts = await thread.run<ReaderFacts>("facts", null).catch(async (error: unknown) => {
    await thread.close();
    throw error;
  });
  return {
    ...facts,
    read: (input, wanted) =>
      thread
        .run<ReadRow | ScoreError>("read", { input, wanted })
        .catch((error: unknown) => ({ error: rowError(error) })),
    close: () => thread.close(),
  };
}
