/** What Landlock does not restrict, what no namespace hides, and what it leaves when it ends. Complements the hostile suite. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import { ofLevel } from "./landlock.ts";
import { landlockWorks, open, problem, scratchOf } from "./open.ts";

const body = (text: string): string => `def f(x):\n${text.replace(/^/gm, "  ")}`;

/** The answer of a program, or `error: Type`. */
async function answer(executor: Executor, code: string): Promise<unknown> {
  const [found] = await executor.answers({ code, entryPoint: "f", setup: "" }, [{ args: "1" }]);
  if (found?.outcome !== "ok") return found?.outcome === "error" ? `error: ${found.errorType}` : found?.outcome;
  return JSON.parse(JSON.stringify(found.value, (_, value) => (typeof value === "bigint" ? Number(value) : value))).v;
}

/** System calls by number, for x86-64 and AArch64. None may succeed. */
const CALL = `
import ctypes, os, struct
libc = ctypes.CDLL(None, use_errno=True)
column = 0 if os.uname().machine == 'x86_64' else 1
buffer = ctypes.create_string_buffer(4096)
def call(*numbers_and_arguments):
  number = numbers_and_arguments[column]
  return None if number is None else libc.syscall(ctypes.c_long(number), *numbers_and_arguments[2:])
`;

/** Level 6 is the last that changes anything here. Before level 3 the seccomp filter must prevent truncation. */
describe.runIf(landlockWorks).each([6, 1])("a program under Landlock of level %i", (level) => {
  let executor: Executor;
  let folder: string;
  beforeAll(async () => {
    executor = await ofLevel(level);
    folder = mkdtempSync(join(tmpdir(), "codescore-landlock-test-"));
    chmodSync(folder, 0o777);
    writeFileSync(join(folder, "file"), "untouched", { mode: 0o666 });
    chmodSync(join(folder, "file"), 0o666);
  });
  afterAll(async () => {
    await executor.close();
    rmSync(folder, { recursive: true });
  });

  const state = () => {
    const { mode, uid, gid, mtimeMs, nlink, size } = lstatSync(join(folder, "file"));
    return [readdirSync(folder), lstatSync(folder).mode, mode, uid, gid, mtimeMs, nlink, size];
  };

  it.each([
    ["opens", "open('FILE')"],
    ["writes", "open('FILE', 'r+').write('x')"],
    ["appends", "open('FILE', 'a').write('x')"],
    ["makes files", "open('FOLDER/new', 'w')"],
    ["truncates by path", "os.truncate('FILE', 0)"],
    ["truncates on opening to read", "os.open('FILE', os.O_RDONLY | os.O_TRUNC)"],
    ["truncates on opening to do neither", "os.open('FILE', 3 | os.O_TRUNC)"],
    ["deletes", "os.remove('FILE')"],
    ["renames", "os.rename('FILE', 'FOLDER/other')"],
    ["moves in", "os.rename('FILE', './file')"],
    ["moves out", "open('a', 'w').close(); os.rename('a', 'FOLDER/a')"],
    ["exchanges", "open('a', 'w').close(); assert call(316, 276, -100, b'a', -100, b'FILE', 2) == 0"],
    ["links in", "os.link('FILE', './hard')"],
    ["links out", "open('a', 'w').close(); os.link('a', 'FOLDER/a')"],
    ["makes symbolic links", "os.symlink('x', 'FOLDER/link')"],
    ["makes folders", "os.mkdir('FOLDER/new')"],
    ["makes pipes", "os.mkfifo('FOLDER/fifo')"],
    ["makes devices", "os.mknod('./disk', 0o60666, os.makedev(8, 0))"],
    ["makes sockets", "os.mknod('./socket', 0o140666)"],
    ["reads through a link", "os.symlink('FILE', './soft'); open('./soft').read()"],
    ["writes through a link", "os.symlink('FILE', './soft'); open('./soft', 'w').write('x')"],
    ["lists", "os.listdir('FOLDER')"],
    ["lists its parent", "os.listdir('..')"],
    ["lists all", "os.listdir('/')"],
    ["reads by a handle", "os.open('/proc/self/fd/%d' % os.open('FILE', os.O_PATH), os.O_RDONLY)"],
    ["writes by a handle", "os.open('/proc/self/fd/%d' % os.open('FILE', os.O_PATH), os.O_WRONLY)"],
    ["makes a nameless file", "os.open('FOLDER', 0o20000000 | os.O_DIRECTORY | os.O_RDWR)"],
    ["changes owners", "os.chown('FILE', 12345, 12345)"],
    ["changes owners by a handle", "os.fchown(os.open('/usr', os.O_RDONLY), 12345, 12345)"],
    ["sets attributes", "os.setxattr('FILE', 'user.x', b'x')"],
    ["reads attributes", "os.listxattr('FILE')"],
    ["sets attributes of what it reads", "os.setxattr(os.open('/usr', os.O_RDONLY), 'user.x', b'x')"],
    ["sets flags of what it reads", "fcntl.ioctl(os.open('/usr', os.O_RDONLY), 0x40086602, bytes(8))"],
    ["watches", "assert call(294, 26, 0) >= 0"],
    ["watches everything", "assert call(300, 262, 0, 0) >= 0"],
    ["opens by number", "assert call(304, 265, -100, buffer, 0) >= 0"],
    ["mounts", "assert call(165, 40, b'/usr', b'.', None, 0x1000, None) == 0"],
    ["changes its root", "os.chroot('.')"],
    ["asks the kernel's log", "assert call(103, 116, 3, buffer, 4096) >= 0"],
    ["reads users", "open('/etc/passwd')"],
    ["reads programs' folders", "os.listdir(os.path.dirname(os.getcwd()))"],
    ["reads connections", "open('/proc/self/net/tcp')"],
    ["reads mounts", "open('/proc/self/mounts')"],
    ["opens its terminal", "os.open('/dev/tty', os.O_RDWR)"],
    ["opens shared memory", "open('/dev/shm/x', 'w')"],
    ["lists processes", "os.listdir('/proc')"],
    ["sets its score in front of the memory killer", "open('/proc/self/oom_score_adj', 'w').write('900')"],
    ["sets its share of the cores", "open('/proc/self/autogroup', 'w').write('19')"],
    ["renames the folder it has", "os.rename(os.getcwd(), os.getcwd() + '2')"],
    ["removes the folder it has", "os.rmdir(os.getcwd())"],
  ])("%s nothing of the host's", async (_name, attempt) => {
    const text = attempt.replaceAll("FILE", join(folder, "file")).replaceAll("FOLDER", folder);
    const before = state();
    const code = `${CALL}import fcntl\n${body(`try:\n  exec(${JSON.stringify(text)})\nexcept (OSError, AssertionError) as e: return 'refused'\nreturn 'done'`)}`;
    expect(await answer(executor, code)).toBe("refused");
    expect(state()).toEqual(before);
    expect(readFileSync(join(folder, "file"), "utf8")).toBe("untouched");
  });

  it("sets no modes and times of the host's, though it is told so", async () => {
    const before = state();
    const tries = [
      ...["os.chmod('FILE', 0)", "os.utime('FILE', (1, 1))", "os.chmod('FOLDER', 0)"],
      ...["os.fchmod(os.open('/usr', os.O_RDONLY), 0)", "os.utime(os.open('/usr', os.O_RDONLY), (1, 1))", "os.sync"],
      ...["call(90, None, b'FILE', 0)", "call(452, 452, -100, b'FILE', 0, 0)", "call(261, None, -100, b'FILE', None)"],
    ].map((text) => text.replaceAll("FILE", join(folder, "file")).replaceAll("FOLDER", folder));
    const usr = lstatSync("/usr");
    expect(await answer(executor, `${CALL}${body(tries.join("\n"))}\n  return 1`)).toBe(1);
    expect(state()).toEqual(before);
    expect([lstatSync("/usr").mode, lstatSync("/usr").mtimeMs]).toEqual([usr.mode, usr.mtimeMs]);
  });

  it("copies, moves and packs files of its own as anywhere", async () => {
    const code = `import os, shutil, tarfile, tempfile, zipfile
def f(x):
  with tempfile.TemporaryDirectory() as top:
    at = lambda name: os.path.join(top, name)
    with open(at('a'), 'w') as file: file.write('text')
    shutil.copy(at('a'), at('b')); shutil.copy2(at('a'), at('c')); shutil.copyfile(at('a'), at('d'))
    os.makedirs(at('e/f')); shutil.move(at('d'), at('e/f/d')); shutil.copytree(at('e'), at('g'))
    with zipfile.ZipFile(at('z'), 'w') as z: z.write(at('a'), 'a')
    zipfile.ZipFile(at('z')).extractall(at('h'))
    with tarfile.open(at('t'), 'w') as t: t.add(at('b'), 'b')
    names = sorted(os.path.join(base, name)[len(top):] for base, _, names in os.walk(top) for name in names)
  with tempfile.NamedTemporaryFile('w+') as file:
    file.write('x'); file.flush(); os.fsync(file.fileno()); file.seek(0)
    return names + [file.read(), os.listdir('.') == [os.path.basename(file.name)], open('/dev/null').read()]`;
    const found = (await answer(executor, code)) as { v: unknown }[];
    expect(found.map?.(({ v }) => v) ?? found).toEqual([
      "/a",
      "/b",
      "/c",
      "/e/f/d",
      "/g/f/d",
      "/h/a",
      "/t",
      "/z",
      "x",
      true,
      "",
    ]);
  });

  it.each([
    ["kill", "[call(62, 129, p, 9), call(200, 130, p, 9), call(234, 131, p, p, 9)]"],
    ["stop", "[call(62, 129, p, 19), call(129, 138, p, 19, buffer), call(297, 240, p, p, 19, buffer)]"],
    ["hold by a handle", "[call(434, 434, p, 0), call(424, 424, 0, 9, None, 0), call(438, 438, 0, 0, 0)]"],
    ["trace", "[call(101, 117, 16, p, 0, 0), call(101, 117, 0x4206, p, 0, 0)]"],
    ["read", "[call(310, 270, p, buffer, 1, buffer, 1, 0), call(311, 271, p, buffer, 1, buffer, 1, 0)]"],
    ["advise", "[call(440, 440, 0, buffer, 1, 21, 0), call(448, 448, 0, 0)]"],
    [
      "rank",
      "[call(141, 140, 0, p, 19), call(251, 30, 1, p, 0x6007), call(144, 119, p, 3, buffer), call(314, 274, p, buffer, 0)]",
    ],
    [
      "place",
      "[call(203, 122, p, 8, b'\\x01' + bytes(7)), call(256, 238, p, 1, buffer, buffer), call(279, 239, p, 1, buffer, None, buffer, 0)]",
    ],
    ["limit", "[call(302, 261, p, 7, struct.pack('QQ', 3, 3), None)]"],
    ["compare", "[call(312, 272, p, os.getpid(), 2, 0, 0)]"],
    ["measure", "[call(298, 241, buffer, p, -1, -1, 0)]"],
  ])("does not %s the guard, its zygote or what started them", async (_name, calls) => {
    const code = `${CALL}${body(`seen = []\nfor p in PIDS + [os.getppid()]: seen += [r for r in ${calls} if r is not None and r >= 0]\nreturn len(seen)`)}`;
    expect(await answer(executor, code.replace("PIDS", `[${process.pid}, ${process.ppid}]`))).toBe(0);
  });

  it("sees nothing of other processes but that they are there", async () => {
    const code = `import os\n${body(`seen = []
for pid in (1, ${process.pid}, os.getppid(), os.getppid() - 1):
  for name in ('cwd', 'root', 'exe', 'fd/0', 'ns/mnt'):
    try: seen.append(os.readlink('/proc/%d/%s' % (pid, name)))
    except OSError: pass
  for name in ('environ', 'maps', 'mem', 'stat', 'status', 'cmdline', 'comm', 'task', 'fd', 'net/unix', 'cgroup'):
    try: seen.append(os.open('/proc/%d/%s' % (pid, name), os.O_RDONLY))
    except OSError: pass
return seen`)}`;
    expect(await answer(executor, code)).toEqual([]);
  });

  it("starts no process, by whatever call", async () => {
    const code = `${CALL}${body(`pids = [call(57, None), call(58, None), call(56, 220, 17, 0, 0, 0, 0), call(435, 435, struct.pack('QQQQQQQQ', 0, 0, 0, 0, 17, 0, 0, 0), 64)]
if 0 in pids:
  while True: pass
return pids`)}`;
    const found = (await answer(executor, code)) as { v?: number }[];
    expect(found.every(({ v }) => v === undefined || v < 0)).toBe(true);
  });

  it("opens no channel to anyone", async () => {
    const tries = [
      ...["socket.socket(socket.AF_UNIX)", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", "socket.socket()"],
      ...["socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'', '\\0x')", "socket.socket(socket.AF_VSOCK)"],
      "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
      ...["assert call(425, 425, 8, buffer) >= 0", "assert call(319, 279, b'x', 0) >= 0"],
      ...["assert call(240, 180, b'x', 0o102, 0o600, None) >= 0", "assert call(29, 194, 0, 4096, 0o1600) >= 0"],
      ...["assert call(250, 219, 0, -3, 1, 0, 0) >= 0", "assert call(321, 280, 0, buffer, 128) >= 0"],
      ...["os.setuid(12345)", "assert call(126, 91, struct.pack('Ii', 0x20080522, 0), b'\\xff' * 24) == 0"],
    ];
    const code = `${CALL}import socket\n${body(`done = []\nfor text in ${JSON.stringify(tries)}:\n  try: exec(text)\n  except (OSError, AssertionError): pass\n  else: done.append(text)\nreturn done`)}`;
    expect(await answer(executor, code)).toEqual([]);
  });

  it.each([
    ["many files of a megabyte", "for i in range(10 ** 6):\n  with open('%d' % i, 'wb') as file: file.write(bytes(10 ** 6 - 1))"],
    ["files deep down", "os.makedirs('/'.join(['d' * 200] * 15))\nos.chdir('/'.join(['d' * 200] * 15))\nfor i in range(10 ** 6):\n  with open('%d' % i, 'wb') as file: file.write(bytes(10 ** 6 - 1))"],
    ["files in a folder that hides them", "os.mkdir('x', 0o300)\nfor i in range(10 ** 6):\n  with open('x/%d' % i, 'wb') as file: file.write(bytes(10 ** 6 - 1))"],
    ["deleted files that it has mapped", "for i in range(10 ** 6):\n  with open('x', 'wb+') as file:\n    file.write(bytes(10 ** 6 - 1)); file.flush()\n    call(9, 222, None, 4096, 1, 1, file.fileno(), 0)\n  os.remove('x')"],
    ["nameless files that it has mapped", "for i in range(10 ** 6):\n  fd = os.open('.', 0o20000000 | os.O_DIRECTORY | os.O_RDWR)\n  os.write(fd, bytes(10 ** 6 - 1))\n  call(9, 222, None, 4096, 1, 1, fd, 0); os.close(fd)"],
    ["folders in folders", "for i in range(10 ** 6):\n  os.mkdir('d'); os.chdir('d')"],
  ])("does not fill the disk with %s", async (_name, text) => {
    const task = problem("f", [["1", "1"]], { references: ["import time\ndef f(x):\n  while time.process_time() < 2: pass\n  return 1"] });
    const { verdicts } = await executor.execute(task, `${CALL}${body(text)}`);
    expect(verdicts).toMatchObject([{ outcome: "error", errorType: "FileLimit" }]);
    expect(await answer(executor, "import os\ndef f(x): return len(os.listdir('.'))")).toBe(0);
  }); // biome-ignore format: short programs

  it("starts no more threads than elsewhere, by whatever call", async () => {
    const task = problem("f", [["1", "1"]]);
    const code = `import threading, time\nthreading.stack_size(1 << 16)\n${body("n = 0\nwhile n < 10 ** 5:\n  n += 1\n  try: threading.Thread(target=time.sleep, args=(100,), daemon=True).start()\n  except RuntimeError: pass")}`;
    expect((await executor.execute(task, code)).firstError).toBe("ThreadLimit");
    const few = `import threading\n${body("threads = [threading.Thread(target=int) for _ in range(50)]\nfor t in threads: t.start()\nfor t in threads: t.join()\nreturn x")}`;
    expect((await executor.execute(task, few)).passRatio).toBe(1);
  });

  it("has left nothing when the sandbox ends", async () => {
    const own = await open("landlock");
    const scratch = await scratchOf(own);
    expect(existsSync(scratch)).toBe(true);
    await answer(own, "import os\ndef f(x): os.makedirs('a/b'); open('a/b/c', 'w').close()");
    await own.close();
    await expect.poll(() => existsSync(scratch)).toBe(false);
  });
});
