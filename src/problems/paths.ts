/** The files that a path on the command line stands for. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { appsFiles, isAppsFolder } from "./apps.ts";

export interface Place {
  readonly path: string;
  /** A file of rows, or the folder of one APPS problem. */
  readonly kind: "rows" | "apps";
}

/**
 * A file stands for itself; a folder for its `*.jsonl[.gz]` files, or for the APPS problems in it (or
 * itself), sorted by name. Throws `CodescoreError("input")` for a missing path or a folder with neither.
 */
export async function placesOf(path: string): Promise<Place[]> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new CodescoreError("input", `cannot read ${path}: no such file or folder`);
  if (found.isFIFO() || found.isCharacterDevice()) {
    throw new CodescoreError(
      "input",
      `${path} is a pipe or a device: it is read more than once, so write it to a file`,
    );
  }
  if (!found.isDirectory()) return [{ path, kind: "rows" }];
  if (await isAppsFolder(path)) return [{ path, kind: "apps" }];
  const entries = (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const places: Place[] = [];
  for (const entry of entries) {
    const inside = join(path, entry.name);
    if (/\.jsonl(?:\.gz)?$/.test(entry.name) && !entry.name.endsWith(".journal.jsonl")) {
      places.push({ path: inside, kind: "rows" });
    } else if (entry.isDirectory() && (await isAppsFolder(inside))) places.push({ path: inside, kind: "apps" });
  }
  if (places.length > 0) return places;
  throw new CodescoreError(
    "input",
    `${path}: expected *.jsonl[.gz] files or APPS folders (question.txt) in this folder`,
  );
}

/** Every place that the paths stand for, in order. */
export async function allPlaces(paths: readonly string[]): Promise<Place[]> {
  return (await Promise.all(paths.map(placesOf))).flat();
}

/** The files that are read for a path, in order. */
export async function sourceFiles(path: string): Promise<string[]> {
  const files = (await placesOf(path)).map((place) => (place.kind === "apps" ? appsFiles(place.path) : [place.path]));
  return (await Promise.all(files)).flat();
}
