/** Files: hashes, atomic writes, and where this package lies. */
import { createHash } from "node:crypto";
import { access, mkdir, readFile, rename, writeFile } from "node:fs/promises";
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

/** Writes the whole file or nothing: a reader never sees half of it. Makes the folder. */
export async function writeAtomic(path: string, data: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.part`;
  await writeFile(temporary, data);
  await rename(temporary, path);
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
