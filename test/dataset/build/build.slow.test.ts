/** Builds small sets from the real data (see its README) with the real executor. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildSets } from "../../../src/dataset/build/index.ts";
import { readExamples } from "../../../src/dataset/index.ts";
import { kindOf } from "../../../src/dataset/kinds.ts";
import { openExecutor } from "../../../src/execute/index.ts";
import { all, tempFolder } from "../../problems/helpers.ts";

const data = process.env.CODESCORE_DATA ?? "";

describe.skipIf(data === "")("built from real data", () => {
  it.each([
    ["mbpp-eval", 8],
    ["train-mix", 12],
  ])(
    "%s has labelled, distinct rows of right programs and wrong ones",
    { timeout: 900_000 },
    async (set, limitProblems) => {
      const out = tempFolder();
      const executor = await openExecutor({ limits: { candidateCpuS: 5 } });
      try {
        const [built] = await buildSets({ set, data, out, executor, limitProblems, tests: 24 });
        expect(built?.infra).toBe(0);
        const parts = ["train", "dev", "test"].map((split) => all(readExamples(join(out, set, `${split}.arrow`))));
        const rows = (await Promise.all(parts)).flat();
        expect(rows.length).toBeGreaterThan(60);
        expect(new Set(rows.map((row) => `${row.task_id} ${row.candidate.trim()}`)).size).toBe(rows.length);
        const share = (holds: (ratio: number) => boolean): number =>
          rows.filter(({ pass_ratio }) => holds(pass_ratio!)).length / rows.length;
        expect(share((ratio) => ratio === 0)).toBeGreaterThan(0.03);
        expect(share((ratio) => ratio > 0 && ratio < 1)).toBeGreaterThan(0.03);
        expect(share((ratio) => ratio === 1)).toBeGreaterThan(0.1);
        expect(built!.llmWeight).toBeGreaterThanOrEqual(0.5);
        const references = rows.filter(({ made_by }) => kindOf(made_by) === "reference");
        expect(references.filter(({ pass_ratio }) => pass_ratio !== 1)).toEqual([]);
      } finally {
        await executor.close();
      }
    },
  );
});
