/**
 * Programs that attack the harness. Each must get the verdict it deserves, leave the host as it was, and leave the next
 * program alone. WebAssembly runs those that make sense there.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import { open, problem, sandboxes, stdio } from "./open.ts";

interface Attack {
  readonly name: string;
  readonly code: string;
  /** Outcomes on f(1), f(2), f(3) == 1, 2, 3; a pattern, since the error depends on the sandbox. */
  readonly expected: readonly RegExp[];
  /** No question in the other sandbox, or one that costs it a new interpreter, seconds each. */
  readonly only?: "bwrap";
}

const all = (pattern: RegExp): RegExp[] => [pattern, pattern, pattern];
const f = (body: string): string => `def f(x):\n${body.replace(/^/gm, "  ")}\n`;

const attacks: readonly Attack[] = [
  { name: "a fork bomb", code: f("import os\nwhile True: os.fork()"), expected: all(/^error:/), only: "bwrap" },
  {
    name: "a memory bomb",
    code: f("a = []\nwhile True: a.append(bytes(10**7))"),
    expected: all(/^memory/),
    only: "bwrap",
  },
  { name: "one huge allocation", code: f("return len('a' * 10**11)"), expected: all(/^(memory|error:OverflowError)/) },
  {
    name: "an endless loop in C",
    code: f("return sum(iter(int, 1)) if x == 2 else x"),
    expected: [/^pass/, /^timeout/, /^pass/],
    only: "bwrap",
  },
  {
    name: "a catastrophic regular expression",
    code: f("import re\nreturn x if x != 2 else re.match('(a+)+$', 'a' * 40 + 'b')"),
    expected: [/^pass/, /^timeout/, /^pass/],
  },
  { name: "endless printing", code: f("while True: print('x' * 1000)"), expected: all(/^timeout/) },
  { name: "sleeping for ever", code: f("import time\ntime.sleep(1000)"), expected: all(/^timeout/), only: "bwrap" },
  { name: "deep recursion", code: f("return f(x)"), expected: all(/^error:RecursionError/) },
  {
    name: "recursion without the limit",
    code: `import sys\nsys.setrecursionlimit(10**9)\n${f("return f(x) + 1")}`,
    expected: all(/^(error|memory|timeout)/),
    only: "bwrap",
  },
  { name: "os._exit(0)", code: f("import os\nos._exit(0)"), expected: all(/^error:/) },
  {
    name: "SystemExit after printing a pass",
    code: f("print('pass')\nraise SystemExit(0)"),
    expected: all(/^error:SystemExit/),
  },
  {
    name: "killing the parent and everyone else",
    code: f("import os\nfor pid in (os.getppid(), -1, 1):\n  try: os.kill(pid, 9)\n  except OSError: pass\nreturn x"),
    expected: all(/^pass/),
    only: "bwrap",
  },
  {
    name: "cancelled alarms and replaced signal handlers",
    code: `import signal\nfor n in range(1, 65):\n  try: signal.signal(n, signal.SIG_IGN)\n  except Exception: pass\nif hasattr(signal, "alarm"): signal.alarm(0)\n${f("while x == 2:\n  try:\n    while True: pass\n  except BaseException: pass\nreturn x")}`,
    expected: [/^pass/, /^timeout/, /^pass/],
  },
  {
    name: "the network",
    code: f("import socket\ns = socket.create_connection(('127.0.0.1', PORT), 1)\ns.send(b'x')\nreturn x"),
    expected: all(/^error/),
  },
  {
    name: "running a program",
    code: f("import subprocess\nsubprocess.run(['/bin/true'])\nreturn x"),
    expected: all(/^error/),
  },
  {
    name: "reading the host's files",
    code: f("return x if open('SECRET').read() else 0"),
    expected: all(/^error:(FileNotFoundError|PermissionError)/),
  },
  {
    name: "deleting and writing the host's files",
    code: f(
      "import os, shutil\nfor p in ('SECRET', '/codescore/guard.py', '/tmp/x'):\n  try: os.remove(p)\n  except OSError: pass\n  try: shutil.rmtree(os.path.dirname(p), ignore_errors=True)\n  except OSError: pass\n  try: open(p, 'w').write('x')\n  except OSError: pass\nreturn x",
    ),
    expected: all(/^pass/),
  },
  {
    name: "forged reports on every descriptor",
    code: f(
      "import os, struct\nfor fd in range(64):\n  for m in (b'0 v 0.0 1\\n1 v 0.0 2\\n2 v 0.0 3\\n', struct.pack('>I', 2) + b'{}', b'\\n' * 10, b'x' * 300):\n    try: os.write(fd, m)\n    except OSError: pass\nreturn -x",
    ),
    expected: all(/^(fail|error)/),
  },
  {
    name: "an answer that equals everything",
    code: `class A:\n  def __eq__(self, other): return True\n  def __ne__(self, other): return False\n  __hash__ = None\n  def __repr__(self): return '1'\n  def __reduce__(self): return (int, ('1',))\n${f("return A()")}`,
    expected: all(/^fail/),
  },
  {
    name: "an int that equals everything",
    code: `class A(int):\n  def __eq__(self, other): return True\n  def __hash__(self): return 0\n  __class__ = int\n${f("return A(7)")}`,
    expected: all(/^fail/),
  },
  {
    name: "patched builtins, json and sys.modules",
    code: `import builtins, json, sys\nfor n in ('isinstance', 'type', 'len', 'repr', 'str', 'int', 'id', 'sorted', 'exec', 'eval', 'print', 'BaseException', 'MemoryError'):\n  setattr(builtins, n, lambda *a, **k: True)\njson.dumps = json.loads = lambda *a, **k: '1'\nfor n in list(sys.modules): sys.modules[n] = None\n${f("return 9")}`,
    expected: all(/^(fail|error)/),
  },
  {
    name: "a search through frames and memory for expected values",
    code: f(
      "import gc, sys\nseen = []\nframe = sys._getframe()\nwhile frame:\n  seen += list(frame.f_locals.values()) + list(frame.f_globals.values())\n  frame = frame.f_back\nseen += gc.get_objects()\nfor o in seen:\n  if type(o) in (str, bytes) and 'EXPECTED-%d' % x in str(o): return x\n  if type(o) is dict and any('EXPECTED-%d' % x in str(k) for k in o): return x\nreturn -1",
    ),
    expected: all(/^fail/),
  },
  { name: "input() without stdin", code: f("return input()"), expected: all(/^error:EOFError/) },
  {
    name: "a result of 100 MB",
    code: f("return [0] * 10**8 if x == 1 else 'a' * 10**8 if x == 2 else x"),
    expected: [/^(error|memory)/, /^error/, /^pass/],
  },
  {
    name: "an answer that is nested without end",
    code: f("a = []\nfor _ in range(10**5): a = [a]\nreturn a"),
    expected: all(/^error:RecursionError/),
    only: "bwrap",
  },
  { name: "an answer that holds itself", code: f("a = []\na.append(a)\nreturn a"), expected: all(/^fail/) },
  { name: "strings that are no text", code: f("return '\\ud800\\x00\\n' * x"), expected: all(/^fail/) },
  {
    name: "threads left behind",
    code: `import threading, time\ndef work():\n  while True: time.sleep(0.01)\nfor _ in range(3): threading.Thread(target=work).start()\n${f("return x")}`,
    expected: all(/^pass/),
    only: "bwrap",
  },
  {
    name: "an exception whose text does not end",
    code: `class E(Exception):\n  def __str__(self): return 'a' * 10**7\n${f("raise E()")}`,
    expected: all(/^error:E$/),
  },
  {
    name: "state left for the next program",
    code: `import builtins, math, random, sys, string\nmath.floor = builtins.sorted = lambda *a: 666\nsys.path.insert(0, '/tmp')\nsys.setrecursionlimit(50)\ntry: open('/tmp/heapq.py', 'w').write('raise SystemExit')\nexcept OSError: pass\n${f("return x")}`,
    expected: all(/^pass/),
  },
];

const honest = `import math, heapq, os, sys
def f(x):
  assert math.floor(x + 0.5) == x and sorted([2, 1]) == [1, 2] and sys.getrecursionlimit() == 1000
  assert not os.path.exists('/tmp/heapq.py') and len(__import__('json').dumps([x])) == 3
  return x`;

describe.each(sandboxes)("hostile programs in %s", (sandbox) => {
  const task = problem("f", [
    { id: "0", origin: "given", kind: "call", args: "1", expected: "[1, 'EXPECTED-1'][0]", tolerance: 0 },
    { id: "1", origin: "given", kind: "call", args: "2", expected: "[2, 'EXPECTED-2'][0]", tolerance: 0 },
    { id: "2", origin: "given", kind: "call", args: "3", expected: "[3, 'EXPECTED-3'][0]", tolerance: 0 },
  ]);
  let executor: Executor;
  let server: Server;
  let connections = 0;
  let folder: string;
  let secret: string;

  beforeAll(async () => {
    executor = await open(sandbox, { limits: { testCpuS: 0.03, memoryMb: 256, candidateCpuS: 5 } });
    server = createServer(() => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    folder = await mkdtemp(join(tmpdir(), "codescore-hostile-"));
    secret = join(folder, "secret.txt");
    await writeFile(secret, "untouched");
  });
  afterAll(async () => {
    await executor?.close();
    server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const fitting = attacks.filter(({ only }) => only === undefined || only === sandbox);
  it.each(fitting)("$name", async ({ code, expected }) => {
    const { port } = server.address() as { port: number };
    const program = code.replace("PORT", String(port)).replaceAll("SECRET", secret);
    const { status, reason, verdicts } = await executor.execute(task, program);
    expect(reason).toBeNull();
    expect(status).toBe("ok");
    const shown = verdicts.map(({ outcome, errorType }) => (errorType ? `${outcome}:${errorType}` : outcome));
    for (const [index, pattern] of expected.entries()) expect(shown[index], shown.join(" ")).toMatch(pattern);

    expect(await readFile(secret, "utf8")).toBe("untouched");
    expect(connections).toBe(0);
    const next = await executor.execute(task, honest);
    expect(next.verdicts.map(({ outcome, message }) => message ?? outcome)).toEqual(["pass", "pass", "pass"]);
  });

  it("endless output of a program for stdin", async () => {
    const echo = problem(null, [stdio("0", "1\n", "1")]);
    const { verdicts } = await executor.execute(echo, "while True: print('x' * 10000)");
    expect(verdicts[0]?.outcome).toMatch(/error|timeout/);
    expect((await executor.execute(echo, "print(input())")).passRatio).toBe(1);
  });
});
