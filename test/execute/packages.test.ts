/** Programs that use the packages of an environment, in bubblewrap and Landlock. */
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Executor, openExecutor } from "../../src/execute/index.ts";
import type { Problem } from "../../src/types.ts";
import { bwrapWorks, landlockWorks, open, problem } from "./open.ts";
import { environment } from "./packages.ts";

describe("--python", () => {
  it.each(["wasm"] as const)("is refused in %s", async (sandbox) => {
    await expect(openExecutor({ sandbox, python: "/usr/bin/python3" })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("sandbox `wasm` has its own Python"),
    });
  });

  it.skipIf(!bwrapWorks).each([
    ["/no/such/python", "got `/no/such/python`"],
    ["/bin/true", "got `/bin/true`"],
  ])("refuses %s", async (python, message) => {
    await expect(openExecutor({ sandbox: "bwrap", python })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(message),
    });
  });
});

const usable = [...(bwrapWorks ? (["bwrap"] as const) : []), ...(landlockWorks ? (["landlock"] as const) : [])];

const outcomesBy = async (executor: Executor, task: Problem, code: string): Promise<string[]> =>
  (await executor.execute(task, code)).verdicts.map(({ outcome, errorType }) =>
    errorType ? `${outcome}:${errorType}` : outcome,
  );

describe.skipIf(environment === null).each(usable)("programs with packages in %s", { timeout: 120_000 }, (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await open(sandbox, { python: environment! });
  });
  afterAll(() => executor.close());

  const outcomes = (task: Problem, code: string): Promise<string[]> => outcomesBy(executor, task, code);

  it("are named by their versions, and their modules can be imported", async () => {
    expect(executor.packages).toEqual(expect.arrayContaining([expect.stringMatching(/^numpy==\d/)]));
    expect(await executor.modules()).toEqual(expect.arrayContaining(["math", "numpy", "pandas"]));
  });

  it("cannot change them, and see nothing else of this machine", async () => {
    const code = `import os, numpy
def f(what):
    folder = os.path.dirname(numpy.__file__)
    if what == "write":
        with open(os.path.join(folder, "__init__.py"), "a") as file:
            file.write("x = 1")
    if what == "new":
        open(os.path.join(folder, "new.py"), "w").close()
    return os.listdir(what)`;
    const tests = [
      ["'write'", "0"],
      ["'new'", "0"],
      [`${JSON.stringify(dirname(environment!))}`, "0"],
    ] as const;
    expect(await outcomes(problem("f", [...tests]), code)).toEqual(
      // In bubblewrap a read-only file system and a missing path; in Landlock a rule refuses both.
      sandbox === "bwrap"
        ? ["error:OSError", "error:OSError", "error:FileNotFoundError"]
        : ["error:PermissionError", "error:PermissionError", "error:PermissionError"],
    );
  });

  it("have threads, temporary files and caches, and memory beside what was imported for them", async () => {
    const code = `import concurrent.futures, os, tempfile
import matplotlib.pyplot as plt
import numpy as np
def f(what):
    if what == "threads":
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            return sum(pool.map(lambda n: int(np.ones((200, 200)).dot(np.ones(200)).sum() > 0), range(8)))
    if what == "files":
        path = os.path.join(tempfile.mkdtemp(), "figure.png")
        plt.plot([1, 2])
        plt.savefig(path)
        return os.path.getsize(path) > 1000
    return len(np.ones(700 << 17)) // (700 << 17)`;
    const tests = [
      ["'threads'", "8"],
      ["'files'", "True"],
      ["'memory'", "1"],
    ] as const;
    expect(await outcomes(problem("f", [...tests], { references: [code] }), code)).toEqual(["pass", "pass", "pass"]);
  });

  it("never share a process", async () => {
    const task = problem("f", ["assert f() == 1"]);
    const programs = Array.from(
      { length: 6 },
      (_, i) => `import numpy as np\nnp.seen = getattr(np, "seen", 0) + 1\n# ${i}\ndef f():\n    return np.seen`,
    );
    expect((await Promise.all(programs.map((code) => outcomes(task, code)))).flat()).toEqual(
      programs.map(() => "pass"),
    );
  });
});

// What is the same Python's work in any sandbox runs in one.
describe.skipIf(environment === null).each(usable.slice(0, 1))(
  "packages, judged in %s",
  { timeout: 120_000 },
  (sandbox) => {
    let executor: Executor;
    let alone: Executor;
    let strict: Executor;
    beforeAll(async () => {
      executor = await open(sandbox, { python: environment! });
      alone = await open(sandbox, { python: environment!, isolate: true });
      strict = await open(sandbox, { python: environment!, limits: { strictTypes: true } });
    });
    afterAll(() => Promise.all([executor, alone, strict].map((one) => one.close())));

    const outcomes = (task: Problem, code: string, by = executor): Promise<string[]> => outcomesBy(by, task, code);

    const sums = "import numpy as np\nimport pandas as pd\n";
    const frame = `${sums}def f(xs):\n    return pd.DataFrame({"a": np.array(xs) * 0.1, "b": ["u"] * len(xs)})`;
    /** The reference's answer, the program's answer, and whether they are equal; also with strict types. */
    it.each([
      ["an array of the same items", "np.array([1, 2])", "np.array([1, 2])", true, true],
      ["an array of another type", "np.array([1, 2])", "np.array([1.0, 2.0])", true, false],
      ["an array of another shape", "np.array([1, 2])", "np.array([[1, 2]])", false, false],
      ["an array of other items", "np.array([1, 2])", "np.array([1, 3])", false, false],
      ["a list for an array", "np.array([1, 2])", "[1, 2]", false, false],
      ["NaN where NaN is", "np.array([1, np.nan])", "np.array([1, np.nan])", true, true],
      ["an array a little off", "np.array([0.3])", "np.array([0.1 + 0.2])", false, false],
      ["texts", "np.array(['a', 'b'])", "np.array(['a', 'bb'])[:1].repeat(2)", false, false],
      ["a number of numpy", "3", "np.int64(3)", true, true],
      ["a float of numpy", "[0.5]", "[np.float64(0.5)]", true, true],
      ["a bool of numpy", "True", "np.bool_(True)", true, true],
      ["a frame a little off", "pd.DataFrame({'a': [0.3]})", "pd.DataFrame({'a': [0.1 + 0.2]})", true, true],
      ["a frame well off", "pd.DataFrame({'a': [0.3]})", "pd.DataFrame({'a': [0.3001]})", false, false],
      ["a frame of other labels", "pd.DataFrame({'a': [1]})", "pd.DataFrame({'b': [1]})", false, false],
      ["a frame of another index", "pd.DataFrame({'a': [1]})", "pd.DataFrame({'a': [1]}, index=[1])", false, false],
      ["a frame of another type", "pd.DataFrame({'a': [1]})", "pd.DataFrame({'a': [1.0]})", false, false],
      [
        "a frame of texts that look like numbers",
        "pd.DataFrame({'a': ['1']})",
        "pd.DataFrame({'a': ['1.0']})",
        false,
        false,
      ],
      [
        "a frame with an index of another kind",
        "pd.DataFrame({'a': [1]})",
        "pd.DataFrame({'a': [1]}, index=pd.Index([0]))",
        true,
        true,
      ],
      ["a series for a frame", "pd.DataFrame({'a': [1]})", "pd.Series([1], name='a')", false, false],
      ["a series of another name", "pd.Series([1], name='a')", "pd.Series([1], name='b')", false, false],
      ["categories", "pd.Series(['a'], dtype='category')", "pd.Series(['a'])", false, false],
      ["an index", "pd.Index([1, 2])", "pd.RangeIndex(1, 3)", true, true],
      ["dates", "pd.Timestamp('2020-01-02')", "__import__('datetime').datetime(2020, 1, 2)", true, true],
      ["dates missing", "pd.Series([pd.NaT])", "pd.Series([pd.NaT])", true, true],
      ["frames in a dict", "{'k': pd.DataFrame({'a': [1]})}", "{'k': pd.DataFrame({'a': [1]})}", true, true],
      [
        "a figure",
        "__import__('matplotlib.pyplot').pyplot.plot([1, 2])[0].axes",
        "__import__('matplotlib.pyplot').pyplot.plot([1.0, 2.0])[0].axes",
        true,
        true,
      ],
      [
        "a figure of other lines",
        "__import__('matplotlib.pyplot').pyplot.plot([1, 2])[0].axes",
        "__import__('matplotlib.pyplot').pyplot.plot([1, 3])[0].axes",
        false,
        false,
      ],
      ["objects whose state nothing tells", "np.random.default_rng(1)", "np.random.default_rng(1)", null, null],
    ])("answers: %s", async (_what, expected, got, equal, strictly) => {
      const program = (value: string) => `${sums}def f():\n    return ${value}`;
      const task = problem("f", [["", null]], { references: [program(expected)] });
      if (equal === null) {
        expect((await executor.execute(task, program(got))).status).toBe("no_label");
        return;
      }
      expect(await outcomes(task, program(got))).toEqual([equal ? "pass" : "fail"]);
      expect(await outcomes(task, program(got), strict)).toEqual([strictly ? "pass" : "fail"]);
    });

    const asserts = [
      `${sums}assert f([1, 2]).shape == (2, 2)`,
      `${sums}pd.testing.assert_frame_equal(f([1]), pd.DataFrame({"a": [0.1], "b": ["u"]}))`,
      `${sums}np.testing.assert_allclose(f([3])["a"], [0.3])`,
      `${sums}assert f([1]).equals(f([1]))`,
    ];

    it("are judged by the library's own functions, outside of their process", async () => {
      const task = problem("f", asserts, { references: [frame] });
      expect((await executor.execute(task, frame)).verdicts).toEqual(
        asserts.map((_, i) => ({ testId: `${i}`, outcome: "pass" })),
      );
      const wrong = frame.replace("* 0.1", "* 0.2");
      expect(await outcomes(task, wrong)).toEqual(["pass", "fail", "fail", "pass"]);
      const forged = `class DataFrame:\n    shape = (2, 2)\n    def __getattr__(self, name):\n        return lambda *_: True\nDataFrame.__module__ = "pandas.core.frame"\ndef f(xs):\n    return DataFrame()`;
      expect(await outcomes(task, forged)).toEqual(["fail", "fail", "fail", "fail"]);
    });

    it("have the verdicts of a fresh interpreter, though packages are imported before them", async () => {
      const task = problem("f", ["assert f(2) == 2"]);
      const programs = [
        `import pandas as pd\ndef f(n):\n    return len(pd.DataFrame({"a": range(n)}))`,
        "def f(n):\n    return np.int64(n)",
        "import numpy\ndef f(n):\n    return pd.Series([n])[0]",
        "from scipy_is_not_a_name import x\ndef f(n):\n    return n",
        "import numpy as np\nnp.sum = None\ndef f(n):\n    return n",
        "import numpy as np\ndef f(n):\n    return int(np.sum([n]))",
        "import sys\ndef f(n):\n    return n if 'pandas' in vars() else 0",
        "import matplotlib\nmatplotlib.rcParams['font.size'] = 3\ndef f(n):\n    return n",
        "import matplotlib\ndef f(n):\n    return n if matplotlib.rcParams['font.size'] == 10 else 0",
      ];
      const together = await Promise.all(programs.map((code) => outcomes(task, code)));
      expect(together).toEqual(await Promise.all(programs.map((code) => outcomes(task, code, alone))));
      expect(together.flat()).toEqual([
        "pass",
        "error:NameError",
        "error:NameError",
        "error:ModuleNotFoundError",
        "pass",
        "pass",
        "fail",
        "pass",
        "pass",
      ]);
    });

    it("find numpy's random numbers in one state, as Python's own", async () => {
      const task = problem("f", [["", null]], {
        references: ["import numpy as np\ndef f():\n    return np.random.rand()"],
      });
      for (const by of [executor, alone]) expect(await outcomes(task, task.references[0]!, by)).toEqual(["pass"]);
    });
  },
);

it.skipIf(!bwrapWorks)(
  "objects of C whose state nothing tells are equal to nothing, others by what they hold",
  async () => {
    const executor = await open("bwrap");
    const program = (value: string) =>
      `import array, re, datetime, functools\nclass D(datetime.date): pass\ndef f():\n    return ${value}`;
    const same = async (expected: string, got: string): Promise<string> => {
      const task = problem("f", [["", null]], { references: [program(expected)] });
      const { status, passRatio } = await executor.execute(task, program(got));
      return status === "ok" ? `${passRatio}` : status;
    };
    try {
      expect(await same("array.array('i', [1, 2])", "array.array('i', [1, 2])")).toBe("1");
      expect(await same("array.array('i', [1, 2])", "array.array('i', [3])")).toBe("0");
      expect(await same("re.compile('a')", "re.compile('b')")).toBe("0");
      expect(await same("re.match('a', 'a')", "re.match('b', 'b')")).toBe("no_label");
      expect(await same("D(2020, 1, 1)", "D(2021, 1, 1)")).toBe("no_label");
      expect(await same("functools.partial(max, 1)", "functools.partial(min, 2)")).toBe("no_label");
    } finally {
      await executor.close();
    }
  },
);
