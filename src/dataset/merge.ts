/**
 * Joins the shards of one labelling run (`label --shard i/n`) into the file and the manifest that the run without shards
 * would have written, byte for byte. Needs the shards' manifests, which say what they were made from and where their rows
 * stand; executes nothing.
 */
import { CodescoreError } from "../errors.ts";
import type { LabelledRow } from "../types.ts";
import { exists, readJson } from "../util/files.ts";
import { type Defects, joinedDefects } from "./defects.ts";
import { checkOutput, readExamples, writeExamples } from "./examples.ts";
import { type Counts, manifestPath, type SourceCard, Tally, writeManifest } from "./manifest.ts";
import { parsePositions } from "./positions.ts";
import { fileSha256 } from "./whole.ts";

interface ShardFile {
  readonly path: string;
  readonly index: number;
  readonly count: number;
  /** Samples of the whole run, and this shard's rows among them. */
  readonly samples: number;
  readonly positions: readonly number[];
  readonly changed: number;
  readonly defects: Defects;
  /** What must be the same in all shards. */
  readonly run: Readonly<Record<string, unknown>>;
}

/** Throws `CodescoreError("input")` for shards of different runs, and for missing, doubled or changed ones, saying which. */
export async function mergeShards(out: string, shards: readonly string[]): Promise<Counts> {
  checkOutput(out);
  const files: ShardFile[] = [];
  for (const path of shards) files.push(await readShard(path));
  const whole = checkedSet(files);
  const tally = new Tally();
  await writeExamples(out, tally.count(inOrder(files)));
  const { codescore: _, sources, executor, expand, seed } = whole.run;
  await writeManifest(out, {
    sources: sources as readonly SourceCard[],
    how: {
      executor,
      expand,
      seed,
      shard: null,
      changed_rewrites: files.reduce((sum, { changed }) => sum + changed, 0),
      defects: joinedDefects(files.map(({ defects }) => defects)),
    },
    tally,
  });
  return tally.counts;
}

async function readShard(path: string): Promise<ShardFile> {
  const manifest = manifestPath(path);
  if (!(await exists(manifest))) {
    throw new CodescoreError(
      "input",
      `${path}: expected its manifest beside it, ${manifest}, as codescore label writes it`,
    );
  }
  const card = (await readJson(manifest)) as Record<string, unknown>;
  const { codescore, sources, executor, expand, seed, sha256, changed_rewrites: changed } = card;
  const shard = card.shard as Record<string, unknown> | null | undefined;
  const { index, count, samples } = shard ?? {};
  const positions = parsePositions(shard?.positions);
  if (typeof index !== "number" || typeof count !== "number" || typeof samples !== "number" || positions === null) {
    throw new CodescoreError("input", `${path} is no shard: expected a file of codescore label --shard i/n`);
  }
  if ((await fileSha256(path)) !== sha256) {
    throw new CodescoreError("input", `${path} is not the file that its manifest describes; label this shard again`);
  }
  const run = { codescore, sources, executor, expand, seed, shards: count, samples };
  const defects = (card.defects ?? {}) as Defects;
  return { path, index, count, samples, positions, changed: typeof changed === "number" ? changed : 0, defects, run };
}

/** The first of the shards, once they are all there, once each, and of one run by this version. */
function checkedSet(files: readonly ShardFile[]): ShardFile {
  const [first] = files;
  if (first === undefined) throw new CodescoreError("usage", "expected the shards to join, got none");
  for (const file of files) {
    const differing = Object.keys(first.run).filter(
      (name) => JSON.stringify(file.run[name]) !== JSON.stringify(first.run[name]),
    );
    if (differing.length > 0) {
      throw new CodescoreError(
        "input",
        `${first.path} and ${file.path} are of different runs: they differ in ${differing.join(", ")}`,
      );
    }
    const twin = files.find((other) => other !== file && other.index === file.index);
    if (twin)
      throw new CodescoreError("input", `shard ${file.index}/${file.count} is there twice: ${file.path}, ${twin.path}`);
  }
  const missing = Array.from({ length: first.count }, (_, i) => i + 1).filter(
    (index) => !files.some((file) => file.index === index),
  );
  if (missing.length > 0) {
    throw new CodescoreError(
      "input",
      `missing ${missing.map((index) => `${index}/${first.count}`).join(", ")}: expected all ${first.count} shards, got ${files.length}`,
    );
  }
  return first;
}

async function* inOrder(files: readonly ShardFile[]): AsyncGenerator<LabelledRow> {
  const heads = await Promise.all(files.map((file) => Head.open(file)));
  for (;;) {
    let next: Head | null = null;
    for (const head of heads)
      if (head.position !== null && (next === null || head.position < next.position!)) next = head;
    if (next === null) return;
    yield next.row!;
    await next.advance();
  }
}

/** One shard's next row and its position. */
class Head {
  readonly #rows: AsyncGenerator<LabelledRow>;
  readonly #file: ShardFile;
  #at = -1;
  row: LabelledRow | null = null;

  private constructor(file: ShardFile) {
    this.#file = file;
    this.#rows = readExamples(file.path);
  }

  static async open(file: ShardFile): Promise<Head> {
    const head = new Head(file);
    await head.advance();
    return head;
  }

  get position(): number | null {
    return this.row === null ? null : this.#file.positions[this.#at]!;
  }

  async advance(): Promise<void> {
    const { done, value } = await this.#rows.next();
    this.row = done ? null : value;
    this.#at += 1;
    const expected = this.#file.positions.length;
    if (done ? this.#at !== expected : this.#at >= expected) {
      throw new CodescoreError("input", `${this.#file.path}: expected the ${expected} rows that its manifest counts`);
    }
  }
}
