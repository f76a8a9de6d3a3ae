/**
 * Outputs that are not regular files: pipes, devices, and descriptors from a shell (`/dev/stdout`, `>(command)`). They are
 * written directly, and never replaced by a file.
 */
import { createWriteStream } from "node:fs";
import { constants, type FileHandle, open, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 100;

/** The descriptor number that a path stands for, or null. */
export function descriptorOf(path: string): number | null {
  if (path === "/dev/stdout") return 1;
  if (path === "/dev/stderr") return 2;
  const number = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1];
  return number === undefined ? null : Number(number);
}

/**
 * Writes to a pipe, a device or a descriptor. For a named pipe it waits until there is a reader, and says so on stderr.
 * A descriptor is written at its current position, so that `>> file` keeps the file's content, and it stays open.
 */
export async function writeDirect(path: string, pieces: Iterable<Piece> | AsyncIterable<Piece>): Promise<void> {
  const fd = descriptorOf(path);
  if (fd === 1 || fd === 2) return pipeline(pieces, fd === 1 ? process.stdout : process.stderr, { end: false });
  if (fd !== null) return pipeline(pieces, createWriteStream("", { fd, autoClose: false }));
  const reader = (await stat(path)).isFIFO() ? await untilRead(path) : null;
  // The second open does not wait, because there is a reader. Unlike the first handle, it blocks while the reader is slow.
  const file = await open(path, "w").finally(() => reader?.close());
  return pipeline(pieces, file.createWriteStream());
}

type Piece = string | Uint8Array;

async function untilRead(path: string): Promise<FileHandle> {
  for (let said = false; ; said = true) {
    try {
      return await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
    }
    if (!said) process.stderr.write(`${path} is a pipe without a reader; waiting for one\n`);
    await sleep(LOOK_MS);
  }
}
