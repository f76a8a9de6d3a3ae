/**
 * Reads rows in several threads, so that reading scales with cores, and a server answers meanwhile whatever it is sent. A row that
 * takes too long, or too much memory, is that row's error; its thread begins anew, and the others go on.
 */
import { join } from "node:path";
import type { InputFormat, ScoreInput } from "../types.ts";
import { packageRoot } from "../util/files.ts";
import { JobPool } from "../util/job-pool.ts";
import type { FoundRow, ReaderFacts, RowReader } from "./reading.ts";
import { GONE, rowError } from "./rows.ts";

/** A thread begins from a file that Node itself can read: the built one, from `src/` too. */
const entry = join(packageRoot, "dist", "score", "reading-worker.js");

/** How long a row may take to be read, in milliseconds; the longest programs that people write take a second or two. */
const ROW_MS = 20_000;

/** Rows that one thread reads sooner than others have started. */
const ALONE = 96;

const poolOf = (folder: string, threads: number): JobPool =>
  new JobPool({ entry, data: { folder }, jobMs: ROW_MS, threads });

/** Leaves this thread to others. Throws as `openReader`. */
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

/** Reads in this thread as `reader` does, and in more once there are many rows: `threads` in all. */
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
