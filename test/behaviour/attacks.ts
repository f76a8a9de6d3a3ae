/** Programs that lie, flood, hang or crash when a run is evidence: those of the executor's suite, and some that matter only if answers are shown. */
import { tmpdir } from "node:os";
import type { SandboxKind } from "../../src/execute/index.ts";
import type { Attack } from "../execute/attacks.ts";
import { harnessAttacks } from "../execute/attacks-harness.ts";
import { limitAttacks } from "../execute/attacks-limits.ts";
import { systemAttacks } from "../execute/attacks-system.ts";

const attacks = [...limitAttacks, ...systemAttacks, ...harnessAttacks];

type Program = Pick<Attack, "name" | "code">;

const LIAR = `class A:
  def _yes(self, *a): return True
  __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _yes
  def __sub__(self, o): return 0
  __rsub__ = __abs__ = __sub__
  def __hash__(self): return 0
  def __len__(self): return 2
  __class__ = int
`;

const shown: readonly Program[] = [
  { name: "an object that equals all", code: `${LIAR}def f(x): return A()` },
  { name: "containers of such objects", code: `${LIAR}def f(x): return [A(), {1: (A(),)}]` },
  {
    name: "an int that equals all",
    code: "class I(int):\n  def __eq__(self, o): return True\n  __hash__ = int.__hash__\ndef f(x): return I(1)",
  },
  { name: "objects in containers", code: "def f(x): return {1: [object(), {object()}]}" },
  {
    name: "a class whose name is a book",
    code: "def f(x): return [type('E\\x1b[2J\\u202e\\n' + 'E' * 900_000, (), {})()]",
  },
  {
    name: "a number of 99,000 digits",
    code: "import decimal\ndecimal.getcontext().prec = 100_000\ndef f(x): return decimal.Decimal(1) / 3",
  },
  { name: "text of a megabyte", code: "def f(x): return '\\x1b]0;' * 150_000" },
  { name: "a list of a megabyte", code: "def f(x): return [1] * 400_000" },
  { name: "a megabyte of brackets", code: "def f(x): return [[[]]] * 130_000" },
  { name: "text that acts on a terminal", code: "def f(x): return '\\x1b[2J\\u202e\\u2066\\r\\n\\x9b31m'" },
  { name: "text that is no Unicode", code: "def f(x): return '\\ud800' * 200" },
  {
    name: "an exception that acts on a terminal",
    code: "def f(x): raise ValueError('\\x1b[2J\\u202e\\r\\n\\x9b31m' * 1000)",
  },
  {
    name: "an exception whose name does",
    code: "def f(x): raise type('E\\x1b[2J\\u202e\\n' + 'E' * 900_000, (Exception,), {})('\\x1b[2J' * 1000)",
  },
  { name: "values that no literal writes", code: "def f(x): return [float('nan'), -0.0, 1e400, ..., int, f]" },
];

/** Programs that call nothing besides `f`: those of the executor's suite that work in the sandbox, and those above. */
export const hostile = (sandbox: SandboxKind): readonly Program[] => [
  ...attacks
    .filter(({ stdin, notInWasm }) => !stdin && (sandbox !== "wasm" || notInWasm === undefined))
    .map(({ name, code }) => ({
      name,
      code: code
        .replaceAll("PORT", "9")
        .replaceAll("SECRET", "/etc/hostname")
        .replaceAll(/FOLDER|HOMEOFUSER/g, tmpdir()),
    })),
  ...shown,
];

/** A representative selection. */
export const FEW: readonly string[] = [
  ...shown.map(({ name }) => name),
  ...["a memory bomb", "an endless loop on loading", "endless printing", "deep recursion", "a result of 100 MB"],
  ...["forged reports on every descriptor", "a flood of reports, faster than they are read", "a word at exit"],
  ...["patched builtins, json, pickle and sys.modules", "reporting with the harness's own functions"],
];

export const FEWER = [
  ...["containers of such objects", "a list of a megabyte", "text that acts on a terminal"],
  ...["an exception whose name does", "a memory bomb", "forged reports on every descriptor"],
];

/** Programs that read standard input. */
export const hostileReaders: readonly Program[] = [
  ...attacks.filter(({ stdin }) => stdin).map(({ name, code }) => ({ name, code })),
  { name: "a megabyte that acts on a terminal", code: "print('\\x1b[2J' * 200_000)" },
  { name: "blanks", code: "print(' ' * 200_000 + 'x')" },
  { name: "blank lines", code: "print('\\n' * 200_000 + 'x')" },
  { name: "a little that acts on a terminal", code: "import sys\nsys.stdout.write('\\x1b[2J\\u202e')" },
  { name: "an exit with words", code: "print(input())\nraise SystemExit('\\x1b[2J\\n')" },
];
