/** Labels real programs end to end and compares with labels that another labeller gave (see the data's README). */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { label, readExamples } from "../../src/dataset/index.ts";
import { openExecutor } from "../../src/execute/index.ts";
import { readJsonLines } from "../../src/util/jsonl.ts";
import { all, tempFolder } from "../problems/helpers.ts";

const data = process.env.CODESCORE_DATA ?? "";

describe.skipIf(data === "")("he-eval-dev", () => {
  it("gets the recorded labels, but for the recorder's own weaknesses", { timeout: 900_000 }, async () => {
    const folder = join(data, "he-eval-dev");
    const out = join(tempFolder(), "he-eval-dev.arrow");
    const executor = await openExecutor();
    try {
      const samples = [join(folder, "samples.jsonl.gz")];
      const result = await label({ problems: [join(folder, "problems.jsonl.gz")], samples, out, executor });
      expect(result).toMatchObject({ rows: 1540, labelled: 1540, problems: 78 });
    } finally {
      await executor.close();
    }
    const recorded = (await all(readJsonLines(join(folder, "samples.jsonl.gz")))).map(({ value }) => value);
    const rows = await all(readExamples(out));
    expect(rows.map(({ sample_id }) => sample_id)).toEqual(recorded.map(({ sample_id }) => sample_id));
    const same = (name: "pass_ratio" | "executable" | "n_tests") =>
      rows.filter((row, i) => row[name] === recorded[i]?.[name]).length;
    expect(same("n_tests")).toBe(1540);
    expect(same("pass_ratio")).toBeGreaterThanOrEqual(1530);
    expect(same("executable")).toBeGreaterThanOrEqual(1530);
  });
});
