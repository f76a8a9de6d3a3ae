/** Each malformed input is a clear error of its row or call. The other rows are scored, and nothing crashes. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CodeScorer } from "../../src/score/index.ts";
import type { Score, ScoreInput } from "../../src/types.ts";
import { makeModel } from "../score/model.ts";
import { CALLS, LINES, prepare, ROWS, TEXTS } from "./bad-input.ts";
import { copyModel, MODELS } from "./bad-models.ts";
import { codescore, codescoreHere } from "./run.ts";

const GOOD: ScoreInput = { candidate: "def f(a):\n    return a\n", reference: "def f(b):\n    return b\n" };
let folder: string;
let model: string;
let scorer: CodeScorer;
let good: Score;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-bad-"));
  await prepare(folder);
  const whole = await makeModel();
  model = join(folder, "model");
  await copyModel(whole, model);
  await rm(whole, { recursive: true });
  scorer = await CodeScorer.load(model, { threads: 1 });
  good = (await scorer.scoreAll([GOOD]))[0] as Score;
});

afterAll(async () => {
  await scorer.close();
  await rm(folder, { recursive: true });
});

const isScored = (result: unknown): void => {
  const { score, exec } = result as Score;
  for (const value of [score, exec]) expect(value).toSatisfy((p: number) => p >= 0 && p <= 1);
};

describe("the library", () => {
  it("is tested on at least 60 malformed inputs, with the command", () => {
    expect(ROWS.length + TEXTS.length + LINES.length + CALLS.length + MODELS.length).toBeGreaterThanOrEqual(100);
  });

  it.each<(typeof ROWS)[number]>([
    ...ROWS,
    ["null", null, /row to be an object, got null/],
    ["a text", "x", /row to be an object, got string/],
  ])("says what is wrong with a row with %s, and scores its neighbours", async (_, row, message) => {
    const [before, bad, after] = await scorer.scoreAll([GOOD, row as ScoreInput, GOOD]);
    expect(bad).toEqual({ error: { code: "input", message: expect.stringMatching(message) } });
    for (const one of [before, after]) expect((one as Score).score).toBeCloseTo(good.score, 6);
  });

  it.each(TEXTS)("scores %s, wherever they stand", async (name, text) => {
    const rows = [
      { ...GOOD, candidate: text },
      { ...GOOD, reference: text },
      { ...GOOD, description: text },
    ];
    for (const result of await scorer.scoreAll(rows)) {
      if ("error" in result) expect(result.error.message).toMatch(/nested too deeply/);
      else isScored(result);
      if (!/deep|terms/.test(name)) expect(result).not.toHaveProperty("error");
    }
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a number", 5],
    ["a text", "x = 1"],
    ["one row", GOOD],
  ])("refuses %s for the rows", async (_, rows) => {
    await expect(scorer.scoreAll(rows as ScoreInput[])).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/expected the rows as an array or an \(async\) iterable/),
    });
  });

  it.each([{ threads: -1 }, { threads: 1.5 }, { batchTokens: 0 }, { batchTokens: Number.NaN }])(
    "refuses the options %o",
    async (options) => {
      await expect(CodeScorer.load(model, options)).rejects.toHaveProperty("code", "usage");
    },
  );

  it.each(MODELS)("refuses a model %s", async (name, spoil, message) => {
    const copy = join(folder, `model ${name.replace(/\W/g, "-")}`);
    await copyModel(model, copy);
    await spoil(copy);
    await expect(CodeScorer.load(copy)).rejects.toMatchObject({
      code: "model",
      message: expect.stringMatching(message),
    });
    await rm(copy, { recursive: true });
  });
});

describe("codescore score", () => {
  const run = (args: readonly string[], stdin = "", command = codescoreHere) =>
    command(["score", "--model", model, "--threads", "1", ...args], { stdin, cwd: folder });

  const oneLine = (stderr: string): void => {
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).not.toMatch(/^\s+at |bug in codescore/m);
  };

  it("gives each bad row and line its error in its place and scores the rest", async () => {
    const bad = [
      ...ROWS.map(([, row, message]) => [JSON.stringify(row), message] as const),
      ...LINES.map(([, ...line]) => line),
    ];
    const line = JSON.stringify(GOOD);
    const text = `\ufeff${[line, ...bad.flatMap(([row]) => [row, line])].join("\r\n")}\n`;
    const { code, stdout, stderr } = await run([], text, codescore);
    expect(code).toBe(1);
    const rows = stdout
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row));
    expect(rows).toHaveLength(2 * bad.length + 1);
    for (const [i, row] of rows.entries()) {
      if (i % 2 === 0) expect(row.score).toBeCloseTo(good.score, 6);
      else {
        expect(row.error.message).toMatch(bad[(i - 1) / 2]![1]);
        expect(row.error.message).toMatch(new RegExp(`^stdin:${i + 1}: `));
      }
    }
    oneLine(stderr);
    expect(stderr).toMatch(`${bad.length + 1} ref; ${bad.length + 1} unknown; ${bad.length} with an error`);
  });

  it.each(CALLS)("refuses $name", async ({ args, stdin, code, message }) => {
    const result = await run(args, stdin);
    expect(result.stderr).toMatch(message);
    oneLine(result.stderr);
    expect(result.stdout).toBe("");
    expect(result.code).toBe(code);
  });

  it("gives a ragged line of CSV its error and scores the rest", async () => {
    const csv =
      '\ufeffid,candidate,reference\r\na,"x = 1\r\ny = 2",x = 2\r\nb,x = 1\r\nc,x,y,z\r\n\r\nd,x = 1,\r\ne,x,y\r\n';
    await writeFile(join(folder, "ragged.csv"), csv);
    const { code, stdout } = await run(["--input", "ragged.csv", "--as", "csv"]);
    expect(code).toBe(1);
    const [names, ...lines] = stdout.trim().split("\n");
    expect(names).toMatch(/^id,task_id,rank,tied,score,exec,.*,error$/);
    expect(lines.map((line) => line.split(",")[0])).toEqual(["a", "1", "2", "d", "e"]);
    expect(lines[1]).toMatch(/ragged\.csv:4: expected 3 cells \(id, candidate, reference\), got 2/);
    expect(lines[2]).toMatch(/ragged\.csv:5: expected 3 cells .* got 4/);
    expect(lines[3]).toMatch(/ragged\.csv:7: expected a reference or a description/);
    for (const i of [0, 4]) expect(Number(lines[i]!.split(",")[4])).toBeGreaterThan(0);
  });

  it.each([
    ["semicolons", ";"],
    ["tabs", "\t"],
  ])("reads CSV with %s in place of commas", async (name, delimiter) => {
    const lines = [
      ["id", "candidate", "reference"],
      ["a", '"x = 1, 2\r\ny = ""a;b"""', "x = 3"],
      ["b", "x, y = 1, 2", "x = 2"],
      ["c", "x = 1"],
    ];
    await writeFile(
      join(folder, `${name}.csv`),
      `\ufeff${lines.map((cells) => cells.join(delimiter)).join("\r\n")}\r\n`,
    );
    const { code, stdout } = await run(["--input", `${name}.csv`]);
    expect(code).toBe(1);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ id, score, error }) => [id, error?.message ?? typeof score])).toEqual([
      ["a", "number"],
      ["b", "number"],
      [2, `${name}.csv:5: expected 3 cells (id, candidate, reference), got 2`],
    ]);
  });

  it("gives files that cannot be read, and names without a pair, their errors and scores the rest", async () => {
    const write = async (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
    const { mkdir } = await import("node:fs/promises");
    for (const path of ["refs", "cands", "cands/two", "cands/.hidden"]) await mkdir(join(folder, path));
    await write("refs/one.py", "x = 1\n");
    await write("refs/two.py", "x = 2\n");
    await write("refs/three.py", "x = 3\n");
    await write("cands/one.py", "x = 1\n");
    await write("cands/two/a.py", "x = 0\n");
    await write("cands/two/b.py", "x = 2\n");
    await write("cands/other.py", "x = 4\n");
    await write("cands/empty.py", "");
    await write("cands/.hidden/one.py", "x = 5\n");
    const { code, stdout } = await run(["--reference", "refs", "cands", "latin.py", "--json"]);
    expect(code).toBe(1);
    const rows = stdout
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row));
    const said = Object.fromEntries(rows.map(({ id, score, error }) => [id, error?.message ?? typeof score]));
    expect(said).toEqual({
      "cands/empty.py": "expected a file refs/empty.py to pair it with, got none",
      "cands/one.py": "number",
      "cands/other.py": "expected a file refs/other.py to pair it with, got none",
      "cands/two/a.py": "number",
      "cands/two/b.py": "number",
      "latin.py": "cannot read latin.py: expected Python source in UTF-8, got another encoding or a binary file",
      "refs/three.py": "no candidate has the name of this reference in cands, latin.py",
    });
  });

  it("says which folders to name if each person's answers are in a folder of their own", async () => {
    const { mkdir } = await import("node:fs/promises");
    await mkdir(join(folder, "keys"));
    await mkdir(join(folder, "people", "ann"), { recursive: true });
    for (const name of ["keys/a.py", "people/ann/a.py"]) await writeFile(join(folder, name), "x = 1\n");
    const { stdout } = await run(["--reference", "keys", "people", "--json"]);
    expect(JSON.parse(stdout.split("\n")[0]!)).toMatchObject({
      id: "people/ann/a.py",
      error: {
        message:
          "expected a file keys/ann/a.py to pair it with, got none; keys/a.py is there, so name folders such as people/ann as candidates, not the one around them",
      },
    });
    expect((await run(["--reference", "keys", "people/ann", "--json"])).code).toBe(0);
  });

  it("needs no candidate for every reference if the candidates are named as files", async () => {
    const { mkdir } = await import("node:fs/promises");
    await mkdir(join(folder, "solutions"));
    for (const name of ["solutions/changed.py", "solutions/other.py", "changed.py"])
      await writeFile(join(folder, name), "x = 1\n");
    const { code, stdout } = await run(["--reference", "solutions", "changed.py", "--json"]);
    const rows = stdout
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row));
    expect(rows.map(({ id, score }) => [id, typeof score])).toEqual([["changed.py", "number"]]);
    expect(code).toBe(0);
  });

  it.each([
    [["--reference", "empty.py"], "empty.py is empty: expected a correct program in it"],
    [["--description", "empty.txt"], "empty.txt is empty: expected what the program should do in it"],
  ])("names the empty file in %j", async (args, message) => {
    for (const name of ["empty.py", "empty.txt"]) await writeFile(join(folder, name), " \n");
    const { code, stdout } = await run([...args, "a.py", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error.message).toBe(message);
    const { code: both } = await run([...args, "--reference", "a.py", "a.py", "--description", "empty.txt"]);
    expect(both).toBe(0);
  });

  it("says what to score files against", async () => {
    const { code, stderr } = await run(["a.py", "--json"]);
    expect(code).toBe(2);
    expect(stderr).toContain("expected --reference or --description to score the candidates against, got neither");
  });

  it("names the fields of a row with nothing to compare with", async () => {
    await writeFile(join(folder, "misspelt.jsonl"), '{"candidate": "x = 1", "refernce": "x = 1"}\n');
    const { code, stdout } = await run(["--input", "misspelt.jsonl"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error.message).toBe(
      "misspelt.jsonl:1: expected a reference or a description to score against, got neither; fields here: candidate, refernce",
    );
  });

  it("says how to score a program that is given as rows", async () => {
    const { code, stderr } = await run(["--input", "a.py"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("codescore score --reference REFERENCE.py a.py")]);
  });

  it("leaves an output as it was when the input breaks off", async () => {
    await writeFile(join(folder, "kept.jsonl"), "before\n");
    const { code } = await run(["--input", "cut.jsonl.gz", "--output", "kept.jsonl"]);
    expect(code).toBe(2);
    expect(await readFile(join(folder, "kept.jsonl"), "utf8")).toBe("before\n");
  });
});

describe("a command", () => {
  it.each([
    ["label", ["--problems", "broken.jsonl", "--samples", "broken.jsonl", "--output", "out.jsonl"]],
    ["expand", ["--problems", "broken.jsonl", "--output", "out.jsonl"]],
    ["evaluate", ["--data", "broken.jsonl"]],
    ["score", ["--input", "broken.jsonl"]],
    ["mutate", ["--problems", "broken.jsonl", "--output", "out.jsonl"]],
    ["estimate", ["--data", "broken.jsonl"]],
  ])("%s ends with exit code 2 if its file cannot be used", async (verb, args) => {
    const path = join(folder, "broken.jsonl");
    await writeFile(path, "no JSON here\n");
    const { code, stderr } = await codescoreHere([
      verb,
      ...args.map((arg) => arg.replace(/^(?=broken|out)/, `${folder}/`)),
    ]);
    expect(stderr).toContain("broken.jsonl");
    expect([code, stderr.includes("bug")]).toEqual([2, false]);
  });

  it("complete names the shells", async () => {
    const { code, stderr } = await codescoreHere(["complete"]);
    expect([code, stderr]).toEqual([
      2,
      "codescore: expected a shell: zsh, bash, fish or powershell (see codescore --help)\n",
    ]);
  });

  it("label ends with exit code 1 if no sample is of a known task", async () => {
    const problem = { task_id: "T/1", prompt: "", entry_point: "f", test: "def check(f):\n    assert f(1) == 1\n" };
    const samples = (...tasks: string[]): string =>
      tasks.map((task_id) => JSON.stringify({ task_id, solution: GOOD.candidate })).join("\n");
    const label = async (rows: string, output: string): Promise<number | null> => {
      await writeFile(join(folder, "p.jsonl"), JSON.stringify(problem));
      await writeFile(join(folder, "s.jsonl"), rows);
      const paths = ["--problems", "p.jsonl", "--samples", "s.jsonl", "--output", output];
      const { code } = await codescoreHere(["label", ...paths.map((path) => path.replace(/^(?=\w)/, `${folder}/`))]);
      return code;
    };
    expect(await label(samples("T/1", "T/2"), "one.jsonl")).toBe(0);
    expect(await label(samples("T/2", "T/3"), "none.jsonl")).toBe(1);
  });
});
