/**
 * Records the scores of the shipped models for 200 candidates of the starter problems, in test/fixtures/shipped-scores.jsonl.gz.
 * Run it after a change that is meant to change scores, never to make a test pass: `node scripts/record/shipped-scores.mjs`.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { CodeScorer } from "../../dist/index.js";
import { readProblems } from "../../dist/problems/index.js";

const ROWS = 200;
const root = fileURLToPath(new URL("../..", import.meta.url));
const starter = join(root, "datasets", "starter");
const folder = await mkdtemp(join(tmpdir(), "codescore-"));
const samples = join(folder, "samples.jsonl");
const cli = join(root, "dist", "cli", "main.js");
execFileSync(process.execPath, [cli, "mutate", "--problems", starter, "--output", samples, "--per-problem", "24"], {
  stdio: "ignore",
});

const problems = await readProblems([starter]);
const candidates = (await readFile(samples, "utf8"))
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
await rm(folder, { recursive: true });

/** The interval between chosen candidates; they come from the beginning and the end of tasks, in all three input formats. */
const every = candidates.length / ROWS;
const rows = Array.from({ length: ROWS }, (_, i) => {
  const { task_id, solution } = candidates[Math.floor(i * every) + (i % Math.floor(every))];
  const { description, references } = problems.get(task_id);
  return {
    candidate: solution,
    ...(i % 5 !== 4 && { reference: references[0] }),
    ...(i % 5 !== 3 && { description }),
  };
});
for (const model of ["small", "tiny"]) {
  const scorer = await CodeScorer.load(model);
  const results = await scorer.scoreAll(rows);
  await scorer.close();
  for (const [i, { score, exec, low, high }] of results.entries()) rows[i][model] = { score, exec, low, high };
}
const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
await writeFile(join(root, "test", "fixtures", "shipped-scores.jsonl.gz"), gzipSync(lines, { level: 9 }));
