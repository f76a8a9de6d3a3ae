/** Parquet files like those on the hub. pyarrow wrote `fixtures/pyarrow.parquet` (made-up rows, two row groups, four codecs). */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parquetWriteFile } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { readExamples } from "../../src/dataset/index.ts";
import { readProblems, readSamples } from "../../src/problems/index.ts";
import { readJsonLines } from "../../src/util/jsonl.ts";
import { readParquet } from "../../src/util/parquet.ts";
import { all, tempFolder } from "./helpers.ts";

const fixture = fileURLToPath(new URL("fixtures/pyarrow.parquet", import.meta.url));

type Column = Parameters<typeof parquetWriteFile>[0]["columnData"][number];

function writeParquet(columnData: Column[], rowGroupSize?: number, name = "rows.parquet"): string {
  const filename = join(tempFolder(), name);
  parquetWriteFile({ filename, columnData, ...(rowGroupSize === undefined ? {} : { rowGroupSize }) });
  return filename;
}

const text = (name: string, data: unknown[]): Column => ({ name, data, type: "STRING" });

describe("problems in Parquet", () => {
  it("that pyarrow wrote are read: every codec, nested lists and structs, whole ids, columns that a row lacks", async () => {
    const problems = await readProblems([fixture]);
    expect([...problems.keys()]).toEqual(["MBPP/901", "MBPP/9007199254740993", "HumanEval/7", "1_A. Echo"]);
    expect(problems.get("MBPP/901")).toMatchObject({
      description: "Write a function to double é.",
      entryPoint: "double",
      references: ["def double(x):\n  return 2 * x"],
      tests: [{ code: "assert double(1) == 2" }, { code: "assert double(0) == 0" }],
    });
    expect(problems.get("MBPP/9007199254740993")?.tests).toMatchObject([
      { code: "assert halve(2) == 1" },
      { code: "assert halve(1) == .5" },
    ]);
    expect(problems.get("HumanEval/7")?.tests).toMatchObject([
      { id: "base-0", args: "1.0, 2.5" },
      { id: "plus-0", args: "9007199254740993, -1" },
    ]);
    expect(problems.get("1_A. Echo")).toMatchObject({
      references: ["print(input())"],
      source: "codecontests",
      tests: [
        { id: "public-0", stdin: "a\n", expected: "a\n" },
        { id: "private-0", stdin: "b\n", expected: "b\n" },
      ],
    });
  });

  it("of APPS hold JSON as text, of which numbers keep their type", async () => {
    const io = '{"fn_name": "f", "inputs": [[1.0, 9007199254740993]], "outputs": [2]}';
    const path = writeParquet([
      { name: "problem_id", data: [7, 8], type: "INT32" },
      text("question", ["Do it.", "Do that."]),
      text("solutions", ['["def f(x, y): return 2"]', ""]),
      text("input_output", [io, ""]),
      text("starter_code", ["", ""]),
    ]);
    const problems = await readProblems([path]);
    expect(problems.get("APPS/7")?.tests).toMatchObject([
      { kind: "call", args: "1.0, 9007199254740993", expected: "2" },
    ]);
    expect(problems.get("APPS/8")).toMatchObject({ tests: [], references: [] });
  });

  it("lie in `data/` as the hub lays sets out", async () => {
    const folder = tempFolder();
    const inside = join(folder, "data");
    mkdirSync(inside);
    writeFileSync(join(inside, "train-00000-of-00001.parquet"), readFileSync(fixture));
    writeFileSync(join(folder, "README.md"), "");
    expect((await readProblems([folder])).size).toBe(4);
  });
});

it("samples in Parquet are read over row groups, in order", async () => {
  const ids = Array.from({ length: 25 }, (_, i) => `A/${i}`);
  const path = writeParquet(
    [
      text("task_id", ids),
      text(
        "solution",
        ids.map((id) => `# ${id}`),
      ),
    ],
    10,
  );
  const samples = await all(readSamples([path]));
  expect(samples.map(({ taskId }) => taskId)).toEqual(ids);
  expect(samples[24]).toMatchObject({ kind: "program", text: "# A/24" });
});

it("labelled rows in Parquet are those of the same rows in JSON lines", async () => {
  const rows = [
    { pass_ratio: 0.5, executable: 1, status: "ok", reference: "r", reason: null, n_passed: 1 },
    { pass_ratio: null, executable: null, status: "infra", reference: null, reason: "why", n_passed: 0 },
  ].map((row, i) => ({
    task_id: "A",
    sample_id: `A#${i}`,
    source: "s",
    made_by: "m",
    candidate: "x = 1\n",
    description: "Do it.",
    n_tests: 2,
    first_error: null,
    weight: 1,
    ...row,
  }));
  const types: Record<string, "DOUBLE" | "INT32" | "INT64"> = {
    pass_ratio: "DOUBLE",
    executable: "INT32",
    n_tests: "INT64",
    n_passed: "INT64",
    weight: "DOUBLE",
  };
  const columns = Object.keys(rows[0]!).map((name): Column => {
    const data = rows.map((row) => row[name as keyof typeof row] ?? null);
    const type = types[name] ?? "STRING";
    return { name, data: type === "INT64" ? data.map((n) => BigInt(n as number)) : data, type };
  });
  const lines = join(tempFolder(), "rows.jsonl");
  writeFileSync(lines, rows.map((row) => JSON.stringify(row)).join("\n"));
  expect(await all(readExamples(writeParquet(columns)))).toEqual(await all(readExamples(lines)));
});

it("bytes of a fixed length are lists of numbers", async () => {
  const filename = join(tempFolder(), "bytes.parquet");
  const columnData: Column[] = [{ name: "digest", data: [Uint8Array.of(1, 255)] }];
  const digest = { name: "digest", type: "FIXED_LEN_BYTE_ARRAY", type_length: 2 } as const;
  parquetWriteFile({ filename, columnData, schema: [{ name: "root", num_children: 1 }, digest] });
  const [row] = await all(readParquet(filename));
  expect(row!.value).toEqual({ digest: [1, 255] });
  const bytes = [1n, 255n].map((v) => ({ t: "int", v }));
  expect(row!.exact("digest")).toEqual({ t: "list", v: bytes });
});

describe("errors in Parquet name", () => {
  it("the row of what is no sample", async () => {
    const path = writeParquet([text("task_id", ["A", "B", null]), text("code", ["", "", ""])], 2);
    await expect(all(readSamples([path]))).rejects.toThrow(/rows\.parquet, row 3: expected `task_id`/);
  });

  it.each([
    ["of another kind", '{"task_id": 1}\n'.repeat(9), /cannot read .*bad\.parquet as Parquet: /],
    ["that is empty", "", /bad\.parquet is empty: expected a Parquet file/],
    ["that is cut off", readFileSync(fixture).subarray(0, 6000), /cannot read .*bad\.parquet as Parquet: /],
  ])("the file %s", async (_, bytes, message) => {
    const path = join(tempFolder(), "bad.parquet");
    writeFileSync(path, bytes);
    await expect(all(readJsonLines(path))).rejects.toMatchObject({
      code: "input",
      message: expect.stringMatching(message),
    });
  });

  it("a file that is not there", async () => {
    const path = join(tempFolder(), "none.parquet");
    await expect(all(readJsonLines(path))).rejects.toMatchObject({
      code: "usage",
      message: `cannot read ${path} as Parquet: no such file`,
    });
  });

  it("the rows of a damaged row group", async () => {
    const bytes = Buffer.from(readFileSync(fixture));
    bytes.fill(0xff, 4, 400);
    const path = join(tempFolder(), "bad.parquet");
    writeFileSync(path, bytes);
    await expect(all(readJsonLines(path))).rejects.toThrow(/cannot read .*bad\.parquet, rows 1 to 2 as Parquet: /);
  });
});
