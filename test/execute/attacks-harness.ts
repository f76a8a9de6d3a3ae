/** Programs that try to get a better verdict than they deserve: they answer -x, and try to pass anyway. */
import { type Attack, f, NO_PROC } from "./attacks.ts";

/** `holds(o)`: whether a text, or a text in a container, is what test x expects. The marker is split, so that the search does not find itself. */
const SEARCH = `
def spells(t):
  at = t.find('EXPEC')
  while at >= 0:
    if t[at + 5:at + 9] == 'TED-' and t[at + 9:at + 10] == str(x): return True
    at = t.find('EXPEC', at + 1)
  return False
def holds(o):
  if type(o) is bytes: return spells(o.decode('latin-1'))
  if type(o) is str: return spells(o)
  if type(o) is dict: return any(holds(k) for k in o if type(k) is str) or any(holds(v) for v in o.values() if type(v) in (str, bytes))
  return type(o) in (list, tuple) and any(holds(v) for v in o if type(v) in (str, bytes))
`;

export const harnessAttacks: readonly Attack[] = [
  {
    name: "SystemExit after printing a pass",
    code: f("print('pass')\nraise SystemExit(0)"),
    expected: /^error:SystemExit/,
  },
  {
    name: "an exception that is no Exception",
    code: `class E(BaseException): pass\n${f("raise E()")}`,
    expected: /^error:E$/,
  },
  {
    name: "an interruption of its own making",
    code: f("raise KeyboardInterrupt"),
    expected: /^error:KeyboardInterrupt/,
  },
  { name: "an AssertionError by which a test would fail", code: f("raise AssertionError"), expected: /^fail/ },
  { name: "input() without stdin", code: f("return input()"), expected: /^error:EOFError/ },
  {
    name: "prints on loading",
    code: `import os, sys\nprint('0 v 0.000000 1\\n1 v 0.000000 2\\n2 v 0.000000 3', flush=True)\nsys.stderr.write('pass\\n')\nsys.__stdout__.write('pass\\n')\nopen('/dev/stdout', 'w').write('pass')\n${f("return -x")}`,
    expected: /^(fail|error)/,
  },
  {
    name: "forged reports on every descriptor",
    code: f(
      "import os, struct\nfor fd in range(64):\n  for m in (b'0 v 0.0 1\\n1 v 0.0 2\\n2 v 0.0 3\\n', struct.pack('>I', 2) + b'{}', b'\\n' * 10, b'x' * 300):\n    try: os.write(fd, m)\n    except OSError: pass\nreturn -x",
    ),
    expected: /^(fail|error)/,
  },
  {
    name: "a flood of reports, faster than they are read",
    code: f(
      "import os\nfd = 3 if os.path.exists('/proc/self/fd/3') else 2\nwhile True: os.write(fd, b'x' * 65536 if x == 1 else b'0 v 0.0 1\\n' * 6000)",
    ),
    expected: /^(error:MalformedAnswer|timeout)/, // on a busy machine it may reach the time limit first
  },
  {
    name: "forged reports through /proc/self/fd",
    code: f(
      "import os\ntry: names = os.listdir('/proc/self/fd')\nexcept OSError: names = ['0', '1', '2']\nfor name in names:\n  for mode in ('wb', 'rb+', 'ab'):\n    try:\n      with open('/proc/self/fd/' + name, mode, 0) as file: file.write(b'%d v 0.0 %d\\n' % (x - 1, x))\n    except OSError: pass\nreturn -x",
    ),
    expected: /^(fail|error)/,
  },
  {
    name: "forged output on every descriptor of a program for stdin",
    code: "import os\nx = int(input())\nprint(-x, flush=True)\nfor fd in range(2, 64):\n  for m in (b'0 v 0.0 null\\n', b'v 0.0 \"1\"\\n', b'%d\\n' % x):\n    try: os.write(fd, m)\n    except OSError: pass",
    stdin: true,
    expected: /^(fail|error)/,
  },
  {
    name: "SystemExit of a program for stdin after half of its work",
    code: "x = int(input())\nprint(x if x != 2 else -x)\nraise SystemExit(0 if x != 3 else 'bad')",
    stdin: true,
    expected: [/^pass/, /^fail/, /^error:SystemExit/],
  },
  {
    name: "standard output replaced and closed",
    code: "import io, sys\nx = int(input())\nsys.stdout.close()\nsys.stdout = io.StringIO()\nprint(x)",
    stdin: true,
    expected: /^(fail|error)/,
  },
  {
    name: "reporting with the harness's own functions",
    code: f(
      "import gc, sys\nframe = sys._getframe()\nwhile frame:\n  for name in ('emit', 'report', '_emit'):\n    work = frame.f_locals.get(name) or frame.f_globals.get(name)\n    if callable(work):\n      for args in (('0 v 0.000001 1\\n1 v 0.000001 2\\n2 v 0.000001 3\\n'.encode(),), (x - 1, 'v', str(x))):\n        try: work(*args)\n        except Exception: pass\n  frame = frame.f_back\nreturn -x",
    ),
    expected: /^(fail|error)/,
  },
  {
    name: "scribbling on shared memory",
    code: f(
      "import gc, mmap\nfor o in gc.get_objects() + list(vars(__import__('__main__')).values()):\n  for m in (o, getattr(o, '__self__', None)):\n    if type(m) in (mmap.mmap, memoryview):\n      try: m[:64] = b'\\xff' * 64\n      except Exception: pass\nreturn -x",
    ),
    expected: /^(fail|error)/,
  },
  {
    name: "an answer that equals everything",
    code: `class A:\n  def __eq__(self, other): return True\n  def __ne__(self, other): return False\n  __hash__ = None\n${f("return A()")}`,
    expected: /^fail/,
  },
  {
    name: "an answer whose __repr__ lies",
    code: `class A:\n  def __repr__(self): return '1'\n  __str__ = __repr__\n  def __format__(self, spec): return '1'\n${f("return A()")}`,
    expected: /^fail/,
  },
  {
    name: "an answer whose __reduce__ lies",
    code: `class A:\n  def __reduce__(self): return (int, ('1',))\n  def __reduce_ex__(self, protocol): return (int, ('1',))\n  def __getstate__(self): return 1\n  def __int__(self): return 1\n  __index__ = __int__\n${f("return A()")}`,
    expected: /^fail/,
  },
  {
    name: "an int that equals everything",
    code: `class A(int):\n  def __eq__(self, other): return True\n  def __hash__(self): return 0\n  def __repr__(self): return '1'\n  __class__ = int\n${f("return A(7)")}`,
    expected: /^fail/,
  },
  {
    name: "a class whose metaclass lies",
    code: `class M(type):\n  def __eq__(self, other): return True\n  def __hash__(self): return hash(int)\n  def __instancecheck__(self, o): return True\n  __name__ = 'int'\n  def mro(self): return [self, object]\nclass A(metaclass=M):\n  __module__ = 'builtins'\n  __slots__ = ()\n${f("return A()")}`,
    expected: /^(fail|error)/,
  },
  {
    name: "containers that count and iterate falsely",
    code: `class L(list):\n  def __iter__(self): return iter(int, 1)\n  def __len__(self): return -1\n  def __getitem__(self, i): raise SystemExit\nclass D(dict):\n  def items(self): raise SystemExit\n${f("return L([x]) if x != 2 else D({x: x})")}`,
    expected: /^fail/,
  },
  {
    name: "attributes that strike when looked at",
    code: `class A:\n  def __getattribute__(self, name): raise SystemExit\n  @property\n  def __class__(self): raise KeyboardInterrupt\n${f("return A()")}`,
    expected: /^(fail|error)/,
  },
  {
    name: "patched builtins, json, pickle and sys.modules",
    code: `import builtins, json, pickle, sys\nfor n in ('isinstance', 'type', 'len', 'repr', 'str', 'int', 'id', 'sorted', 'exec', 'eval', 'print', 'BaseException', 'MemoryError', 'hasattr', 'getattr', '__import__', 'memoryview'):\n  setattr(builtins, n, lambda *a, **k: True)\njson.dumps = json.loads = pickle.dumps = pickle.loads = lambda *a, **k: '1'\nfor n in list(sys.modules): sys.modules[n] = None\n${f("return 9")}`,
    expected: /^(fail|error)/,
  },
  {
    name: "the harness's modules replaced",
    code: `import sys, types\nfake = types.ModuleType('fake')\nfake.encode = fake.encode_ = fake.report = lambda *a: '1'\nfake.run = lambda *a: None\nfor n in ('canon', 'candidate', 'guard', 'attempt', 'shareable', 'judge', 'split', 'plain', '__main__', '_json', 'os', 'time'): sys.modules[n] = fake\nsys.path.insert(0, '/codescore')\n${f("return -x")}`,
    expected: /^fail/,
  },
  {
    name: "the judge asked directly",
    code: f(
      "import sys\nsys.path.insert(0, '/codescore')\nimport judge, split\nreturn [v for v in vars(judge).values() if 'EXPEC' + 'TED' in repr(v)] and x or -x",
    ),
    expected: /^(fail|error:ModuleNotFoundError)/,
  },
  {
    name: "hooks on the harness's frames",
    code: `import sys\ndef hook(frame, event, arg):\n  for name, value in (('text', '1'), ('value', 1), ('payload', '1'), ('status', 'v')):\n    try: frame.f_locals[name] = value\n    except Exception: pass\n  return hook\n${f("sys.setprofile(hook)\nsys.settrace(hook)\nframe = sys._getframe()\nwhile frame:\n  frame.f_trace = hook\n  frame = frame.f_back\nreturn -x")}`,
    expected: [/^(fail|error|pass)/, /^(fail|error)/, /^(fail|error)/],
  },
  {
    name: "hooks that raise",
    code: `import sys\ndef hook(frame, event, arg): raise ValueError('hooked')\n${f("if x != 2: return -x\nsys.settrace(hook)\nsys.setprofile(hook)\nreturn -x")}`,
    expected: /^(fail|error)/,
  },
  {
    name: "a word at exit",
    code: `import atexit, os, sys\nclass Last:\n  def __del__(self, write=os.write):\n    for fd in range(3, 16):\n      try: write(fd, b'0 v 0.0 1\\n')\n      except OSError: pass\nlast = Last()\natexit.register(lambda: last.__del__())\nsys.exitfunc = last.__del__\n${f("return -x")}`,
    expected: /^(fail|error)/,
  },
  {
    name: "a crash that is asked for",
    code: f(
      "import faulthandler\nfaulthandler.dump_traceback_later(0.001, exit=True) if hasattr(faulthandler, 'dump_traceback_later') else None\nfaulthandler._sigsegv()\nreturn x",
    ),
    expected: /^error:(Crash|Exit|AttributeError|RuntimeError|UnsupportedOperation)/,
  },
  {
    name: "numbers changed in memory",
    code: `import ctypes\n${f("if x != 2: return -x\noffset = 24 if ctypes.sizeof(ctypes.c_void_p) == 8 else 12\nfor n in range(2, 200): ctypes.c_uint32.from_address(id(n) + offset).value = 1\nreturn -5")}`,
    expected: /^(fail|error|timeout|memory)/,
  },
  {
    name: "memory written at random",
    code: f(
      "import ctypes\nif x != 2: return x\nfor o in (None, True, int, str, list, dict, type, print, len): ctypes.memset(id(o), 0x41, 32)\nreturn x",
    ),
    expected: [/^pass/, /^(error|timeout|memory)/, /^(pass|error)/],
  },
  {
    name: "a search through frames and objects for expected values",
    code: f(
      `import gc, sys\n${SEARCH}\nseen, frame = [], sys._getframe().f_back\nwhile frame:\n  seen += list(frame.f_locals.values()) + list(frame.f_globals.values()) + list(frame.f_code.co_consts)\n  frame = frame.f_back\nseen += gc.get_objects()\nfor o in gc.get_objects(): seen += gc.get_referents(o)\nreturn x if any(holds(o) for o in seen) else -x`,
    ),
    expected: /^(fail|timeout)/,
  },
  {
    name: "reading the tests to come",
    code: f(
      "import sys, types\nframe = sys._getframe().f_back\nwhile frame:\n  for value in list(frame.f_locals.values()):\n    for item in value if type(value) in (list, tuple) else [value]:\n      for const in getattr(item, 'co_consts', ()):\n        if 'EXPEC' in str(const): return x\n  frame = frame.f_back\nimport inspect\nreturn x if any('EXPEC' + 'TED-' in str(s.frame.f_locals) for s in inspect.stack(0)[1:]) else -x",
    ),
    expected: /^(fail|error)/,
  },
  {
    name: "a search through its own memory for expected values",
    code: f(
      `import re\n${SEARCH}\ntry:\n  with open('/proc/self/maps') as maps: lines = list(maps)\nexcept PermissionError: lines = []\nfor line in lines:\n  m = re.match(r'([0-9a-f]+)-([0-9a-f]+) r', line)\n  if not m or '[v' in line: continue\n  a, b = int(m[1], 16), int(m[2], 16)\n  try:\n    with open('/proc/self/mem', 'rb', 0) as file:\n      file.seek(a)\n      if spells(file.read(b - a).decode('latin-1')): return x\n  except (OSError, OverflowError, ValueError): pass\nreturn -x`,
    ),
    expected: /^(fail|timeout)/,
    notInWasm: NO_PROC,
  },
  {
    name: "reading the harness's sources and files",
    code: f(
      "import os\nfor folder in ('/codescore', '/tmp', '/', '/proc/self/cwd'):\n  for base, _, names in os.walk(folder) if folder != '/' else [('/', [], ['etc/passwd', 'codescore'])]:\n    for name in names[:100]:\n      try:\n        with open(os.path.join(base, name), 'rb') as file:\n          if b'EXPEC' + b'TED-%d' % x in file.read(100000): return x\n      except OSError: pass\nreturn -x",
    ),
    expected: /^(fail|timeout)/,
  },
  { name: "an answer that holds itself", code: f("a = []\na.append(a)\nreturn a"), expected: /^fail/ },
  {
    name: "strings that are no text",
    code: f("return ['\\ud800\\x00\\n', '\\udcff', '\\U0010ffff', '\\u2028'][x]"),
    expected: /^fail/,
  },
  { name: "source that is no text", code: `# \ud800\u0000\n${f("return x")}`, expected: /^error/ },
  { name: "an entry point that is no function", code: "f = 5", expected: /^error:TypeError/ },
  { name: "an entry point that is not there", code: "def g(x): return x", expected: /^error:NameError/ },
];
