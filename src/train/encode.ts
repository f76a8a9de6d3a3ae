/** Reads labelled rows and encodes them as the network's input. */
import { join } from "node:path";
import { readExamples, splitByProblem } from "../dataset/index.ts";
import { kindOf } from "../dataset/kinds.ts";
import { CodescoreError } from "../errors.ts";
import type { ModelConfig } from "../model/index.ts";
import type { Tokenizer } from "../tokenize/index.ts";
import type { InputFormat, LabelledRow } from "../types.ts";
import { packageRoot } from "../util/files.ts";
import { mapInThreads } from "../util/job-pool.ts";
import { type EncodeAsked, type EncodedRow, openRowEncoder, type Texts } from "./encode-row.ts";
import type { Example } from "./examples.ts";

/** A thread must start from a file that Node itself can load: the built one, even when this runs from `src/`. */
const entry = join(packageRoot, "dist", "train", "encode-worker.js");

export interface LabelledData {
  /** One list per data file. */
  readonly train: LabelledRow[][];
  readonly dev: LabelledRow[];
}

/**
 * Reads rows that have a label. Without dev files, a share of the problems is held out. It is the same for every seed, so that runs with
 * different seeds are measured on the same rows. Throws `CodescoreError("input")` for a file without a labelled row.
 */
export async function readRows(
  data: readonly string[],
  dev: readonly string[],
  devShare: number,
): Promise<LabelledData> {
  const sets = await labelled(data);
  if (dev.length > 0) return { train: sets, dev: (await labelled(dev)).flat() };
  const parts = sets.map((rows) => splitByProblem(rows, { dev: devShare, test: 0 }));
  return { train: parts.map(({ train }) => train), dev: parts.flatMap(({ dev }) => dev) };
}

async function labelled(paths: readonly string[]): Promise<LabelledRow[][]> {
  const sets: LabelledRow[][] = [];
  for (const path of paths) {
    const rows: LabelledRow[] = [];
    for await (const row of readExamples(path)) if (row.status === "ok") rows.push(row);
    if (rows.length === 0) throw new CodescoreError("input", `expected labelled rows in ${path}, got none`);
    sets.push(rows);
  }
  return sets;
}

/** Encodes rows in each format that they allow, in threads on half of the cores. */
export async function encodeRows(
  rows: readonly LabelledRow[],
  tokenizer: Tokenizer,
  config: ModelConfig,
  formats: readonly InputFormat[],
): Promise<Example[]> {
  const asked: EncodeAsked = { file: tokenizer.file, config, formats };
  const encoded = await mapInThreads<Texts, EncodedRow>(
    rows.map(({ candidate, reference, description }) => ({ candidate, reference, description })),
    { entry, data: asked, job: "encode", one: await openRowEncoder(asked) },
  );
  return rows.map((row, i) => {
    const { ids, marks } = encoded[i]!;
    return {
      sampleId: row.sample_id,
      taskId: row.task_id,
      kind: kindOf(row.made_by),
      passRatio: row.pass_ratio!,
      executable: row.executable!,
      weight: row.weight,
      ids,
      ...(Object.keys(marks).length > 0 && { marks }),
    };
  });
}
