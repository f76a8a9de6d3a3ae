/**
 * Runs every attack in one sandbox. After each one checks that the verdict is right, that the host is unchanged (a canary file and its
 * folder, no connection to a listening server, no additional process), and that the next program, on the same worker, finds
 * everything as if it were the first.
 */
import { createSocket, type Socket } from "node:dgram";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Executor, Limits, SandboxKind } from "../../src/execute/index.ts";
import type { Verdict } from "../../src/types.ts";
import type { Attack } from "./attacks.ts";
import { harnessAttacks } from "./attacks-harness.ts";
import { limitAttacks } from "./attacks-limits.ts";
import { systemAttacks } from "./attacks-system.ts";
import { open, problem, scratchOf, stdio } from "./open.ts";

export const attacks = [...limitAttacks, ...systemAttacks, ...harnessAttacks];

const calls = problem(
  "f",
  [1, 2, 3].map((x) => {
    const expected = `[${x}, 'EXPECTED-${x}'][0]`;
    return { id: String(x), origin: "given", kind: "call", args: String(x), expected, tolerance: 0 } as const;
  }),
);
const streams = problem(
  null,
  [1, 2, 3].map((x) => stdio(String(x), `${x}\n`, `${x}\n`)),
);

/** A correct program that checks whether the one before left anything. */
const honest = `import builtins, gc, heapq, json, math, os, random, signal, sys, threading
first = random.random()
def f(x):
  assert math.floor(x + 0.5) == x and sorted([2, 1]) == [1, 2] and len(json.dumps([x])) == 3 and 7 + 1 == 8
  assert sys.getrecursionlimit() == 1000 and sys.gettrace() is None and sys.getprofile() is None
  assert 'LEFT' not in os.environ and sys.path[0] != '/tmp' and os.getcwd() in ('/', '/tmp')
  assert os.listdir('/tmp') == [] and threading.active_count() == 1
  assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
  assert builtins.isinstance(1, int) and all(m is not None for m in sys.modules.values())
  random.seed(0)
  assert random.random() == first
  return x`;

const here = fileURLToPath(new URL(".", import.meta.url));
const scripts = join(here, "..", "..", "src", "execute", "python");

export const shown = ({ outcome, errorType }: Verdict): string => (errorType ? `${outcome}:${errorType}` : outcome);

/** The descendants of this process, as command names. */
function descendants(): string[] {
  if (!existsSync("/proc/self/stat")) return [];
  const parents = new Map<number, number>();
  const names = new Map<number, string>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "latin1")) as string[];
      const [state, parent] = (rest as string).split(" ");
      if (state === "Z") continue;
      parents.set(Number(pid), Number(parent));
      names.set(Number(pid), name as string);
    } catch {
      // ended in the meantime
    }
  }
  const ours = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === process.pid || (parent !== undefined && parent > 1 && ours(parent));
  };
  return [...names]
    .filter(([pid]) => ours(pid))
    .map(([, name]) => name)
    .sort();
}

/** Names, sizes and times of everything in a folder. */
const listing = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) => {
    const { size, mtimeMs, mode } = statSync(join(entry.parentPath, entry.name));
    return `${entry.name} ${size} ${mtimeMs} ${mode}`;
  });

/** Whether the fast suite runs an attack in WebAssembly. There, each attack that must be stopped costs the start of an interpreter. */
export const isOneOfSome = (i: number): boolean => i % 4 === 0;

/**
 * @param python of an environment whose packages the programs see
 * @param takes which of the attacks run
 */
export function hostileSuite(
  sandbox: SandboxKind,
  python?: string,
  opened = (limits: Partial<Limits>): Promise<Executor> =>
    open(sandbox, { limits, ...(python === undefined ? {} : { python }) }),
  takes: (attack: Attack, i: number) => boolean = () => true,
): void {
  describe(`hostile programs in ${sandbox}${python === undefined ? "" : " with packages"}`, () => {
    let executor: Executor;
    let server: Server;
    let datagrams: Socket;
    let connections = 0;
    let folder: string;
    let before: { files: string[]; processes: string[] };

    beforeAll(async () => {
      process.env.CODESCORE_CANARY = "secret";
      // WebAssembly is slow to read long outputs. Natively, filling a slow disk takes time.
      const more = sandbox === "wasm" ? { candidateCpuS: 1.5, outputBytes: 200_000 } : { candidateCpuS: 2.5 };
      executor = await opened({ testCpuS: 0.05, memoryMb: 256, ...more });
      server = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as { port: number };
      datagrams = createSocket("udp4", () => {
        connections += 1;
      });
      await new Promise<void>((resolve) => datagrams.bind(port, "127.0.0.1", resolve));
      folder = await mkdtemp(join(tmpdir(), "codescore-hostile-"));
      await writeFile(join(folder, "secret.txt"), "untouched");
      await new Promise<void>((resolve) =>
        new (server.constructor as typeof Server)().listen(join(folder, "socket"), resolve).unref(),
      );
      if (python !== undefined) await executor.execute(calls, `import pandas, matplotlib.pyplot\n${honest}`);
      await executor.execute(calls, honest.replaceAll("/tmp", await scratchOf(executor)));
      await executor.execute(streams, "print(input())");
      before = { files: listing(folder), processes: descendants() };
    });
    afterAll(async () => {
      await executor?.close();
      server?.close();
      datagrams?.close();
      delete process.env.CODESCORE_CANARY;
      await rm(folder, { recursive: true, force: true });
    });

    it("a search for what the program before left behind", async () => {
      const secret = "SEC" + "RET-";
      const answer = (size: number): string =>
        `def f(x): return '${secret}' + 'ANSWER' * 2 + str(x)  # ${secret}SOURCE ${"x".repeat(size)}`;
      const thief = `import gc, re, sys
def spells(b):
  at = b.find(b'SEC')
  while at >= 0:
    if b[at + 3:at + 7] == b'RET-': return b[at:at + 25]
    at = b.find(b'SEC', at + 1)
def f(x):
  found = []
  for o in gc.get_objects() + list(vars(sys.modules['__main__']).values()):
    for m in (o, getattr(o, '__self__', None)):
      if type(m).__name__ in ('mmap', 'memoryview', 'bytearray', 'bytes'):
        try: found.append(spells(bytes(m[:])))
        except Exception: pass
  try:
    with open('/proc/self/maps') as maps: lines = list(maps)
  except OSError: lines = []
  for line in lines:
    m = re.match(r'([0-9a-f]+)-([0-9a-f]+) r', line)
    if not m or '[v' in line: continue
    a, b = int(m[1], 16), int(m[2], 16)
    try:
      with open('/proc/self/mem', 'rb', 0) as file:
        file.seek(a)
        found.append(spells(file.read(b - a)))
    except (OSError, OverflowError, ValueError): pass
  return [s for s in found if s]`;
      const ask = (code: string) =>
        executor.answers({ code, entryPoint: "f", setup: "" }, [{ args: "1" }, { args: "2" }], 1);
      for (const size of [10, 1000, 20_000]) {
        const [left] = await ask(answer(size));
        expect(left).toMatchObject({ outcome: "ok", value: { t: "str", v: `${secret}ANSWERANSWER1` } });
      }
      for (const found of await ask(thief)) expect(found).toMatchObject({ outcome: "ok", value: { t: "list", v: [] } });
    });

    const fitting = attacks.filter(({ notInWasm }) => sandbox !== "wasm" || notInWasm === undefined);
    it.each(fitting.filter(takes))("$name", async ({ code, expected, stdin }) => {
      const { port } = server.address() as { port: number };
      const program = (code.includes("/tmp") ? code.replaceAll("/tmp", await scratchOf(executor)) : code)
        .replaceAll("PORT", String(port))
        .replaceAll("SECRET", join(folder, "secret.txt"))
        .replaceAll("FOLDER", folder)
        .replaceAll("HOMEOFUSER", homedir());
      const { status, reason, verdicts } = await executor.execute(stdin ? streams : calls, program);
      expect(reason).toBeNull();
      expect(status).toBe("ok");
      const outcomes = verdicts.map(shown);
      expect(outcomes).toHaveLength(3);
      outcomes.forEach((outcome, i) => {
        expect(outcome, JSON.stringify(verdicts)).toMatch(
          expected instanceof RegExp ? expected : (expected[i] as RegExp),
        );
      });

      const next = await executor.execute(calls, honest.replaceAll("/tmp", await scratchOf(executor)));
      expect(next.verdicts.map(({ outcome, message }) => message ?? outcome)).toEqual(["pass", "pass", "pass"]);
      if (stdin) expect((await executor.execute(streams, "print(input())")).passRatio).toBe(1);

      expect(readFileSync(join(folder, "secret.txt"), "utf8")).toBe("untouched");
      expect(listing(folder)).toEqual(before.files);
      expect(existsSync(join(scripts, "pwned.py"))).toBe(false);
      expect(connections).toBe(0);
      // A killed process may need a moment to end.
      await expect.poll(descendants, { timeout: 60_000 }).toEqual(before.processes);
    });
  });
}
