/** Nothing that a program does outlives its process: it can neither harm the next program nor pass information to it. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import { native, openShared, problem, sandboxes, scratchOf, stdio } from "./open.ts";

const BOARD = `
import gc, mmap, sys
def boards():
  found, frame = [], sys._getframe()
  while frame:
    for value in list(frame.f_locals.values()):
      for cell in getattr(value, '__closure__', None) or ():
        try: inner = cell.cell_contents
        except ValueError: continue
        found += [inner] + [c.cell_contents for c in getattr(inner, '__closure__', None) or ()]
    frame = frame.f_back
  return [o for o in found if type(o) is mmap.mmap]
`;
/** Name, what a program does, and how the next one would notice it. */
const traces: readonly (readonly [string, string, string])[] = [
  ["bytes on the shared board", `${BOARD}def f(x):\n  for b in boards(): b[200_000:200_006] = b'SECRET'\n  return len(boards())`, `${BOARD}def f(x): return any(b'SECRET' in b[:] for b in boards())`],
  ["times of its folder", "import os\ndef f(x): os.utime('/tmp', (11, 22))", "import os\ndef f(x): return os.stat('/tmp').st_mtime == 22 or os.stat('/tmp').st_atime == 11"],
  ["the mode of its folder", "import os\ndef f(x): os.chmod('/tmp', 0o1777)", "import os\ndef f(x): return os.stat('/tmp').st_mode & 0o7777 != 0o700"],
  ["attributes of its folder", "import os\ndef f(x): os.setxattr('/tmp', 'user.left', b'SECRET')", "import os\ndef f(x): \n  try: return 'user.left' in os.listxattr('/tmp')\n  except OSError: return False"],
  ["flags of its folder", "import fcntl, os\ndef f(x):\n  try: fcntl.ioctl(os.open('/tmp', os.O_RDONLY), 0x40086602, (0xC0).to_bytes(8, 'little'))\n  except OSError: pass", "import fcntl, os\ndef f(x):\n  try: return any(fcntl.ioctl(os.open('/tmp', os.O_RDONLY), 0x80086601, bytes(8)))\n  except OSError: return False"],
  ["the guard's share of the cores", "import os\ndef f(x):\n  for path, text in (('/proc/1/autogroup', b'19'), ('/proc/1/oom_score_adj', b'900'), ('/proc/%d/oom_score_adj' % os.getppid(), b'900')):\n    try: os.write(os.open(path, os.O_WRONLY), text)\n    except OSError: pass", "import os\ndef f(x): return any(read(p) == '900\\n' or ' nice 19' in read(p) for p in ('/proc/1/autogroup', '/proc/1/oom_score_adj', '/proc/self/oom_score_adj'))\ndef read(p):\n  try: return open(p).read()\n  except OSError: return ''"],
  ["where it reads and writes", "import os, fcntl\ndef f(x):\n  for fd in range(4): fcntl.fcntl(fd, fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND)", "import os, fcntl\ndef f(x): return any(fcntl.fcntl(fd, fcntl.F_GETFL) & (os.O_NONBLOCK | os.O_APPEND) for fd in range(4))"],
  ["the size of a pipe", "import fcntl\ndef f(x): fcntl.fcntl(3, 1031, 4096)", "import fcntl\ndef f(x): return fcntl.fcntl(3, 1032) == 4096"],
]; // biome-ignore format: one trace a line

describe.each(native)("what a program leaves behind, in %s", (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await openShared(sandbox);
  });

  it.each(traces)("%s", async (_name, writes, reads) => {
    const scratch = await scratchOf(executor);
    const run = (code: string) =>
      executor.answers({ code: code.replaceAll("/tmp", scratch), entryPoint: "f", setup: "" }, [{ args: "1" }, { args: "2" }]);
    const before = await run(reads);
    await run(writes);
    expect(await run(reads)).toMatchObject(before.map(() => ({ outcome: "ok", value: { t: "bool", v: false } })));
    expect(before).toMatchObject(before.map(() => ({ outcome: "ok", value: { t: "bool", v: false } })));
  });

  it("a pipe that does not wait lowers no neighbour", async () => {
    const tests = Array.from({ length: 8 }, (_, i) => [`${i}`, `'${i}' * 100_000`] as const);
    const task = problem("f", tests);
    const attack = "import os, fcntl\nfcntl.fcntl(3, fcntl.F_SETFL, os.O_NONBLOCK)\ndef f(x): return -x";
    const right = "import os\ndef f(x): return str(x) * 100_000";
    const runs = await Promise.all([attack, ...Array(7).fill(right)].map((code) => executor.execute(task, code)));
    expect(runs.map(({ passRatio }) => passRatio)).toEqual([0, 1, 1, 1, 1, 1, 1, 1]);
  });

  it("a program that sleeps a little in every test holds its worker up for seconds only", {
    timeout: 100_000,
  }, async () => {
    const task = problem(
      "f",
      Array.from({ length: 200 }, (_, i) => [`${i}`, `${i}`] as const),
    );
    const { verdicts } = await executor.execute(task, "import time\ndef f(x):\n  time.sleep(0.9)\n  return x");
    expect(verdicts.at(-1)).toMatchObject({ outcome: "timeout" });
    expect(verdicts.filter(({ outcome }) => outcome === "pass").length).toBeLessThan(10);
  }); // all of them would take 180 s
}); // biome-ignore format: short programs

describe.each(sandboxes)("in %s", (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await openShared(sandbox);
  });

  it("a class's name is no place for a book, nor for the terminal's codes", async () => {
    const name = `type('E' * 900_000 + '\\x1b[2J', (Exception,), {})`;
    const task = problem("f", [["1", "1"]]);
    const { verdicts, firstError } = await executor.execute(task, `def f(x): raise ${name}('\\x1b[2J' * 1000)`);
    expect(firstError).toBe("E".repeat(100));
    expect(verdicts[0]?.message?.length).toBeLessThanOrEqual(500);
    const short = await executor.execute(task, "def f(x): raise type('E\\x1b[2J\\u202e', (Exception,), {})");
    expect(short.firstError).toBe("E\ufffd[2J\ufffd");
    const forged = `import os\ndef f(x): os.write(${sandbox === "wasm" ? 2 : 3}, b'0 e 0.000001 ["' + b'E' * 900_000 + b'\\\\u001b",""]\\n')\n`;
    expect((await executor.execute(task, forged)).firstError?.length).toBeLessThanOrEqual(100);
  });

  it("answers that are large together are too large", { timeout: 60_000 }, async () => {
    // The limit for all answers together is 110 MB.
    const task = problem(
      "f",
      Array.from({ length: 125 }, (_, i) => [`${i}`, "1"] as const),
    );
    const { status, verdicts } = await executor.execute(task, "def f(x): return 'a' * 900_000");
    expect(status).toBe("ok");
    expect(verdicts[0]).toMatchObject({ outcome: "fail" });
    // On busy cores one may be late.
    expect(verdicts.map(({ errorType }) => errorType)).toContain("AnswerTooLarge");
    expect(verdicts.map(({ outcome }) => outcome)).not.toContain("pass");
  });

  it("input that is no text is read as such", async () => {
    const task = problem(null, [stdio("1", "a\ud800b\udc80\n", "a\ufffdb\ufffd")]);
    expect((await executor.execute(task, "print(input())")).verdicts).toMatchObject([{ outcome: "pass" }]);
  });

  it("a failure to load that is told at length is told once", { timeout: 60_000 }, async () => {
    const task = problem(
      "f",
      Array.from({ length: 600 }, (_, i) => [`${i}`, "1"] as const),
    );
    const forged = `import os\nline = b'-1 e 0.000001 ["E","' + b'a' * 990_000 + b'"]\\n'\nwhile line: line = line[os.write(${sandbox === "wasm" ? 2 : 3}, line):]\nwhile True: pass`;
    const { status, verdicts } = await executor.execute(task, forged);
    expect(status).toBe("ok");
    expect(verdicts.at(-1)).toMatchObject({ outcome: "error", errorType: "MalformedAnswer" });
  });

  it("prints that are long to look through are looked through", async () => {
    const task = problem(null, [stdio("1", "", "x\n")]);
    const code = "print(' ' * 400_000 + 'x')\nprint('\\n' * 400_000 + 'x')";
    expect((await executor.execute(task, code)).verdicts).toMatchObject([{ outcome: "fail" }]);
  });

  it("numbers that are long to compare are compared", async () => {
    const digits = "import decimal\ndecimal.getcontext().prec = 100_000\n";
    const task = problem("f", [["3", "1"]]);
    const code = `${digits}def f(x): return [decimal.Decimal(1) / x, decimal.Decimal(10) ** 99_000, decimal.Decimal(1) / 7 ** 9]`;
    expect((await executor.execute(task, code)).verdicts).toMatchObject([{ outcome: "fail" }]);
    const same = problem("f", [["3", null]], { references: [code] });
    expect((await executor.execute(same, code)).passRatio).toBe(1);
    expect((await executor.execute(same, code.replace("7", "8"))).passRatio).toBe(0);
  });
});

describe.skipIf(!sandboxes.includes("wasm"))("in wasm", () => {
  it("lines that nobody waits for gain no time", { timeout: 60_000 }, async () => {
    const executor = await openShared("wasm");
    const code = "import os\ndef f(x):\n  while True: os.write(2, b'\\n')";
    const task = problem("f", [["1", "1"]], { references: ["def f(x): return x"] });
    const began = performance.now();
    expect((await executor.execute(task, code)).verdicts).toMatchObject([{ errorType: "MalformedAnswer" }]);
    expect((performance.now() - began) / 1000).toBeLessThan(25); // the program has 30 s in total
  });

  it("a report written in pieces gains no time", { timeout: 60_000 }, async () => {
    const executor = await openShared("wasm");
    // Each piece would restart its time. The line claims that it took no time.
    const code = `import os, time
def f(x):
  for piece in b'0 v 0.000001 1\\n':
    began = time.process_time()
    while time.process_time() - began < 0.1: pass
    os.write(2, bytes([piece]))
  while True: pass`;
    const task = problem("f", [["1", "1"]], { references: ["def f(x): return x"] });
    const { verdicts } = await executor.execute(task, code);
    expect(verdicts[0]?.outcome).toBe("timeout");
  });
});
