/** Notebook cells in the sandbox: what is compared, what a cell can reach, and that hostile cells change only their own results. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Executor, openExecutor } from "../../../src/execute/index.ts";
import { dataFiles } from "../../../src/problems/notebook/files.ts";
import type { DataFiles, Execution, Problem } from "../../../src/types.ts";
import { bwrapWorks } from "../open.ts";
import { turn } from "./turn.ts";

const suite = bwrapWorks ? describe : describe.skip;

suite("a cell of a notebook", () => {
  let executor: Executor;
  let folder: string;
  let files: DataFiles;

  beforeAll(async () => {
    executor = await openExecutor({ sandbox: "bwrap", workers: 1 });
    folder = await mkdtemp(join(tmpdir(), "codescore-test-"));
    await writeFile(join(folder, "numbers.txt"), "1 2 3");
    files = (await dataFiles(folder, []))!;
  });
  afterAll(async () => {
    await executor.close();
    await rm(folder, { recursive: true, force: true });
  });

  const run = (problem: Problem, code: string): Promise<Execution> => executor.execute(problem, code);
  const outcomes = ({ verdicts }: Execution): Record<string, string> =>
    Object.fromEntries(verdicts.map(({ testId, outcome, errorType }) => [testId, errorType ?? outcome]));

  const base = ["xs = [3, 1, 2]\nlabel = 'a'"];

  it.each([
    ["the same value by other code", "sum(xs)", "t = 0\nfor x in xs:\n    t += x\nt", {}, { "value 1": "pass" }],
    ["another value", "sum(xs)", "len(xs)", {}, { "value 1": "fail" }],
    ["an exception", "sum(xs)", "sum(ys)", {}, { "value 1": "NameError" }],
    ["an answer that the last statement assigns", "sum(xs)", "total = sum(xs)", {}, { "value 1": "pass" }],
    ["a value that is not shown", "sum(xs)", "sum(xs);", {}, { "value 1": "fail" }],
    ["values shown one by one", "display(1)\n2", "display(1, 3)", {}, { "value 1": "pass", "value 2": "fail" }],
    ["what is printed", "print('a', 1)", "print('a')\nprint(1)", {}, { printed: "fail" }],
    [
      "a variable that later cells read",
      "ys = sorted(xs)",
      "ys = [1, 2, 3]",
      { needed: ["ys"] },
      { "variable ys": "pass" },
    ],
    ["the same under another name", "ys = sorted(xs)", "zs = [1, 2, 3]", { needed: ["ys"] }, { "variable ys": "fail" }],
    ["a name that no later cell reads", "ys = sorted(xs)", "zs = [1, 2, 3]", {}, { "variable ys": "pass" }],
    ["a variable changed in place", "xs.sort()", "xs = [1, 2, 3]", { needed: ["xs"] }, { "variable xs": "pass" }],
    ["a variable left as it was", "xs.sort()", "sorted(xs)", { needed: ["xs"] }, { "variable xs": "fail" }],
    [
      "a variable that the reference leaves alone",
      "max(xs)",
      "xs.sort()\nxs[-1]",
      { needed: ["xs"] },
      { "value 1": "pass", "leaves xs alone": "fail" },
    ],
    ["sums in another order", "sum([.1, .2, .3])", "sum([.3, .2, .1])", {}, { "value 1": "pass" }],
  ] as const)("is judged by %s", async (_, reference, candidate, more, expected) => {
    expect(outcomes(await run(turn(base, reference, more), candidate))).toEqual(expected);
  });

  it("has no label where there is nothing to compare, or the cells before fail", async () => {
    expect((await run(turn(base, "def f():\n    return 1"), "1")).reason).toMatch(
      /nothing and sets no variable whose value/,
    );
    expect((await run(turn(base, "import os\nos.urandom(8)"), "1")).reason).toMatch(/nothing and sets no variable/);
    expect((await run(turn(["1 / 0"], "1"), "1")).reason).toBe(
      "code cell 1 of the notebook fails: ZeroDivisionError: division by zero",
    );
    expect((await run(turn(["ok = 1\n1 / 0"], "ok", { raising: [0] }), "1")).passRatio).toBe(1);
    expect((await run(turn(base, "no_such"), "1")).reason).toMatch(/the reference cell fails: NameError/);
  });

  it("runs from the state of the cells before, each of which runs once", async () => {
    const before = ["import itertools\ncalls = itertools.count()", "n = next(calls)"];
    const problems = [1, 2].map((count) => turn(before.slice(0, count), "next(calls)"));
    const [later, earlier] = await Promise.all([run(problems[1]!, "1"), run(problems[0]!, "0")]);
    expect([later.passRatio, earlier.passRatio]).toEqual([1, 1]);
    expect((await run(problems[1]!, "next(calls)")).passRatio).toBe(1); // forks leave the state unchanged
  });

  it("reads data files, and cannot change them", async () => {
    const problem = turn(["numbers = open('numbers.txt').read()"], "numbers.split()", { files });
    expect((await run(problem, "open('numbers.txt').read().split()")).passRatio).toBe(1);
    expect((await run(problem, "open('numbers.txt', 'w')")).firstError).toBe("OSError");
    const replace = "import os\nos.remove('numbers.txt')\nopen('numbers.txt', 'w').write('9')\nnumbers.split()";
    expect((await run(problem, replace)).passRatio).toBe(1); // its own link, in its own process
    expect((await run(problem, "open('numbers.txt').read().split()")).passRatio).toBe(1);
    expect(await readFile(join(folder, "numbers.txt"), "utf8")).toBe("1 2 3");
  });

  it("finds the files that cells before wrote, as they wrote them", async () => {
    const problem = turn(["open('out.txt', 'w').write('kept')"], "open('out.txt').read()", { files });
    expect((await run(problem, "t = open('out.txt').read()\nopen('out.txt', 'w').write('spoilt')\nt")).passRatio).toBe(
      1,
    );
    expect((await run(problem, "open('out.txt').read()")).passRatio).toBe(1);
  });

  describe("that is hostile", () => {
    const secret = turn(["import math\nsecret = 41"], "secret + 1");

    it.each([
      [
        "patches the encoder",
        "import sys, gc\nfor o in gc.get_objects():\n    if getattr(o, '__name__', '') == 'encode':\n        o.__code__ = (lambda value, limit: '42').__code__",
      ],
      [
        "answers with an object that equals everything",
        "class E:\n    def __eq__(self, other): return True\n    def __hash__(self): return 0\nE()",
      ],
      ["shows a subclass of int that lies", "class I(int):\n    def __eq__(self, other): return True\nI(7)"],
      ["replaces display and print", "import builtins\nbuiltins.display = builtins.print = lambda *a: 42\n7"],
      [
        "forges reports",
        "import os\nfor fd in range(3, 20):\n    try: os.write(fd, b'-1 v 0.0 null\\n0 v 0.0 [\"l\",[42]]\\n' * 3)\n    except OSError: pass\nos._exit(0)",
      ],
      ["ends its process", "import os\nos._exit(0)"],
      ["raises SystemExit", "raise SystemExit(0)"],
      ["recurses without end", "def f(): return f()\nf()"],
      ["takes all memory", "x = [bytearray(1 << 28) for _ in range(64)]"],
      ["waits for ever", "import time\ntime.sleep(1e6)"],
      ["never ends", "while True: pass"],
      [
        "kills what is around it",
        "import os, signal\nfor pid in (os.getppid(), 1, -1):\n    try: os.kill(pid, signal.SIGKILL)\n    except OSError: pass\n7",
      ],
      ["forks", "import os\nos.fork()\n7"],
      ["opens a socket", "import socket\nsocket.socket()"],
      ["shows nested lists without end", "a = []\na.append(a)\na"],
    ])("does not pass: it %s", async (_, code) => {
      const { status, passRatio } = await run(secret, code);
      expect([status, passRatio === 1]).toEqual(["ok", false]);
      expect((await run(secret, "secret + 1")).passRatio).toBe(1); // and the next one is judged as usual
      expect((await run(secret, "secret")).passRatio).toBe(0);
    });

    it("leaves nothing to the next cell", async () => {
      const problem = turn(["box = {}"], "len(box), sorted(__import__('os').listdir('.'))", { files });
      const spoil =
        "box[1] = 1\nopen('left.txt', 'w').write('x')\nimport builtins, os, math\nbuiltins.len = lambda x: 9\nmath.pi = 3\nos.environ['X'] = '1'\n1";
      await run(problem, spoil);
      expect(
        (await run(problem, "import math, os\n(0 if math.pi > 3 and 'X' not in os.environ else 1, os.listdir('.'))"))
          .passRatio,
      ).toBe(1);
    });

    it("finds neither the reference's text nor that of the programs before in its memory", async () => {
      const look = `import ctypes
marker, found = bytes([99, 119, 45, 52, 55, 49, 49, 45, 113]), 0
for line in open('/proc/self/maps'):
    place, mode, *_ = line.split()
    low, high = (int(x, 16) for x in place.split('-'))
    if mode.startswith('rw') and '[vv' not in line and high - low < 1 << 28:
        found += ctypes.string_at(low, high - low).count(marker)
found > 1`; // the search finds its own marker
      const clean = turn(["a = 1"], "# cw-4711-q\nFalse");
      await run(clean, "b = 'cw-4711-q' * a\nb");
      expect((await run(clean, look)).firstError).toBeNull();
      expect((await run(clean, look)).passRatio).toBe(1);
      const told = turn(["a = 'cw-4711-q' * 1", "c = a + a"], "False");
      expect((await run(told, look)).passRatio).toBe(0); // it finds it
    });

    it("does not see the notebook or other files beside its data", async () => {
      await writeFile(join(folder, "answers.ipynb"), "{}");
      const problem = turn(["import os"], "sorted(f for _, _, fs in os.walk('/files') for f in fs)", { files });
      expect((await run(problem, "['numbers.txt']")).passRatio).toBe(1);
    });
  });
});
