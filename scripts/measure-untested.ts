/**
 * Measures how useful problems are after their tests are removed: for how many `expand` finds inputs, and how well labels by the generated
 * tests agree with the recorded ones. Reads he-eval-dev's `problems.jsonl.gz` and `samples.jsonl.gz` (CODESCORE_DATA).
 *
 * usage: npx vite-node scripts/measure-untested.ts [--count 100] [--samples 8] [--workers 2]
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { expandTests } from "../src/dataset/index.ts";
import { openExecutor } from "../src/execute/index.ts";
import { readProblems } from "../src/problems/index.ts";
import { mean, rocAuc, spearman } from "../src/statistics/index.ts";
import { readJsonLines } from "../src/util/jsonl.ts";
import { Random } from "../src/util/random.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100" },
    samples: { type: "string", default: "8" },
    workers: { type: "string", default: "2" },
    bare: { type: "boolean", default: false },
    output: { type: "string" },
  },
});
interface Recorded {
  readonly task_id: string;
  readonly completion: string;
  readonly pass_ratio: number | null;
}

const folder = join(process.env.CODESCORE_DATA ?? "shared/data", "he-eval-dev");
const problems = await readProblems([join(folder, "problems.jsonl.gz")]);
const samples = new Map<string, { completion: string; passRatio: number }[]>();
for await (const { value } of readJsonLines(join(folder, "samples.jsonl.gz"))) {
  const { task_id: id, completion, pass_ratio: passRatio } = value as unknown as Recorded;
  if (typeof passRatio === "number") samples.set(id, [...(samples.get(id) ?? []), { completion, passRatio }]);
}
const executor = await openExecutor({ workers: Number(values.workers) });
const again = await openExecutor({ workers: 1, hashSeed: 1 });
const random = new Random(1);
const rows: { id: string; from: string | null; tests: number; labels: { made: number; recorded: number }[] }[] = [];
for (const problem of problems.values()) {
  // bare: only the reference, with its annotations, and without a description
  const left = values.bare ? { description: "", prompt: "" } : {};
  const expansion = await expandTests({ ...problem, ...left, tests: [] }, executor, {
    count: Number(values.count),
    again,
  });
  const own = random.shuffle(samples.get(problem.id) ?? []).slice(0, Number(values.samples));
  const labels: { made: number; recorded: number }[] = [];
  for (const { completion, passRatio } of expansion.added > 0 ? own : []) {
    const { passRatio: made } = await executor.execute(expansion.problem, problem.prompt + completion);
    if (made !== null) labels.push({ made, recorded: passRatio });
  }
  rows.push({ id: problem.id, from: expansion.inputsFrom, tests: expansion.added, labels });
  process.stderr.write(`${problem.id} ${expansion.inputsFrom} ${expansion.added}\n`);
}
await Promise.all([executor.close(), again.close()]);
const labels = rows.flatMap((row) => row.labels);
const [made, recorded] = [labels.map((label) => label.made), labels.map((label) => label.recorded)];
const from = Object.fromEntries(
  [...new Set(rows.map((row) => row.from))].map((f) => [f, rows.filter((row) => row.from === f).length]),
);
const result = {
  problems: rows.length,
  from,
  with10: rows.filter(({ tests }) => tests >= 10).length / rows.length,
  short: rows.filter(({ tests }) => tests < 10).map(({ id, tests }) => `${id} ${tests}`),
  labels: labels.length,
  spearman: spearman(made, recorded),
  auc: rocAuc(
    made,
    recorded.map((ratio) => ratio === 1),
  ),
  mae: mean(made.map((value, i) => Math.abs(value - recorded[i]!))),
  samePass: mean(made.map((value, i) => Number((value === 1) === (recorded[i] === 1)))),
};
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
if (values.output !== undefined) writeFileSync(values.output, JSON.stringify(rows));
