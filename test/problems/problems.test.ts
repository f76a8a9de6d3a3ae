import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printLiteral } from "../../src/languages/python/literals/index.ts";
import { printProblem, readProblems, sourceFiles } from "../../src/problems/index.ts";
import { parseExact } from "../../src/problems/rows.ts";
import type { Problem, PyValue, TestCase } from "../../src/types.ts";
import { oneProblem, tempFolder, writeRows } from "./helpers.ts";

const row = {
  task_id: "A/1",
  description: "Do it.",
  entry_point: "f",
  references: ["def f(): return 1"],
  tests: ["assert f() == 1"],
};

describe("our own format", () => {
  const text = fc.string({ unit: "grapheme" });
  const test = fc.oneof(
    fc.record({ kind: fc.constantFrom("assert" as const, "check" as const), code: text }),
    fc.record({
      kind: fc.constant("call" as const),
      args: text,
      expected: fc.option(text),
      tolerance: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    }),
    fc.record({ kind: fc.constant("stdio" as const), stdin: text, expected: fc.option(text) }),
  );
  const problem = fc.record({
    id: text.filter((id) => id.trim() !== "" && !/^\d+$/.test(id)),
    description: text,
    prompt: text,
    entryPoint: fc.option(text),
    references: fc.array(text.filter((code) => code.trim() !== "")),
    tests: fc
      .array(test)
      .map((tests) => tests.map((t, i) => ({ id: `t${i}`, origin: i % 2 ? "given" : "expanded", ...t }) as TestCase)),
    setup: text,
    contract: text,
    source: text,
    originalTests: fc.option(fc.nat(), { nil: undefined }),
  }) as fc.Arbitrary<Problem>;

  it("is read back as it was written, whatever the problem", async () => {
    await fc.assert(
      fc.asyncProperty(problem, async (written: Problem) => {
        expect(await oneProblem(printProblem(written))).toEqual(JSON.parse(JSON.stringify(written)));
      }),
      { numRuns: 60 },
    );
  });

  it("needs little: asserts as text, no prompt, no setup", async () => {
    expect(await oneProblem(row)).toEqual({
      id: "A/1",
      description: "Do it.",
      prompt: "",
      entryPoint: "f",
      references: row.references,
      tests: [{ id: "test-0", origin: "given", kind: "assert", code: "assert f() == 1" }],
      setup: "",
      contract: "",
      source: "",
    });
  });

  it.each([
    [{ kind: "call", args: 1 }, /rows\.jsonl:1, test 0: expected `args` to be a string, got number/],
    [{ kind: "magic" }, /expected `kind` to be call, stdio, assert or check, got `magic`/],
    [{ kind: "call", args: "1", tolerance: -1 }, /expected `tolerance` to be a number of at least 0/],
    [7, /expected an assert's text or an object/],
  ])("refuses the test %j", async (test, message) => {
    await expect(oneProblem({ ...row, tests: [test] })).rejects.toThrow(message);
  });
});

function plainFile(name: string): string {
  const path = join(tempFolder(), name);
  writeFileSync(path, JSON.stringify(row));
  return path;
}

function programFolder(): string {
  const folder = tempFolder();
  writeFileSync(join(folder, "0.py"), "print(1)");
  return folder;
}

describe("readProblems", () => {
  it("reads JSON lines, gzipped lines and a JSON array alike", async () => {
    const plain = await readProblems([writeRows([row])]);
    expect(await readProblems([writeRows([row], "rows.jsonl.gz")])).toEqual(plain);
    expect(await readProblems([writeRows([JSON.stringify([row], null, 2)], "rows.json")])).toEqual(plain);
  });

  it("reads an array whatever its layout, brackets and quotes in its strings too", async () => {
    const rows = ['a"]},{[', "\\\\", "\n,\n"].map((description, i) => ({ ...row, task_id: `A/${i}`, description }));
    for (const text of [
      JSON.stringify(rows),
      JSON.stringify(rows, null, 2),
      `\n\n[${rows.map((r) => JSON.stringify(r)).join("\n,\n")}\n]\n`,
    ]) {
      const problems = await readProblems([writeRows([text], "rows.json")]);
      expect([...problems.values()].map(({ description }) => description)).toEqual(
        rows.map(({ description }) => description),
      );
    }
  });

  it("keeps every digit of an id", async () => {
    const lines = ["9007199254740993", '"9007199254740995"'].map((id) => JSON.stringify(row).replace('"A/1"', id));
    expect([...(await readProblems([writeRows(lines)])).keys()]).toEqual(["9007199254740993", "9007199254740995"]);
  });

  it("reads exact numbers from an array too", async () => {
    const array = `[\n{"task_id": "E/1", "prompt": "def f(x):\\n", "entry_point": "f", "base_input": [[1.0]]}]`;
    const [problem] = (await readProblems([writeRows([array], "rows.json")])).values();
    expect(problem?.tests[0]).toMatchObject({ args: "1.0" });
  });

  it("reads the files of a folder sorted by name, and nothing else in it", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "b.jsonl"), JSON.stringify({ ...row, task_id: "B/1" }));
    writeFileSync(join(folder, "a.jsonl"), JSON.stringify({ ...row, task_id: "A/1" }));
    writeFileSync(join(folder, "README.md"), "not a problem");
    writeFileSync(join(folder, "a.jsonl.manifest.json"), "{}");
    expect([...(await readProblems([folder])).keys()]).toEqual(["A/1", "B/1"]);
    expect(await sourceFiles(folder)).toEqual([join(folder, "a.jsonl"), join(folder, "b.jsonl")]);
  });

  it("reads APPS folders, one or many", async () => {
    const folder = tempFolder();
    for (const [name, fn_name] of [
      ["0000", undefined],
      ["0012", "f"],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "question.txt"), `Question ${name}.\n`);
      writeFileSync(join(folder, name, "solutions.json"), JSON.stringify([`# ${name}\nprint(1)`]));
      const io = fn_name ? { fn_name, inputs: [[1]], outputs: [2] } : { inputs: ["1"], outputs: ["2"] };
      writeFileSync(join(folder, name, "input_output.json"), JSON.stringify(io));
    }
    const problems = await readProblems([folder]);
    expect([...problems.keys()]).toEqual(["APPS/0", "APPS/12"]);
    expect(problems.get("APPS/0")).toMatchObject({
      description: "Question 0000.",
      entryPoint: null,
      references: ["# 0000\nprint(1)"],
    });
    expect(problems.get("APPS/12")?.tests[0]).toMatchObject({ kind: "call", args: "1", expected: "2" });
    expect([...(await readProblems([join(folder, "0012")])).keys()]).toEqual(["APPS/12"]);
  });

  it("refuses an `original_tests` that is no count", async () => {
    const file = writeRows([{ ...row, original_tests: -1 }]);
    await expect(readProblems([file])).rejects.toThrow("expected `original_tests` to be a count, got -1");
  });

  it("takes an empty text for no reference", async () => {
    const problems = await readProblems([writeRows([{ ...row, references: ["", " \n", "def f(): return 1"] }])]);
    expect(problems.get(row.task_id)?.references).toEqual(["def f(): return 1"]);
  });

  it("takes a file that is not there for wrong use", async () => {
    await expect(readProblems(["missing.jsonl"])).rejects.toMatchObject({
      code: "usage",
      message: "cannot read missing.jsonl: no such file or folder",
    });
  });

  it("makes one problem of rows with the same id: tests of the one that has most, references of all", async () => {
    const other = { ...row, tests: [], references: ["def f(): return 2 - 1"] };
    const [problem, ...rest] = (
      await readProblems([writeRows([other, row, { ...row, entry_point: "g", references: ["x"] }])])
    ).values();
    expect(rest).toEqual([]);
    expect(problem?.tests).toHaveLength(1);
    expect(problem?.references).toEqual(["def f(): return 1", "def f(): return 2 - 1"]);
  });

  it.each([
    ["an empty file", [writeRows([])], /no problems in .*rows\.jsonl/],
    ["a line that is not JSON", [writeRows([row, '{"task_id": '])], /rows\.jsonl:2: expected JSON, got \{"task_id": /],
    ["a later line that is an array", [writeRows([row, "[1, 2"])], /rows\.jsonl:2: expected JSON, got \[1, 2/],
    [
      "an array whose second item is no object",
      [writeRows(["[", `${JSON.stringify(row)},`, "7]"])],
      /rows\.jsonl:3: expected a JSON object, got 7/,
    ],
    [
      "an array with an item that is not JSON",
      [writeRows(["[", `${JSON.stringify(row)},`, '{"a":', " b}", "]"])],
      /rows\.jsonl:3: expected JSON, got \{"a":/,
    ],
    [
      "an array that does not end",
      [writeRows(["[", JSON.stringify(row)])],
      /rows\.jsonl:2: expected JSON, got the end of the file inside the array that begins in line 1/,
    ],
    ["text after an array", [writeRows(["[]", "x"])], /rows\.jsonl:2: expected nothing after the end of the array/],
    ["a folder of programs", [programFolder()], /expected problem files, got a folder of programs/],
    ["a line that is no object", [writeRows(["", "7"])], /rows\.jsonl:2: expected a JSON object, got 7/],
    [
      "a row of no known format",
      [writeRows([{ task_id: "A", prompt: "x" }])],
      /rows\.jsonl:1: not a problem of a known format; fields here: task_id, prompt; known: .*HumanEval/,
    ],
    [
      "a sample",
      [writeRows([{ task_id: "A", code: "x = 1", model: "m" }])],
      /rows\.jsonl:1: expected a problem, got a sample .*: give samples by --samples.*; fields here: task_id, code, model/,
    ],
    [
      "a field of the wrong type",
      [writeRows([{ ...row, description: 7 }])],
      /rows\.jsonl:1: expected `description` to be a string, got number/,
    ],
    [
      "a folder without problems",
      [tempFolder()],
      /expected \*\.jsonl\[\.gz\] or \*\.parquet files, APPS folders .*, folders of programs .* or notebooks/,
    ],
    ["a file that is not gzipped", [plainFile("y.jsonl.gz")], /cannot read .*y\.jsonl\.gz: incorrect header check/],
  ])("says what is wrong with %s", async (_, paths, message) => {
    await expect(readProblems(paths)).rejects.toMatchObject({
      name: "CodescoreError",
      code: "input",
      message: expect.stringMatching(message),
    });
  });
});

describe("parseExact", () => {
  const plain = (value: PyValue): unknown => {
    if (value.t === "none") return null;
    if (value.t === "list") return value.v.map(plain);
    if (value.t === "dict") return Object.fromEntries(value.v.map(([k, v]) => [plain(k), plain(v)]));
    return value.t === "int" ? Number(value.v) : (value as { v: unknown }).v;
  };

  it("agrees with JSON.parse on every value, but for what JSON.parse cannot tell", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(plain(parseExact(text, "here")))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["1.0", "1.0"],
    ["-0", "0"],
    ["1e3", "1000.0"],
    ["123456789012345678901234567890", "123456789012345678901234567890"],
    ["[NaN, -Infinity]", "[float('nan'), float('-inf')]"],
    ['"1.0 \\u00e9\\n\\"2\\""', `'1.0 é\\n"2"'`],
    ['{"1": {"a\\\\": []}, "__proto__": null}', "{'1': {'a\\\\': []}, '__proto__': None}"],
    ["[true, false, null]", "[True, False, None]"],
  ])("reads %s as Python does", (json, literal) => {
    expect(printLiteral(parseExact(json, "here"))).toBe(literal);
  });

  it("manages a string of megabytes", () => {
    const long = `${"1\\n".repeat(2_000_000)}`;
    expect(parseExact(`["${long}", 1]`, "here")).toMatchObject({ t: "list", v: [{ t: "str" }, { t: "int", v: 1n }] });
  });
});
