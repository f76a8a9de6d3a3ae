/**
 * Programs a second of the executor against a plain labeller (two processes on split input), in the same run, on
 * he-eval-dev. Prints wall-clock rates over all programs and over those without timeouts; run it on an idle machine.
 *
 * usage: npx vite-node scripts/bench/execute.ts DATA_FOLDER PLAIN_LABELLER.py [bwrap|wasm]
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openExecutor, type SandboxKind } from "../../src/execute/index.ts";
import type { Problem } from "../../src/types.ts";
import { readJsonLines } from "../../src/util/jsonl.ts";

interface Row {
  readonly task_id: string;
  readonly code: string;
  readonly tests: readonly string[];
  readonly problem: Problem;
  readonly timeout: boolean;
}

const PROCESSES = 2;
const [data, labeller, sandbox = "bwrap"] = process.argv.slice(2);
if (!data || !labeller) {
  throw new Error("usage: npx vite-node scripts/bench/execute.ts DATA_FOLDER PLAIN_LABELLER.py [bwrap|wasm]");
}

const rows = await readRows(join(data, "he-eval-dev"));
for (const [name, part] of [
  ["without timeouts", rows.filter(({ timeout }) => !timeout)],
  ["all programs", rows],
] as const) {
  const plain = await plainLabeller(part);
  const ours = await executor(part);
  const rate = (seconds: number): string => `${(part.length / seconds).toFixed(1)}/s`;
  console.log(
    `${name} (${part.length}): plain ${plain.toFixed(1)} s, ${rate(plain)}; codescore ${ours.toFixed(1)} s, ` +
      `${rate(ours)}; ratio ${(plain / ours).toFixed(2)}`,
  );
}

async function readRows(folder: string): Promise<Row[]> {
  const problems = new Map<string, Problem>();
  for await (const { value: p } of readJsonLines(join(folder, "problems.jsonl.gz"))) {
    const tests = p.test_case_list as string[];
    problems.set(p.task_id as string, {
      id: p.task_id as string,
      description: "",
      prompt: p.prompt as string,
      entryPoint: p.entry_point as string,
      references: [`${p.prompt}${p.canonical_solution}`],
      tests: tests.map((code, i) => ({ id: String(i), origin: "given", kind: "assert", code })),
      setup: "",
      contract: "",
      source: "he-eval",
    });
  }
  const found: Row[] = [];
  for await (const { value: s } of readJsonLines(join(folder, "samples.jsonl.gz"))) {
    const problem = problems.get(s.task_id as string) as Problem;
    const tests = problem.tests.flatMap((test) => (test.kind === "assert" ? [test.code] : []));
    const code = `${problem.prompt}${s.completion}`;
    found.push({ task_id: problem.id, code, tests, problem, timeout: s.first_error === "Timeout" });
  }
  return found;
}

/** Wall seconds of the plain labeller, one process a part. */
async function plainLabeller(part: readonly Row[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "codescore-bench-"));
  const files = await Promise.all(
    Array.from({ length: PROCESSES }, async (_, k) => {
      const file = join(folder, `${k}.jsonl`);
      const lines = part.filter((_, i) => i % PROCESSES === k);
      await writeFile(
        file,
        lines.map(({ task_id, code, tests }) => `${JSON.stringify({ task_id, code, tests })}\n`).join(""),
      );
      return file;
    }),
  );
  const began = performance.now();
  await Promise.all(
    files.map(
      (file) =>
        new Promise<void>((resolve, reject) => {
          const child = spawn("python3", [labeller as string, file, `${file}.out`], { stdio: "inherit" });
          child.once("error", reject);
          child.once("close", (status) => (status === 0 ? resolve() : reject(new Error(`status ${status}`))));
        }),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  const labelled = (await Promise.all(files.map((file) => readFile(`${file}.out`, "utf8")))).join("");
  await rm(folder, { recursive: true });
  if (labelled.trim().split("\n").length !== part.length) throw new Error("the plain labeller lost rows");
  return seconds;
}

/** Wall seconds of ours, preparation of the problems and start of the workers included. */
async function executor(part: readonly Row[]): Promise<number> {
  const began = performance.now();
  const pool = await openExecutor({ sandbox: sandbox as SandboxKind, workers: PROCESSES });
  await Promise.all(part.map(({ problem, code }) => pool.execute(problem, code)));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  return seconds;
}
