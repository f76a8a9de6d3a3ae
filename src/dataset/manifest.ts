/** The manifest of a labelled set, `OUT.manifest.json`: sources, settings and counts. It holds no times, so the same inputs give the same bytes. */
import { basename, resolve } from "node:path";
import { CodescoreError } from "../errors.ts";
import { type NotebookOptions, sourceFiles } from "../problems/index.ts";
import type { LabelledRow, Problem } from "../types.ts";
import { exists, packageVersion, readJson, sha256, writeAtomic } from "../util/files.ts";
import { moduleOfReason } from "./missing.ts";
import { fileSha256 } from "./whole.ts";

export interface Counts {
  readonly rows: number;
  readonly labelled: number;
  readonly no_label: number;
  /** Rows whose program fails because a module is not installed, by module. These rows are in no other status count. */
  readonly missing: Readonly<Record<string, number>>;
  readonly infra: number;
  /** Problems that have at least one row. */
  readonly problems: number;
  /** Tests that could not be split and ran whole beside the program, summed over all rows. A program could cheat such a test. */
  readonly opaque: number;
}

/** Distribution of the PassRatios of labelled rows: exactly 0, ten bins of equal width in between, exactly 1. */
export interface Histogram {
  readonly zero: number;
  readonly between: readonly number[];
  readonly one: number;
}

/** Counts rows as they stream past. */
export class Tally {
  readonly #problems = new Set<string>();
  readonly #status = { ok: 0, no_label: 0, missing: 0, infra: 0 };
  readonly #missing = new Map<string, number>();
  readonly #between = new Array<number>(10).fill(0);
  #zero = 0;
  #one = 0;
  #opaque = 0;

  add(row: LabelledRow): void {
    this.#problems.add(row.task_id);
    this.#status[row.status] += 1;
    this.#opaque += row.n_opaque;
    if (row.status === "missing") {
      const module = moduleOfReason(row.reason) ?? "a module";
      this.#missing.set(module, (this.#missing.get(module) ?? 0) + 1);
    }
    const ratio = row.pass_ratio;
    if (ratio === null) return;
    if (ratio === 0) this.#zero += 1;
    else if (ratio === 1) this.#one += 1;
    else this.#between[Math.floor(ratio * 10)]! += 1;
  }

  async *count(rows: AsyncIterable<LabelledRow>): AsyncGenerator<LabelledRow> {
    for await (const row of rows) {
      this.add(row);
      yield row;
    }
  }

  get counts(): Counts {
    const { ok, no_label, missing, infra } = this.#status;
    return {
      rows: ok + no_label + missing + infra,
      labelled: ok,
      no_label,
      missing: Object.fromEntries([...this.#missing].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))),
      infra,
      problems: this.#problems.size,
      opaque: this.#opaque,
    };
  }

  get histogram(): Histogram {
    return { zero: this.#zero, between: this.#between, one: this.#one };
  }
}

export const manifestPath = (out: string): string => `${out}.manifest.json`;

/** The executor settings that a set's manifest records; undefined if there is no manifest or it does not say. */
export async function executorOf(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (!(await exists(manifestPath(path)))) return undefined;
  return ((await readJson(manifestPath(path))) as { executor?: Record<string, unknown> } | null)?.executor;
}

/**
 * Names of the modules that were importable in every environment that executed these sets; null if no manifest says. Sets that do
 * not say are ignored. Throws `CodescoreError("input")` if `executor.modules` of a manifest is not a list of names.
 */
export async function modulesOf(paths: readonly string[]): Promise<readonly string[] | null> {
  let everywhere: readonly string[] | null = null;
  for (const path of paths) {
    const modules = (await executorOf(path))?.modules;
    if (modules === undefined) continue;
    if (!Array.isArray(modules) || !modules.every((name) => typeof name === "string")) {
      const got = JSON.stringify(modules).slice(0, 80);
      const place = `${manifestPath(path)}: expected \`executor.modules\``;
      throw new CodescoreError("input", `${place} to be a list of names, as codescore label writes it, got ${got}`);
    }
    everywhere = everywhere === null ? modules : everywhere.filter((name) => modules.includes(name));
  }
  return everywhere;
}

/** Writes the manifest of a finished set. `how` holds the settings it was made with. */
export async function writeManifest(
  out: string,
  {
    sources,
    how,
    tally,
  }: { sources: readonly (string | SourceCard)[]; how: Readonly<Record<string, unknown>>; tally: Tally },
): Promise<void> {
  await writeCard(out, sources, { ...how, counts: tally.counts, pass_ratio: tally.histogram });
}

/** A source of a set: a file, or a folder, whose hash is the hash of its files' hashes. */
export interface SourceCard {
  readonly name: string;
  readonly files: number;
  readonly sha256: string;
}

/** Writes the manifest that every output file gets: version, file hash, sources (paths, or their cards), and `rest`. */
export async function writeCard(
  out: string,
  sources: readonly (string | SourceCard)[],
  rest: Readonly<Record<string, unknown>>,
): Promise<void> {
  const card = {
    codescore: await packageVersion(),
    file: basename(out),
    sha256: await fileSha256(out),
    sources: await Promise.all(sources.map((source) => (typeof source === "string" ? sourceCard(source) : source))),
    ...rest,
  };
  await writeAtomic(manifestPath(out), `${JSON.stringify(card, null, 2)}\n`);
}

/** The card of a file, or of a folder of files. `notebooks`: how notebooks in it are read. */
export async function sourceCard(path: string, notebooks?: NotebookOptions): Promise<SourceCard> {
  const files = await sourceFiles(path, notebooks);
  const hashes: string[] = [];
  for (const file of files) hashes.push(await fileSha256(file));
  const hash = files.length === 1 && files[0] === path ? (hashes[0] as string) : sha256(hashes.join("\n"));
  return { name: basename(resolve(path)), files: files.length, sha256: hash };
}

/** The cards of the problems' data files, one for each folder with other contents. A notebook's are among the files of its own card. */
export function dataCards(problems: Iterable<Problem>): SourceCard[] {
  const cards = new Map<string, SourceCard>();
  for (const { files, notebook } of problems) {
    if (files === undefined || notebook !== undefined) continue;
    const { folder, paths, sha256 } = files;
    cards.set(sha256, { name: basename(folder), files: paths.length, sha256 });
  }
  return [...cards.values()];
}
