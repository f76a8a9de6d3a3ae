import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportSet, readExamples, writeExamples } from "../../src/dataset/index.ts";
import type { LabelledRow } from "../../src/types.ts";
import { all, tempFolder, writeRows } from "../problems/helpers.ts";
import { labelledRow } from "./fake.ts";

async function* stream(rows: readonly LabelledRow[]): AsyncGenerator<LabelledRow> {
  yield* rows;
}

const text = fc.string({ unit: "grapheme", maxLength: 20 });
const few = fc.constantFrom("", "é\u0000", "𝕏\n", "ordinary");
const row: fc.Arbitrary<LabelledRow> = fc.record({
  task_id: few,
  sample_id: text,
  source: few,
  made_by: few,
  temperature: fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
  candidate: text,
  reference: fc.option(few),
  description: fc.option(text),
  pass_ratio: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  executable: fc.option(fc.constantFrom(0 as const, 1 as const)),
  n_tests: fc.nat(),
  n_passed: fc.nat(),
  n_opaque: fc.nat(),
  passes_base: fc.option(fc.constantFrom(0 as const, 1 as const)),
  status: fc.constantFrom("ok" as const, "no_label" as const, "infra" as const),
  first_error: fc.option(few),
  reason: fc.option(few),
  weight: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
});

describe.each(["set.arrow", "set.jsonl", "set.parquet"])("a labelled set in %s", (name) => {
  it("is read back as it was written: any text, any nulls", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
        const path = join(tempFolder(), name);
        await writeExamples(path, stream(rows));
        expect(await all(readExamples(path))).toEqual(rows);
      }),
      { numRuns: 40 },
    );
  });

  it("has the same bytes for the same rows, over several batches", async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) =>
      labelledRow({ sample_id: `${i}`, task_id: `A/${i % 700}`, reference: i % 3 ? `r${i % 900}` : null }),
    );
    const paths = [join(tempFolder(), name), join(tempFolder(), name)] as const;
    for (const path of paths) await writeExamples(path, stream(rows));
    expect(readFileSync(paths[0]).equals(readFileSync(paths[1]))).toBe(true);
    expect(await all(readExamples(paths[0]))).toEqual(rows);
  });

  it("is not there at all when its rows end in an error, and an older one stays", async () => {
    const path = join(tempFolder(), name);
    async function* broken(): AsyncGenerator<LabelledRow> {
      yield labelledRow();
      throw new Error("power cut");
    }
    await expect(writeExamples(path, broken())).rejects.toThrow("power cut");
    expect(existsSync(path)).toBe(false);
    await writeExamples(path, stream([labelledRow()]));
    await expect(writeExamples(path, broken())).rejects.toThrow("power cut");
    expect(await all(readExamples(path))).toHaveLength(1);
  });
});

describe("readExamples", () => {
  const arrow = (columns: Record<string, unknown[]>): string => {
    const path = join(tempFolder(), "other.arrow");
    writeFileSync(path, tableToIPC(tableFromArrays(columns as Record<string, string[]>), "file"));
    return path;
  };
  const text = (name: string, content: string): string => {
    const path = join(tempFolder(), name);
    writeFileSync(path, content);
    return path;
  };

  it("reads gzipped lines", async () => {
    expect(await all(readExamples(writeRows([labelledRow()], "set.jsonl.gz")))).toEqual([labelledRow()]);
  });

  it.each([
    [
      "another ending",
      "set.csv",
      /set\.csv: expected a labelled set ending in \.arrow, \.jsonl, \.jsonl\.gz or \.parquet/,
    ],
    [
      "a file that is not Arrow",
      text("x.arrow", "task_id,candidate\n"),
      /x\.arrow: expected an Arrow IPC file.*begin with ARROW1/,
    ],
    ["an empty Arrow file", text("x.arrow", ""), /expected an Arrow IPC file/],
    ["a cut Arrow file", text("x.arrow", "ARROW1\0\0 and then nothing"), /expected an Arrow IPC file/],
    [
      "an Arrow file of other columns",
      arrow({ task_id: ["a"] }),
      /other\.arrow, row 1: expected a labelled row.* with a string in `sample_id`, got nothing/,
    ],
    [
      "a row without a column",
      writeRows([labelledRow(), { ...labelledRow(), candidate: undefined }]),
      /rows\.jsonl:2: .*with a string in `candidate`, got nothing/,
    ],
    [
      "a PassRatio above 1",
      writeRows([{ ...labelledRow(), pass_ratio: 1.5 }]),
      /with a number in \[0, 1\] in `pass_ratio`, got 1\.5/,
    ],
    [
      "an executability that is neither",
      writeRows([{ ...labelledRow(), executable: 2 }]),
      /with 0 or 1 in `executable`, got 2/,
    ],
    [
      "an unknown status",
      writeRows([{ ...labelledRow(), status: "fine" }]),
      /expected `status` to be ok, no_label, missing or infra, got `fine`/,
    ],
  ])("says what is wrong with %s", async (_, path, message) => {
    await expect(all(readExamples(path))).rejects.toMatchObject({
      code: "input",
      message: expect.stringMatching(message),
    });
  });

  it.each(["nothing.arrow", "nothing.jsonl"])("takes %s, which is not there, for wrong use", async (path) => {
    await expect(all(readExamples(path))).rejects.toMatchObject({
      code: "usage",
      message: `cannot read ${path}: no such file`,
    });
  });

  it("refuses to write under another ending", async () => {
    await expect(writeExamples("set.csv", stream([]))).rejects.toMatchObject({ code: "usage" });
  });
});

it("a file from before there were weights has weight 1 everywhere", async () => {
  const { weight: _, ...old } = labelledRow();
  expect(await all(readExamples(writeRows([old])))).toEqual([labelledRow({ weight: 1 })]);
});

it("exportSet writes the same rows in another format, and says what from", async () => {
  const rows = [labelledRow({ reference: "é", pass_ratio: null, executable: null }), labelledRow({ weight: 0.25 })];
  const from = join(tempFolder(), "set.arrow");
  await writeExamples(from, stream(rows));
  const out = join(tempFolder(), "set.parquet");
  expect(await exportSet(from, out)).toMatchObject({ rows: 2, problems: 1 });
  expect(await all(readExamples(out))).toEqual(rows);
  expect(JSON.parse(readFileSync(`${out}.manifest.json`, "utf8"))).toMatchObject({ sources: [{ name: "set.arrow" }] });
});

/** Other implementations read the files that ours writes. Skipped if Python lacks them. `CODESCORE_PYTHON` names another Python. */
describe("for Python", () => {
  const python = process.env.CODESCORE_PYTHON ?? "python3";
  const has = (module: string): boolean => spawnSync(python, ["-c", `import ${module}`]).status === 0;
  const ask = (script: string, ...args: string[]): unknown => {
    const { stdout, stderr, status } = spawnSync(python, ["-c", script, ...args], {
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const rows = Array.from({ length: 9000 }, (_, i) =>
    labelledRow({
      sample_id: `${i}`,
      task_id: `A/${i % 7}`,
      candidate: `𝕏\n${i}`,
      reference: i % 3 ? `é${i % 5}` : null,
      pass_ratio: i % 4 ? (i % 4) / 4 : null,
      executable: i % 4 ? 1 : null,
      weight: 1 / (1 + (i % 3)),
    }),
  );
  const file = async (name: string): Promise<string> => {
    const path = join(tempFolder(), name);
    await writeExamples(path, stream(rows));
    return path;
  };

  it.skipIf(!has("pyarrow"))("pyarrow reads our Arrow files, their dictionaries too", async () => {
    const path = await file("set.arrow");
    const read = "import sys,json,pyarrow as pa; t=pa.ipc.open_file(sys.argv[1]).read_all()";
    expect(ask(`${read}; print(json.dumps(t.to_pylist()))`, path)).toEqual(rows);
    const encoded = ask(
      `${read}; print(json.dumps([f.name for f in t.schema if pa.types.is_dictionary(f.type)]))`,
      path,
    );
    expect(encoded).toEqual([
      ...["task_id", "source", "made_by", "reference", "description"],
      ...["status", "first_error", "reason"],
    ]);
  });

  it.skipIf(!has("pyarrow.parquet"))("pyarrow reads our Parquet files", async () => {
    const script = "import sys,json,pyarrow.parquet as pq; print(json.dumps(pq.read_table(sys.argv[1]).to_pylist()))";
    expect(ask(script, await file("set.parquet"))).toEqual(rows);
  });

  it.skipIf(!has("pyarrow.parquet"))("we read pyarrow's, with its dictionaries and its compression", async () => {
    const path = join(tempFolder(), "theirs.parquet");
    const script = `
import sys, json, pyarrow as pa, pyarrow.parquet as pq
t = pa.ipc.open_file(sys.argv[1]).read_all()
pq.write_table(t, sys.argv[2], compression="zstd", row_group_size=1000)
print(json.dumps(None))`;
    ask(script, await file("set.arrow"), path);
    expect(await all(readExamples(path))).toEqual(rows);
  });

  it.skipIf(!has("duckdb") || !has("pyarrow"))("DuckDB queries both", async () => {
    const query = "select task_id, count(*) n, sum(weight) w, count(pass_ratio) labelled from t group by 1 order by 1";
    const script = `
import sys, json, duckdb, pyarrow as pa
t = pa.ipc.open_file(sys.argv[1]).read_all() if sys.argv[1].endswith("arrow") else duckdb.read_parquet(sys.argv[1])
print(json.dumps(duckdb.sql("${query}").fetchall()))`;
    const expected = Array.from({ length: 7 }, (_, k) => {
      const own = rows.filter(({ task_id }) => task_id === `A/${k}`);
      const weight = own.reduce((sum, row) => sum + row.weight, 0);
      return [`A/${k}`, own.length, expect.closeTo(weight), own.filter(({ pass_ratio }) => pass_ratio !== null).length];
    });
    for (const name of ["set.arrow", "set.parquet"]) expect(ask(script, await file(name))).toEqual(expected);
  });
});
