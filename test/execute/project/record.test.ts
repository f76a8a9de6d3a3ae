import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openProject, type ProjectTests } from "../../../src/execute/index.ts";
import { bwrapWorks } from "../open.ts";

const code = `import functools


def push(xs, x, *more, key=None, **named):
    if x > 2:
        raise KeyError(x)
    xs.append(x)
    return len(xs)


def count(n):
    for i in range(n):
        yield i


class A:
    @functools.lru_cache
    def twice(self, x):
        return 2 * x

    def __reduce__(self):
        return A, ()


def never(x):
    return x
`;

const tests = `import value
a = value.A()
xs = []
assert value.push(xs, 1, 7, key="k", other=xs) == 1
assert value.push(xs, 1, 7, key="k", other=xs) == 2
try:
    value.push(xs, 3)
except KeyError:
    pass
assert list(value.count(3)) == [0, 1, 2]
assert a.twice(4) == 8
`;

const limits = { wallS: 30, cpuS: 20 };

interface Call {
  readonly function: number;
  readonly module: string;
  readonly lines: readonly number[];
  readonly arguments: string;
  readonly outcome: object | null;
}

describe.skipIf(!bwrapWorks)("watching a project's tests", () => {
  let folder: string;
  let project: ProjectTests;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "record-test-"));
    await writeFile(join(folder, "value.py"), code);
    await writeFile(join(folder, "check.py"), tests);
    project = await openProject({ folder, command: "python3 check.py" });
  });
  afterEach(async () => {
    await project.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("tells the lines that run, as Python's own `trace` does", async () => {
    const { outcome, recorded } = await project.record({ mode: "lines", files: ["value.py"] }, limits);
    expect(outcome).toBe("pass");
    const script = `import json, sys, trace
sys.path.insert(0, ${JSON.stringify(folder)})
tracer = trace.Trace(count=1, trace=0)
tracer.run("import check")
counts = tracer.results().counts
print(json.dumps(sorted(line for file, line in counts if file.endswith("value.py"))))`;
    const { stdout } = await promisify(execFile)("python3", ["-B", "-c", script]);
    expect(recorded).toEqual([{ "value.py": JSON.parse(stdout) as number[] }]);
  });

  it("keeps arguments as they were when a call began, and what it came to", async () => {
    const functions = [
      { file: "value.py", line: 4, name: "push" },
      { file: "value.py", line: 11, name: "count" },
      { file: "value.py", line: 17, name: "twice" },
      { file: "value.py", line: 24, name: "never" },
    ];
    const { recorded } = await project.record({ mode: "calls", functions }, limits);
    expect(recorded).toHaveLength(1);
    const { calls, path } = recorded[0] as { calls: Call[]; path: string[] };
    expect(path).toContain("/tmp/project");
    expect(calls.map(({ function: number, module }) => [number, module])).toEqual([
      ...[0, 0, 0, 1, 2].map((number) => [number, "value"]),
    ]);
    const script = `import base64, json, pickle, sys
sys.path.insert(0, ${JSON.stringify(folder)})
for text in json.load(sys.stdin):
    positional, named = pickle.loads(base64.b64decode(text))
    print(json.dumps([[p if type(p) in (int, str, list) else type(p).__name__ for p in positional], named]))`;
    const child = promisify(execFile)("python3", ["-B", "-c", script]);
    child.child.stdin!.end(JSON.stringify(calls.map((call) => call.arguments)));
    const values = (await child).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(values).toEqual([
      [[[], 1, 7], { key: "k", other: [] }],
      [[[1], 1, 7], { key: "k", other: [1] }],
      [[[1, 1], 3], { key: null }],
      [[3], {}],
      [["A", 4], {}],
    ]);
    const [first, , third, generator, method] = calls;
    expect(first).toMatchObject({
      lines: [5, 7, 8],
      outcome: { value: "1", after: ['["l",[1]]', "1", "7", '"k"', '["l",[1]]'] },
    });
    expect(third).toMatchObject({
      lines: [5, 6],
      outcome: { raised: "KeyError", after: ['["l",[1,1]]', "3", "null"] },
    });
    expect(generator!.outcome).toBeNull();
    expect(method!.outcome).toMatchObject({ value: "8" });
  });

  it("leaves the tests their result", async () => {
    await writeFile(join(project.snapshot, "check.py"), "import sys; sys.exit(3)");
    const { outcome, recorded } = await project.record({ mode: "calls", functions: [] }, limits);
    expect(outcome).toBe("fail");
    expect(recorded).toMatchObject([{ calls: [] }]);
  });
});
