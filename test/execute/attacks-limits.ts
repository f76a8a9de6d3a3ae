/** Programs that use up time, memory, output, descriptors or processes, or stall the harness. */
import { type Attack, f, NO_PROCESSES, NO_SIGNALS, NO_THREADS, READ_ONLY } from "./attacks.ts";

const SLOW =
  "an interpreter in C code does not see the interruption and has to be replaced, seconds each; sum() stands for it";

export const limitAttacks: readonly Attack[] = [
  { name: "a fork bomb", code: f("import os\nwhile True: os.fork()"), expected: /^error:(BlockingIOError|OSError)/ },
  {
    name: "a fork bomb that swallows errors",
    code: f("if x != 2: return x\nimport os\nwhile True:\n  try: os.fork()\n  except OSError: pass"),
    expected: [/^pass/, /^timeout/, /^pass/],
    notInWasm: NO_PROCESSES,
  },
  { name: "a memory bomb", code: f("a = []\nwhile True: a.append(bytes(10**7))"), expected: /^memory/ },
  {
    name: "a memory bomb of small objects",
    code: f("if x != 2: return x\na = []\nwhile True: a.append([0] * 1000)"),
    expected: [/^pass/, /^(memory|timeout)/, /^pass/],
  },
  {
    name: "a memory bomb that keeps what it has",
    code: `a = []\n${f("if x != 2: return x\nwhile True: a.append([0] * 1037)")}`,
    expected: [/^pass/, /^(memory|timeout)/, /^(pass|memory)/],
  },
  { name: "one huge allocation", code: f("return len('a' * 10**11)"), expected: /^(memory|error:OverflowError)/ },
  {
    name: "a bomb that unpacks",
    code: f(
      "import zlib\nc = zlib.compressobj(9)\nz = c.compress(bytes(10**6)) + c.flush()\nreturn len(zlib.decompress(z) * 1000)",
    ),
    expected: /^(memory|timeout)/,
  },
  {
    name: "an endless loop in C code",
    code: f("return x if x != 2 else sum(range(10**12))"),
    expected: [/^pass/, /^timeout/, /^pass/],
  },
  {
    name: "a power without end",
    code: f("return x if x != 2 else 10**10**10"),
    expected: [/^pass/, /^timeout/, /^pass/],
    notInWasm: SLOW,
  },
  {
    name: "a catastrophic regular expression",
    code: f("import re\nreturn x if x != 2 else re.match('(a+)+$', 'a' * 40 + 'b')"),
    expected: [/^pass/, /^timeout/, /^pass/],
  },
  {
    name: "an endless loop on loading",
    code: `while True: pass\n${f("return x")}`,
    expected: /^timeout/,
  },
  {
    name: "a loop that catches whatever interrupts it",
    code: f("if x != 2: return x\nwhile True:\n  try:\n    while True: pass\n  except BaseException: pass"),
    expected: [/^pass/, /^timeout/, /^pass/],
  },
  {
    name: "endless printing",
    code: f("if x != 2: return x\nwhile True: print('x' * 1000)"),
    expected: [/^pass/, /^timeout/, /^pass/],
  },
  {
    name: "endless output of a program for stdin",
    code: "while True: print('x' * 10000)",
    stdin: true,
    expected: /^(error:OutputLimit|error:OSError|timeout)/,
  },
  {
    name: "endless output that swallows errors",
    code: "import os\nwhile True:\n  try: os.write(1, b'x' * 65536)\n  except OSError: pass",
    stdin: true,
    expected: /^(error:OutputLimit|timeout)/,
  },
  {
    name: "sleeping for ever",
    code: f("if x != 2: return x\nimport time\ntime.sleep(1000)"),
    expected: [/^pass/, /^timeout/, /^pass/],
    notInWasm: "its time.sleep burns CPU and is interrupted like any loop",
  },
  {
    name: "waiting for a signal that never comes",
    code: f("if x != 2: return x\nimport signal\nsignal.pause()"),
    expected: [/^pass/, /^timeout/, /^pass/],
    notInWasm: NO_SIGNALS,
  },
  {
    name: "stopping its own process",
    code: f("import os, signal\nif x == 2: os.kill(os.getpid(), signal.SIGSTOP)\nreturn x"),
    expected: [/^pass/, /^timeout/, /^pass/],
    notInWasm: NO_SIGNALS,
  },
  {
    name: "waiting on a lock of its own",
    code: f("if x != 2: return x\nimport threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()\nreturn x"),
    expected: [/^pass/, /^timeout/, /^pass/],
    notInWasm: NO_THREADS,
  },
  { name: "deep recursion", code: f("return f(x)"), expected: /^error:RecursionError/ },
  {
    name: "recursion without the limit",
    code: `import sys\nsys.setrecursionlimit(10**9)\n${f("return f(x) + 1 if x == 2 else x")}`,
    expected: [/^pass/, /^(error|memory|timeout)/, /^(pass|error)/],
  },
  {
    name: "recursion in the C stack",
    code: `class A:\n  def __getattr__(self, name): return getattr(self, name + 'x')\nimport sys\nsys.setrecursionlimit(10**6)\n${f("return A().a if x == 2 else x")}`,
    expected: [/^pass/, /^(error|memory|timeout)/, /^(pass|error)/],
  },
  {
    name: "code nested too deeply to compile",
    code: `a = ${"(".repeat(3000)}1${")".repeat(3000)}\n${f("return x")}`,
    expected: /^(error|memory)/,
  },
  {
    name: "threads without end",
    code: f("import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(1000,)).start()"),
    expected: /^(error:RuntimeError|error:ThreadLimit|memory)/,
    notInWasm: NO_THREADS,
  },
  {
    name: "opening files without end",
    code: f("a = []\nwhile True: a.append(open('/dev/null'))"),
    expected: /^(error:OSError|timeout|memory)/,
  },
  {
    name: "raising its own limits",
    code: f(
      "import resource\nfor name in ('AS', 'CPU', 'NPROC', 'FSIZE', 'NOFILE', 'CORE'):\n  try: resource.setrlimit(getattr(resource, 'RLIMIT_' + name), (-1, -1))\n  except (ValueError, OSError): pass\n  else: return name\na = []\nwhile True: a.append(bytes(10**7))",
    ),
    expected: /^memory/,
    notInWasm: "it has no rlimits; its memory is limited by whoever grows it",
  },
  {
    name: "a better place in the queue",
    code: f(
      "import os\ndone = []\nfor go in (lambda: os.nice(-5), lambda: os.setpriority(os.PRIO_PROCESS, 0, -5), lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(5)), lambda: os.sched_setaffinity(os.getppid(), {0})):\n  try:\n    go()\n    done.append(1)\n  except OSError: pass\nreturn x if not done else -1",
    ),
    expected: /^pass/,
    notInWasm: NO_PROCESSES,
  },
  {
    name: "filling the disk",
    code: f(
      "n = 0\ntry:\n  while n < 300:\n    with open('/tmp/%d' % n, 'wb') as file: file.write(bytes(10**6 - 1))\n    n += 1\nexcept OSError: pass\nreturn x if n < 100 else n",
    ),
    expected: /^(pass|error:FileLimit)/,
  },
  {
    name: "one file that grows without end",
    code: f("with open('/tmp/big', 'wb') as file:\n  while True: file.write(bytes(10**6))"),
    expected: /^(error:OSError|error:Crash)/,
  },
  {
    name: "a tree too deep to walk down",
    code: f("import os\nos.chdir('/tmp')\nfor _ in range(3000):\n  os.mkdir('d')\n  os.chdir('d')\nreturn x"),
    expected: [/^(pass|error:FileLimit)/, /^error:File(Exists|Limit)/, /^error:File(Exists|Limit)/],
    notInWasm: READ_ONLY,
  },
  {
    name: "files that do not want to be deleted",
    code: f(
      "import os\nif x == 1:\n  os.makedirs(b'/tmp/\\xff\\xfe/a')\n  open(b'/tmp/\\xff\\xfe/a/\\n', 'w').close()\n  os.mkfifo('/tmp/fifo')\n  for p in (b'/tmp/\\xff\\xfe/a', b'/tmp/\\xff\\xfe', b'/tmp'): os.chmod(p, 0)\nreturn x",
    ),
    expected: /^pass/,
    notInWasm: READ_ONLY,
  },
  {
    name: "a result of 100 MB",
    code: f("return [0] * 10**8 if x == 1 else 'a' * 10**8 if x == 2 else x"),
    expected: [/^(error:AnswerTooLarge|memory)/, /^(error:AnswerTooLarge|memory)/, /^pass/],
  },
  { name: "a number of many digits", code: f("return 1 << 10**8"), expected: /^(error:AnswerTooLarge|memory|timeout)/ },
  {
    name: "an answer that is nested without end",
    code: f("if x != 2: return x\na = []\nfor _ in range(10**5): a = [a]\nreturn a"),
    expected: [/^pass/, /^error:(RecursionError|Exit)/, /^(pass|error:Exit)/],
  },
  { name: "an iterator without end", code: f("import itertools\nreturn itertools.count()"), expected: /^fail/ },
  {
    name: "an exception whose text does not end",
    code: `class E(Exception):\n  def __str__(self): return 'a' * 10**7\n${f("raise E()")}`,
    expected: /^error:E$/,
  },
  {
    name: "a destructor that does not end",
    code: `class A:\n  def __del__(self):\n    while True: pass\n${f("A()\nreturn x")}`,
    expected: /^timeout/,
  },
];
