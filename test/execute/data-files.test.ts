/** Data files of problems: their programs and tests read them, and change nothing for other programs. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Executor, SandboxKind } from "../../src/execute/index.ts";
import { printProblem, readProblems } from "../../src/problems/index.ts";
import type { Problem } from "../../src/types.ts";
import { native, open } from "./open.ts";

const TOTAL = "import csv\n\ndef total(path):\n    return sum(int(row[1]) for row in csv.reader(open(path)))\n";

let folder: string;
let path: string;
let problems: Map<string, Problem>;

/** One problem a line, of the same task with other data. */
async function write(...files: readonly (string | number)[]): Promise<void> {
  const problem = { description: "the total of the second column", entry_point: "total", references: [TOTAL] };
  const tests = [
    "assert total('sales.csv') == 12",
    // A test that reads a file itself runs beside the program.
    { kind: "assert", code: "assert total('2024/more.csv') == len(open('sales.csv').readlines())", whole: true },
  ];
  const rows = files.map((name, i) => JSON.stringify({ task_id: `sales-${i}`, ...problem, tests, files: name }));
  await writeFile(path, rows.join("\n"));
}

const isRoot = process.getuid?.() === 0;

/** Root gives up its rights before a sandbox starts, if another user can read the Python. */
async function openAsAnotherUser(sandbox: SandboxKind): Promise<Executor> {
  const bin = await mkdtemp(join(folder, "bin-"));
  await symlink("/usr/bin/python3", join(bin, "python3"));
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
  try {
    return await open(sandbox);
  } finally {
    vi.unstubAllEnvs();
  }
}

/** A problem whose only data file has this text. */
async function problemWith(name: string, text: string): Promise<Problem> {
  const file = join(folder, `${name}.jsonl`);
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, "sales.csv"), text);
  await writeFile(file, JSON.stringify({ task_id: name, description: "", tests: ["assert True"], files: name }));
  return (await readProblems([file])).get(name)!;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-test-"));
  path = join(folder, "problems.jsonl");
  for (const name of ["data", "others"]) await mkdir(join(folder, name, "2024"), { recursive: true });
  await writeFile(join(folder, "data", "sales.csv"), "pens,5\ncaps,7\n");
  await writeFile(join(folder, "data", "2024", "more.csv"), "pens,2\n");
  await writeFile(join(folder, "others", "sales.csv"), "pens,12\n");
  await writeFile(join(folder, "others", "2024", "more.csv"), "pens,1\n");
  await write("data", join(folder, "others"));
  problems = await readProblems([path]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(native)("a problem with data files, in %s", (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await open(sandbox);
  });
  afterAll(() => executor?.close());

  const ran = async (code: string, id = "sales-0"): Promise<unknown[]> =>
    (await executor.execute(problems.get(id)!, code)).verdicts.map((one) => one.errorType ?? one.outcome);

  it("lets programs and tests read them", async () => {
    expect(await ran(TOTAL)).toEqual(["pass", "pass"]);
    expect(await ran(TOTAL, "sales-1")).toEqual(["pass", "pass"]);
    expect(await ran(TOTAL.replace("[1]", "[0]"))).toEqual(["ValueError", "ValueError"]);
  });

  it("lets no program change them", async () => {
    const spoiling = [
      "open('sales.csv', 'a').write('x,1')",
      "import os; os.remove(os.path.realpath('sales.csv'))",
      "import os; os.rename(os.path.realpath('2024/more.csv'), 'mine')",
      "import os; open(os.path.join(os.path.dirname(os.path.realpath('sales.csv')), 'new'), 'w')",
    ];
    for (const line of spoiling) {
      const code = `${TOTAL}\ntry:\n    ${line}\nexcept OSError:\n    pass\nelse:\n    raise SystemExit('changed')\n`;
      expect(await ran(code), line).toEqual(["pass", "pass"]);
    }
    // Permissions and times stay too. In Landlock, setting them reports success and does nothing.
    for (const line of ["os.chmod(place, 0)", "os.utime(place, (1, 1))", "os.setxattr(place, 'user.a', b'1')"]) {
      const places = "real, os.path.dirname(real), os.path.dirname(os.path.dirname(real))";
      const seen = "[(os.stat(place).st_mode, os.stat(place).st_mtime) for place in places]";
      const code = [
        "import os",
        "real = os.path.realpath('sales.csv')",
        `places = [${places}]`,
        `before = ${seen}`,
        `for place in places:\n    try: ${line}\n    except OSError: pass`,
        `if ${seen} != before: raise SystemExit('changed')`,
      ].join("\n");
      expect(await ran(`${TOTAL}\n${code}\n`), line).toEqual(["pass", "pass"]);
    }
    expect(await ran(TOTAL)).toEqual(["pass", "pass"]);
    // Its own folder it may change, and the next program finds it as it was.
    const own = `${TOTAL}\nimport os\nos.remove('sales.csv')\nopen('sales.csv', 'w').write('pens,12')\n`;
    expect(await ran(own)).toEqual(["pass", "fail"]);
    expect(await ran(TOTAL)).toEqual(["pass", "pass"]);
    expect(await readFile(join(folder, "data", "sales.csv"), "utf8")).toBe("pens,5\ncaps,7\n");
  });

  it("runs its references on inputs that name them", async () => {
    const { files } = problems.get("sales-1")!;
    const program = { code: TOTAL, entryPoint: "total", setup: "" };
    const inputs = [{ args: "'sales.csv'" }];
    expect(await executor.answers({ ...program, files }, inputs)).toMatchObject([{ outcome: "ok", text: "12" }]);
    expect(await executor.answers(program, inputs)).toMatchObject([{ errorType: "FileNotFoundError" }]);
  });

  it.runIf(isRoot)("shows them to another user, whatever the umask", async () => {
    const umask = process.umask(0o077);
    const other = await openAsAnotherUser(sandbox);
    try {
      const user = { code: "import os\nf = os.getuid", entryPoint: "f", setup: "" };
      expect(await other.answers(user, [{ args: "" }])).not.toMatchObject([{ text: "0" }]);
      expect((await other.execute(problems.get("sales-0")!, TOTAL)).passRatio).toBe(1);
    } finally {
      process.umask(umask);
      await other.close();
    }
  });

  it.runIf(isRoot)("says so if another user cannot read them", async () => {
    const other = await openAsAnotherUser(sandbox);
    const hidden = await mkdtemp(join(folder, "hidden-"));
    vi.stubEnv("TMPDIR", hidden);
    const message = /^cannot show data files in .*hidden-.* to programs: /;
    await expect(other.execute(problems.get("sales-0")!, TOTAL)).rejects.toThrow(message);
    vi.unstubAllEnvs();
    await other.close();
    expect(await readdir(hidden)).toEqual([]);
  });

  it("does not count them among the files that a program makes", async () => {
    const name = `many-${sandbox}`;
    await mkdir(join(folder, name));
    for (let i = 1; i < 5_000; i++) await writeFile(join(folder, name, `measured-on-day-${i}.csv`), "");
    const { files } = await problemWith(name, "pens,5");
    const busy = (made: number, seconds: number): string =>
      [
        "import time",
        "def f():",
        `    for i in range(${made}): open('mine-%d' % i, 'w').close()`,
        `    end = time.process_time() + ${seconds}`,
        "    while time.process_time() < end: pass",
        "    return open('measured-on-day-4999.csv').read() + open('sales.csv').read()",
      ].join("\n");
    const program = { entryPoint: "f", setup: "", files };
    expect(await executor.answers({ ...program, code: busy(5_050, 0.5) }, [{ args: "" }], 5)).toMatchObject([
      { outcome: "ok", text: '"pens,5"' },
    ]);
    expect(await executor.answers({ ...program, code: busy(10_050, 10) }, [{ args: "" }], 15)).toMatchObject([
      { errorType: "FileLimit" },
    ]);
  });

  it("are refused if they have changed since they were read", async () => {
    const own = await problemWith(`changing-${sandbox}`, "pens,5");
    await writeFile(join(own.files!.folder, "sales.csv"), "pens,6");
    await expect(executor.execute(own, TOTAL)).rejects.toThrow(
      /cannot copy .*: they have changed since they were read/,
    );
  });

  it("leaves no copy behind", async () => {
    const temporary = await mkdtemp(join(tmpdir(), "codescore-test-"));
    await chmod(temporary, 0o755);
    vi.stubEnv("TMPDIR", temporary);
    const copies = async (): Promise<string[]> =>
      (await readdir(temporary)).filter((name) => name.startsWith("codescore-files-"));
    const second = await open(sandbox);
    await second.execute(problems.get("sales-0")!, TOTAL);
    expect(await copies()).toHaveLength(1);
    await second.close();
    vi.unstubAllEnvs();
    expect(await copies()).toEqual([]);
    await rm(temporary, { recursive: true });
  });
});

it("WebAssembly shows no data files, and says so", async () => {
  const executor = await open("wasm");
  const problem = problems.get("sales-0")!;
  const why =
    "the problem has data files, which the sandbox `wasm` does not show to programs; use bwrap or landlock (--sandbox)";
  const { status, reason } = await executor.execute(problem, TOTAL);
  expect([status, reason]).toEqual(["no_label", why]);
  expect(await executor.inputs(problem)).toEqual([]);
  const { files } = problem;
  await expect(
    executor.answers({ code: TOTAL, entryPoint: "total", setup: "", files }, [{ args: "" }]),
  ).rejects.toThrow(why);
  await executor.close();
});

describe("the field `files`", () => {
  it("is printed as it was read, with a hash of the contents", async () => {
    const problem = problems.get("sales-0")!;
    const copy = join(folder, "copy.jsonl");
    await writeFile(copy, printProblem(problem));
    expect([...(await readProblems([copy])).values()]).toEqual([problem]);
    await writeFile(join(folder, "others", "sales.csv"), "pens,13\n");
    expect(printProblem((await readProblems([path])).get("sales-1")!)).not.toBe(printProblem(problems.get("sales-1")!));
    await writeFile(join(folder, "others", "sales.csv"), "pens,12\n");
  });

  it("is read once for all problems with the same folder", async () => {
    await write("data", "data");
    const [first, second] = (await readProblems([path])).values();
    await write("data", join(folder, "others"));
    expect(first!.files).toBe(second!.files);
  });

  it("is an error if the contents are not those of the row's tests", async () => {
    const copy = join(folder, "old.jsonl");
    await writeFile(copy, printProblem(await problemWith("old", "pens,5")));
    await readProblems([copy]);
    await writeFile(join(folder, "old", "sales.csv"), "pens,6");
    await expect(readProblems([copy])).rejects.toThrow(/old\.jsonl:1: the data files in .*old have changed since/);
  });

  it.each([
    ["missing", /bad\.jsonl:1, `files`: cannot read the data files in .*missing: ENOENT/],
    ["empty", /bad\.jsonl:1, `files`: expected data files in .*empty, got none/],
    [".", /bad\.jsonl:1, `files`: .* also holds the problem file .*bad\.jsonl: programs would see the tests/],
    [3, /bad\.jsonl:1: expected `files` to be a string/],
  ])("%j is an error", async (files, message) => {
    await mkdir(join(folder, "empty"), { recursive: true });
    const bad = join(folder, "bad.jsonl");
    await writeFile(bad, JSON.stringify({ task_id: "a", description: "b", files }));
    await expect(readProblems([bad])).rejects.toThrow(message);
  });
});
