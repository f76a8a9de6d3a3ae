/** Runs `codescore label` with the built command and kills it, for kill.test.ts and kill.slow.test.ts. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";

const entry = join(fileURLToPath(new URL("../..", import.meta.url)), "dist", "cli", "main.js");

export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "codescore-kill-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes problems and `count` distinct programs for them. Each program runs a loop of `loops` iterations per test. */
export function write(folder: string, count: number, loops: number): { problems: string; samples: string } {
  const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const ids = [0, 1, 2, 3];
  const [problems, samples] = [join(folder, "problems.jsonl"), join(folder, "samples.jsonl")];
  const prompt = "def f(x):\n";
  const rows = ids.map((id) => ({
    task_id: `T/${id}`,
    prompt,
    entry_point: "f",
    canonical_solution: `    return x + ${id}\n`,
    test: `def check(candidate):\n${[1, 2, 3].map((x) => `    assert candidate(${x}) == ${x + id}\n`).join("")}`,
  }));
  writeFileSync(problems, lines(rows));
  const programs = Array.from({ length: count }, (_, i) => ({
    task_id: `T/${i % ids.length}`,
    completion: `    total = ${i}\n    for turn in range(${loops}): total += turn\n    return x + ${i % 3 === 0 ? i % ids.length : "total"}\n`,
  }));
  writeFileSync(samples, lines(programs));
  return { problems, samples };
}

export interface Files {
  readonly problems: string;
  readonly samples: string;
  readonly workers?: number;
}

export interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

/** Starts `codescore label` in a new process group. */
export function startLabel(files: Files, out: string): Run {
  const { problems, samples, workers = 1 } = files; // each worker takes a second to start in WebAssembly
  const args = [
    entry,
    "label",
    "--problems",
    problems,
    "--samples",
    samples,
    "--output",
    out,
    "--workers",
    String(workers),
  ];
  const child = spawn(process.execPath, args, { detached: true, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr?.on("data", (piece: Buffer) => {
    stderr += piece.toString();
  });
  const ended = new Promise<Awaited<Run["ended"]>>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, stderr })),
  );
  return { child, ended };
}

/** A process by number and start time, so that another process with the same number is not mistaken for it. */
export interface Seen {
  readonly pid: number;
  readonly started: string;
}

/** The running process `root` and its descendants. */
export function tree(root: number): Seen[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => stat(Number(name)) ?? []);
  const found: Seen[] = [];
  const take = (pid: number): void => {
    for (const one of all) {
      if (one.pid === pid) found.push(one);
      else if (one.parent === pid) take(one.pid);
    }
  };
  take(root);
  return found;
}

function stat(pid: number): (Seen & { parent: number }) | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? null : { pid, parent: Number(fields[1]), started: fields[19] as string };
  } catch {
    return null; // it has ended
  }
}

/** Waits until all of the processes have ended. */
export async function allGone(seen: readonly Seen[]): Promise<void> {
  const left = (): Seen[] => seen.filter(({ pid, started }) => stat(pid)?.started === started);
  for (let i = 0; i < 100 && left().length > 0; i++) await sleep(50);
  expect(left()).toEqual([]);
}

/** Number of complete lines in the run's journal, which are saved labels. */
export function journalled(out: string): number {
  const path = `${out}.journal.jsonl`;
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

/** Number of programs that a run executed; NaN if it did not label every row. */
export function executed(stderr: string): number {
  const [, rows, labelled] = /: (\d+) rows on .* \((\d+) labelled/.exec(stderr) ?? [];
  if (rows === undefined || rows !== labelled) return Number.NaN;
  return Number(/executed (\d+) distinct/.exec(stderr)?.[1]);
}

/**
 * Kills a run with its whole group after `labels` saved labels and `ms` milliseconds, and runs it again. The result must have the same bytes as
 * `whole`, and no program may be executed twice except those in flight. Returns how many labels the killed run had saved.
 */
export async function killAndRerun(
  files: Files,
  out: string,
  { labels, ms }: { labels: number; ms: number },
  whole: { bytes: Buffer; executed: number },
): Promise<number> {
  const killed = startLabel(files, out);
  while (journalled(out) < labels && killed.child.exitCode === null) await sleep(5);
  await sleep(ms);
  const pid = killed.child.pid as number;
  const processes = tree(pid);
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // it has already ended
  }
  const { signal } = await killed.ended;
  await allGone(processes);
  const done = signal === null ? whole.executed : journalled(out);
  const { code, stderr } = await startLabel(files, out).ended;
  expect(code, stderr).toBe(0);
  expect(readFileSync(out).equals(whole.bytes)).toBe(true);
  if (signal !== null) expect(executed(stderr)).toBe(whole.executed - done);
  return signal === null ? 0 : done;
}
