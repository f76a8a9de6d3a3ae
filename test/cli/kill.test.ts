/** Labelling that is interrupted: at one moment here, at random moments in kill.slow.test.ts. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { native } from "../execute/open.ts";
import { allGone, executed, journalled, killAndRerun, scratch, startLabel, tree, write } from "./kill.ts";

// Processes are found in /proc.
describe.skipIf(!existsSync("/proc/self/stat"))("a labelling run", () => {
  it("killed with its whole group goes on where it was and ends with the same bytes", async () => {
    const folder = scratch();
    const files = write(folder, 16, 250_000);
    const whole = join(folder, "whole.jsonl");
    const first = await startLabel(files, whole).ended;
    expect(first.code, first.stderr).toBe(0);
    const reference = { bytes: readFileSync(whole), executed: executed(first.stderr) };
    expect(reference.executed).toBe(16);
    await killAndRerun(files, join(folder, "out.jsonl"), { labels: 5, ms: 5 }, reference);
  });

  it("leaves no process behind when it is interrupted, and says so by its exit code", async () => {
    const folder = scratch();
    const files = write(folder, 300, 600_000);
    const out = join(folder, "out.jsonl");
    const { child, ended } = startLabel(files, out);
    const pid = child.pid as number;
    while (journalled(out) < 3 && child.exitCode === null) await sleep(20);
    const processes = tree(pid);
    expect(processes.length).toBeGreaterThan(2);
    process.kill(pid, "SIGINT"); // only to this process; a terminal would send it to the whole group
    const { code, signal } = await ended;
    // A shell converts the signal to 130.
    expect(signal ?? code).toBe(signal === null ? 130 : "SIGINT");
    await allGone(processes);
    expect(existsSync(out)).toBe(false);
    expect(journalled(out)).toBeGreaterThan(0);
  });

  it.runIf(native.length > 0)("leaves no copy of data files behind when it is killed", async () => {
    const folder = scratch();
    chmodSync(folder, 0o755); // root gives up its rights before a sandbox starts
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data", "a.txt"), "1");
    const files = { problems: join(folder, "problems.jsonl"), samples: join(folder, "samples.jsonl") };
    const loops = "def f():\n    while True: open('a.txt').close()\n";
    const problem = { task_id: "T/0", description: "", entry_point: "f", tests: ["assert f()"], files: "data" };
    writeFileSync(files.problems, JSON.stringify(problem));
    writeFileSync(files.samples, JSON.stringify({ task_id: "T/0", solution: loops }));
    vi.stubEnv("TMPDIR", folder);
    const { child, ended } = startLabel(files, join(folder, "out.jsonl"));
    vi.unstubAllEnvs();
    const copies = (): string[] => readdirSync(folder).filter((name) => name.startsWith("codescore-files-"));
    const isCopied = (): boolean => copies().some((name) => readdirSync(join(folder, name)).length > 0);
    while (!isCopied() && child.exitCode === null) await sleep(5);
    child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    for (let i = 0; i < 100 && copies().length > 0; i++) await sleep(50);
    expect(copies()).toEqual([]);
  });
});
