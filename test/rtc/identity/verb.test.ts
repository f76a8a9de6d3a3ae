import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rtcVerb } from "../../../src/cli/rtc.ts";
import { printed } from "../../cli/printed.ts";

const chain = {
  task_id: "H/1",
  NL_0: 'def size(text):\n    """Length of the text."""\n',
  function_name: "size",
  function_signature: "def size(text):\n",
  contract: "\n    assert type(text) == str # $_CONTRACT_$\n",
  tests: [
    { input: "'ab'", output: "2" },
    { input: "''", output: "0" },
    { input: "3", output: "None" },
  ],
  atol: 0,
  PL_0: "    return len(text)",
  PL_0_results: ["Passed", "Passed", "TypeError: object of type 'int' has no len()"],
  NL_1: '    """Count the characters."""',
  PL_1: "def func(text):\n    return len(text) or None",
  PL_1_results: ["Passed", "Passed", "TypeError: object of type 'int' has no len()"],
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "identity-verb-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await rm(folder, { recursive: true });
});

async function identity(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const out = printed();
  const verb = rtcVerb().exitOverride();
  for (const command of verb.commands) command.exitOverride();
  await verb.parseAsync(["identity", "--output", join(folder, "out"), ...args], { from: "user" });
  return out;
}

async function record(row: object): Promise<string[]> {
  const path = join(folder, "chains.jsonl");
  await writeFile(path, `${JSON.stringify(row)}\n`);
  return ["--recorded", path];
}

describe("codescore rtc identity", () => {
  it("executes a recording, tells where it differs, and how similarities agree", async () => {
    const { stdout, stderr } = await identity(...(await record(chain)), "--sims", "exact,chrf", "--workers", "1");
    const lines = stdout.split("\n").map((line) => line.split(/\s{2,}/));
    expect(stdout).toContain("Pass@1 0.000 (-)");
    // The answers agree on one of the two inputs that the contract allows. Both programs fail a test.
    expect(lines.find(([step]) => step === "1")).toEqual(["1", "0.000", "-", "0.000", "-", "0.500", "-", "1.000", "-"]);
    expect(lines.find(([sim]) => sim === "exact")?.slice(0, 2)).toEqual(["exact", "0.000"]);
    expect(stdout).toContain("same decision");
    expect(stderr).toContain("not counted: 1 input outside a problem's contract");
    expect(stderr).toContain("5 of 6 test results equal the recorded ones");
    expect(stderr).not.toContain("earlier run");
    const rows = (await readFile(join(folder, "out", "steps.jsonl"), "utf8")).trim().split("\n");
    expect(rows.map((row) => JSON.parse(row) as object)).toMatchObject([
      { step: 0, candidate: "def size(text):\n    return len(text)\n", differences: [], tom: null },
      {
        step: 1,
        candidate: "def size(text):\n    return len(text) or None\n",
        answers: ["2", "None", "TypeError: object of type 'int' has no len()"],
        differences: [{ test: 1, recorded: "Passed", here: "AssertionError: outputs None" }],
      },
    ]);
  });

  it("says that a report in its folder is of an earlier run, and keeps it", async () => {
    const args = [...(await record(chain)), "--sims", "exact", "--workers", "1"];
    await mkdir(join(folder, "out"));
    await writeFile(join(folder, "out", "report.html"), "old");
    expect((await identity(...args)).stderr).toContain("report.html is from an earlier run");
    expect(await readFile(join(folder, "out", "report.html"), "utf8")).toBe("old");
  });

  it("compares descriptions with those before, as metrics of PL to NL do", async () => {
    const args = ["--sims", "exact", "--description-sims", "rouge-l,exact", "--workers", "1"];
    const { stdout } = await identity(...(await record(chain)), ...args);
    const lines = stdout.split("\n").map((line) => line.split(/\s{2,}/));
    const from = lines.findIndex(([name]) => name === "descriptions");
    // "Length of the text." and "Count the characters." share one word of four and of three: 2 / 7.
    expect(lines.slice(from + 1, from + 3).map((line) => line.slice(0, 2))).toEqual([
      ["rouge-l", "0.286"],
      ["exact", "0.000"],
    ]);
    const rows = (await readFile(join(folder, "out", "steps.jsonl"), "utf8")).trim().split("\n");
    expect(JSON.parse(rows[1]!)).toMatchObject({ sims: { exact: 0 }, description_sims: { exact: 0 } });
    await rtcVerb().parseAsync(["report", join(folder, "out")], { from: "user" });
    expect(await readFile(join(folder, "out", "report.html"), "utf8")).toContain("Metrics of descriptions");
    await expect(identity(...(await record(chain)), "--description-sims", "codescore")).rejects.toThrow(
      "expected --description-sims out of exact, bleu,",
    );
  });

  it("names the problems whose answers a recording lacks", async () => {
    const problem = { prompt: 'def f(x):\n    """Doubles x."""\n', canonical_solution: "    return 2 * x\n" };
    const test = "def check(c):\n    assert c(1) == 2\n";
    const problems = [1, 2, 3].map((i) => JSON.stringify({ task_id: `t/${i}`, entry_point: "f", ...problem, test }));
    await writeFile(join(folder, "problems.jsonl"), problems.join("\n"));
    const said = async (row: object): Promise<string> => {
      await writeFile(join(folder, "rec.jsonl"), JSON.stringify(row));
      const flags = ["--problems", join(folder, "problems.jsonl"), "--llm", `replay:${join(folder, "rec.jsonl")}`];
      return (await identity(...flags, "--sims", "exact", "--workers", "1")).stderr;
    };
    const row = { task_id: "t/2", direction: "backward", sample: 0, text: "return 2 * x" };
    expect(await said(row)).toContain("warning: incomplete: 3 of 3 chains (t/1, t/2, t/3)\n");
    expect(process.exitCode).toBe(1);
    await expect(said({ ...row, task_id: "t/4" })).rejects.toThrow(
      "no chain could start: the recording has no program of step 0 of the 3 problems (t/1, t/2, t/3)",
    );
  });

  it("compares a program without tests that comes back as it went on inputs made up, and says so", async () => {
    const same = {
      ...chain,
      tests: [],
      PL_0_results: [],
      PL_1_results: [],
      PL_1: "def func(text):\n    return len(text)",
    };
    const { stdout, stderr } = await identity(...(await record(same)), "--sims", "pass", "--workers", "1");
    const lines = stdout.split("\n").map((line) => line.split(/\s{2,}/));
    expect(lines.find(([step]) => step === "1")).toEqual(["1", "1.000", "-", "-", "-", "1.000", "-", "-", "-"]);
    expect(lines.find(([sim]) => sim === "pass")?.slice(0, 2)).toEqual(["pass", "-"]);
    for (const name of ["SC", "SSC", "TOM", "P/F match"]) expect(stdout).toMatch(new RegExp(`^${name}: .* the s`, "m"));
    expect(stderr).toContain("not in Pass@1, SSC and P/F match because no test can run: 1 chain");
    expect(stderr).toContain("no test has an input in 1 chain: SC and TOM use generated inputs");
    expect(stderr).toContain("pass has no verdict on 1 problem: H/1: the problem has no test cases");
    expect(process.exitCode).toBe(1);
  });

  it.each<[object, string]>([
    [{ ...chain, PL_1_results: ["Passed"] }, "chains.jsonl:1: expected `PL_1_results` to be 3 texts, one per test"],
    [{ ...chain, tests: [{ input: 1 }] }, "chains.jsonl:1: expected test 0 to have texts `input` and `output`"],
    [{ ...chain, atol: null }, "chains.jsonl:1: expected a list `tests` and a number `atol`"],
    [{ ...chain, function_signature: "x = 1\n" }, "chains.jsonl:1: `function_signature`: the reference"],
  ])("refuses a recording of another shape (%#)", async (row, message) => {
    await expect(identity(...(await record(row)), "--sims", "exact")).rejects.toThrow(message);
  });

  it.each<[string[], string]>([
    [[], "expected either --problems and --llm, or --recorded"],
    [["--problems", "p.jsonl"], "expected either --problems and --llm, or --recorded"],
    [
      ["--recorded", "x", "--problems", "p", "--llm", "replay:r"],
      "expected either --problems and --llm, or --recorded",
    ],
    [
      ["--recorded", "x", "--sims", "rouge"],
      "unknown similarity `rouge`; expected one of codescore, behaviour, pass, calls, hybrid,",
    ],
    [["--recorded", "x", "--unsure", "0.8,0.2"], "Expected two scores such as 0.2,0.8, the lower first"],
  ])("refuses %j", async (args, message) => {
    await expect(identity(...args)).rejects.toThrow(message);
  });
});
