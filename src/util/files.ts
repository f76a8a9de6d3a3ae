/** Files: hashes, atomic writes, and where this package lies. */
import { createHash } from "node:crypto";
import { access, mkdir, readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CodescoreError, messageOf } from "../errors.ts";

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
 * which must not be replaced. Makes the folder. Throws `CodescoreError("usage")` for a path that cannot be written.
 */
export async function outputTarget(path: string): Promise<{ readonly path: string; readonly direct: boolean }> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw new CodescoreError("usage", `cannot write ${path}: it is a folder`);
  if (found !== null) return { path: await realpath(path), direct: !found.isFile() };
  await mkdir(dirname(path), { recursive: true }).catch((error: unknown) => {
    throw new CodescoreError("usage", `cannot write ${path}: ${messageOf(error)}`, { cause: error });
  });
  return { path, direct: false };
}

/** Writes the whole file, or its parts in turn, or nothing: a reader never sees half of it. Makes the folder. */
export async function writeAtomic(path: string, data: string | Uint8Array | Iterable<Uint8Array>): Promise<void> {
  const target = await outputTarget(path);
  if (target.direct) return writeFile(target.path, data);
  const temporary = `${target.path}.${process.pid}.part`;
  await writeFile(temporary, data);
  await rename(temporary, target.path);
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
