/** An environment like most containers, clusters and CI machines: no root, no new namespaces. There `auto` is Landlock. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { which } from "../../src/execute/sandbox/python.ts";
import { packageRoot } from "../../src/util/files.ts";
import { landlockWorks } from "./open.ts";

/** Refuses new namespaces and mounts like container runtimes, then executes the given command. */
const CONTAINER = `
import ctypes, os, struct, sys
NEW, EPERM, ENOSYS = 0x7e020000, 0x50001, 0x50026
intel = os.uname().machine == 'x86_64'
calls = {'clone': 56, 'unshare': 272, 'setns': 308, 'mount': 165, 'clone3': 435} if intel else {'clone': 220, 'unshare': 97, 'setns': 268, 'mount': 40, 'clone3': 435}
step = lambda code, k, yes=0, no=0: struct.pack('HBBI', code, yes, no, k)
steps = [step(0x20, 0)]
for name, number in calls.items():
    if name == 'clone': body = [step(0x20, 16), step(0x45, NEW, 0, 1), step(6, EPERM), step(6, 0x7fff0000)]
    else: body = [step(6, ENOSYS if name == 'clone3' else EPERM)]
    steps += [step(0x15, number, 0, len(body)), *body]
program = b''.join([*steps, step(6, 0x7fff0000)])
class Filter(ctypes.Structure): _fields_ = [('length', ctypes.c_ushort), ('steps', ctypes.c_char_p)]
filter = Filter(len(program) // 8, program)
prctl = ctypes.CDLL(None).prctl
prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
assert prctl(38, 1, 0, 0, 0) == 0 and prctl(22, 2, ctypes.addressof(filter), 0, 0) == 0
os.execvp(sys.argv[1], sys.argv[1:])
`;
const python = "/usr/bin/python3"; // one that every user can read
const root = process.getuid?.() === 0;
const setpriv = root ? await which("setpriv") : null;
/** Another user must be able to start Node and read the package. */
const fits = landlockWorks && existsSync(python) && (!root || setpriv !== null);

describe.runIf(fits)("without root and namespaces", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "codescore-container-"));
    await chmod(folder, 0o777);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = (...command: string[]): Promise<{ stdout: string; stderr: string }> => {
    const user = setpriv === null ? [] : [setpriv, "--reuid", "65534", "--regid", "65534", "--clear-groups"];
    const [file, ...args] = [...user, python, "-c", CONTAINER, ...command] as [string, ...string[]];
    const env = { PATH: "/usr/bin:/bin", TMPDIR: folder, CODESCORE_CACHE: join(folder, "cache"), HOME: folder };
    return promisify(execFile)(file, args, { env, cwd: packageRoot, timeout: 120_000 });
  };

  it("there are none", async () => {
    await expect(run("unshare", "--user", "true")).rejects.toThrow(/unshare/);
    expect((await run("id", "-u")).stdout.trim()).not.toBe("0");
  });

  it("labels are made under Landlock, and the manifest says so", async () => {
    const [problems, samples, out] = ["problems", "samples", "out"].map((name) => join(folder, `${name}.jsonl`)) as [
      string,
      string,
      string,
    ];
    const row = {
      task_id: 1,
      text: "",
      code: "def f(x): return x",
      test_list: ["assert f(1) == 1", "assert f(2) == 2"],
    };
    const programs = ["def f(x): return x", "def f(x): return 1", "import os\ndef f(x): return os.listdir('/')"];
    await writeFile(problems, `${JSON.stringify(row)}\n`);
    await writeFile(samples, programs.map((completion) => `${JSON.stringify({ task_id: 1, completion })}\n`).join(""));
    const files = ["--problems", problems, "--samples", samples, "--output", out];
    const { stderr } = await run(process.execPath, "dist/cli/main.js", "label", ...files, "--workers", "1");
    expect(stderr).toContain("sandbox landlock");
    const rows = (await readFile(out, "utf8")).trim().split("\n");
    expect(rows.map((text) => (JSON.parse(text) as { pass_ratio: number }).pass_ratio)).toEqual([1, 0.5, 0]);
    const { executor } = JSON.parse(await readFile(`${out}.manifest.json`, "utf8")) as { executor: object };
    expect(executor).toMatchObject({ sandbox: "landlock", seccomp: true, landlock: { abi: expect.any(Number) } });
    await expect.poll(() => readdirSync(folder).filter((name) => /^codescore-[0-9a-f]{16}$/.test(name))).toEqual([]);
  });
});
