/** Outputs that cannot be written, that are not files, or that another run is writing: the built command, as a separate process. */
import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { executed, journalled, scratch, startLabel, write } from "./kill.ts";

const entry = join(fileURLToPath(new URL("../..", import.meta.url)), "dist", "cli", "main.js");
const shell = (script: string, cwd: string): SpawnSyncReturns<string> =>
  spawnSync("bash", ["-c", script], { cwd, encoding: "utf8", env: { ...process.env, NODE: process.execPath, entry } });
const hasShell = spawnSync("bash", ["-c", "mkfifo --version"]).status === 0;
const wall = (...args: string[]): string => `bwrap --dev-bind / / ${args.join(" ")}`;
const hasWalls = spawnSync("bash", ["-c", wall("--tmpfs /tmp true")]).status === 0;
const fault = "bug in codescore";

/** A folder with problems and samples, and shell commands for `label` and `sanitize`. */
function prepared(count: number, loops = 1): { folder: string; label: string; sanitize: string } {
  const folder = scratch();
  write(folder, count, loops);
  const label = '"$NODE" "$entry" label --workers 1 --problems problems.jsonl --samples samples.jsonl --output';
  return { folder, label, sanitize: '"$NODE" "$entry" sanitize samples.jsonl --problems problems.jsonl --output' };
}

describe.skipIf(!hasShell)("an output that cannot be written", () => {
  it.skipIf(!hasWalls)("for want of space is said so; with space the run goes on where it was", () => {
    const { folder, label } = prepared(300);
    mkdirSync(join(folder, "small"));
    const script = `head -c 360000 /dev/zero > small/filler
      ${label} small/out.jsonl; echo "code $?"
      grep -c . small/out.jsonl.journal.jsonl; tail -c 1 small/out.jsonl.journal.jsonl | wc -l; ls -A small
      rm small/filler; ${label} small/out.jsonl; echo "code $?"; grep -c . small/out.jsonl`;
    const { stdout, stderr } = shell(`${wall('--size 409600 --tmpfs "$PWD/small"')} bash -c '${script}'`, folder);
    expect(stderr).toContain("cannot write small/out.jsonl.journal.jsonl: the disk is full (ENOSPC); free some space");
    expect(stderr).not.toContain(fault);
    const [first, lines, newline, ...rest] = stdout.trim().split("\n");
    expect([first, newline]).toEqual(["code 1", "1"]); // no partial line at the end
    const kept = Number(lines);
    expect(kept).toBeGreaterThan(0);
    expect(rest).toEqual(["filler", "out.jsonl.journal.jsonl", "code 0", "300"]);
    expect(executed(stderr)).toBe(300 - kept);
  });

  it.skipIf(!hasWalls)("on a read-only file system is said so", () => {
    const { folder, label, sanitize } = prepared(1);
    mkdirSync(join(folder, "ro"));
    for (const [verb, path] of [
      [label, "ro/out.jsonl"],
      [sanitize, "ro/out.jsonl"],
      [sanitize, "ro/sub/out.jsonl"],
    ]) {
      const { status, stderr } = shell(`${wall('--ro-bind ro "$PWD/ro"')} bash -c '${verb} ${path}'`, folder);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/cannot write ro\/.*: the file system is read-only/)]);
      expect(stderr).not.toContain(fault);
    }
  });

  it.skipIf(!existsSync("/dev/full"))("is a full device, or stdout that is one", () => {
    const { folder, sanitize } = prepared(3);
    for (const [script, name] of [
      [`${sanitize} /dev/full`, "/dev/full"],
      [`${sanitize} - > /dev/full`, "stdout"],
      ['"$NODE" "$entry" --help > /dev/full', "stdout"],
    ]) {
      const { status, stderr } = shell(script!, folder);
      expect([status, stderr]).toEqual([1, expect.stringContaining(`cannot write ${name}: the disk is full (ENOSPC)`)]);
      expect(stderr.trim().split("\n")).toHaveLength(1);
    }
  });

  it("for want of open files is said so", () => {
    const { folder, label } = prepared(1);
    const { status, stderr } = shell(`ulimit -n 30; ${label} out.jsonl`, folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining("too many files are open (EMFILE); raise the limit")]);
    expect(stderr).not.toContain(fault);
  });

  it("where a folder of its path is a file is wrong use", () => {
    const { folder, label } = prepared(1);
    const { status, stderr } = shell(`${label} samples.jsonl/out.jsonl`, folder);
    expect([status, stderr]).toEqual([2, expect.stringContaining("part of the path is a file, not a folder (EEXIST)")]);
  });
});

describe.skipIf(!hasShell)("a process of few addresses", () => {
  it.each([
    "label --problems problems.jsonl --samples samples.jsonl --output out.jsonl",
    "serve --model tiny --port 0",
  ])("is told what it lacks: %s", (verb) => {
    const { folder } = prepared(1);
    const { status, stderr } = shell(`ulimit -v 8000000; "$NODE" "$entry" ${verb}`, folder);
    expect([status, stderr]).toEqual([1, expect.stringContaining("raise `ulimit -v`, or set NODE_OPTIONS")]);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("two labelling runs of one output", () => {
  it("are not run at once: the second is refused and the first ends as if alone", async () => {
    const folder = scratch();
    const files = write(folder, 12, 50_000);
    const out = join(folder, "out.jsonl");
    const first = startLabel(files, out);
    while (journalled(out) < 2 && first.child.exitCode === null) await sleep(20);
    first.child.kill("SIGSTOP"); // otherwise it might end before the second starts
    const second = await startLabel(files, out).ended;
    first.child.kill("SIGCONT");
    expect(second).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`is being written by another run (process ${first.child.pid} on`) as string,
    });
    const { code, stderr } = await first.ended;
    expect(code, stderr).toBe(0);
    expect(executed(stderr)).toBe(12);
    expect(readFileSync(out, "utf8").trim().split("\n")).toHaveLength(12);
    expect(readdirSync(folder).filter((name) => /lock|journal|part/.test(name))).toEqual([]);
  });
});

describe.skipIf(!hasShell)("an output that is no file", () => {
  /** The exit code within a time limit, so that a pipe that hangs fails the test instead of blocking the suite. */
  const within = async (child: ChildProcess, ms: number): Promise<number | null | "hangs"> => {
    const ended = once(child, "exit").then(([code]) => code as number | null);
    const timer = new AbortController();
    const late = sleep(ms, "hangs" as const, { signal: timer.signal }).catch(() => "hangs" as const);
    const how = await Promise.race([ended, late]);
    timer.abort();
    if (how === "hangs") child.kill("SIGKILL");
    return how;
  };

  it("is written where it stands: stdout, what stdout goes to, another command, the null device", () => {
    const { folder, sanitize } = prepared(3);
    const rows = shell(`${sanitize} -`, folder).stdout;
    expect(rows.split("\n")).toHaveLength(4);
    expect(shell(`${sanitize} /dev/stdout | cat`, folder).stdout).toBe(rows);
    expect(shell(`exec 7> >(cat); ${sanitize} /dev/fd/7; exec 7>&-; wait $!`, folder).stdout).toBe(rows);
    const appended = `echo before > file; ${sanitize} /dev/stdout >> file; echo after >> file; cat file`;
    expect(shell(appended, folder).stdout).toBe(`before\n${rows}after\n`);
    expect(shell(`${sanitize} /dev/null`, folder).status).toBe(0);
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  it("and that nobody reads is waited for, with a word; with a reader it gets the rows and stays a pipe", async () => {
    const { folder, sanitize } = prepared(3);
    const rows = shell(`${sanitize} -; mkfifo pipe`, folder).stdout;
    const child = spawn("bash", ["-c", `exec ${sanitize} pipe`], {
      cwd: folder,
      env: { ...process.env, NODE: process.execPath, entry },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (piece: Buffer) => {
      stderr += piece.toString();
    });
    await expect.poll(() => stderr).toContain("pipe is a pipe without a reader; waiting for one");
    const ended = within(child, 20_000);
    expect(shell("timeout 20 cat pipe", folder).stdout).toBe(rows);
    expect(await ended).toBe(0);
    expect(lstatSync(join(folder, "pipe")).isFIFO()).toBe(true);
  });

  it("is refused by what writes other files beside it, before any program runs", async () => {
    const { folder, label } = prepared(3);
    expect(shell("mkfifo pipe.jsonl", folder).status).toBe(0);
    const { status, stderr } = shell(`timeout 60 ${label} pipe.jsonl`, folder);
    expect([status, stderr]).toEqual([2, expect.stringContaining("cannot write pipe.jsonl: it is a pipe or a device")]);
    expect(readdirSync(folder).sort()).toEqual(["pipe.jsonl", "problems.jsonl", "samples.jsonl"]);
  });
});
