/** Attacks that take seconds: on memory, and on the time of worker and judge. */
import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import { open, problem, scratchOf, stdio, workingNative } from "./open.ts";

describe.each(workingNative)("what a program leaves behind, in %s", (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    if (existsSync("/dev/shm")) vi.stubEnv("TMPDIR", "/dev/shm"); // a disk would take a minute for that many files
    executor = await open(sandbox);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await executor.close();
  });

  it("a program that fills the kernel's memory with files is ended", async () => {
    const make = "  i = 0\n  while True:\n    i += 1\n    MAKE";
    const task = problem("f", [["1", "1"]], { references: ["import time\ndef f(x):\n  while time.process_time() < 0.5: pass\n  return 1"] });
    const scratch = await scratchOf(executor);
    for (const one of ["os.symlink('x', '/tmp/%d' % i)", "os.mkdir('/tmp/%d' % i)", "open('/tmp/%d' % i, 'w').close()", "(os.link('/tmp/a', '/tmp/%d' % i) if i > 1 else open('/tmp/a', 'w').close())"]) {
      const { verdicts } = await executor.execute(task, `import os\ndef f(x):\n${make.replace("MAKE", one)}`.replaceAll("/tmp", scratch));
      expect(verdicts, one).toMatchObject([{ outcome: "error", errorType: "FileLimit" }]);
    }
    expect((await executor.execute(task, "import os\ndef f(x): return len(os.listdir('.')) + 1")).passRatio).toBe(1);
  });
}); // biome-ignore format: short programs

// Guard and judge are the same in every native sandbox, so one is enough.
describe.each(workingNative.slice(0, 1))("in %s", (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await open(sandbox);
  });
  afterAll(() => executor.close());

  it("a report whose time is told at length, or is none, is read as its number", { timeout: 60_000 }, async () => {
    const task = problem(
      "f",
      Array.from({ length: 600 }, (_, i) => [`${i}`, `${i}`] as const),
    );
    const code = `import os
def f(x):
  line = b'%d v ' % x + b'0' * 990_000 + b' 1\\n'
  while line: line = line[os.write(3, line):]
for x in range(-1, 600): f(x)`;
    const limited = await open(sandbox, { limits: { testCpuS: 1 } });
    const { status, verdicts } = await limited.execute(task, code);
    expect(status).toBe("ok");
    expect(verdicts.length).toBe(600);
    const timeless = "import os\nfor x in range(-1, 2): os.write(3, b'%d v Infinity 1\\n' % x)\nwhile True: pass";
    const own = problem(
      "f",
      [
        ["0", null],
        ["1", null],
      ],
      { references: [timeless] },
    );
    for (const program of ["import time\ndef f(x):\n  while time.process_time() < 0.4: pass\n  return 1", timeless]) {
      expect((await limited.execute(own, program)).status).toBe("ok");
    }
    await limited.close();
  });

  it("answers that are large together on stdin, too", { timeout: 100_000 }, async () => {
    // In JSON they are six times as long: 0.6 GB, more than a string can hold.
    const task = problem(
      null,
      Array.from({ length: 100 }, (_, i) => stdio(`${i}`, "", "1")),
    );
    const { status, verdicts } = await executor.execute(task, "print('\\0' * 990_000)");
    expect(status).toBe("ok");
    expect(verdicts[0]).toMatchObject({ outcome: "fail" });
    expect(verdicts.at(-1)).toMatchObject({ outcome: "error", errorType: "AnswerTooLarge" });
  });

  it("answers that are large as values are kept as text", { timeout: 60_000 }, async () => {
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc") as () => void;
    const before = process.memoryUsage().heapUsed;
    const program = { code: "def f(x): return [1] * 490_000", entryPoint: "f", setup: "" };
    const answers = await executor.answers(
      program,
      Array.from({ length: 8 }, (_, i) => ({ args: `${i}` })),
      5,
    );
    gc();
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(80);
    expect(answers.every((answer) => answer.outcome === "ok" && answer.value.t === "list")).toBe(true);
  }); // as values they take 270 MiB

  const NEXT = "def f(x): return x + 1";
  const sums = (count: number) =>
    problem(
      "f",
      Array.from({ length: count }, (_, i) => `assert sum(range(f(${i}))) == ${(i * (i + 1)) / 2}`),
      { references: [NEXT] },
    );

  it("a program that keeps the judge busy in every test does so for seconds only", { timeout: 100_000 }, async () => {
    const task = sums(100); // judging all of them would take a minute
    const { verdicts } = await executor.execute(task, "def f(x): return 40_000_000 + x");
    expect(verdicts.filter(({ outcome }) => outcome === "timeout").length).toBeGreaterThan(20);
    expect((await executor.execute(task, NEXT)).passRatio).toBe(1);
  });

  it("a program that makes the judge wait is not judged again and again", { timeout: 170_000 }, async () => {
    const task = sums(60); // judged one by one they would take 180 s
    const limited = await open(sandbox, { limits: { maxTimeouts: 2 } });
    const { verdicts } = await limited.execute(task, "def f(x): return 1 << 60");
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(verdicts.map(() => "timeout"));
    expect((await limited.execute(task, NEXT)).passRatio).toBe(1);
    await limited.close();
  });
});
