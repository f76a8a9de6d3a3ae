/** File helpers: hashes, atomic writes, and the location of this package. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CodescoreError, messageOf } from "../errors.ts";
import { whileWriting } from "./file-errors.ts";
import { descriptorOf, writeDirect } from "./pipes.ts";

/** The folder with package.json. The relative path is the same from `src/util` and `dist/util`. */
export const packageRoot = fileURLToPath(new URL("../..", import.meta.url));

export async function packageVersion(): Promise<string> {
  return (JSON.parse(await readFile(join(packageRoot, "package.json"), "utf8")) as { version: string }).version;
}

export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

/** A hash over relative paths and the contents of these files. Reads them in pieces. */
export async function hashOfFiles(folder: string, paths: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const path of paths) {
    const file = createHash("sha256");
    for await (const piece of createReadStream(join(folder, path))) file.update(piece as Buffer);
    hash.update(`${path}\0${file.digest("hex")}\n`);
  }
  return hash.digest("hex");
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Where to write the bytes for an output path: through symlinks to the real file, and directly into a pipe or device,
 * which must not be replaced. Creates the folder. Throws `CodescoreError` for a path that cannot be written.
 */
export async function outputTarget(path: string): Promise<{ readonly path: string; readonly direct: boolean }> {
  if (descriptorOf(path) !== null) return { path, direct: true };
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw new CodescoreError("usage", `cannot write ${path}: it is a folder`);
  if (found !== null) return found.isFile() ? { path: await realpath(path), direct: false } : { path, direct: true };
  await makeFolder(dirname(path), path);
  return { path, direct: false };
}

/** Writes the whole file, or all pieces in order, or nothing: a reader never sees half of it. Creates the folder. */
export async function writeAtomic(path: string, data: string | Uint8Array | Iterable<Uint8Array>): Promise<void> {
  const target = await outputTarget(path);
  const pieces = typeof data === "string" || data instanceof Uint8Array ? [data] : data;
  if (target.direct) return whileWriting(path, () => writeDirect(target.path, pieces));
  const temporary = `${target.path}.${process.pid}.part`;
  try {
    await whileWriting(path, async () => {
      await writeFile(temporary, data);
      await rename(temporary, target.path);
    });
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Creates a folder and its parents; `path` is the file to name in errors. Throws `CodescoreError` if it cannot be created. */
export async function makeFolder(folder: string, path = folder): Promise<void> {
  await whileWriting(path, () =>
    mkdir(folder, { recursive: true }).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      // Node reports ENOENT for a read-only file system too. Creating only the first missing folder reveals the true error.
      let first = resolve(folder);
      while (!(await exists(dirname(first)))) first = dirname(first);
      await mkdir(first);
      throw error;
    }),
  );
}

/** Maximum bytes of a file in a model's folder, by kind. */
export const LARGEST = { config: 2 ** 24, tokenizer: 2 ** 28, weights: 2 ** 36 } as const;

/**
 * Refuses a path that cannot be a file of a model, before reading it: a link may lead to an endless device, or to a pipe that
 * nobody writes to. A missing file is accepted, because its reader has a better message. Throws `CodescoreError("model")`.
 */
export async function checkModelFile(path: string, most: number): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found === null || (found.isFile() && found.size <= most)) return;
  const got = found.isFile()
    ? `one of ${found.size}`
    : found.isDirectory()
      ? "a folder"
      : "a device, a pipe or a socket";
  throw new CodescoreError(
    "model",
    `${path}: expected a file of at most ${most} bytes, got ${got}; put the model's own file there`,
  );
}

/** Reads a JSON file. Throws `CodescoreError("input")` that names the file. */
export async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new CodescoreError("input", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CodescoreError("input", `${path} is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
}
