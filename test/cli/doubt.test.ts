/** Calibration, intervals and explanations, used like a user would. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CalibrationFile, LineEffect } from "../../src/score/index.ts";
import type { Score } from "../../src/types.ts";
import { sha256 } from "../../src/util/files.ts";
import { Random } from "../../src/util/random.ts";
import { labelledRow } from "../evaluate/rows.ts";
import { makeModel } from "../score/model.ts";
import { codescore, codescoreHere } from "./run.ts";

let model: string;
let data: string;
let candidate: string;
let reference: string;
let raw: Score;

beforeAll(async () => {
  model = await makeModel();
  [data, candidate, reference] = ["dev.jsonl", "candidate.py", "reference.py"].map((name) => join(model, name)) as [
    string,
    string,
    string,
  ];
  const random = new Random(1);
  const rows = Array.from({ length: 240 }, (_, i) => {
    const n_passed = random.int(0, 4);
    const lines = Array.from({ length: random.int(1, 4) }, () => `    x = x + ${random.int(0, 99)}\n`).join("");
    return labelledRow({
      task_id: `t${i % 24}`,
      sample_id: String(i),
      candidate: `def f(x):\n${lines}    return x\n`,
      description: i < 100 ? "Add." : null,
      n_passed,
      pass_ratio: n_passed / 4,
      executable: random.chance(0.8) ? 1 : 0,
    });
  });
  await writeFile(data, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  await writeFile(candidate, "def f(a):\n    b = a + 1\n    print('</script>\x1b[31m')\n    return b\n");
  await writeFile(reference, "def f(a):\n    return a\n");
  raw = first((await score("--json")).stdout);
});

afterAll(() => rm(model, { recursive: true }));

const score = (...more: string[]): ReturnType<typeof codescoreHere> =>
  codescoreHere(["score", "--model", model, "--reference", reference, candidate, ...more]);

const first = (stdout: string): Score & { lines?: LineEffect[] } => JSON.parse(stdout.split("\n")[0]!);

describe("codescore calibrate", () => {
  it("writes a calibration of the formats that have rows enough", async () => {
    const made = await codescoreHere(["calibrate", "--model", model, "--data", data]);
    expect(made.stderr).toContain(`wrote ${join(model, "calibration.json")}`);
    expect(made.code).toBe(0);
    expect(made.stdout.split("\n").map((line) => line.split(/\s+/)[0])).toEqual(["format", "ref", ""]);
    const text = await readFile(join(model, "calibration.json"), "utf8");
    const file = JSON.parse(text) as CalibrationFile & { data: object };
    expect(file).toMatchObject({ version: 1, method: "isotonic" });
    expect(file.data).toEqual({ sha256: sha256(await readFile(data)), rows: 240, problems: 24 });
    expect(Object.keys(file.formats)).toEqual(["ref"]); // 100 rows have a description
  });

  it("changes scores from then on, unless told not to", async () => {
    const text = await readFile(join(model, "calibration.json"), "utf8");
    const after = first((await score("--json")).stdout);
    expect(after.signature).toBe(raw.signature.replace("|v:", `|cal:${sha256(text).slice(0, 8)}|v:`));
    expect(after.score).not.toBe(raw.score);
    expect(after.low! <= after.score && after.score <= after.high!).toBe(true);
    expect(first((await score("--json", "--no-calibration")).stdout)).toEqual(raw);
  });

  it("gives intervals to abstain by", async () => {
    const after = first((await score("--json")).stdout);
    const narrow = await score("--coverage", "0.5", "--abstain", "0", "--json");
    expect(first(narrow.stdout)).toMatchObject({ abstained: true, score: after.score });
    expect(narrow.stderr).toContain("1 abstained");
    const { low, high } = first(narrow.stdout);
    expect(high! - low!).toBeLessThanOrEqual(after.high! - after.low!);
  });

  it("reports intervals in codescore evaluate", async () => {
    const alike = join(model, "ref.jsonl"); // every row has only the format that was calibrated
    await writeFile(alike, (await readFile(data, "utf8")).replaceAll('"description":"Add."', '"description":null'));
    const { code, stdout, stderr } = await codescoreHere([
      "evaluate",
      "--data",
      alike,
      "--model",
      model,
      "--metrics",
      "none",
      "--tables",
      "calibration",
      "--resamples",
      "100",
    ]);
    expect(stderr).toContain("240/240");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^metric +ECE +ECE mass +coverage +coverage by task +width +MAE +MAE of narrowest 75%/m);
    expect(stdout).toMatch(/^codescore-model-\w+( +\d\.\d{3}){9}$/m);
  });

  it("says what is missing", async () => {
    const { code, stderr } = await codescoreHere(["calibrate", "--model", join(model, "none"), "--data", data]);
    expect(stderr).toContain("no model folder at");
    expect(code).not.toBe(0);
  });
});

describe("codescore score --explain", () => {
  it("lists the lines that cost the most below the score, terminal codes of the candidate taken out", async () => {
    const { code, stdout } = await score("--explain", "--no-calibration");
    expect(code).toBe(0);
    const [table, ...lines] = stdout.trimEnd().split("\n");
    expect(table).toContain("score 0.");
    expect(lines.length).toBeGreaterThan(0);
    const head = "  lines that lower the score of the text, and by how much (bars are relative to the largest):";
    expect(lines).toContain(head);
    const at = lines.indexOf(head);
    expect(lines[at + 1]).toMatch(/^ {2}line +\d+ {2}-0\.\d{3} {2}#{12} /); // the largest effect has the longest bar
    for (const line of lines.toSpliced(at, 1))
      expect(line).toMatch(/^ {2}(?:line +\d+ {2}(?:-0\.\d{3} {2}#+|[+-]) .*|differs from the reference .*)$/);
    expect(stdout).not.toContain("no line lowers the score"); // they differ, and the difference is shown
    expect(stdout).not.toContain("\x1b[31m'");
  });

  it("says first what is seen to fail", async () => {
    const [candidate, reference] = ["fails.py", "reference.py"].map((name) => join(model, name)) as [string, string];
    await writeFile(candidate, "def f(x: int) -> int:\n    y = 'n'\n    print(x + y)\n    return x\n");
    await writeFile(reference, "def f(x: int) -> int:\n    return x + 1\n");
    const { stdout } = await codescoreHere([
      "score",
      "--model",
      model,
      "--reference",
      reference,
      candidate,
      "--explain",
    ]);
    expect(stdout.split("\n")[1]).toBe("  line    3  this fails with arguments like the reference's: int + text");
  });

  it("gives the effects as JSON and one HTML file, whatever stands in the candidate", async () => {
    const html = join(model, "why.html");
    const { code, stdout, stderr } = await score("--explain", "--explain-html", html, "--json");
    expect(code).toBe(0);
    expect(first(stdout).lines!.map(({ line }) => line)).toEqual([2, 3, 4]);
    expect(stderr).toContain(`wrote ${html}`);
    const page = await readFile(html, "utf8");
    expect(page).toContain("print(&#39;&lt;/script&gt;");
    expect(page).not.toContain("</script>");
  });

  it("says of a row whose explanation failed what failed, and explains the rest", async () => {
    // The model's thread dies at its second batch, which is the first one for explaining the first row.
    const dying = join(model, "dying.mjs");
    const program = `
      import { Worker } from "node:worker_threads";
      const post = Worker.prototype.postMessage;
      let batches = 0;
      Worker.prototype.postMessage = function (...message) {
        batches += 1;
        return post.apply(this, batches === 2 ? [undefined] : message);
      };`;
    await writeFile(dying, program);
    const row = JSON.stringify({ candidate: "a = 1\nb = 2\n", reference: "a = 1\n" });
    const args = ["score", "--model", model, "--threads", "1", "--no-calibration", "--explain"];
    const { code, stdout, stderr } = await codescore(args, {
      stdin: `${row}\n${row}\n`,
      env: { NODE_OPTIONS: `--import ${pathToFileURL(dying)}` },
    });
    const [failed, explained] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(failed.error.code).toBe("infra");
    expect(failed.error.message).toMatch(/:1: the lines cannot be explained: the model's thread ended/);
    expect(explained.lines).toHaveLength(2);
    expect(stderr).toContain("1 with an error");
    expect(code).toBe(1);
  });
});
