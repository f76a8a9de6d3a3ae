/** Files too long for memory: written completely or not at all, and hashed. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { CodescoreError } from "../errors.ts";
import { whileWriting } from "../util/file-errors.ts";
import { outputTarget } from "../util/files.ts";
import { locked } from "../util/lock.ts";

/**
 * The file behind an output path. Throws `CodescoreError("usage")` for a pipe or a device, because the output is hashed for the
 * manifest and the manifest and other files go beside it.
 */
export async function outputFile(path: string): Promise<string> {
  const target = await outputTarget(path);
  if (!target.direct) return target.path;
  throw new CodescoreError(
    "usage",
    `cannot write ${path}: it is a pipe or a device; name a regular file, because other files are written next to it`,
  );
}

/**
 * Replaces `path` by what `write` produces, but only if `write` succeeds. `write` gets the path of a temporary file.
 * Creates the folder. Locks `path`, so only one run writes it at a time. Throws as `outputFile`, `lockOutput` and `write` do.
 */
export async function writeWhole(path: string, write: (part: string) => Promise<void>): Promise<void> {
  const file = await outputFile(path);
  const part = `${file}.part`; // a fixed name: the next run overwrites what a killed run left
  await locked(file, async () => {
    try {
      await whileWriting(path, async () => {
        await write(part);
        await rename(part, file);
      });
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  });
}

export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  const file = await open(path, "w");
  try {
    let text = "";
    for await (const line of lines) {
      text += `${line}\n`;
      if (text.length < 1 << 20) continue;
      await file.appendFile(text);
      text = "";
    }
    await file.appendFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** sha256 of a file, in hexadecimal. */
export async function fileSha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
