/** Random access to a file, so that a checkpoint of gigabytes is never in memory twice. */
import { type FileHandle, open } from "node:fs/promises";
import { checkModelFile, LARGEST } from "../util/files.ts";

export interface ByteFile {
  readonly size: number;
  /** Throws an Error if the file ends earlier. */
  read(from: number, length: number): Promise<Buffer>;
}

/** Opens a file for `use` and closes it afterwards. */
export async function withByteFile<T>(path: string, use: (file: ByteFile) => Promise<T>): Promise<T> {
  await checkModelFile(path, LARGEST.weights);
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    return await use({ size, read: (from, length) => readAt(handle, size, from, length) });
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, size: number, from: number, length: number): Promise<Buffer> {
  if (from < 0 || from + length > size) {
    throw new Error(`it ends at byte ${size}, but refers to bytes up to ${from + length} (cut off?)`);
  }
  const buffer = Buffer.allocUnsafe(length);
  // One call of read returns at most 2 GiB.
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(buffer, done, Math.min(length - done, 2 ** 30), from + done);
    if (bytesRead === 0) throw new Error("it became shorter while it was read");
    done += bytesRead;
  }
  return buffer;
}
