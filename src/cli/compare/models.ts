/** `codescore compare A B`: compares the programs of two models, from their scores or labels. */
import { CodescoreError } from "../../errors.ts";
import { putTables, type TableFlags } from "../options/table-output.ts";

export interface ModelFlags extends TableFlags {
  readonly resamples: number;
  readonly seed: number;
}

/** Options of the other kind of comparison. */
const OTHERS = ["metrics", "model", "scores", "only", "inputFormat", "inputs", "python", "workers"] as const;

/** Throws `CodescoreError("usage")` unless there are two files, and no option for the other kind of comparison. */
export async function compareFiles(
  files: readonly string[],
  flags: ModelFlags & Readonly<Record<string, unknown>>,
): Promise<void> {
  const other = (["data", ...OTHERS] as const).find((name) => flags[name] !== undefined);
  if (other !== undefined) {
    const option = other.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
    throw new CodescoreError("usage", `--${option} compares scores with labels: leave out the files, or the option`);
  }
  if (files.length !== 2) {
    throw new CodescoreError("usage", `expected two files, one of each model, got ${files.length}`);
  }
  const { compareModels, comparisonTable, describeModels, readModelPrograms } = await import("../../evaluate/index.ts");
  const [a, b] = [await readModelPrograms(files[0]!), await readModelPrograms(files[1]!)];
  const result = compareModels(a, b, flags);
  const title = `${result.b.name} against ${result.a.name}`;
  const tables = [{ name: "comparison", title, table: comparisonTable(result) }];
  await putTables(flags, result, tables, describeModels(result));
}
