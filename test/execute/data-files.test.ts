/** Data files of problems: their programs and tests read them, and change nothing for other programs. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
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
    // Landlock lets it change permissions, which are set again.
    for (const name of ["sales.csv", "2024"])
      await ran(`import os\ntry:\n    os.chmod(os.path.realpath('${name}'), 0)\nexcept OSError: pass\n`);
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

  it("leaves no copy behind", async () => {
    const copies = async (): Promise<string[]> =>
      (await readdir(tmpdir())).filter((name) => name.startsWith("codescore-files-"));
    const before = await copies();
    const second = await open(sandbox);
    await second.execute(problems.get("sales-0")!, TOTAL);
    expect((await copies()).length).toBeGreaterThan(before.length);
    await second.close();
    expect(await copies()).toEqual(before);
  });
});

it("WebAssembly shows no data files, and says so", async () => {
  const executor = await open("wasm");
  const { status, reason } = await executor.execute(problems.get("sales-0")!, TOTAL);
  await executor.close();
  expect([status, reason]).toEqual([
    "no_label",
    "the problem has data files, which the sandbox `wasm` does not show to programs; use bwrap or landlock (--sandbox)",
  ]);
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

  it.each([
    ["missing", /bad\.jsonl:1, `files`: cannot read the data files in .*missing: ENOENT/],
    ["empty", /bad\.jsonl:1: expected data files in `empty`, got none/],
    [3, /bad\.jsonl:1: expected `files` to be a string/],
  ])("%j is an error", async (files, message) => {
    await mkdir(join(folder, "empty"), { recursive: true });
    const bad = join(folder, "bad.jsonl");
    await writeFile(bad, JSON.stringify({ task_id: "a", description: "b", files }));
    await expect(readProblems([bad])).rejects.toThrow(message);
  });
});
