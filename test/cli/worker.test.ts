/** `label`, `score` and `expand` with --stdio give the same results for rows from a pipe as for files. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { native } from "../execute/open.ts";
import { tempFolder, writeRows } from "../problems/helpers.ts";
import { codescoreHere } from "./run.ts";

const problems = writeRows(
  ["P0", "P1"].map((task_id) => ({
    task_id,
    description: "Add two to a number.",
    entry_point: "f",
    references: ["def f(x):\n    return x + 2\n"],
    tests: ["assert f(1) == 3", "assert f(2) == 4"],
  })),
);
const samples = [
  { task_id: "P0", sample_id: "right", solution: "def f(x):\n    return 2 + x\n" },
  { task_id: "P1", sample_id: "wrong", solution: "def f(x):\n    return 3 if x == 1 else 0\n" },
  { task_id: "P1", sample_id: "endless", solution: "def f(x):\n    while True: pass\n" },
  {
    task_id: "P1",
    sample_id: "poison",
    solution: "import os\ndef f(x):\n    os.kill(os.getppid(), 9)\n    os._exit(0)\n",
  },
];
const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

describe("with --stdio", () => {
  it("label says what it writes into files; endless and poisoned programs are rows", { timeout: 60_000 }, async () => {
    const out = join(tempFolder(), "out.jsonl");
    const settings = ["--problems", problems, "--workers", "1"];
    const file = await codescoreHere(["label", ...settings, "--samples", writeRows(samples), "--output", out]);
    expect(file.code, file.stderr).toBe(0);
    const { code, stdout, stderr } = await codescoreHere(["label", "--stdio", ...settings], { stdin: lines(samples) });
    expect(code, stderr).toBe(0);
    expect(stdout).toBe(readFileSync(out, "utf8"));
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ status, pass_ratio }) => [status, pass_ratio])).toEqual([
      ["ok", 1],
      ["ok", 0.5],
      ["ok", 0],
      ["ok", 0],
    ]);
  });

  it.skipIf(native.length === 0)("label reads a notebook's data from --files", { timeout: 60_000 }, async () => {
    const [folder, files] = [tempFolder(), tempFolder()];
    writeFileSync(join(files, "data.txt"), "4");
    const cells = ["n = int(open('data.txt').read())", "m = n + 1"];
    const notebook = { nbformat: 4, metadata: {}, cells: cells.map((source) => ({ cell_type: "code", source })) };
    writeFileSync(join(folder, "nb.ipynb"), JSON.stringify(notebook));
    const where = ["--problems", join(folder, "nb.ipynb"), "--files", files, "--sandbox", native[0]!, "--workers", "1"];
    const answers = ["m = 5", "m = 6"].map((solution) => ({ task_id: "nb/2", solution }));
    const { code, stdout, stderr } = await codescoreHere(["label", "--stdio", ...where], { stdin: lines(answers) });
    expect(code, stderr).toBe(0);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ status, pass_ratio }) => [status, pass_ratio])).toEqual([
      ["ok", 1],
      ["ok", 0],
    ]);
  });

  it("score says what it prints of files", async () => {
    const candidates = samples.map(({ task_id, sample_id, solution }) => ({
      id: sample_id,
      task_id,
      candidate: solution,
      description: "Add two.",
    }));
    const rows = [...candidates, { id: "none" }];
    const file = await codescoreHere(["score", "--model", "tiny", "--input", writeRows(rows)]);
    const { code, stdout } = await codescoreHere(["score", "--model", "tiny", "--stdio"], { stdin: lines(rows) });
    expect(code).toBe(0); // a row that cannot be scored is not a failure
    const [scored, printed] = [stdout, file.stdout].map((text) =>
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
    expect(scored?.slice(0, -1)).toEqual(printed?.slice(0, -1));
    expect(scored?.at(-1)).toMatchObject({ id: "none", error: { code: "input" } });
  });

  it("expand says what it writes into files", { timeout: 60_000 }, async () => {
    const out = join(tempFolder(), "out.jsonl");
    const settings = ["--count", "6", "--workers", "1"];
    const file = await codescoreHere(["expand", ...settings, "--problems", problems, "--output", out]);
    expect(file.code, file.stderr).toBe(0);
    const { stdout } = await codescoreHere(["expand", "--stdio", ...settings], {
      stdin: `${readFileSync(problems, "utf8").trim()}\n{}\n`,
    });
    const rows = stdout.trim().split("\n");
    expect(`${rows.slice(0, 2).join("\n")}\n`).toBe(readFileSync(out, "utf8"));
    expect(JSON.parse(rows[2] as string)).toMatchObject({ error: { code: "input" } });
  });

  it.each([
    [["label", "--problems", "p", "--output", "o.arrow"], "--output cannot be used with --stdio"],
    [["label", "--problems", "p", "--shard", "1/2"], "--shard cannot be used with --stdio"],
    [["expand", "--problems", "p"], "--problems cannot be used with --stdio"],
    [["expand", "--llm", "m"], "--llm cannot be used with --stdio"],
    [["score", "--best"], "--best cannot be used with --stdio"],
    [["score", "--fail-under", ".5"], "--fail-under cannot be used with --stdio"],
    [["score", "--output", "o.jsonl"], "--output cannot be used with --stdio"],
    [["score", "a.py"], "remove the candidate files"],
  ])("%j is refused", async (args, message) => {
    const { code, stderr } = await codescoreHere([...args, "--stdio"]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
