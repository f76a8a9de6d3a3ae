/** Files: hashes, atomic writes, and where this package lies. */
import { createHash } from "node:crypto";
import { access, mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CodescoreError, messageOf } from "../errors.ts";
import { whileWriting } from "./file-errors.ts";
import { descriptorOf, writeDirect } from "./pipes.ts";

/** The folder with package.json; the same seen from `src/util` and from `dist/util`. */
export const packageRoot = fileURLToPath(new URL("../..", import.meta.url));

export async function packageVersion(): Promise<string> {
  return (JSON.parse(await readFile(join(packageRoot, "package.json"), "utf8")) as { version: string }).version;
}

export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Where the bytes for an output path go: through symlinks to the file behind them, and straight into a pipe or a device,
 * which must not be replaced. Makes the folder. Throws `CodescoreError` for a path that cannot be written.
 */
export async function outputTarget(path: string): Promise<{ readonly path: string; readonly direct: boolean }> {
  if (descriptorOf(path) !== null) return { path, direct: true };
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw new CodescoreError("usage", `cannot write ${path}: it is a folder`);
  if (found !== null) return found.isFile() ? { path: await realpath(path), direct: false } : { path, direct: true };
  await makeFolder(dirname(path), path);
  return { path, direct: false };
}

/** Writes the whole file, or its parts in turn, or nothing: a reader never sees half of it. Makes the folder. */
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

/** Makes a folder and those above it, for `path` in it. Throws `CodescoreError` where there can be none. */
export async function makeFolder(folder: string, path = folder): Promise<void> {
  await whileWriting(path, () =>
    mkdir(folder, { recursive: true }).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      // Node says so of a read-only file system too: what the first missing folder alone fails with is true.
      let first = resolve(folder);
      while (!(await exists(dirname(first)))) first = dirname(first);
      await mkdir(first);
      throw error;
    }),
  );
}

/** Bytes of what a model's folder holds at most, by what is read of it. */
export const LARGEST = { config: 2 ** 24, tokenizer: 2 ** 28, weights: 2 ** 36 } as const;

/**
 * Refuses what no file of a model can be, before any of it is read: a link may lead to a device that has no end, or to a pipe that
 * nobody writes to. What is not there passes: whoever reads it has better words. Throws `CodescoreError("model")`.
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
    `${path}: expected a file of at most ${most} bytes, got ${got}; put the model's own there`,
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
