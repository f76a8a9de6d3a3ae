/** Files too long to hold in memory: written whole or not at all, and hashed. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { outputTarget } from "../util/files.ts";

/** Gives `path` what `write` puts at the place it is given, once that has ended well. Makes the folder. */
export async function writeWhole(path: string, write: (part: string) => Promise<void>): Promise<void> {
  const target = await outputTarget(path);
  if (target.direct) return write(target.path);
  const part = `${target.path}.part`; // one name, so that what a kill leaves behind is written over
  try {
    await write(part);
    await rename(part, target.path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
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
