/**
 * How long executing a set's programs took, in `OUT.timing.json`. It is separate from the set and its manifest, whose bytes must
 * not depend on when and where they are made.
 */
import { exists, readJson, writeAtomic } from "../util/files.ts";

const timingPath = (out: string): string => `${out}.timing.json`;

/** Writes how long `executed` programs took, expansion and preparation included. */
export async function writeTiming(out: string, executed: number, seconds: number): Promise<void> {
  await writeAtomic(timingPath(out), `${JSON.stringify({ executed, seconds })}\n`);
}

/** Mean wall-clock time to execute a program, in ms; null if no timing file lies beside the set. */
export async function readTiming(out: string): Promise<number | null> {
  if (!(await exists(timingPath(out)))) return null;
  const { executed, seconds } = (await readJson(timingPath(out))) as Readonly<Record<string, unknown>>;
  return typeof executed === "number" && typeof seconds === "number" && executed > 0
    ? (1000 * seconds) / executed
    : null;
}
