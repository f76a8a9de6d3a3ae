/** `codescore evaluate` with metrics over an encoder that the user provides. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packageRoot } from "../../src/util/files.ts";
import { recordedFolder, remove, robertaFolder } from "../metrics/embedding/folders.ts";
import { codescoreHere } from "./run.ts";

let folder: string;
let encoder: string;
let data: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-embeddings-"));
  encoder = await robertaFolder();
  data = join(folder, "rows.jsonl");
  const long = Array.from({ length: 40 }, (_, i) => `    x += ${i} * a[${i}]`).join("\n");
  const rows = Array.from({ length: 8 }, (_, i) => ({
    task_id: `t/${i >> 1}`,
    sample_id: `s/${i}`,
    source: "made",
    made_by: "hand",
    candidate: `def f(a, x):\n${i === 3 ? long : "    x *= 2"}\n    return x + ${i}\n`,
    reference: `def f(b, y):\n    return y + ${i} if b else y\n`,
    description: i === 0 ? null : "Add a number.",
    pass_ratio: i / 8,
    executable: 1,
    n_tests: 8,
    n_passed: i,
    status: "ok",
    first_error: null,
    reason: null,
    weight: 1,
  }));
  await writeFile(data, rows.map((row) => JSON.stringify(row)).join("\n"));
});
afterAll(async () => {
  await remove(encoder);
  await rm(folder, { recursive: true });
});

const evaluate = (...more: string[]) =>
  codescoreHere(["evaluate", "--data", data, "--no-model", "--resamples", "5", ...more]);

it("gives each metric its row, and says what was cut and what has no score", async () => {
  const models = ["--encoder", encoder, "--metric-model", `comet=${recordedFolder("comet")}`];
  const metrics = ["--metrics", "bleu,codebertscore,codebertscore-f3,comet"];
  const { code, stdout, stderr } = await evaluate(...metrics, ...models, "--format", "json");
  expect(code, stderr).toBe(0);
  for (const name of ["codebertscore|f1|model:", "codebertscore-f3|f3|model:", "comet|model:"]) {
    expect(stdout).toContain(name);
  }
  expect(stderr).toContain("codebertscore: 1 of 16 texts longer than the encoder's 128 tokens: read in windows");
  expect(stderr).toMatch(/comet: 1 of 21 inputs longer than 64 tokens: cut, \d+ in all/);
  expect(stderr).toContain("comet: 1 pair without a description, which the model reads as the source");
});

it("asks for what is missing, and says on one line what is wrong", async () => {
  const [none, wrong, layer] = await Promise.all([
    evaluate("--metrics", "codebertscore"),
    evaluate("--metrics", "codebertscore", "--encoder", folder),
    evaluate("--metrics", "bertscore", "--encoder", encoder, "--encoder-layer", "12"),
  ]);
  expect([none!.code, wrong!.code, layer!.code]).toEqual([2, 2, 2]);
  expect(none!.stderr).toContain("needs a model that was exported to ONNX: set --encoder DIR");
  expect(wrong!.stderr).toMatch(/^codescore: .* has no onnx.model\.onnx or model\.onnx: export the encoder to it/);
  expect(layer!.stderr).toMatch(/^codescore: .*expected the float32 output hidden_states\.12 .*\n$/);
});

it("is a similarity of round trips, too, and 1 for equal programs alone", async () => {
  const recording = join(packageRoot, "examples/rtc/gemma-3-270m.jsonl");
  const problems = join(packageRoot, "examples/rtc/easy.jsonl");
  const count = ["--limit", "6", "--forward-samples", "3", "--output", join(folder, "rtc")];
  const sims = ["--sims", "exact,embedding", "--encoder", encoder];
  const trip = ["rtc", "synthesis", "--problems", problems, "--forward", `replay:${recording}`, ...count, ...sims];
  const { code, stderr } = await codescoreHere(trip);
  expect(code, stderr).toBe(0);
  const lines = (await readFile(join(folder, "rtc", "samples.jsonl"), "utf8")).trim().split("\n");
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) {
    const { candidate, reference, sims } = JSON.parse(line) as Record<"candidate" | "reference", string> & {
      sims: Record<"exact" | "embedding", number>;
    };
    if (candidate === reference) expect(sims.embedding).toBeCloseTo(1, 5);
    else if (sims.exact === 0) expect(sims.embedding).toBeLessThan(1 - 1e-6);
    expect(sims.embedding).toBeGreaterThanOrEqual(0);
  }
});
