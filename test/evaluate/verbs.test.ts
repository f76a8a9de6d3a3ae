import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { compareVerb } from "../../src/cli/compare.ts";
import { estimateVerb } from "../../src/cli/estimate.ts";
import { evaluateVerb } from "../../src/cli/evaluate.ts";
import { noisyScores, simulatedRows } from "./rows.ts";

let folder = "";
const at = (name: string): string => join(folder, name);
const rows = simulatedRows(12, 8, 3);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-verbs-"));
  const lines = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join("\n");
  const scores = (noise: number) =>
    noisyScores(rows, noise, 2).map((score, i) => ({ id: rows[i]!.sample_id, score, exec: 0.9 }));
  await writeFile(at("data.jsonl"), lines(rows));
  await writeFile(at("good.jsonl"), lines(scores(0.2)));
  await writeFile(at("bad.jsonl"), lines(scores(1)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

/** What the verb prints on stdout. */
async function run(verb: Command, ...args: string[]): Promise<string> {
  let printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  await verb.exitOverride().parseAsync(args, { from: "user" });
  return printed;
}

describe("evaluate", () => {
  const args = (...more: string[]) => ["--data", at("data.jsonl"), "--resamples", "20", ...more];

  it("prints a row a column of scores and writes the report", async () => {
    const out = await run(evaluateVerb(), ...args("--scores", at("good.jsonl"), "--report", at("report.html")));
    const names = out.split("\n").map((line) => line.split(/\s{2,}/)[0]);
    expect(names.slice(0, 6)).toEqual(["metric", "good", "exact", "bleu", "chrf", "difficulty-only oracle"]);
    expect(out).toContain("96 programs of 12 tasks.");
    expect(await readFile(at("report.html"), "utf8")).toContain("<title>data.jsonl</title>");
  });

  it("prints JSON, CSV and Markdown", async () => {
    const json = JSON.parse(
      await run(evaluateVerb(), ...args("--no-model", "--metrics", "chrf", "--format", "json")),
    ) as {
      columns: { name: string }[];
    };
    expect(json.columns.map(({ name }) => name)).toEqual(["chrf", "difficulty-only oracle"]);
    const csv = await run(
      evaluateVerb(),
      ...args("--scores", `x=${at("good.jsonl")}`, "--metrics", "none", "--format", "csv"),
    );
    expect(
      csv
        .trim()
        .split("\n")
        .map((line) => line.split(",")[0]),
    ).toEqual(["metric", "x", "difficulty-only oracle"]);
    const markdown = await run(evaluateVerb(), ...args("--no-model", "--format", "markdown"));
    expect(markdown).toMatch(/^\| metric \| mean \|/);
  });

  it("takes several files of scores", async () => {
    const out = await run(
      evaluateVerb(),
      ...args("--scores", at("good.jsonl"), "--scores", at("bad.jsonl"), "--metrics", "none", "--format", "csv"),
    );
    expect(
      out
        .split("\n")
        .map((line) => line.split(",")[0])
        .slice(1, 3),
    ).toEqual(["good", "bad"]);
  });

  it.each([
    ["an unknown metric", ["--metrics", "blue"], "no metric is called `blue`"],
    ["a missing file of scores", ["--scores", "nowhere.jsonl"], "cannot read nowhere.jsonl: no such file"],
    ["an unknown format", ["--format", "pdf"], "Allowed choices are text, markdown, csv, json"],
  ])("refuses %s", async (_, more, message) => {
    await expect(run(evaluateVerb(), ...args(...more))).rejects.toThrow(message);
  });
});

describe("compare", () => {
  const args = (...more: string[]) => ["--data", at("data.jsonl"), "--resamples", "50", ...more];

  it("prints the difference of two files of scores", async () => {
    const out = await run(
      compareVerb(),
      ...args("--scores", at("bad.jsonl"), "--scores", at("good.jsonl"), "--format", "json"),
    );
    const { measures } = JSON.parse(out) as { measures: { measure: string; difference: number }[] };
    expect(measures.map(({ measure }) => measure)).toEqual(["Spearman r_s", "Kendall tau-b", "within-task AUC", "MAE"]);
    expect(measures[0]!.difference).toBeGreaterThan(0);
    expect(measures[3]!.difference).toBeLessThan(0);
  });

  it("puts a metric of text beside a file", async () => {
    const out = await run(compareVerb(), ...args("--metrics", "chrf", "--scores", at("good.jsonl")));
    expect(out).toMatch(/^measure\s+A: chrf\s+B: good/);
  });

  it("wants two systems", async () => {
    await expect(run(compareVerb(), ...args("--scores", at("bad.jsonl")))).rejects.toThrow("expected two systems");
  });
});

describe("estimate", () => {
  const args = (...more: string[]) => ["--data", at("data.jsonl"), ...more];

  it("prints both estimates of both measures", async () => {
    const out = await run(estimateVerb(), ...args("--scores", at("good.jsonl"), "--budget", "0.25", "--format", "csv"));
    const lines = out
      .trim()
      .split("\n")
      .map((line) => line.split(","));
    expect(lines.map(([measure, from]) => `${measure} ${from}`)).toEqual([
      "measure from",
      "AvgPassRatio executions",
      "AvgPassRatio with scores",
      "pass@1 executions",
      "pass@1 with scores",
    ]);
    const text = await run(estimateVerb(), ...args("--metrics", "chrf", "--budget", "0.25"));
    expect(text).toContain("24 of 96 programs executed (12 tasks), scores for all from chrf.");
  });

  it.each([
    ["neither scores nor a metric", [], "expected either --scores or --metrics"],
    ["no budget", ["--metrics", "chrf", "--budget", "0"], "Expected a share above 0, or `all`."],
    ["a budget below one program a task", ["--metrics", "chrf", "--budget", "0.1"], "fewer than the 12 tasks"],
  ])("refuses %s", async (_, more, message) => {
    await expect(run(estimateVerb(), ...args(...more))).rejects.toThrow(message);
  });
});
