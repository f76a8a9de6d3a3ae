/** Manifests of shards, and checks that they make up one whole. */
import { CodescoreError } from "../errors.ts";
import { exists, readJson } from "../util/files.ts";
import { manifestPath } from "./manifest.ts";
import { fileSha256 } from "./whole.ts";

/** The manifest of a shard. Throws `CodescoreError("input")` if it is not beside the shard. */
export async function readCard(path: string): Promise<Record<string, unknown>> {
  const manifest = manifestPath(path);
  if (!(await exists(manifest))) {
    throw new CodescoreError(
      "input",
      `${path}: expected its manifest beside it, ${manifest}, as the command that wrote the shard writes it`,
    );
  }
  return (await readJson(manifest)) as Record<string, unknown>;
}

/** Throws `CodescoreError("input")` if the file has changed since its manifest was written. */
export async function checkSha256(path: string, sha256: unknown): Promise<void> {
  if ((await fileSha256(path)) === sha256) return;
  throw new CodescoreError("input", `${path} is not the file that its manifest describes; make this shard again`);
}

interface OfRun {
  readonly path: string;
  /** Settings that must be equal in all shards. */
  readonly run: Readonly<Record<string, unknown>>;
}

/** Returns the first shard, after checking that all shards are of one run and codescore version. */
export function checkRuns<File extends OfRun>(files: readonly File[]): File {
  const [first] = files;
  if (first === undefined) throw new CodescoreError("usage", "expected shards to merge, got none");
  for (const file of files) {
    const differing = Object.keys(first.run).filter(
      (name) => JSON.stringify(file.run[name]) !== JSON.stringify(first.run[name]),
    );
    if (differing.length > 0) {
      throw new CodescoreError(
        "input",
        `${first.path} and ${file.path} are from different runs: they differ in ${differing.join(", ")}`,
      );
    }
  }
  return first;
}

/** Throws `CodescoreError("input")` unless each part from 1 to `count` is there once. */
export function checkParts(files: readonly { readonly path: string; readonly index: number }[], count: number): void {
  const byIndex = new Map<number, string>();
  for (const { path, index } of files) {
    const twin = byIndex.get(index);
    if (twin !== undefined) throw new CodescoreError("input", `got shard ${index}/${count} twice: ${twin}, ${path}`);
    byIndex.set(index, path);
  }
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter((index) => !byIndex.has(index));
  if (missing.length > 0) {
    throw new CodescoreError(
      "input",
      `expected all ${count} shards, got ${files.length}; missing: ${missing.map((index) => `${index}/${count}`).join(", ")}`,
    );
  }
}
