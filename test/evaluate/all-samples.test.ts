/** `codescore estimate --samples`: labels of a few of all samples. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { estimateVerb } from "../../src/cli/estimate.ts";
import { noisyScores, simulatedRows } from "./rows.ts";
import { run } from "./verb.ts";

let folder = "";
const at = (name: string): string => join(folder, name);
const put = (name: string, values: readonly object[]): Promise<void> =>
  writeFile(at(name), values.map((value) => JSON.stringify(value)).join("\n"));
const rows = simulatedRows(12, 8, 3);

const few = rows.filter((_, i) => i % 4 === 0);
const samples = rows.map(({ task_id, sample_id, candidate }, i) => ({
  ...{ task_id, sample_id, solution: `\`\`\`python\n${candidate}# ${i}\n\`\`\`` },
}));
const joined = (...more: string[]) =>
  run(estimateVerb(), "--data", at("few.jsonl"), "--scores", at("good.jsonl"), "--format", "json", ...more);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-samples-"));
  const scores = noisyScores(rows, 0.2, 2).map((score, i) => ({ id: rows[i]!.sample_id, score, exec: 0.9 }));
  await put("good.jsonl", scores);
  await put("data.jsonl", rows);
  await put("few.jsonl", few.toReversed());
  await put("all-samples.jsonl", samples);
  await put(
    "null.jsonl",
    rows.map((row, i) => (i % 4 === 0 ? row : { ...row, pass_ratio: null, executable: null })),
  );
});

afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

it("gives the estimate of the whole set with null labels, in any format of samples", async () => {
  const whole = JSON.parse(
    await run(
      estimateVerb(),
      ...["--data", at("null.jsonl"), "--scores", at("good.jsonl")],
      ...["--budget", "all"],
      ...["--format", "json"],
    ),
  );
  expect(whole.counts).toMatchObject({ programs: 96, executed: 24 });
  const ids = rows.map(({ task_id, sample_id: id }) => ({ task_id, id, score: 0.5 }));
  await put("ids.jsonl", ids);
  for (const name of ["all-samples.jsonl", "data.jsonl", "ids.jsonl"])
    expect(JSON.parse(await joined("--samples", at(name))), name).toEqual(whole);
});

it("matches scores whose ids repeat between tasks by task and id", async () => {
  const short = (id: string): string => id.replace(/.*#/, "");
  const scores = noisyScores(rows, 0.2, 2);
  const ids = rows.map(({ task_id, sample_id }, i) => ({ task_id, id: short(sample_id), score: scores[i] }));
  await put("short-scores.jsonl", ids.toReversed());
  await put(
    "short-few.jsonl",
    few.map((row) => ({ ...row, sample_id: short(row.sample_id) })),
  );
  await put(
    "short-samples.jsonl",
    samples.map((row) => ({ ...row, sample_id: short(row.sample_id) })),
  );
  const of = (prefix: string) =>
    [
      "--data",
      `${prefix}few.jsonl`,
      "--samples",
      prefix === "" ? "all-samples.jsonl" : `${prefix}samples.jsonl`,
      "--scores",
    ].map((word) => (word.startsWith("--") ? word : at(word)));
  const json = ["--format", "json"];
  const { measures } = JSON.parse(await run(estimateVerb(), ...of("short-"), at("short-scores.jsonl"), ...json));
  expect(measures).toEqual(JSON.parse(await run(estimateVerb(), ...of(""), at("good.jsonl"), ...json)).measures);
});

it("names the labelled rows that are not among the samples, and the samples without a score", async () => {
  const without = (ids: readonly string[], row: { readonly sample_id: string }) => !ids.includes(row.sample_id);
  await put(
    "torn.jsonl",
    samples.filter((row) => without(["t0#0", "t0#4"], row)),
  );
  await expect(joined("--samples", at("torn.jsonl"))).rejects.toThrow(
    `${at("few.jsonl")}: 2 of 24 labelled rows not among the samples: \`t0#4\` of t0, \`t0#0\` of t0; expected the same`,
  );
  const more = [
    { task_id: "t0", sample_id: "new", solution: "x = 1" },
    { task_id: "t9", sample_id: "n2", solution: "" },
  ];
  await put("more.jsonl", [...samples, ...more]);
  await expect(joined("--samples", at("more.jsonl"))).rejects.toThrow(
    "2 of 98 programs without a score: `new` of t0, `n2` of t9; score the same data",
  );
  await put("twice.jsonl", [...samples, samples[3]!]);
  await expect(joined("--samples", at("twice.jsonl"))).rejects.toThrow("1 sample with the id of a later one: `t0#3`");
});

it("refuses labels of programs that are counted from 0 anew", async () => {
  const counted = rows.map(({ task_id }, i) => ({ task_id, solution: `def f(x):\n    return ${i}\n` }));
  await put("counted.jsonl", counted);
  const drawn = [...rows.keys()]
    .filter((i) => i % 8 > 5)
    .map((i) => ({ ...rows[i]!, candidate: counted[i]!.solution }));
  await put("few.jsonl", drawn);
  await expect(joined("--samples", at("counted.jsonl"))).resolves.toContain('"executed": 24');
  await put(
    "few.jsonl",
    drawn.map((row, i) => ({ ...row, sample_id: `${row.task_id}#${i % 2}` })),
  );
  await expect(joined("--samples", at("counted.jsonl"))).rejects.toThrow(
    /24 labelled rows with another program .* give each sample its own before you draw some/,
  );
});

it.each([
  [["--budget", "0.5"], "--samples needs --budget all"],
  [["--repeat", "5"], "--repeat, --cascade and --choose cannot be used with --samples"],
])("refuses %s", async (more, message) => {
  await expect(joined("--samples", at("all-samples.jsonl"), ...more)).rejects.toThrow(message);
});
