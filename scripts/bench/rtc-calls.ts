/**
 * Measures how well `calls` agrees with `pass`, and how much faster it is, on the projects that scripts/bench/rtc-projects.ts has run. Uses the
 * same spans and candidates and the recorded verdicts of the tests, so that no test runs twice. Prints the table of docs/rtc-projects.md. Needs
 * bubblewrap.
 *
 * usage: npx vite-node scripts/bench/rtc-calls.ts FOLDER [--only toolz,patsy]     FOLDER: that of rtc-projects.ts
 * The CPU seconds of `calls` include all processes that judge a candidate. Watching the tests and preparing spans are listed separately.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openProject } from "../../src/execute/index.ts";
import {
  type JudgedRow,
  type PreparedRow,
  type ProjectPass,
  type ProjectSummary,
  projectCalls,
  type SampleRow,
} from "../../src/rtc/index.ts";
import { placeKey } from "../../src/rtc/synthesis/project-pass.ts";
import { placeSpan } from "../../src/rtc/synthesis/project-run.ts";
import { findSpans } from "../../src/rtc/synthesis/span.ts";
import { groupRows, rocAuc, spearman } from "../../src/statistics/index.ts";
import { readJson } from "../../src/util/files.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: "string" } } });
const folder = resolve(positionals[0] ?? "runs/rtc-projects");
const names = values.only?.split(",") ?? readdirSync(join(folder, "runs"));

interface Judged {
  readonly span: string;
  readonly calls: number;
  readonly pass: number;
  /** CPU seconds of `calls`, and of the tests (the median over the project's candidates). */
  readonly cpu: number;
  readonly testsCpu: number;
}

const head =
  "project,spans by calls,candidates by calls,agree,r_s,AUC,pass s,calls s,times as fast,watching s,preparing a span s";
const table = [head.split(","), head.split(",").map((_, i) => (i === 0 ? "---" : "--:"))];
const all: Judged[] = [];
const reasons = new Map<string, number>();
for (const name of names) {
  const { judged, spans, samples, prepared } = await measure(name);
  all.push(...judged);
  const [watched, ...scenes] = prepared.filter(({ why }) => why === null);
  const costs = [watched?.cpu_s ?? Number.NaN, median(scenes.map((scene) => scene.cpu_s))];
  table.push(row(name, judged, [`${spans}`, `${samples}`], costs));
}
if (names.length > 1) table.push(row("all", all, null, []));
process.stdout.write(table.map((cells) => `| ${cells.join(" | ")} |\n`).join(""));
process.stdout.write(`\nleft to the tests:\n${[...reasons].map(([why, count]) => `${count} ${why}\n`).join("")}`);

async function measure(name: string) {
  const run = join(folder, "runs", name);
  const { project: before } = (await readJson(join(run, "summary.json"))) as ProjectSummary;
  const root = join(folder, "projects", name);
  const rows = readFileSync(join(run, "samples.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as SampleRow)
    .filter(({ sims, candidate }) => typeof sims.pass === "number" && candidate !== "");
  const ids = new Set(rows.map((one) => one.task_id));
  const paths = new Set([...ids].map((id) => id.slice(0, id.lastIndexOf(":"))));
  const files = [...paths].map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  const spans = (await Promise.all(files.map((file) => findSpans(file)))).flat().filter(({ id }) => ids.has(id));
  const byId = new Map(spans.map((span) => [span.id, span]));
  const placed = new Map(
    rows.map(({ task_id: id, candidate, answer }) => [placeKey(id, candidate), placeSpan(byId.get(id)!, answer)]),
  );
  const out = join(folder, "calls", name);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const project = await openProject({
    folder: root,
    command: before.command,
    python: join(folder, "venv", "bin", "python"),
  });
  const limits = { wallS: 600, cpuS: 300 };
  const found = { spans, counts: before, baseline: before.baseline, limits, fingerprint: name };
  // If `calls` cannot decide, it gets no value here, because the tests have been run already.
  const none: ProjectPass = {
    name: "pass",
    placed,
    test: async () => null,
    compare: async (pairs) => pairs.map(() => Number.NaN),
    takeTimes: () => [],
  };
  const calls = projectCalls({ project, found, pass: none, out });
  const judged: Judged[] = [];
  try {
    const testsCpu = before.times.find((times) => times.name === "pass")!.median_cpu_s;
    for (const { task_id: span, candidate, reference, sims } of rows) {
      const [value] = await calls.compare([{ reference, candidate, problemId: span }]);
      const [time] = calls.takeTimes();
      if (Number.isNaN(value)) continue;
      judged.push({ span: `${name} ${span}`, calls: value!, pass: sims.pass!, cpu: time!.cpu_s, testsCpu });
    }
  } finally {
    await calls.close();
    await project.close();
  }
  const lines = readFileSync(join(out, "calls.jsonl"), "utf8").split("\n").filter(Boolean);
  const told = lines.map((line) => JSON.parse(line) as JudgedRow | PreparedRow);
  for (const one of told) {
    if (!("by" in one) || one.by !== "tests") continue;
    const why = one.why!.replace(/:.*/, "");
    reasons.set(why, (reasons.get(why) ?? 0) + 1);
  }
  return { judged, spans: ids.size, samples: rows.length, prepared: told.filter((one) => "prepared" in one) };
}

function row(
  name: string,
  judged: readonly Judged[],
  of: readonly string[] | null,
  costs: readonly number[],
): string[] {
  const spans = [...groupRows(judged.map(({ span }) => span)).values()].map((places) => places.map((i) => judged[i]!));
  const faster = spans.map((those) => those[0]!.testsCpu / median(those.map(({ cpu }) => cpu)));
  const [calls, pass] = [judged.map((one) => one.calls), judged.map((one) => one.pass)];
  const counts = [spans.length, judged.length].map((count, i) => (of === null ? `${count}` : `${count} of ${of[i]}`));
  const passed = pass.map((value) => value === 1);
  return [
    name,
    ...counts,
    (judged.filter((one) => one.calls === one.pass).length / judged.length).toFixed(3),
    spearman(calls, pass).toFixed(3),
    (passed.includes(true) && passed.includes(false) ? rocAuc(calls, passed) : Number.NaN).toFixed(3),
    median(judged.map(({ testsCpu }) => testsCpu)).toPrecision(2),
    median(judged.map(({ cpu }) => cpu)).toPrecision(2),
    median(faster).toFixed(0),
    ...(costs.length === 0 ? ["-", "-"] : costs.map((cost) => cost.toPrecision(2))),
  ];
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
