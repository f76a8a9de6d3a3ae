/** Files and rows that are not plain Python programs, given to `codescore score` like a user would. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OTHERS } from "../languages/programs.ts";
import { makeModel } from "../score/model.ts";
import { codescoreHere } from "./run.ts";

const REFERENCE = "def add(a, b):\n    return a + b\n";
const FENCED = `Sure:\n\`\`\`python\n${REFERENCE}\`\`\`\n`;
const NOTE = "candidate: taken out of a Markdown fence";

let folder: string;
let model: string;
const run = (...args: string[]) => codescoreHere(["score", "--model", model, ...args], { cwd: folder });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-languages-"));
  model = await makeModel();
  await mkdir(join(folder, "js"));
  const rows = [REFERENCE, FENCED, OTHERS.Java].map((candidate, id) => ({ id, candidate, reference: REFERENCE }));
  await writeFile(join(folder, "rows.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  await writeFile(join(folder, "js/a.js"), "x = 1\n");
  await writeFile(join(folder, "answer.py"), FENCED);
  await writeFile(join(folder, "ref.py"), REFERENCE);
});
afterAll(async () => {
  for (const path of [folder, model]) await rm(path, { recursive: true });
});

describe("codescore score", () => {
  it("gives rows their notes in JSON lines, and counts them", async () => {
    const { code, stdout, stderr } = await run("--input", "rows.jsonl");
    const [plain, fenced, java] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(plain).not.toHaveProperty("notes");
    expect(fenced).toEqual({ ...plain, id: 1, notes: [NOTE] });
    expect(java.error.message).toBe("rows.jsonl:3: `candidate` looks like Java; codescore reads Python only");
    expect(stderr).toContain(`2 ref; 2 unknown; 1 with ${NOTE}; 1 with an error`);
    expect(code).toBe(1);
  });

  it("gives them in CSV, in a table and in the summary of JSON", async () => {
    const csv = parse((await run("--input", "rows.jsonl", "--as", "csv")).stdout, { columns: true }) as {
      notes: string;
    }[];
    expect(csv.map(({ notes }) => notes)).toEqual(["", NOTE, ""]);
    expect((await run("--reference", "ref.py", "answer.py")).stdout).toMatch(/score 0\.\d+ .*\(candidate: taken out/);
    const { summary } = JSON.parse((await run("--input", "rows.jsonl", "--as", "json")).stdout);
    expect(summary.notes).toEqual({ [NOTE]: 1 });
  });

  it("refuses files of another language by their endings", async () => {
    const file = await run("--reference", "ref.py", "js/a.js");
    expect(file.stdout).toContain("error: js/a.js is a file of JavaScript; codescore reads Python only");
    const all = await run("--reference", "ref.py", "js");
    expect(all.stderr).toContain("expected Python files (.py) in the folder js, got a file of JavaScript");
    const reference = await run("--reference", "js/a.js", "ref.py");
    expect(reference.stderr).toContain("codescore: js/a.js is a file of JavaScript; codescore reads Python only");
    expect(reference.code).toBe(2);
  });

  it.each([
    ["a.ipynb", '{"cells": []}', "a.ipynb is a Jupyter notebook; codescore reads Python only"],
    ["a.json", "{}", "a.json is a file of JSON; codescore reads Python only"],
    ["PAGE.HTM", "<p>", "PAGE.HTM is a file of HTML; codescore reads Python only"],
    [
      "a.png",
      "\x89PNG\r\n\0\0",
      "cannot read a.png: expected Python source in UTF-8, got a binary file (it has NUL bytes)",
    ],
    ["a.pyc", "\xcb\r\n", "cannot read a.pyc: expected Python source in UTF-8, got another encoding or a binary file"],
  ])("refuses %s, and scores its neighbours", async (name, bytes, message) => {
    await writeFile(join(folder, name), bytes, "latin1");
    const { code, stdout } = await run("--reference", "ref.py", name, "ref.py", "--json");
    const [bad, good] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(bad).toEqual({ id: name, error: { code: "input", message } });
    expect(good.score).toBeGreaterThan(0);
    expect(code).toBe(1);
  });

  it("reads Python from files of text", async () => {
    await writeFile(join(folder, "answer.txt"), REFERENCE);
    expect((await run("--reference", "ref.py", "answer.txt")).code).toBe(0);
  });
});
