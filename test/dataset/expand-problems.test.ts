import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expandProblems, label, readExamples } from "../../src/dataset/index.ts";
import { Recent } from "../../src/dataset/journal.ts";
import { Preparation } from "../../src/dataset/prepare.ts";
import type { Executor } from "../../src/execute/index.ts";
import { readProblems } from "../../src/problems/index.ts";
import { all, tempFolder, writeRows } from "../problems/helpers.ts";
import { double, first, given, int } from "./doubling.ts";
import { fakeExecutor } from "./fake.ts";

describe("expandProblems", () => {
  const rows = ["A", "B"].map((name) => ({
    task_id: name,
    description: "Double it.",
    entry_point: "f",
    references: name === "A" ? [first] : [],
    tests: given,
  }));

  it("writes problems that are read back with their new tests, and a manifest", async () => {
    const out = join(tempFolder(), "expanded.jsonl");
    const executor = fakeExecutor({ programs: { [first]: double } });
    const result = await expandProblems({ problems: [writeRows(rows)], out, executor, count: 10 });
    expect(result).toMatchObject({ problems: 2, testsAdded: 7, short: ["B"], defects: {} });
    const problems = await readProblems([out]);
    expect(problems.get("A")?.tests).toHaveLength(10);
    expect(problems.get("A")?.tests[9]).toMatchObject({ kind: "call", origin: "expanded", id: "expanded-6" });
    expect(problems.get("B")?.tests).toHaveLength(3);
    expect(JSON.parse(readFileSync(result.manifest, "utf8"))).toMatchObject({
      expand: 10,
      counts: { problems: 2, tests_added: 7 },
    });
    expect(existsSync(`${out}.journal.jsonl`)).toBe(false);
    const report = JSON.parse(readFileSync(result.report, "utf8"));
    expect(Object.keys(report)).toEqual(["A", "B"]);
    expect(report.A).toMatchObject({ given: 3, added: 7, dropped: { disagreed: 0 }, llm: null, reason: null });
    expect(report.B).toMatchObject({ added: 0, reason: "the problem has no reference" });
  });

  it("reports references that disagree as a defect of their problem, with an example", async () => {
    const [row] = rows;
    const out = join(tempFolder(), "expanded.jsonl");
    const wrong = (input: string) => (Number(input) < 0 ? int(0) : double(input));
    const executor = fakeExecutor({ programs: { [first]: double, second: wrong } });
    const problems = [writeRows([{ ...row, references: [first, "second"] }])];
    const result = await expandProblems({ problems, out, executor, count: 40 });
    expect(result.defects).toEqual({ "disagreeing-references": ["A"] });
    expect(JSON.parse(readFileSync(result.manifest, "utf8")).defects).toEqual(result.defects);
    const { A } = JSON.parse(readFileSync(result.report, "utf8"));
    expect(A.dropped.disagreed).toBeGreaterThan(0);
    expect(Number(A.disagreements[0].input.args)).toBeLessThan(0);
    expect(A.disagreements[0].answers[1]).toBe("0");
  });

  it("keeps a problem whose only reference fails a given test as it is, and says so everywhere", async () => {
    const out = join(tempFolder(), "expanded.jsonl");
    const executor = fakeExecutor({ programs: { [first]: (input) => (input === "8" ? int(7) : double(input)) } });
    const result = await expandProblems({ problems: [writeRows(rows.slice(0, 1))], out, executor, count: 20 });
    const defects = { "no-passing-reference": ["A"] };
    expect(result).toMatchObject({ testsAdded: 0, short: ["A"], defects });
    expect(JSON.parse(readFileSync(result.manifest, "utf8")).defects).toEqual(defects);
    expect(JSON.parse(readFileSync(result.report, "utf8")).A).toMatchObject({
      defects: ["no-passing-reference"],
      failingReferences: [{ reference: 0, failed: 1, tests: ["test-1"] }],
      reason: "no reference passes the given tests",
    });
    expect((await readProblems([out])).get("A")?.tests).toEqual(given);
  });

  it("asks a model for a contract and for inputs once a problem, over a kill too", async () => {
    const out = join(tempFolder(), "expanded.jsonl");
    let asked = 0;
    const model = (dies: boolean) => ({
      name: "m",
      ask: async () => {
        asked += 1;
        if (dies && asked > 2) throw new Error("killed");
        return "f(77)";
      },
    });
    const both = rows.map((row) => ({ ...row, references: [first] }));
    const problems = [writeRows(both)];
    const run = (dies: boolean) => {
      const executor = fakeExecutor({ programs: { [first]: double } });
      return expandProblems({ problems, out, executor, count: 10, llm: model(dies) });
    };
    await expect(run(true)).rejects.toThrow("killed");
    const result = await run(false);
    expect(asked).toBe(5);
    expect(result.llm).toEqual({ proposed: 2, junk: 0, kept: 2, contracts: 0, contractRefused: 0 });
  });

  it("expands again if a second executor is to confirm the answers", async () => {
    const [problem] = (await readProblems([writeRows(rows.slice(0, 1))])).values();
    const executor = fakeExecutor({ programs: { [first]: double } });
    const again = fakeExecutor({ programs: { [first]: () => int(0) } });
    const journal = new Recent();
    const prepare = async (again: Executor | null) => {
      const preparation = new Preparation({ executor, expand: 10, seed: 0, journal, again });
      return (await preparation.of(problem!)).problem.tests.length;
    };
    expect(await prepare(null)).toBe(10);
    expect(await prepare(again)).toBeLessThan(10);
  });

  it("is what `label` does with `expand`, and a killed run does not expand again", async () => {
    const problems = [writeRows(rows)];
    const samples = [
      writeRows([
        { task_id: "A", code: "+" },
        { task_id: "A", code: "++" },
      ]),
    ];
    const out = join(tempFolder(), "out.jsonl");
    const programs = { [first]: double };
    const dying = fakeExecutor({
      programs,
      verdict: (code) => {
        if (code !== first) throw new Error("killed");
        return {};
      },
    });
    await expect(label({ problems, samples, out, executor: dying, expand: 10 })).rejects.toThrow("killed");
    const executor = fakeExecutor({ programs: {} }); // it would give no answers if it were used
    const result = await label({ problems, samples, out, executor, expand: 10 });
    expect(result).toMatchObject({ testsAdded: 7, executed: 2 });
    expect([...executor.problems].map(({ tests }) => tests.length)).toEqual([10]);
    expect(await all(readExamples(out))).toHaveLength(2);
  });
});
