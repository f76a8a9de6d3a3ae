import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openProject, type ProjectOptions, type ProjectRun } from "../../../src/execute/index.ts";
import { python as hasPython } from "../../util/python.ts";
import { bwrapWorks } from "../open.ts";

const limits = { wallS: 20, cpuS: 10 };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "project-test-"));
  await writeFile(join(folder, "value.py"), "VALUE = 1\n");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function runOnce(
  options: Pick<ProjectOptions, "command" | "sandbox" | "allowUnsafe">,
  changes: Readonly<Record<string, string>> = {},
  within = limits,
): Promise<ProjectRun> {
  const project = await openProject({ folder, ...options });
  try {
    return await project.run(changes, within);
  } finally {
    await project.close();
  }
}

const python = (code: string): string => `python3 -c '${code}'`;

describe.each<{ sandbox: "bwrap" | "none"; allowUnsafe: boolean }>([
  ...(bwrapWorks ? [{ sandbox: "bwrap" as const, allowUnsafe: false }] : []),
  ...(hasPython ? [{ sandbox: "none" as const, allowUnsafe: true }] : []),
])("a project's tests in sandbox $sandbox", (where) => {
  it("pass, fail and run with files replaced", async () => {
    const command = python("import value; print(value.VALUE); assert value.VALUE == 1");
    expect(await runOnce({ command, ...where })).toMatchObject({ outcome: "pass", output: "1\n" });
    const changed = await runOnce({ command, ...where }, { "value.py": "VALUE = 2\n" });
    expect(changed.outcome).toBe("fail");
    expect(changed.output).toContain("AssertionError");
    expect(changed.cpuS).toBeGreaterThan(0);
    expect(await readFile(join(folder, "value.py"), "utf8")).toBe("VALUE = 1\n");
  });

  it("write into a copy of their own, which is gone afterwards", async () => {
    const command = "test ! -e new.txt && echo 1 > new.txt && echo 'VALUE = 3' > value.py && cat value.py";
    const project = await openProject({ folder, command, ...where });
    expect(await project.run({}, limits)).toMatchObject({ outcome: "pass", output: "VALUE = 3\n" });
    expect(await project.run({}, limits)).toMatchObject({ outcome: "pass" });
    await project.close();
    expect(await readdir(folder)).toEqual(["value.py"]);
    expect(await readFile(join(folder, "value.py"), "utf8")).toBe("VALUE = 1\n");
  });

  it("are stopped when they take too long, with what they started", async () => {
    const sleeping = await runOnce({ command: "sleep 77.7 & sleep 77.7", ...where }, {}, { wallS: 0.5, cpuS: 10 });
    expect(sleeping.outcome).toBe("timeout");
    expect(sleeping.wallS).toBeLessThan(10);
    const spinning = await runOnce({ command: python("while True: pass"), ...where }, {}, { wallS: 60, cpuS: 1 });
    expect(spinning.outcome).toBe("timeout");
  });
});

describe.skipIf(!bwrapWorks)("in bubblewrap", () => {
  it("a Python may be a link from elsewhere", async () => {
    const { stdout } = await promisify(execFile)("python3", ["-c", "import sys; print(sys.executable)"]);
    await symlink(stdout.trim(), join(folder, "python"));
    const project = await openProject({ folder, command: "python3 -c 'import value'", python: join(folder, "python") });
    expect(await project.run({}, limits)).toMatchObject({ outcome: "pass" });
    await project.close();
  });

  it("a project sees no network, no other files, no environment, and cannot write outside of its copy", async () => {
    await mkdir(join(folder, ".git"));
    process.env.CODESCORE_TEST_SECRET = "told";
    const probe = [
      "import os, socket",
      'seen = [os.environ.get("CODESCORE_TEST_SECRET"), os.path.exists(".git")]',
      `seen.append(os.path.exists(${JSON.stringify(folder)}))`,
      "s = socket.socket()",
      "s.settimeout(2)",
      'seen.append(s.connect_ex(("1.1.1.1", 80)) != 0)',
      'for path in ("/original/value.py", "/codescore/guard.py", "/usr/x"):',
      '    try: open(path, "w"); seen.append(path)',
      "    except OSError: pass",
      "print(seen)",
    ].join("\n");
    try {
      const { output } = await runOnce({ command: python(probe), sandbox: "bwrap" });
      expect(output).toBe("[None, False, False, True]\n");
    } finally {
      delete process.env.CODESCORE_TEST_SECRET;
    }
  });

  it("a fork bomb ends with its namespace", async () => {
    const bomb = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass";
    const { outcome } = await runOnce({ command: python(bomb), sandbox: "bwrap" }, {}, { wallS: 2, cpuS: 1 });
    expect(outcome).not.toBe("pass");
  });
});

describe("openProject", () => {
  it.each<[Partial<ProjectOptions>, string]>([
    [{ sandbox: "none" }, "Add --allow-unsafe"],
    [{ sandbox: "wasm" }, "cannot run a project's test command"],
    [{ python: "no-such-python" }, "expected a Python to run the tests with, got `no-such-python`"],
  ])("refuses %j", async (options, message) => {
    await expect(openProject({ folder, command: "true", ...options })).rejects.toThrow(message);
  });

  it.skipIf(!hasPython)("refuses a folder that is not there", async () => {
    const options = { folder: "/no/such/folder", command: "true", sandbox: "none", allowUnsafe: true } as const;
    await expect(openProject(options)).rejects.toThrow("cannot copy the project /no/such/folder");
  });
});
