/**
 * SynthesisRTC on five projects of the paper's list whose wheels carry their tests, without a language model: one-operator
 * mutants and rewrites of each span stand for backward samples, and codescore and behaviour are compared with the projects' tests
 * span by span, as is `calls`, which replays recorded calls. Prints the tables of docs/rtc-projects.md. Needs pip's index, bubblewrap and `npm run build`.
 *
 * usage: npx vite-node scripts/bench/rtc-projects.ts FOLDER [--spans 100] [--samples 4] [--only toolz,patsy] [--python python3]
 * Everything goes to FOLDER; started again, it goes on where it was. Times are CPU seconds, medians over candidates.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { JudgedRow, PreparedRow, ProjectSummary, SampleRow } from "../../src/rtc/index.ts";
import { groupRows, rocAuc, spearman } from "../../src/statistics/index.ts";
import { sha256 } from "../../src/util/files.ts";

interface Project {
  readonly wheel: string;
  /** For pytest, in the unpacked wheel. */
  readonly tests: string;
  readonly needs: readonly string[];
}

/** Tests left out need files that the wheel lacks, or take minutes. */
const PROJECTS: Readonly<Record<string, Project>> = {
  toolz: { wheel: "toolz==1.1.0", tests: "toolz", needs: [] },
  jsonschema: {
    wheel: "jsonschema==4.25.1",
    tests: "jsonschema/tests --ignore=jsonschema/tests/test_jsonschema_test_suite.py",
    needs: ["attrs", "referencing", "jsonschema-specifications", "rpds-py", "jsonpath-ng"],
  },
  patsy: {
    wheel: "patsy==1.0.3",
    tests: [
      "test_build.py::test_redundancy_thoroughly",
      "mgcv_cubic_splines.py::test_crs_compat",
      "mgcv_cubic_splines.py::test_te_1smooth",
    ]
      .map((name) => `--deselect patsy/${name}`)
      .join(" ")
      .concat(" -o python_files='*.py' patsy"),
    needs: ["numpy", "scipy", "packaging"],
  },
  opt_einsum: {
    wheel: "opt_einsum==3.4.0",
    tests: ["edge_cases", "input", "parser", "paths"].map((name) => `opt_einsum/tests/test_${name}.py`).join(" "),
    needs: ["numpy"],
  },
  colorama: { wheel: "colorama==0.4.6", tests: "-o python_files='*_test.py' colorama", needs: [] },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    spans: { type: "string", default: "100" },
    samples: { type: "string", default: "4" },
    only: { type: "string", default: Object.keys(PROJECTS).join(",") },
    python: { type: "string", default: "python3" },
  },
});
const folder = resolve(positionals[0] ?? "runs/rtc-projects");
const names = values.only.split(",");
const unknown = names.find((name) => !(name in PROJECTS));
if (unknown !== undefined) throw new Error(`no project ${unknown}; there are ${Object.keys(PROJECTS).join(", ")}`);

const python = join(folder, "venv", "bin", "python");
const pip = (...args: string[]): void => {
  execFileSync(python, ["-m", "pip", "--disable-pip-version-check", "-q", ...args], { stdio: "inherit" });
};
mkdirSync(folder, { recursive: true });
if (!existsSync(python)) {
  execFileSync(values.python, ["-m", "venv", join(folder, "venv")], { stdio: "inherit" });
  pip("install", "pytest");
}

const cells = [
  [
    "project",
    "files",
    "spans",
    "drawn",
    "kept",
    "dropped",
    "candidates",
    "pass",
    "r_s",
    "AUC",
    "agree",
    "pass, s",
    "codescore, s",
  ],
];
const run = [
  ["project", "candidates", "run", "pass", "r_s, codescore", "AUC, codescore", "r_s, behaviour", "AUC, behaviour"],
];
const replayed = [
  [
    "project",
    "spans by calls",
    "candidates by calls",
    "agree",
    "r_s",
    "AUC",
    "pass, s",
    "calls, s",
    "times as fast, median span",
    "watching, s",
    "preparing a span, s",
  ],
];
const judged: Judged[] = [];
for (const name of names) {
  const summary = measure(name, PROJECTS[name]!);
  cells.push(row(name, summary));
  run.push(runRow(name));
  const those = judgedOf(name, summary);
  judged.push(...those);
  replayed.push(replayedRow(name, those, summary));
}
if (names.length > 1) replayed.push(replayedRow("all", judged, null));
for (const table of [cells, run, replayed]) {
  const [head, ...rows] = table;
  const lines = [head!, head!.map((_, i) => (i === 0 ? "---" : "--:")), ...rows];
  process.stdout.write(`${lines.map((line) => `| ${line.join(" | ")} |\n`).join("")}\n`);
}

function measure(name: string, { wheel, tests, needs }: Project): ProjectSummary {
  const project = join(folder, "projects", name);
  if (!existsSync(project)) {
    const wheels = join(folder, "wheels", name);
    pip("download", "--no-deps", "--only-binary", ":all:", "--dest", wheels, wheel);
    execFileSync(python, ["-m", "zipfile", "-e", join(wheels, readdirSync(wheels)[0]!), project]);
    if (needs.length > 0) pip("install", ...needs);
  }
  const output = join(folder, "runs", name);
  const command = `python -m pytest -x -q -p no:cacheprovider ${tests}`;
  const options = ["--sims", "codescore,behaviour,pass,calls", "--threshold", "codescore=0.5", "--forward", "mutate:"];
  options.push("--limit", values.spans, "--forward-samples", values.samples, "--seed", "0", "--output", output);
  const where = ["--project", project, "--test-command", command, "--python", python];
  try {
    execFileSync("node", [join("dist", "cli", "main.js"), "rtc", "synthesis", ...where, ...options], {
      stdio: "inherit",
    });
  } catch (error) {
    // 1: some spans have fewer places to change than samples asked for.
    if ((error as { status?: number }).status !== 1) throw error;
  }
  return JSON.parse(readFileSync(join(output, "summary.json"), "utf8")) as ProjectSummary;
}

interface Judged {
  readonly span: string;
  readonly calls: number;
  readonly pass: number;
  readonly cpu: number;
  /** CPU seconds of the tests, the median over the project's candidates. */
  readonly testsCpu: number;
}

function rowsOf<Row>(name: string, file: string): Row[] {
  const lines = readFileSync(join(folder, "runs", name, file), "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Row);
}

/** The candidates that calls judged, and what the tests say of them. */
function judgedOf(name: string, { project }: ProjectSummary): Judged[] {
  const testsCpu = project.times.find((times) => times.name === "pass")!.median_cpu_s;
  const by = new Map<string, JudgedRow>();
  for (const judgement of rowsOf<JudgedRow | PreparedRow>(name, "calls.jsonl")) {
    if ("span" in judgement) by.set(`${judgement.span} ${judgement.candidate_sha256}`, judgement);
  }
  return rowsOf<SampleRow>(name, "samples.jsonl").flatMap(({ task_id: span, candidate, sims }) => {
    const judgement = by.get(`${span} ${sha256(candidate)}`);
    if (judgement?.by !== "calls" || typeof sims.pass !== "number" || typeof sims.calls !== "number") return [];
    return [{ span: `${name} ${span}`, calls: sims.calls, pass: sims.pass, cpu: judgement.cpu_s, testsCpu }];
  });
}

function replayedRow(name: string, those: readonly Judged[], summary: ProjectSummary | null): string[] {
  const spans = [...groupRows(those.map(({ span }) => span)).values()].map((rows) => rows.map((i) => those[i]!));
  const faster = spans.map((rows) => rows[0]!.testsCpu / median(rows.map(({ cpu }) => cpu)));
  const [calls, pass] = [those.map((row) => row.calls), those.map((row) => row.pass)];
  const varies = new Set(pass).size > 1;
  const prepared = summary === null ? [] : rowsOf<JudgedRow | PreparedRow>(name, "calls.jsonl");
  const costs = prepared.flatMap((found) => ("prepared" in found && found.why === null ? [found] : []));
  const [watched, ...scenes] = costs;
  return [
    name,
    summary === null ? String(spans.length) : `${spans.length} of ${summary.project.spans}`,
    summary === null ? String(those.length) : `${those.length} of ${summary.counts.round_trips}`,
    (those.filter((row) => row.calls === row.pass).length / those.length).toFixed(3),
    varies ? spearman(calls, pass).toFixed(3) : "-",
    varies
      ? rocAuc(
          calls,
          pass.map((value) => value === 1),
        ).toFixed(3)
      : "-",
    median(those.map(({ testsCpu }) => testsCpu)).toPrecision(2),
    median(those.map(({ cpu }) => cpu)).toPrecision(2),
    median(faster).toFixed(0),
    watched?.cpu_s.toPrecision(2) ?? "-",
    scenes.length === 0 ? "-" : median(scenes.map(({ cpu_s: cpu }) => cpu)).toPrecision(2),
  ];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Over the candidates that behaviour has a value of: those whose function can be called alone. */
function runRow(name: string): string[] {
  const all = rowsOf<SampleRow>(name, "samples.jsonl");
  const rows = all
    .map(({ sims }) => sims)
    .filter(({ behaviour, pass }) => typeof behaviour === "number" && typeof pass === "number");
  const passed = rows.map(({ pass }) => pass === 1);
  const varies = passed.includes(true) && passed.includes(false);
  const of = (sim: string): string[] => {
    const values = rows.map((sims) => sims[sim]!);
    return varies
      ? [spearman(values, passed.map(Number)), rocAuc(values, passed)].map((v) => v.toFixed(2))
      : ["-", "-"];
  };
  const share = rows.length === 0 ? "-" : (passed.filter(Boolean).length / rows.length).toFixed(2);
  return [name, String(all.length), String(rows.length), share, ...of("codescore"), ...of("behaviour")];
}

function row(name: string, { project: p, counts, similarities, agreement }: ProjectSummary): string[] {
  const withPass = agreement.find(({ a, b }) => a === "codescore" && b === "pass");
  const time = (sim: string): string => p.times.find((times) => times.name === sim)!.median_cpu_s.toPrecision(2);
  const fixed = (value: number | null | undefined): string => value?.toFixed(2) ?? "-";
  const passed = similarities.find((similarity) => similarity.name === "pass");
  return [
    name,
    ...[p.files, p.candidates, p.drawn, p.spans].map(String),
    `${(100 * p.dropped_share).toFixed(0)}%`,
    String(counts.round_trips),
    fixed(passed?.rtc?.value),
    fixed(withPass?.spearman),
    fixed(p.auc_of_pass.codescore),
    fixed(withPass?.accuracy),
    time("pass"),
    time("codescore"),
  ];
}
