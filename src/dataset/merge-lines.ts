/**
 * Joins the shards of `expand --shard` and `score --shard` into the files that one run without shards would have written, byte for byte:
 * lines in the order of their positions. Executes nothing.
 */
import { CodescoreError } from "../errors.ts";
import { readJson, writeAtomic } from "../util/files.ts";
import { writeText } from "../util/jsonl.ts";
import { readLines } from "../util/lines.ts";
import { type Defects, joinedDefects } from "./defects.ts";
import { INPUTS_FROM, reportPath } from "./expand-report.ts";
import { type SourceCard, writeCard } from "./manifest.ts";
import { inOrder, type RowKind, type ShardRows } from "./merge-order.ts";
import { runsOf } from "./positions.ts";
import { checkParts, checkRuns, checkSha256, readCard } from "./shard-card.ts";
import { outputFile } from "./whole.ts";

/** What the shards were made by, if not by `label`. */
export type LineStep = "expand" | "score";

/** The step of a shard's manifest. `label` names none: it was the first. */
export async function stepOf(path: string): Promise<"label" | LineStep> {
  const { step } = ((await readCard(path)).shard ?? {}) as { step?: unknown };
  return step === "expand" || step === "score" ? step : "label";
}

interface LineShard extends ShardRows {
  readonly index: number;
  readonly count: number;
  readonly card: Readonly<Record<string, unknown>>;
  readonly run: Readonly<Record<string, unknown>>;
}

const LINES: RowKind<string> = { read: readLines, isJudged: () => true };

export interface MergedLines {
  /** Lines of the whole. */
  readonly lines: number;
  /** Rows that have an error instead of a score. */
  readonly errors: number;
}

/** Throws `CodescoreError("input")`, naming the shards, if they are of different runs, missing, doubled or changed. */
export async function mergeLines(out: string, shards: readonly string[], step: LineStep): Promise<MergedLines> {
  const ending = step === "score" ? /\.jsonl(?:\.gz)?$/ : /\.jsonl$/;
  if (!ending.test(out)) throw new CodescoreError("usage", `expected the output to end in .jsonl, got \`${out}\``);
  const files: LineShard[] = [];
  for (const path of shards) files.push(await readShard(path, step));
  checkParts(files, checkRuns(files).count);
  const ids: string[] = [];
  let lines = 0;
  async function* joined(): AsyncGenerator<string> {
    for await (const line of inOrder(files, LINES)) {
      lines += 1;
      if (step === "expand") ids.push((JSON.parse(line) as { task_id: string }).task_id);
      yield `${line}\n`;
    }
  }
  await outputFile(out);
  await writeText(out, joined());
  if (step === "expand") await writeExpanded(out, files, ids);
  return { lines, errors: files.reduce((sum, { card }) => sum + countsOf(card, "errors"), 0) };
}

/** The report and the manifest of a run of `expand`. */
async function writeExpanded(out: string, files: readonly LineShard[], ids: readonly string[]): Promise<void> {
  const reports: Record<string, unknown> = {};
  for (const { path } of files) Object.assign(reports, await readJson(reportPath(path)));
  const inOrder = ids.flatMap((id) => (id in reports ? [[id, reports[id]]] : []));
  await writeAtomic(reportPath(out), `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
  const { sources, executor, expand, seed, llm } = (files[0] as LineShard).card;
  const total = (...names: readonly string[]): number =>
    files.reduce((sum, { card }) => sum + countsOf(card, ...names), 0);
  const from = INPUTS_FROM.map((name) => [name, total("inputs_from", name)] as const).filter(([, count]) => count > 0);
  await writeCard(out, sources as readonly SourceCard[], {
    ...{ executor, expand, seed, llm },
    counts: {
      ...{ problems: total("problems"), tests_added: total("tests_added"), short: total("short") },
      inputs_from: Object.fromEntries(from),
    },
    defects: joinedDefects(files.map(({ card }) => card.defects as Defects)),
  });
}

/** A number among a manifest's counts; 0 if it is not there. */
function countsOf(card: LineShard["card"], ...names: readonly string[]): number {
  let value: unknown = card.counts;
  for (const name of names) value = (value as Record<string, unknown> | undefined)?.[name];
  return typeof value === "number" ? value : 0;
}

async function readShard(path: string, wanted: LineStep): Promise<LineShard> {
  const card = await readCard(path);
  const { step, index, count, rows, ...rest } = (card.shard ?? {}) as Record<string, unknown>;
  const positions = runsOf(rest.positions);
  if (step !== wanted || positions === null || typeof index !== "number" || typeof count !== "number") {
    throw new CodescoreError("input", `${path} is not a shard: expected a file of codescore ${wanted} --shard i/n`);
  }
  await checkSha256(path, card.sha256);
  const { codescore, sources, executor, expand, seed, signature, format, consensus, explain, run } = card;
  const settings = { codescore, sources, executor, expand, seed, signature, format, consensus, explain, run };
  return { path, positions, index, count, card, run: { ...settings, shards: count, rows } };
}
