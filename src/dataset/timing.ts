/**
 * How long executing a set's programs took, `OUT.timing.json`: apart from the set and its manifest, which are the same bytes
 * whenever and wherever they are made.
 */
import { exists, readJson, writeAtomic } from "../util/files.ts";

const timingPath = (out: string): string => `${out}.timing.json`;

/** Writes how long `executed` programs took, expansion and preparation included. */
export async function writeTiming(out: string, executed: number, seconds: number): Promise<void> {
  await writeAtomic(timingPath(out), `${JSON.stringify({ executed, seconds })}\n`);
}

/** Wall-clock time that executing a program took, in ms; null where no timing lies beside the set. */
export async function readTiming(out: string): Promise<number | null> {
  if (!(await exists(timingPath(out)))) return null;
  const { executed, seconds } = (await readJson(timingPath(out))) as Readonly<Record<string, unknown>>;
  return typeof executed === "number" && typeof seconds === "number" && executed > 0
    ? (1000 * seconds) / executed
    : null;
}
