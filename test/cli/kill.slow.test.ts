/** Labelling that is interrupted at random moments; and labelling of many programs, whose memory must not grow. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/util/random.ts";
import { executed, killAndRerun, scratch, startLabel, tree, write } from "./kill.ts";

const PROGRAMS = Number(process.env.CODESCORE_STREAM ?? 5000);

// Processes are found in /proc.
describe.skipIf(!existsSync("/proc/self/stat"))("a labelling run", () => {
  it("killed with its whole group at any of four random moments ends with the same bytes", async () => {
    const folder = scratch();
    const files = { ...write(folder, 60, 300_000), workers: 2 };
    const whole = join(folder, "whole.jsonl");
    const first = await startLabel(files, whole).ended;
    const reference = { bytes: readFileSync(whole), executed: executed(first.stderr) };
    expect(reference.executed).toBe(60);
    const random = new Random(20);
    const saved: number[] = [];
    for (let i = 0; i < 4; i++) {
      // The first kill is during the start. The others count from saved labels, so a slow start does not make them too early.
      const when = { labels: i === 0 ? 0 : random.int(1, 40), ms: random.float() * 100 };
      saved.push(await killAndRerun(files, join(folder, `${i}.jsonl`), when, reference));
    }
    process.stderr.write(`  labels saved at the kills: ${saved.join(" ")} of 60\n`);
    // Otherwise all kills were too early or too late to prove anything.
    expect(saved.filter((n) => n > 0 && n < 60).length).toBeGreaterThanOrEqual(2);
  }, 600_000);

  it(`of ${PROGRAMS} programs needs no more memory at its end than in its middle`, async () => {
    const folder = scratch();
    const { child, ended } = startLabel({ ...write(folder, PROGRAMS, 10), workers: 2 }, join(folder, "out.jsonl"));
    const sizes: number[] = [];
    const timer = setInterval(() => sizes.push(residentMb(child.pid as number)), 100);
    const { code, stderr } = await ended;
    clearInterval(timer);
    expect(code, stderr).toBe(0);
    expect(executed(stderr)).toBe(PROGRAMS);
    const part = Math.floor(sizes.length / 3);
    const most = (from: number): number => Math.max(...sizes.slice(from, from + part));
    process.stderr.write(`  MiB of all processes by thirds: ${[0, part, 2 * part].map(most).join(" ")}\n`);
    expect(part).toBeGreaterThan(5);
    expect(most(2 * part)).toBeLessThan(1.1 * most(part) + 20);
    expect(Math.max(...sizes)).toBeLessThan(1024);
  }, 3_600_000);
});

/** Resident memory of a process and its descendants, in MiB. Shared memory counts once per process. */
function residentMb(root: number): number {
  return tree(root).reduce((sum, { pid }) => {
    try {
      return sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
    } catch {
      return sum; // ended in the meantime
    }
  }, 0);
}
