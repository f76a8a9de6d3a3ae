import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Journal } from "../../src/dataset/journal.ts";
import { openJournal } from "../../src/rtc/llm/journal.ts";
import { locked, lockOutput } from "../../src/util/lock.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-"));
  path = join(folder, "out.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true }));

const hold = (holder: object | string): void =>
  writeFileSync(`${path}.lock`, typeof holder === "string" ? holder : JSON.stringify(holder));
const old = (minutes: number): void => {
  const then = new Date(Date.now() - 60_000 * minutes);
  utimesSync(`${path}.lock`, then, then);
};

/** The number of a process that has ended. */
const gone = (): number => spawnSync(process.execPath, ["-e", ""]).pid;

describe("an output", () => {
  it("is one run's at a time, and free again after it", async () => {
    const lock = await lockOutput(path);
    await expect(lockOutput(path)).rejects.toMatchObject({ name: "CodescoreError", code: "usage" });
    await expect(lockOutput(path)).rejects.toThrow(
      `${path} is being written by another run (process ${process.pid} on ${hostname()}); wait for it to end`,
    );
    await lock.release();
    expect(await locked(path, async () => readdirSync(folder))).toEqual(["out.jsonl.lock"]);
    await expect(locked(path, () => Promise.reject(new Error("work failed")))).rejects.toThrow("work failed");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that a living process holds is refused, and free once that is killed", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    hold({ pid: child.pid, host: hostname(), began: null });
    await expect(lockOutput(path)).rejects.toThrow(`another run (process ${child.pid} on`);
    child.kill("SIGKILL");
    await once(child, "exit");
    await (await lockOutput(path)).release();
  });

  it.skipIf(!existsSync("/proc/self/stat"))("of a dead process whose number another has by now is free", async () => {
    hold({ pid: process.pid, host: hostname(), began: "1" });
    await (await lockOutput(path)).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("of another machine is held as long as its lock is touched", async () => {
    hold({ pid: gone(), host: "elsewhere", began: null });
    await expect(lockOutput(path)).rejects.toThrow("on elsewhere); wait for it to end");
    old(11);
    await (await lockOutput(path)).release();
  });

  it("whose lock has no text yet is being locked, unless that was long ago", async () => {
    hold("");
    await expect(lockOutput(path)).rejects.toThrow(`If no such run is left, delete ${path}.lock`);
    old(1);
    await (await lockOutput(path)).release();
  });

  it("that a dead run left behind is taken over by one of several", async () => {
    hold({ pid: gone(), host: hostname(), began: null });
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => lockOutput(path)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((JSON.parse(readFileSync(`${path}.lock`, "utf8")) as { pid: number }).pid).toBe(process.pid);
    for (const one of all) if (one.status === "fulfilled") await one.value.release();
    expect(readdirSync(folder)).toEqual([]);
  });
});

it.each([
  ["labelling", (file: string) => Journal.open(file)],
  ["round trips", (file: string) => openJournal(file)],
] as const)("a journal of %s has one writer", async (_, open) => {
  const first = await open(path);
  await expect(open(path)).rejects.toThrow("is being written by another run");
  await first.close();
  await (await open(path)).close();
});
