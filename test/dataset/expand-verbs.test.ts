/** `expand --llm` with a local server, and `reduce`, from the command line. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { reduceVerb } from "../../src/cli/datasets/reduce.ts";
import { expandVerb } from "../../src/cli/expand.ts";
import { readProblems } from "../../src/problems/index.ts";
import type { TestCase } from "../../src/types.ts";
import { sandboxes } from "../execute/open.ts";
import { tempFolder, writeRows } from "../problems/helpers.ts";
import { startStub } from "../rtc/stub.ts";

const row = {
  task_id: "A",
  description: "Double it.",
  entry_point: "f",
  references: ["def f(n):\n    if n < 0:\n        return -f(-n)\n    return 2 * n"],
  tests: ["assert f(1) == 2", "assert f(4) == 8"],
};

const argsOf = (test: TestCase): string => (test.kind === "call" ? test.args : "");

async function run(verb: Command, args: readonly string[]): Promise<string> {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
  await verb.exitOverride().parseAsync([...args, "--sandbox", sandboxes[0]!, "--workers", "1"], { from: "user" });
  return written.mock.calls.map(([text]) => text).join("");
}

describe("codescore expand --llm", () => {
  it("asks the server for a contract and for inputs, and says what its answers were worth", async () => {
    const contract = "assert n >= 0\nassert n < 4\nassert n in";
    const stub = await startStub(({ body }) => ({
      texts: [
        JSON.stringify(body).includes("assert") && !JSON.stringify(body).includes("Valid inputs satisfy")
          ? `\`\`\`python\n${contract}\n\`\`\``
          : "```python\nf(123456)\nf(-3)\nf(n)\n```",
      ],
    }));
    onTestFinished(() => stub.close());
    vi.stubEnv("OPENAI_BASE_URL", stub.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const out = join(tempFolder(), "expanded.jsonl");
    const said = await run(expandVerb(), [
      "--problems",
      writeRows([row]),
      "--output",
      out,
      "--count",
      "12",
      "--llm",
      "m",
    ]);
    expect(said).toContain("m proposed 2 inputs, 1 of them kept, and 1 line without one");
    expect(said).toContain("m wrote contracts for 1 problem; 2 asserts left out, because given inputs break them");
    expect(stub.requests.map(({ body }) => body.model)).toEqual(["m", "m"]);
    const expanded = (await readProblems([out])).get("A");
    expect(expanded?.contract).toBe("assert n >= 0");
    expect(expanded?.tests[2]).toMatchObject({ args: "123456", expected: "246912" });
    expect(expanded?.tests.map(argsOf).filter((args) => args.includes("-"))).toEqual([]);
    expect(JSON.parse(readFileSync(`${out}.manifest.json`, "utf8")).llm).toMatchObject({ model: "m", kept: 1 });
  });
});

describe("codescore expand of defective problems", () => {
  const expand = (rows: readonly object[], ...more: string[]): Promise<string> => {
    const out = join(tempFolder(), "out.jsonl");
    return run(expandVerb(), ["--problems", writeRows(rows), "--output", out, "--count", "12", ...more]);
  };
  const wrong = "def f(n):\n    return n * n + 1";

  it("says of which problems the only reference does not pass the given tests, whatever it does instead", async () => {
    const references = {
      wrong,
      raises: "def f(n):\n    return [2][n - 1]",
      endless: "def f(n):\n    while n > 1:\n        pass\n    return 2",
      random: "import random\ndef f(n):\n    return 2 if n == 1 else random.random()",
      broken: "def f(n)\n    return 2",
    };
    const defective = Object.entries(references).map(([id, one]) => ({ ...row, task_id: id, references: [one] }));
    const said = await expand([row, ...defective], "--candidate-cpu", "2");
    expect(said).toContain("6 problems, 10 tests added");
    const named = Object.keys(references).sort().join(", ");
    expect(said).toMatch(new RegExp(`^warning: no reference passes the given tests.*\\(5\\): ${named}$`, "m"));
  });

  it("says how many tests a problem has that has fewer than requested, and what became of the other inputs", async () => {
    const narrow = "def f(n):\n    if n not in (1, 3, 4):\n        raise ValueError\n    return 2 * n";
    const said = await expand([
      { ...row, task_id: "N", references: [narrow] },
      { ...row, task_id: "W", references: [wrong] },
    ]);
    expect(said).toMatch(
      /^fewer tests than requested: N has 3 \(other inputs: \d+ make a reference fail\)$/m, // W has a line of its own
    );
  });

  it("says what else is wrong with a problem", async () => {
    const small = "def f(n):\n    return 2 * n if n < 5 else 0";
    const said = await expand([
      { ...row, task_id: "B", references: [wrong, ...row.references] },
      { ...row, task_id: "C", tests: ["assert f(1) ==== 2"] },
      { ...row, task_id: "D", references: [...row.references, small] },
    ]);
    expect(said.match(/^warning: .*$/gm)).toEqual([
      "warning: references that fail tests of their problem (1): B",
      "warning: given tests that cannot be run (1): C",
      "warning: references disagree on some input (1): D",
    ]);
  });
});

describe("codescore datasets reduce", () => {
  it("makes mutants of the reference and keeps what they and the branches need", async () => {
    const tests = ["1", "2", "3", "4", "-1", "-2"].map((n) => `assert f(${n}) == ${2 * Number(n)}`);
    const out = join(tempFolder(), "mini.jsonl");
    const from = writeRows([{ ...row, tests }]);
    const said = await run(reduceVerb(), ["--problems", from, "--output", out, "--by", "coverage,mutants"]);
    const { total, by } = JSON.parse(readFileSync(`${out}.report.json`, "utf8"));
    expect(by).toEqual(["coverage", "mutants"]);
    expect(total.mutants.all).toBeGreaterThan(10);
    expect(total.mutants.kept).toBe(total.mutants.all);
    expect(total.coverage.kept).toBe(total.coverage.all);
    const { tests: kept } = (await readProblems([out])).get("A")!;
    expect(kept.length).toBeLessThan(6);
    expect(kept.some((test) => test.kind === "assert" && test.code.includes("-"))).toBe(true);
    expect(said).toContain(`${kept.length} of 6 tests`);
  });

  it("leaves a problem as it is whose reference fails a test, and takes nothing from a reference that another one corrects", async () => {
    const tests = ["1", "2", "3"].map((n) => `assert f(${n}) == ${2 * Number(n)}`);
    const check = `def check(candidate):\n    ${tests.join("\n    ").replaceAll("f(", "candidate(")}\n`;
    const wrong = "def f(n):\n    return 2 * n if n != 3 else 7";
    const rows = [
      { ...row, task_id: "wrong", references: [wrong], tests },
      { ...row, task_id: "check", references: [wrong], tests: [check] },
      { ...row, task_id: "two", references: [wrong, ...row.references], tests: [check] },
    ];
    const out = join(tempFolder(), "mini.jsonl");
    const from = writeRows(rows);
    const said = await run(reduceVerb(), ["--problems", from, "--output", out, "--by", "mutants"]);
    expect(said).toMatch(/^warning: no reference passes the given tests.*\(2\): check, wrong$/m);
    const [before, after] = [await readProblems([from]), await readProblems([out])];
    for (const id of ["wrong", "check"]) expect(after.get(id)).toEqual(before.get(id));
    const { references, tests: kept } = after.get("two")!;
    expect(references).toEqual(rows[2]!.references);
    for (const test of kept) expect(test).toMatchObject({ kind: "call", expected: `${2 * Number(argsOf(test))}` });
    const { defects } = JSON.parse(readFileSync(`${out}.manifest.json`, "utf8"));
    expect(defects).toEqual({ "no-passing-reference": ["check", "wrong"], "failing-reference": ["two"] });
  });

  it.each([
    [["--by", "speed"], "Expected some of coverage, mutants, samples, got `speed`"],
    [["--by", "samples"], "--by samples needs --samples"],
  ])("refuses %j", async (args, message) => {
    const verb = reduceVerb().configureOutput({ writeErr: () => {} });
    const paths = ["--problems", writeRows([row]), "--output", join(tempFolder(), "mini.jsonl")];
    await expect(verb.exitOverride().parseAsync([...paths, ...args], { from: "user" })).rejects.toThrow(message);
  });
});
