/** The programs of he-eval-dev, and two ways to label them: a peer's script, and our executor. Each uses two processes. */
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openExecutor, type SandboxKind } from "../../src/execute/index.ts";
import { docstring } from "../../src/languages/python/syntax/source.ts";
import type { Problem } from "../../src/types.ts";
import { readJsonLines } from "../../src/util/jsonl.ts";

export interface Row {
  readonly task_id: string;
  readonly code: string;
  readonly tests: readonly string[];
  readonly problem: Problem;
  /** As recorded in the sample file. */
  readonly passRatio: number;
  readonly timeout: boolean;
}

export interface Label {
  readonly passRatio: number | null;
  readonly executable: number | null;
  readonly firstError: string | null;
}

export type Measured = { readonly seconds: number; readonly labels: readonly Label[] };

const PROCESSES = 2;

/** @param folder contains problems.jsonl.gz and samples.jsonl.gz */
export async function readRows(folder: string): Promise<Row[]> {
  const problems = new Map<string, Problem>();
  for await (const { value: p } of readJsonLines(join(folder, "problems.jsonl.gz"))) {
    const tests = p.test_case_list as string[];
    problems.set(p.task_id as string, {
      id: p.task_id as string,
      description: docstring(p.prompt as string, p.entry_point as string) ?? "",
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
    const passRatio = s.pass_ratio as number;
    found.push({ task_id: problem.id, code, tests, problem, passRatio, timeout: s.first_error === "Timeout" });
  }
  return found;
}

/** A peer's labels and wall seconds, with one process per part. */
export async function peerLabels(script: string, part: readonly Row[]): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "codescore-bench-"));
  const files = await Promise.all(
    Array.from({ length: PROCESSES }, async (_, k) => {
      const file = join(folder, `${k}.jsonl`);
      const lines = part.filter((_, i) => i % PROCESSES === k);
      const text = lines.map(({ task_id, code, tests }) => `${JSON.stringify({ task_id, code, tests })}\n`);
      await writeFile(file, text.join(""));
      return file;
    }),
  );
  const began = performance.now();
  await Promise.all(
    files.map(
      (file) =>
        new Promise<void>((resolve, reject) => {
          const child = spawn("python3", [script, file, `${file}.out`], { stdio: "inherit" });
          child.once("error", reject);
          child.once("close", (status) => (status === 0 ? resolve() : reject(new Error(`status ${status}`))));
        }),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  const texts = await Promise.all(files.map((file) => readFile(`${file}.out`, "utf8")));
  await rm(folder, { recursive: true });
  const parts = texts.map((text) => text.trim().split("\n"));
  const labels = part.map((_, i): Label => {
    const row = JSON.parse(parts[i % PROCESSES]?.[Math.floor(i / PROCESSES)] ?? "{}") as Record<string, unknown>;
    if (typeof row.pass_ratio !== "number") throw new Error(`${script} lost row ${i}`);
    return { passRatio: row.pass_ratio, executable: row.executable as number, firstError: row.first_error as string };
  });
  return { seconds, labels };
}

/** Our labels, and the seconds including preparation of the problems and start of the workers. */
export async function executor(part: readonly Row[], sandbox: SandboxKind): Promise<Measured> {
  const began = performance.now();
  const pool = await openExecutor({ sandbox, workers: PROCESSES });
  const labels = await Promise.all(part.map(({ problem, code }) => pool.execute(problem, code)));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  return { seconds, labels };
}

/** Peak memory of all our processes together, in a separate run, because measuring it takes a tenth of the time. */
export async function peakBytes(part: readonly Row[], sandbox: SandboxKind): Promise<number> {
  let peak = 0;
  const sampler = setInterval(async () => {
    peak = Math.max(peak, await treeBytes());
  }, 500);
  await executor(part, sandbox);
  clearInterval(sampler);
  return peak;
}

/** Proportional memory (shared pages count once) of this process and its descendants. Linux only. */
async function treeBytes(): Promise<number> {
  const parents = new Map<string, string>();
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    parents.set(pid, stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? "0");
  }
  const below = (pid: string | undefined): boolean =>
    pid !== undefined && (pid === String(process.pid) || below(parents.get(pid)));
  let bytes = 0;
  for (const pid of parents.keys()) {
    if (!below(pid)) continue;
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
    const status = rollup || (await readFile(`/proc/${pid}/status`, "utf8").catch(() => ""));
    bytes += 1024 * Number(/^(?:Pss|VmRSS):\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
  }
  return bytes;
}
