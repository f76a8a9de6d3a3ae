/** `codescore serve --stdio` as a process, with a minimal client. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { linesOf } from "../../../src/util/lines.ts";
import { makeModel } from "../../score/model.ts";
import { codescore, codescoreHere } from "../run.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const entry = join(root, "dist", "cli", "main.js");

let model: string;
let folder: string;
beforeAll(async () => {
  [model, folder] = await Promise.all([makeModel(), mkdtemp(join(tmpdir(), "codescore-stdio-"))]);
});
afterAll(() => Promise.all([model, folder].map((path) => rm(path, { recursive: true }))));

interface Answered {
  readonly rows: Record<string, unknown>[];
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Sends all requests and ends the input. Returns the answers by id. */
async function ask(args: readonly string[], frames: readonly object[]): Promise<Record<string, Answered>> {
  const stdin = frames.map((frame) => `${JSON.stringify(frame)}\n`).join("");
  const { stdout, stderr, code } = await codescore(["serve", "--stdio", "--model", model, ...args], { stdin });
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  const found: Record<string, Answered> = {};
  for (const line of stdout.trimEnd().split("\n")) {
    const { id, rows = [], ...rest } = JSON.parse(line) as { id: string; rows?: Record<string, unknown>[] };
    found[id] = { rows: [...(found[id]?.rows ?? []), ...rows], ...rest };
  }
  return found;
}

const reference = "def f(x: int) -> int:\n    return x * x\n";
const wrong = "def f(x: int) -> int:\n    return x + x\n";
const rows = [
  { id: "a", candidate: wrong, reference, description: "Squares x.\n>>> f(3)\n9" },
  { candidate: reference, golden_code: reference, language: "python" },
  { id: 7, candidate: "public class A { public static void main(String[] args) {} }", reference },
  { candidate: "    return x ** 2\n", prompt: "def f(x: int) -> int:\n", reference },
  { id: "none", reference },
  { candidate: "```python\ndef f(x):\n    return x\n```", description: "Answers x.", task_id: "t" },
  { candidate: "", description: "Answers x.", task_id: "t" },
];

/** The output of `codescore score` for the rows. */
async function byCommand(args: readonly string[]): Promise<Record<string, unknown>[]> {
  const stdin = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const { stdout } = await codescoreHere(["score", "--model", model, ...args], { stdin });
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line.replaceAll(/stdin:(\d+)/g, "row $1")));
  return lines as Record<string, unknown>[];
}

/** Requests count rows from 0, and files count lines from 1. */
const fromOne = (found: readonly Record<string, unknown>[]): unknown =>
  JSON.parse(JSON.stringify(found).replaceAll(/row (\d+)/g, (_, n: string) => `row ${Number(n) + 1}`));

describe("codescore serve --stdio", () => {
  it("scores as `codescore score` does, to the last digit, in parts or whole, in any order", async () => {
    const [plain, best, ranked, agreed] = await Promise.all(
      [[], ["--best"], ["--rank", "--format", "nl"], ["--consensus"]].map(byCommand),
    );
    const found = await ask(
      [],
      [
        { id: "plain", method: "score", rows: rows.slice(0, 2), more: true },
        { id: "best", method: "score", params: { order: "best" }, rows },
        { id: "plain", rows: rows.slice(2), more: true },
        { id: "ranked", method: "score", params: { order: "rank", format: "nl" }, rows },
        { id: "agreed", method: "score", params: { consensus: true }, rows },
        { id: "plain", rows: [] },
        { id: "hello", method: "hello" },
      ],
    );
    expect(fromOne(found.plain!.rows)).toEqual(plain);
    expect(fromOne(found.best!.rows)).toEqual(best);
    expect(fromOne(found.ranked!.rows)).toEqual(ranked);
    expect(fromOne(found.agreed!.rows)).toEqual(agreed);
    expect(found.plain!.result).toMatchObject({
      summary: { rows: 7, errors: 2 },
      signature: found.hello!.result!.signature,
    });
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
    expect(found.hello!.result).toMatchObject({ name: "codescore", version, protocol: 1, device: "cpu", runs: null });
  });

  it("explains rows, and refuses what has no meaning", async () => {
    const one = [{ candidate: wrong, reference }];
    const found = await ask(
      [],
      [
        { id: "explain", method: "score", params: { explain: true }, rows: one },
        { id: "run", method: "score", params: { run: true }, rows: one },
        { id: "label", method: "label", params: { problems: "p.jsonl", samples: ["s.jsonl"], output: "o.jsonl" } },
        { id: "unknown", method: "score", params: { fromat: "nl" }, rows: one },
        { id: "format", method: "score", params: { format: "all" }, rows: one },
        { id: "both", method: "score", params: { explain: true, consensus: true }, rows: one },
        { id: "paths", method: "evaluate", params: { data: "d.jsonl", scores: [5] } },
      ],
    );
    expect(found.explain!.rows[0]).toMatchObject({
      findings: [{ line: 2, what: expect.stringMatching(/^`\+` here, `\*` in the reference/) }],
      lines: [{ line: 2, effect: expect.any(Number) }],
    });
    for (const [id, message] of [
      ["run", /this session does not run candidates; leave out `run`, or start `codescore serve --stdio --run`/],
      ["label", /this session cannot run candidates: start `codescore serve --stdio --run`/],
      ["unknown", /expected the params format, .*, got `fromat`/],
      ["format", /expected `format` to be one of auto, ref, nl, ref\+nl/],
      ["both", /use it without `consensus`/],
      ["paths", /expected `scores` to be a path or an array of paths, got \[5\]/],
    ] as const) {
      expect(found[id]).toMatchObject({ rows: [], error: { code: "usage", message: expect.stringMatching(message) } });
    }
    for (const flag of [["--rtc"], ["--rate-limit", "5"], ["--workers", "1"]]) {
      const { code, stderr } = await codescoreHere(["serve", "--stdio", "--model", model, ...flag]);
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /`rtc` cannot be used with --stdio|`rateLimit` cannot be used with --stdio|--workers needs --run/,
      );
    }
  });

  it("runs, labels and evaluates as the commands do", async () => {
    const run = { candidate: wrong, reference };
    const samples = join(folder, "samples.jsonl");
    const text = [reference, wrong].map((solution) => `${JSON.stringify({ task_id: "square", solution })}\n`).join("");
    await writeFile(samples, text);
    const problems = join(folder, "problems.jsonl");
    const test = "def check(candidate):\n    assert candidate(3) == 9\n    assert candidate(2) == 4\n";
    const problem = { task_id: "square", prompt: "", canonical_solution: reference, test, entry_point: "f" };
    await writeFile(problems, `${JSON.stringify(problem)}\n`);
    const output = join(folder, "labels.jsonl");
    const labelled = await ask(
      ["--run", "--workers", "1"],
      [
        { id: "run", method: "score", params: { run: true, inputs: 8, seed: 3 }, rows: [run] },
        { id: "label", method: "label", params: { problems, samples: [samples], output } },
      ],
    );
    const stdin = `${JSON.stringify(run)}\n`;
    const command = ["score", "--model", model, "--run", "--inputs", "8", "--seed", "3"];
    expect(labelled.run!.rows[0]).toEqual(JSON.parse((await codescoreHere(command, { stdin })).stdout));
    expect(labelled.label!.result).toMatchObject({
      out: output,
      labelled: 2,
      executed: 2,
      unknownTasks: {},
      opaqueTests: {},
    });
    const data = (await readFile(output, "utf8")).trimEnd().split("\n");
    expect(data.map((line) => (JSON.parse(line) as { pass_ratio: number }).pass_ratio)).toEqual([1, 0.5]);
    const report = join(folder, "report.html");
    const { evaluate } = await ask(
      [],
      [{ id: "evaluate", method: "evaluate", params: { data: output, metrics: "chrf", resamples: 10, report } }],
    );
    expect(await readFile(report, "utf8")).toContain("<svg");
    expect((evaluate!.result!.columns as { name: string }[]).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["codescore", "chrf"]),
    );
  });

  it("ends with its parent, though another process holds its pipes", async () => {
    const script = "require('child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })";
    const args = [entry, "serve", "--stdio", "--model", model];
    const parent: ChildProcess = spawn(process.execPath, ["-e", script, ...args], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => void parent.kill("SIGKILL"));
    parent.stdin!.write('{"id": 1, "method": "hello"}\n');
    const lines = linesOf(parent.stdout!);
    expect((await lines.next()).value).toContain('"protocol":1');
    parent.kill("SIGKILL");
    expect(await lines.next()).toEqual({ done: true, value: undefined }); // all writers have ended
  });
});
