/** Programs that attack the host: its processes, files, network and kernel; and programs that run later. */
import { type Attack, f, NO_PROC, NO_PROCESSES, NO_SIGNALS, NO_THREADS, READ_ONLY } from "./attacks.ts";

/** Tries many things, and answers correctly if none of them worked. */
const none = (...tries: readonly string[]): string =>
  f(
    `import os, sys, socket, signal\nworked = []\nfor number, what in enumerate(${JSON.stringify(tries)}):\n  try:\n    exec(what)\n    worked.append(number)\n  except Exception: pass\nreturn x if not worked else str(worked)`,
  );
/** System calls by number, for x86-64 and AArch64, through ctypes. None may succeed. */
const calls = (...each: readonly (readonly [number, number, string])[]): string =>
  f(
    `import ctypes, os, struct\nlibc = ctypes.CDLL(None, use_errno=True)\nintel = os.uname().machine == 'x86_64'\nbuffer = ctypes.create_string_buffer(256)\nstruct.pack_into('iiii', buffer, 0, 9, 0, -1, 0)\nworked = []\n${each
      .map(
        ([intel, arm, args]) => `if libc.syscall(${intel} if intel else ${arm}, ${args}) >= 0: worked.append(${intel})`,
      )
      .join("\n")}\nreturn x if not worked else str(worked)`,
  );

export const systemAttacks: readonly Attack[] = [
  { name: "os._exit(0)", code: f("import os\nos._exit(0)"), expected: /^error:(Exit|SystemExit)/ },
  {
    name: "os.abort()",
    code: f("import os\nif x == 2: os.abort()\nreturn x"),
    expected: [/^pass/, /^error:(Crash|Exit)/, /^pass/],
  },
  {
    name: "a crash of the interpreter",
    code: f("import ctypes\nif x == 2: ctypes.string_at(0xfffffff0, 10)\nreturn x"),
    expected: [/^pass/, /^(error:(Crash|Exit)|memory)/, /^pass/],
  },
  {
    name: "killing its parent and everyone else",
    code: f(
      "import os\nfor pid in (os.getppid(), -1, 0, 1, 2, 3, 4):\n  try: os.kill(pid, 9)\n  except OSError: pass\n  try: os.killpg(pid, 9)\n  except OSError: pass\nreturn x",
    ),
    expected: /^pass/,
  },
  {
    name: "killing its parent by roundabout ways",
    code: f(
      "import fcntl, os\nr, w = os.pipe()\nfor pid in (os.getppid(), 1, 2):\n  for call in (lambda: fcntl.fcntl(r, fcntl.F_SETOWN, pid), lambda: fcntl.fcntl(r, 10, 9), lambda: fcntl.fcntl(r, fcntl.F_SETFL, fcntl.fcntl(r, fcntl.F_GETFL) | os.O_ASYNC), lambda: os.write(w, b'x')):\n    try: call()\n    except OSError: pass\nreturn x",
    ),
    expected: /^pass/,
    notInWasm: NO_SIGNALS,
  },
  {
    name: "signals by system call",
    code: calls(
      [62, 129, "os.getppid(), 9"],
      [200, 130, "os.getppid(), 9"],
      [234, 131, "os.getppid(), os.getppid(), 9"],
      [129, 138, "os.getppid(), 9, buffer"],
      [297, 240, "os.getppid(), os.getppid(), 9, buffer"],
      [434, 434, "os.getppid(), 0"],
    ),
    expected: /^pass/,
    notInWasm: "it has no system calls by number",
  },
  {
    name: "system calls that lead out",
    code: calls(
      [101, 117, "16, os.getppid(), 0, 0"], // ptrace attach
      [310, 270, "os.getppid(), buffer, 1, buffer, 1, 0"], // process_vm_readv
      [311, 271, "os.getppid(), buffer, 1, buffer, 1, 0"],
      [323, 282, "0"], // userfaultfd
      [425, 425, "8, buffer"], // io_uring_setup
      [321, 280, "0, buffer, 128"], // bpf
      [272, 97, "0x10000000"], // unshare a user namespace
      [308, 268, "3, 0"], // setns
      [298, 241, "buffer, 0, -1, -1, 0"], // perf_event_open
      [165, 40, "b'x', b'/tmp', b'tmpfs', 0, 0"], // mount
      [250, 219, "0, 0, 0, 0, 0"], // keyctl
      [29, 194, "0, 4096, 0o1600"], // shmget
      [41, 198, "2, 1, 0"], // socket
      [157, 167, "4, 1, 0, 0, 0"], // prctl
    ),
    expected: /^pass/,
    notInWasm: "it has no system calls by number",
  },
  {
    name: "a program from memory",
    code: f(
      "import ctypes, os\nlibc = ctypes.CDLL(None)\nintel = os.uname().machine == 'x86_64'\nfd = libc.syscall(319 if intel else 279, b'x', 0)\nwith open('/bin/true', 'rb') as file: body = file.read()\nif fd >= 0: os.write(fd, body)\nargv = (ctypes.c_char_p * 2)(b'x', None)\nlibc.syscall(322 if intel else 281, fd, b'', argv, argv, 0x1000)\nreturn x if fd < 0 else -1",
    ),
    expected: /^pass/,
    notInWasm: NO_PROCESSES,
  },
  {
    name: "running a program",
    code: f("import subprocess\nsubprocess.run(['/bin/true'])\nreturn x"),
    expected: /^error:(BlockingIOError|PermissionError|OSError)/,
  },
  {
    name: "running programs in every other way",
    code: none(
      "assert os.system('true') == 0",
      "os.posix_spawn('/bin/true', ['true'], {})",
      "os.execv('/bin/true', ['true'])",
      "os.popen('true').read()",
    ),
    expected: /^pass/,
  },
  {
    name: "running programs by libraries",
    code: `import multiprocessing, pty\n${none("pty.fork()", "multiprocessing.Process(target=print).start()", "multiprocessing.Pool(1)")}`,
    expected: /^pass/,
    notInWasm: NO_PROCESSES,
  },
  {
    name: "a daemon that stays behind",
    code: f("import os\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n    while True: pass\nreturn x"),
    expected: /^error:(BlockingIOError|OSError)/,
  },
  {
    name: "threads left behind",
    code: `import threading, time\ndef work():\n  while True: time.sleep(0.01)\nfor _ in range(3): threading.Thread(target=work).start()\nthreading.Thread(target=work, daemon=True).start()\n${f("return x")}`,
    expected: /^pass/,
    notInWasm: NO_THREADS,
  },
  {
    name: "the network",
    code: f("import socket\ns = socket.create_connection(('127.0.0.1', PORT), 1)\ns.send(b'x')\nreturn x"),
    expected: /^error/,
  },
  {
    name: "the network by every other way",
    code: none(
      "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.sendto(b'x', ('127.0.0.1', PORT))",
      "s = socket.socket(socket.AF_UNIX); s.connect('FOLDER/socket')",
      "s = socket.socket(); s.bind(('', 0)); s.listen()",
      "socket.getaddrinfo('example.com', 80)",
    ),
    expected: /^pass/,
  },
  {
    name: "the network by libraries",
    code: `import asyncio, urllib.request\n${none("urllib.request.urlopen('http://127.0.0.1:PORT/')", "asyncio.run(asyncio.open_connection('127.0.0.1', PORT))")}`,
    expected: /^pass/,
    notInWasm: "they lead to the same sockets, and take longer to import there than a test has",
  },
  {
    name: "reading the host's files",
    code: f("return x if open('SECRET').read() else 0"),
    expected: /^error:(FileNotFoundError|PermissionError)/,
  },
  {
    name: "reading what the host knows",
    code: none(
      "open('/etc/passwd').read()",
      "open('/etc/shadow').read()",
      "os.listdir('FOLDER')",
      "os.listdir('HOMEOFUSER/.ssh')",
      "os.environ['CODESCORE_CANARY']",
      "assert 'CODESCORE_CANARY' in open('/proc/self/environ').read()",
    ),
    expected: /^pass/,
  },
  {
    name: "deleting and writing the host's files",
    code: f(
      "import os, shutil\nfor p in ('SECRET', '/codescore/guard.py', '/codescore/pwned.py', '/usr/pwned', '/pwned'):\n  for go in (lambda: os.remove(p), lambda: shutil.rmtree(os.path.dirname(p) if 'pwned' not in p else p, ignore_errors=True), lambda: open(p, 'w').write('x'), lambda: os.rename(p, p + '2'), lambda: os.chmod(p, 0o777), lambda: os.truncate(p, 0), lambda: os.utime(p)):\n    try: go()\n    except OSError: pass\nreturn x",
    ),
    expected: /^pass/,
  },
  {
    name: "links that lead out of its scratch directory",
    code: f(
      "import os\nfor i, p in enumerate(('FOLDER', 'SECRET', '/codescore', '/', '/proc/1/root', '/usr')):\n  try: os.symlink(p, '/tmp/link%d%d' % (x, i))\n  except OSError: pass\n  try: os.link('/codescore/guard.py', '/tmp/hard%d%d' % (x, i))\n  except (OSError, AttributeError): pass\ntry: os.rename('/tmp', '/tmp2')\nexcept OSError: pass\nreturn x",
    ),
    expected: /^pass/,
  },
  {
    name: "a race of links against the cleaning",
    code: f(
      "import os, threading\ndef swap():\n  while True:\n    try:\n      os.mkdir('/tmp/a'); open('/tmp/a/b', 'w').close(); os.rename('/tmp/a', '/tmp/c'); os.symlink('/codescore', '/tmp/a')\n      os.unlink('/tmp/a'); os.unlink('/tmp/c/b'); os.rmdir('/tmp/c')\n    except OSError: pass\nif x == 1:\n  for _ in range(4): threading.Thread(target=swap, daemon=True).start()\nreturn x",
    ),
    expected: /^pass/,
    notInWasm: READ_ONLY,
  },
  {
    name: "reading /proc of others",
    code: f(
      "import os\nme, seen = os.getpid(), []\ntry: pids = os.listdir('/proc')\nexcept OSError: pids = [str(pid) for pid in (1, 2, *range(os.getppid() - 9, me + 9))]\nfor pid in pids:\n  if not pid.isdigit() or int(pid) == me: continue\n  for name in ('mem', 'environ', 'maps', 'cwd', 'root', 'fd/0', 'exe'):\n    path = '/proc/%s/%s' % (pid, name)\n    try:\n      if name in ('cwd', 'root', 'exe', 'fd/0'): os.readlink(path)\n      else:\n        with open(path, 'rb') as file:\n          if name == 'mem': file.seek(0x400000)\n          file.read(1)\n      seen.append(path)\n    except OSError: pass\nreturn x if not seen else str(seen)",
    ),
    expected: /^pass/,
    notInWasm: NO_PROC,
  },
  {
    name: "writing the kernel's settings",
    // Only opens them, because the test must not change the settings if that works.
    code: f(
      "import os\nseen = []\nfor path in ('/proc/sys/kernel/core_pattern', '/proc/sys/vm/drop_caches', '/proc/sysrq-trigger', '/proc/irq/default_smp_affinity', '/sys/power/state', '/dev/sda', '/dev/vda', '/dev/kmsg', '/dev/mem', '/proc/1/mem'):\n  try: os.close(os.open(path, os.O_WRONLY))\n  except OSError: pass\n  else: seen.append(path)\nreturn x if not seen else str(seen)",
    ),
    expected: /^pass/,
  },
  {
    name: "becoming someone else",
    code: none(
      "os.setuid(12345)",
      "os.setgid(12345)",
      "os.chroot('/tmp')",
      "os.mknod('/tmp/disk', 0o60666, os.makedev(8, 0)); open('/tmp/disk', 'rb').read(1)",
      "socket.sethostname('x')",
      "os.setns(os.open('/proc/1/ns/mnt', 0), 0)",
    ),
    expected: /^pass/,
  },
  {
    name: "cancelled alarms and replaced signal handlers",
    code: `import signal\nfor n in range(1, 65):\n  try: signal.signal(n, signal.SIG_IGN)\n  except Exception: pass\nfor name in ('alarm', 'setitimer'):\n  try: getattr(signal, name)(*(0, 0)[: 1 + (name == 'setitimer')])\n  except Exception: pass\n${f("while x == 2:\n  try:\n    while True: pass\n  except BaseException: pass\nreturn x")}`,
    expected: [/^pass/, /^timeout/, /^pass/],
  },
  {
    name: "signals that strike the harness",
    code: `import signal\ndef strike(*_): raise ValueError('struck')\n${f("signal.signal(signal.SIGPROF, strike)\nsignal.setitimer(signal.ITIMER_PROF, 0.0001, 0.0001)\nfor _ in range(10**5): pass\nreturn -1")}`,
    expected: /^(fail|error)/,
  },
  {
    name: "closing every descriptor",
    code: f("import os\nif x == 2: os.closerange(0, 256)\nreturn -1"),
    expected: /^(fail|error)/,
  },
  {
    name: "state left for the next program",
    code: `import builtins, math, os, random, signal, sys, string\nmath.floor = builtins.sorted = lambda *a: 666\nsys.path.insert(0, '/tmp')\nos.environ['LEFT'] = 'x'\nsys.setrecursionlimit(100)\ntry: os.umask(0); os.chdir('/usr')\nexcept OSError: pass\ntry: signal.signal(signal.SIGINT, signal.SIG_IGN)\nexcept Exception: pass\ntry: open('/tmp/heapq.py', 'w').write('raise SystemExit')\nexcept OSError: pass\n${f("return x")}`,
    expected: /^pass/,
  },
];
