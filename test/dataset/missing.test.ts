/** Programs that fail because a module is missing, and programs that only claim so. The environment here has no packages. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { missingLines, statusCounts } from "../../src/cli/options/status.ts";
import { expandProblems, label, readExamples } from "../../src/dataset/index.ts";
import type { Executor } from "../../src/execute/index.ts";
import { openShared, sandboxes } from "../execute/open.ts";
import { all, tempFolder, writeRows } from "../problems/helpers.ts";

const MADE_UP = "wholly_made_up";
const problem = (name: string, more: object) => ({
  task_id: name,
  description: "",
  entry_point: "f",
  tests: ["assert f(1) == 2", "assert f(2) == 3"],
  source: "ours",
  references: ["def f(x):\n    return x + 1"],
  ...more,
});
const problems = [
  problem("plain", {}),
  problem("by-reference", { references: [`import ${MADE_UP}\ndef f(x):\n    return ${MADE_UP}.next(x)`] }),
  problem("by-test", { tests: ["import numpy as np\nassert np.isclose(f(1), 2)"] }),
  problem("by-setup", { setup: "from sklearn.utils import Bunch" }),
];
const right = "def f(x):\n    return x + 1";

/** Task, program, and the status and reason of its row. */
const cases: readonly (readonly [string, string, string, string | null])[] = [
  ["plain", `import numpy as np\n${right}`, "missing", "numpy is not in the environment"],
  [
    "plain",
    "def f(x):\n    from pandas.core import frame\n    return x + 1",
    "missing",
    "pandas is not in the environment",
  ],
  [
    "plain",
    "def f(x):\n    if x > 1:\n        import scipy\n    return x + 1",
    "missing",
    "scipy is not in the environment",
  ],
  ["plain", `try:\n    import numpy\nexcept ImportError:\n    numpy = None\n${right}`, "ok", null],
  ["plain", `import ${MADE_UP}\n${right}`, "ok", null],
  ["plain", "def f(x):\n    raise ModuleNotFoundError(\"No module named 'numpy'\")", "ok", null],
  ["plain", "def f(x):\n    # import numpy\n    raise ModuleNotFoundError(\"No module named 'numpy'\")", "ok", null],
  ["plain", `import math\ndef f(x):\n    raise ModuleNotFoundError("No module named 'math'")`, "ok", null],
  ["plain", "import json.nothing\ndef f(x):\n    return x + 1", "ok", null],
  ["plain", right, "ok", null],
  ["by-reference", `import ${MADE_UP}\n${right}`, "missing", `${MADE_UP} is not in the environment`],
  ["by-reference", right, "ok", null],
  ["by-test", right, "missing", "numpy is not in the environment"],
  ["by-setup", right, "missing", "sklearn is not in the environment"],
];

describe.each(sandboxes)("in %s", (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await openShared(sandbox);
  });

  it("a program that wants a module which is not there says so, and is counted", async () => {
    const out = join(tempFolder(), "out.jsonl");
    const samples = [writeRows(cases.map(([task_id, code]) => ({ task_id, code })))];
    const result = await label({ problems: [writeRows(problems)], samples, out, executor });
    const rows = await all(readExamples(out));
    expect(rows.map(({ status, reason }) => [status, reason])).toEqual(cases.map(([, , status, why]) => [status, why]));
    for (const [i, row] of rows.entries()) {
      if (row.status !== "missing") continue;
      expect(row.first_error).toBe("ModuleNotFoundError");
      // A candidate cannot avoid being judged. If the problem itself needs the module, nothing is known.
      const own = { pass_ratio: cases[i]![1].includes("scipy") ? 0.5 : 0, executable: 0, n_tests: 2 };
      expect(row).toMatchObject(cases[i]![0] === "plain" ? own : { pass_ratio: null, executable: null, n_tests: 0 });
    }
    // A program that only claims that a module is missing, or names one that does not exist, is a failing program.
    const wrong = rows.filter(
      ({ status, candidate }) => status === "ok" && candidate !== right && !/^try/.test(candidate),
    );
    expect(wrong.map(({ pass_ratio }) => pass_ratio)).toEqual([0, 0, 0, 0, 0]);
    const missing = { numpy: 2, pandas: 1, scipy: 1, sklearn: 1, [MADE_UP]: 1 };
    expect(result).toMatchObject({ rows: 14, labelled: 8, no_label: 0, infra: 0, missing });
    expect(JSON.parse(readFileSync(result.manifest, "utf8")).counts.missing).toEqual(missing);
    expect(statusCounts(result)).toBe("8 labelled, 0 no_label, 6 missing, 0 infra");
    expect(missingLines(result.missing)[0]).toMatch(
      /^warning: numpy missing: 2 programs, .*; use --python ENV\/bin\/python, an environment that has them$/,
    );
  });

  it("expand names the problems whose references want one", async () => {
    const out = join(tempFolder(), "expanded.jsonl");
    const { defects } = await expandProblems({ problems: [writeRows(problems)], out, executor, count: 3 });
    expect(defects).toEqual({ "missing-module": ["by-reference", "by-setup", "by-test"] });
  });
});
