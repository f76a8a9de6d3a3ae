/**
 * Reads rows in several threads, so that reading scales with cores and a server stays responsive. A row that takes too long, or too much
 * memory, gets an error. Its thread restarts, and the other rows go on.
 */
import { join } from "node:path";
import type { InputFormat, ScoreInput } from "../types.ts";
import { packageRoot } from "../util/files.ts";
import { JobPool } from "../util/job-pool.ts";
import type { FoundRow, ReaderFacts, RowReader } from "./reading.ts";
import { GONE, rowError } from "./rows.ts";

/** A thread must start from a file that Node itself can load: the built one, even when this runs from `src/`. */
const entry = join(packageRoot, "dist", "score", "reading-worker.js");

/** Maximum time to read one row, in milliseconds. The longest programs that people write take a second or two. */
const ROW_MS = 20_000;

/** Up to this many rows, one thread finishes before the others would have started. */
const ALONE = 96;

const poolOf = (folder: string, threads: number): JobPool =>
  new JobPool({ entry, data: { folder }, jobMs: ROW_MS, threads });

/** Reads in other threads only. Throws the same errors as `openReader`. */
export async function openReadingThreads(folder: string, threads: number): Promise<RowReader> {
  const pool = poolOf(folder, threads);
  const facts = await pool.first<ReaderFacts>("facts", null).catch(async (error: unknown) => {
    await pool.close();
    throw error;
  });
  return {
    ...facts,
    read: (inputs, wanted, isGone) => readIn(pool, inputs, wanted, isGone),
    close: () => pool.close(),
  };
}

/** Reads in this thread with `reader`, and in more threads if there are many rows: `threads` in all. */
export function withThreads(reader: RowReader, folder: string, threads: number): RowReader {
  if (threads <= 1) return reader;
  const pool = poolOf(folder, threads - 1);
  let rows = 0;
  return {
    ...reader,
    read(inputs, wanted, isGone) {
      rows += inputs.length;
      return rows <= ALONE ? reader.read(inputs, wanted, isGone) : readIn(pool, inputs, wanted, isGone, reader);
    },
    async close() {
      await Promise.all([pool.close(), reader.close()]);
    },
  };
}

async function readIn(
  pool: JobPool,
  inputs: readonly ScoreInput[],
  wanted: InputFormat | "auto",
  isGone: (row: ScoreInput) => boolean,
  reader?: RowReader,
): Promise<FoundRow[]> {
  const there = inputs.map((input) => !isGone(input));
  const outcomes = await pool.map<ScoreInput, FoundRow>(
    inputs.filter((_, i) => there[i]),
    {
      job: "read",
      more: { wanted },
      ...(reader && { here: (items) => reader.read(items, wanted, isGone) }),
    },
  );
  let next = 0;
  return there.map((isThere) => {
    if (!isThere) return GONE;
    const outcome = outcomes[next++]!;
    return "made" in outcome ? outcome.made : { error: rowError(outcome.error) };
  });
}
