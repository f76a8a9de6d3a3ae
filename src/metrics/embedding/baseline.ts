/** Baselines of bert-score: a CSV file of LAYER, P, R, F (and F3), one line per layer. A value v becomes (v - b) / (1 - b). */
import { CodescoreError } from "../../errors.ts";
import { readCsv } from "../../util/csv.ts";
import type { Matched } from "./match.ts";

const COLUMNS: Readonly<Record<keyof Matched, string>> = { p: "P", r: "R", f1: "F", f3: "F3" };

/**
 * The baseline of one layer and value.
 * @throws `CodescoreError("input")` if the file has none.
 * @throws `CodescoreError("usage")` if the layer is unknown.
 */
export async function readBaseline(path: string, layer: number | null, part: keyof Matched): Promise<number> {
  const column = COLUMNS[part];
  if (layer === null) {
    throw new CodescoreError("usage", `${path}: the layer of last_hidden_state is unknown; set --encoder-layer`);
  }
  for await (const line of readCsv(path)) {
    if (line instanceof CodescoreError) throw line;
    if (Number(line.value.LAYER ?? Number.NaN) !== layer) continue;
    const value = Number(line.value[column] ?? Number.NaN);
    if (value < 1) return value;
    const got = JSON.stringify(line.value[column]);
    throw new CodescoreError("input", `${line.where}: expected the column ${column} to be below 1, got ${got}`);
  }
  throw new CodescoreError("input", `${path}: expected a line whose LAYER is ${layer}`);
}
