import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type EvaluateOptions,
  evaluate,
  formatColumns,
  type RowScorer,
  readExecutions,
  resultTables,
} from "../../../src/evaluate/index.ts";
import { toCsv } from "../../../src/report/index.ts";
import { pearson } from "../../../src/statistics/index.ts";
import type { LabelledRow } from "../../../src/types.ts";
import { columnOf, labelledRow, noisyScores, rowsOf, simulatedRows } from "../rows.ts";

const rows = simulatedRows(30, 8, 5);
const passes = rows.map(({ pass_ratio }) => pass_ratio === 1);
const scores = noisyScores(rows, 0.4, 2);
const measured = (options: Partial<EvaluateOptions> = {}) =>
  evaluate({ rows, columns: [columnOf("m", scores)], resamples: 50, ...options });
/** The cells of a table, by its name. */
const cells = (result: ReturnType<typeof evaluate>, name: string): string[][] => {
  const found = resultTables(result).find((table) => table.name === name);
  if (!found) throw new Error(`no table ${name}`);
  return toCsv(found.table)
    .split("\n")
    .map((line) => line.split(","));
};

describe("intervals", () => {
  it("surround every figure of the correlation table", () => {
    const [head, first] = cells(measured(), "correlation");
    for (const label of ["tau", "r_s", "r_p", "MAE", "within AUC"]) {
      const [value, low, high] = ["", " low", " high"].map((end) => Number(first![head!.indexOf(label + end)]));
      expect(low!, label).toBeLessThan(value!);
      expect(high!, label).toBeGreaterThan(value!);
    }
  });
});

describe("binary", () => {
  it("takes its threshold from the dev set where that has scores of the name", () => {
    const devRows = rowsOf([
      [0, 1, 0.5],
      [1, 0],
    ]);
    const dev = { rows: devRows, columns: [columnOf("m", [0.1, 0.8, 0.4, 0.9, 0.3])] };
    const { binary } = measured({ dev }).columns[0]!;
    expect(binary).toMatchObject({ from: "dev", threshold: expect.closeTo(0.6, 12) });
    const r = pearson(
      scores.map((score) => Number(score >= binary.threshold!)),
      passes.map(Number),
    );
    expect(binary.r.value).toBeCloseTo(r, 12);
    expect(binary.r.low!).toBeLessThan(r);
    expect(binary.r.high!).toBeGreaterThan(r);
  });

  it("else cross-fits: a task's own labels do not choose its threshold", () => {
    const { binary } = measured().columns[0]!;
    expect(binary.from).toBe("cross-fit");
    expect(binary.r.value!).toBeGreaterThan(0.3);
    // One program passes and has the highest score. A threshold below it would give r = 1, but only its own task reveals that threshold.
    const lone = rowsOf([
      [1, 0],
      [0, 0],
    ]);
    const alone = evaluate({ rows: lone, columns: [columnOf("m", [1, 0, 0, 0.5])], resamples: 10 });
    expect(alone.columns[0]!.binary).toMatchObject({ threshold: null, r: { value: expect.closeTo(-1 / 3, 12) } });
  });
});

describe("a part of the rows", () => {
  const mixed = [
    labelledRow({ sample_id: "a", pass_ratio: 1 }),
    labelledRow({ sample_id: "b", pass_ratio: 0, executable: 0, first_error: "NameError" }),
    labelledRow({ sample_id: "c", pass_ratio: 0, executable: 0, first_error: "TypeError" }),
    labelledRow({ sample_id: "d", pass_ratio: 0, executable: 0, first_error: "ModuleNotFoundError" }),
  ];
  const column = columnOf("m", [1, 0.5, 0, 0]);

  it("well-formed leaves out what fails for a reason seen without running it", () => {
    const { counts, data } = evaluate({ rows: mixed, columns: [column], only: "well-formed" });
    expect(data.rows.map(({ sample_id }) => sample_id)).toEqual(["a", "c"]);
    expect(counts).toMatchObject({ rows: 4, used: 2, outside: 2 });
  });

  it("needs to know the errors", () => {
    const unknown = mixed.map((row) => ({ ...row, first_error: null }));
    expect(() => evaluate({ rows: unknown, columns: [column], only: "well-formed" })).toThrow(
      "well-formed needs the first error of every program that does not execute, got none for sample b",
    );
  });
});

describe("execution as a metric", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "codescore-execution-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const write = async (name: string, lines: readonly unknown[]): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, lines.map((line) => JSON.stringify(line)).join("\n"));
    return path;
  };
  // With two tests instead of four, there are no half marks.
  const few: LabelledRow[] = rows.map((row) => ({ ...row, n_tests: 2, pass_ratio: Math.round(row.pass_ratio!) }));

  it("has AvgPassRatio and Pass@1 on other tests and on its own, with their time, and pass@k", async () => {
    const data = await write("data.jsonl", rows);
    const path = await write("few.jsonl", [...few].reverse());
    await writeFile(`${path}.timing.json`, '{"executed": 100, "seconds": 2}');
    const executions = await readExecutions([`original=${path}`], data, rows);
    const result = measured({ executions });
    const table = cells(result, "correlation");
    expect(table.map(([name]) => name)).toEqual([
      "metric",
      "m",
      "AvgPassRatio (original)",
      "Pass@1 (original)",
      "AvgPassRatio (labels)",
      "Pass@1 (labels)",
      "difficulty-only oracle",
    ]);
    const named = (name: string) => result.columns.find((column) => column.name === name)!;
    const r = pearson(
      few.map(({ pass_ratio }) => pass_ratio!),
      rows.map(({ pass_ratio }) => pass_ratio!),
    );
    expect(named("AvgPassRatio (original)")).toMatchObject({ pearson: expect.closeTo(r, 12), msPerPair: 20 });
    expect(named("AvgPassRatio (labels)")).toMatchObject({ spearman: expect.closeTo(1, 12), mae: 0, msPerPair: null });
    expect(named("Pass@1 (labels)").mean).toBeCloseTo(passes.filter(Boolean).length / rows.length, 12);
    expect(cells(result, "within").map(([name]) => name)).not.toContain("AvgPassRatio (labels)");
    const passAtK = cells(result, "pass@k");
    expect(passAtK.slice(1).map(([name, tests]) => [name, tests])).toEqual([
      ["original", "2"],
      ["labels", "4"],
    ]);
    // All tasks have 8 programs: pass@1 is the share that passes, and pass@k is requested up to 5.
    expect(Number(passAtK[2]![2])).toBeCloseTo(named("Pass@1 (labels)").mean, 12);
    expect(passAtK[0]!.filter((label) => !/ (low|high)$/.test(label))).toEqual([
      "results of",
      "tests per program",
      "pass@1",
      "pass@2",
      "pass@5",
    ]);
  });

  it.each([
    ["a row short", few.slice(1), `got 239 rows and none for sample ${rows[0]!.sample_id} of t0`],
    [
      "another program",
      few.map((row, i) => (i === 3 ? { ...row, candidate: "other" } : row)),
      "is not the one in row 3 (counted from 0)",
    ],
  ])("refuses labels with %s", async (name, lines, message) => {
    const path = await write(`${name.replaceAll(" ", "-")}.jsonl`, lines);
    await expect(readExecutions([path], path, rows)).rejects.toThrow(message);
  });
});

describe("the input formats", () => {
  const scorer: RowScorer = {
    signature: "auto",
    scoreAll: async (inputs, { format } = {}) =>
      inputs.map(({ candidate, reference, description }, i) => {
        const lacks = (format !== "nl" && !reference) || (format !== "ref" && !description);
        if (lacks || format === undefined) return { error: { code: "input", message: "lacks a part" } };
        return { score: candidate.length / 100 + i / 1000, exec: 0.5, format, signature: format };
      }),
  };

  it("are measured on the rows that allow them all", async () => {
    const given = rows.map((row, i) => ({ ...row, description: i < 100 ? "what to do" : null }));
    const formats = await formatColumns(scorer, given);
    expect(formats.map(({ name, signature }) => [name, signature])).toEqual([
      ["Ref-only", "ref"],
      ["NL-only", "nl"],
      ["Ref&NL", "ref+nl"],
    ]);
    const result = evaluate({ rows: given, columns: [columnOf("m", scores)], formats, resamples: 20 });
    expect(result.counts.used).toBe(240);
    expect(result.formats!.counts.used).toBe(100);
    expect(cells(result, "formats").map(([name]) => name)).toEqual(["format", "Ref-only", "NL-only", "Ref&NL"]);
  });

  it("are left out where no row allows them", async () => {
    const formats = await formatColumns(scorer, rows); // no descriptions
    expect(formats.map(({ name }) => name)).toEqual(["Ref-only"]);
  });
});
