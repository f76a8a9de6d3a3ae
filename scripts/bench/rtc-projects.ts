/**
 * SynthesisRTC without a language model, on five projects of the paper's list whose wheels contain their tests. One-operator mutants and
 * rewrites of each span replace the backward samples, and `codescore` and `behaviour` are compared with the projects' tests, span by
 * span. Prints the tables of docs/rtc-projects.md. Needs pip's index, bubblewrap and `npm run build`.
 *
 * usage: npx vite-node scripts/bench/rtc-projects.ts FOLDER [--spans 100] [--samples 4] [--only toolz,patsy] [--python python3]
 * All results go to FOLDER; a second start resumes. Times are CPU seconds, medians over candidates.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { ProjectSummary, SampleRow } from "../../src/rtc/index.ts";
import { rocAuc, spearman } from "../../src/statistics/index.ts";

interface Project {
  readonly wheel: string;
  /** Arguments for pytest, in the unpacked wheel. */
  readonly tests: string;
  readonly needs: readonly string[];
}

/** The tests left out need files that the wheel lacks, or take minutes. */
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
for (const name of names) {
  cells.push(row(name, measure(name, PROJECTS[name]!)));
  run.push(runRow(name));
}
for (const table of [cells, run]) {
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
  const options = ["--sims", "codescore,behaviour,pass", "--threshold", "codescore=0.5", "--forward", "mutate:"];
  options.push("--limit", values.spans, "--forward-samples", values.samples, "--seed", "0", "--output", output);
  const where = ["--project", project, "--test-command", command, "--python", python];
  try {
    execFileSync("node", [join("dist", "cli", "main.js"), "rtc", "synthesis", ...where, ...options], {
      stdio: "inherit",
    });
  } catch (error) {
    // Exit code 1: some spans have fewer places to change than the number of samples.
    if ((error as { status?: number }).status !== 1) throw error;
  }
  return JSON.parse(readFileSync(join(output, "summary.json"), "utf8")) as ProjectSummary;
}

/** Uses only candidates that `behaviour` has a value for: those whose function can be called alone. */
function runRow(name: string): string[] {
  const text = readFileSync(join(folder, "runs", name, "samples.jsonl"), "utf8");
  const all = text.split("\n").filter(Boolean);
  const rows = all
    .map((line) => (JSON.parse(line) as SampleRow).sims)
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
