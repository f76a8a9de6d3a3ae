/** `codescore score` on the output of other steps: problems and samples, labelled sets, rows with bad or empty answers. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeExamples } from "../../src/dataset/index.ts";
import type { LabelledRow, Score } from "../../src/types.ts";
import { makeModel } from "../score/model.ts";
import { codescoreHere } from "./run.ts";

const PROMPT = 'def add(a, b):\n    """Adds two numbers."""\n';
const PROBLEM = {
  task_id: "HumanEval/0",
  prompt: PROMPT,
  entry_point: "add",
  canonical_solution: "    return a + b\n",
  test: "def check(candidate):\n    assert candidate(1, 2) == 3\n",
};
const SAMPLES = [
  { task_id: "HumanEval/0", sample_id: "s1", completion: "    return b + a\n" },
  { task_id: "HumanEval/0", solution: "def add(a, b):\n    return a - b\n" },
  { task_id: "HumanEval/0", completion: "" },
  { task_id: "HumanEval/9", completion: "    return 1\n" },
];
const LABELLED: LabelledRow = {
  ...{ task_id: "t/1", sample_id: "t/1#0", source: "t", made_by: "m", temperature: null, reference: "x = 1\n" },
  ...{ candidate: "x = 2\n", description: null, pass_ratio: 0, executable: 1, n_tests: 1, n_passed: 0, n_opaque: 0 },
  ...{ passes_base: null, status: "ok", first_error: null, reason: null, weight: 1 },
};

interface Row extends Score {
  readonly id: unknown;
  readonly task_id?: string;
  readonly candidate?: string;
  readonly error?: { readonly message: string };
}

let folder: string;
let model: string;
const file = (name: string): string => join(folder, name);
const jsonl = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const read = (text: string): Row[] => text.trim().split("\n").map((line) => JSON.parse(line) as Row); // biome-ignore format: one line
const run = (args: readonly string[], stdin = "") =>
  codescoreHere(["score", "--model", model, ...args], { stdin, cwd: folder });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-score-samples-"));
  model = await makeModel();
  await writeFile(file("problems.jsonl"), jsonl([PROBLEM]));
  await writeFile(file("samples.jsonl"), jsonl(SAMPLES));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(model, { recursive: true });
});

const FILES = ["--problems", "problems.jsonl", "--samples", "samples.jsonl"];

it("scores samples beside the reference and the description of their problem", async () => {
  const { code, stdout } = await run(FILES);
  expect(code).toBe(1);
  const rows = read(stdout);
  expect(rows.map(({ id, task_id }) => [id, task_id])).toEqual([
    ["s1", "HumanEval/0"],
    ["HumanEval/0#1", "HumanEval/0"],
    ["HumanEval/0#2", "HumanEval/0"],
    ["HumanEval/9#0", "HumanEval/9"],
  ]);
  expect(rows[3]!.error!.message).toBe("no problem has the id HumanEval/9; one of them is HumanEval/0");
  const joined = {
    candidate: PROMPT + SAMPLES[0]!.completion,
    reference: PROMPT + PROBLEM.canonical_solution,
    description: "Adds two numbers.",
  };
  const [byHand] = read((await run([], jsonl([joined]))).stdout);
  expect(rows[0]).toMatchObject({ score: byHand!.score, format: "ref+nl", signature: byHand!.signature });
});

it("gives each row that is no sample its error with file and line, and scores the rest", async () => {
  const good = JSON.stringify(SAMPLES[0]);
  const bad = ['{"task_id": "HumanEval/0", "sol', '{"task_id": "HumanEval/0"}', '{"task_id": 1, "generations": [5]}'];
  await writeFile(file("torn.jsonl"), [bad[0], good, ...bad.slice(1), good, bad[0]].join("\n"));
  const { code, stdout } = await run(["--problems", "problems.jsonl", "--samples", "torn.jsonl"]);
  expect(code).toBe(1);
  const rows = read(stdout);
  expect(rows.map(({ id, error }) => error?.message.replace(/(:\d+): (expected \w+,? \w+).*/, "$1 $2") ?? id)).toEqual([
    "torn.jsonl:1 expected JSON, got",
    "s1",
    "torn.jsonl:3 expected a string",
    "torn.jsonl:4 expected a list",
    "s1",
    "torn.jsonl:6 expected JSON, got",
  ]);
  // A line that is not a sample has no task. CSV keeps the empty column.
  expect(rows.map((row) => Object.keys(row).slice(0, 2))).toEqual([
    ["id", "error"],
    ["id", "task_id"],
    ["id", "error"],
    ["id", "error"],
    ["id", "task_id"],
    ["id", "error"],
  ]);
  const csv = await run(["--problems", "problems.jsonl", "--samples", "torn.jsonl", "--as", "csv"]);
  expect(csv.stdout).toMatch(/^id,task_id,rank.*\n0,,,/);
});

it("refuses samples of which no row is one", async () => {
  await writeFile(file("other.jsonl"), "x = 1\n".repeat(30));
  const { code, stdout, stderr } = await run(["--problems", "problems.jsonl", "--samples", "other.jsonl"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^codescore: other\.jsonl:1: expected JSON, got x = 1/);
});

it("refuses samples of which none is of a task, naming the problems, but not those of which one is", async () => {
  const of = (taskId: string): object => ({ task_id: taskId, completion: "    return 1\n" });
  const score = async (...tasks: string[]) => {
    await writeFile(file("tasks.jsonl"), jsonl(tasks.map(of)));
    return run(["--problems", "problems.jsonl", "--samples", "tasks.jsonl"]);
  };
  const expected =
    "expected samples of the problems in problems.jsonl: no problem has the id T/1; one of them is HumanEval/0";
  for (const tasks of [["T/1", "T/2"], Array.from({ length: 30 }, (_, i) => `T/${i + 1}`)]) {
    const { code, stdout, stderr } = await score(...tasks);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(expected);
  }
  const { code, stdout } = await score("T/1", "HumanEval/0", "T/2");
  expect(code).toBe(1);
  expect(read(stdout).map(({ error }) => error !== undefined)).toEqual([true, false, true]);
});

it("gives the best of a task with its program", async () => {
  const { stdout } = await run([...FILES, "--best"]);
  const [best] = read(stdout);
  expect(best!.candidate).toBe(best!.id === "s1" ? PROMPT + SAMPLES[0]!.completion : SAMPLES[1]!.solution);
  const csv = await run([...FILES, "--best", "--as", "csv"]);
  expect(csv.stdout).toMatch(/return (?:b \+ a|a - b)/);
  expect((await run([...FILES, "--rank"])).stdout).not.toContain('"candidate"');
});

it("gives an empty answer 0, which no model is asked for", async () => {
  const rows = ["", " \t\r\n", "\ufeff"].map((candidate) => ({ candidate, reference: "x = 1" }));
  const body = { candidate: "", prompt: PROMPT, description: "Adds." };
  const { code, stdout } = await run([], jsonl([...rows, body]));
  expect(code).toBe(0);
  for (const row of read(stdout)) {
    expect(row).toMatchObject({ score: 0, exec: 0 });
    expect(row.notes).toContain("candidate: empty");
  }
  expect(read((await run(FILES)).stdout)[2]).toMatchObject({ score: 0, exec: 0 });
  const table = await run(["--as", "table"], jsonl([rows[0]!]));
  expect(table.stdout).toMatch(/ {2}fails \(the answer is empty\)\n$/);
});

it.each(["set.arrow", "set.parquet", "set.jsonl"])(
  "scores the rows of a labelled set, %s, by their ids",
  async (name) => {
    await writeExamples(file(name), (async function* () { yield LABELLED; })()); // biome-ignore format: one line
    const { code, stdout } = await run(["--input", name]);
    expect(code).toBe(0);
    expect(read(stdout)).toMatchObject([{ id: "t/1#0", format: "ref" }]);
  },
);

it("takes a bad first line for a row's error, and a file without any row for one of another kind", async () => {
  const good = JSON.stringify({ candidate: "x = 1", reference: "x = 1" });
  const { code, stdout } = await run([], `{"candidate": \n[1]\n${good}\n`);
  expect(code).toBe(1);
  expect(read(stdout).map(({ error }) => error?.message.split(":", 2).join(":"))).toEqual([
    "stdin:1",
    "stdin:2",
    undefined,
  ]);
  const other = await run([], "x = 1\n".repeat(50));
  expect([other.code, other.stdout]).toEqual([2, ""]);
  expect(other.stderr).toMatch(/^codescore: stdin:1: expected one JSON object a line/);
});

it.each([
  ["samples.jsonl", /: expected a field `candidate`, .*--problems PROBLEMS --samples SAMPLES\n$/],
  ["problems.jsonl", /: expected a field `candidate`, .*this is a problem: .*--problems THIS --samples SAMPLES\n$/],
])("refuses %s, which has no row with a candidate, and says how to score it", async (name, message) => {
  const { code, stdout, stderr } = await run(["--input", name]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^codescore: no row has a `candidate` \(or `generated_code`\): /);
  expect(stderr).toMatch(message);
});

describe("rows without a candidate", () => {
  const lacking = JSON.stringify({ id: "x", answer: "x = 1", reference: "x = 1" });
  const good = JSON.stringify({ generated_code: "x = 1", golden_code: "x = 1" });

  it("are errors of their own if another row has one, however many precede it", async () => {
    const { code, stdout } = await run([], `${`${lacking}\n`.repeat(30)}${good}\n${lacking}\n`);
    expect(code).toBe(1);
    const isScored = read(stdout).map(({ error }) => error === undefined);
    expect(isScored).toEqual([...Array.from({ length: 30 }, () => false), true, false]);
  });

  it("are one error, which names the columns that are there, if none has one", async () => {
    const message =
      "codescore: no row has a `candidate` (or `generated_code`): stdin:2: expected a field `candidate`, got the fields id, answer, reference\n";
    for (const text of [`{"id": \n${lacking}\n`, `{"id": \n${`${lacking}\n`.repeat(1500)}${good}\n`]) {
      const { code, stdout, stderr } = await run([], text);
      expect([code, stdout, stderr]).toEqual([2, "", message]);
    }
  });
});

it.each([
  [["--problems", "problems.jsonl"], /--problems and --samples together/],
  [[...FILES, "--input", "samples.jsonl"], /cannot be used with candidate files/],
  [[...FILES, "--reference", "r.py"], /cannot be used with candidate files/],
])("refuses %j", async (args, message) => {
  const { code, stdout, stderr } = await run(args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
});
