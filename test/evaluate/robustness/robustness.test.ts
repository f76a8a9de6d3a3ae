import { describe, expect, it } from "vitest";
import {
  describeRobustness,
  makeRobustnessSet,
  type RobustnessRow,
  type RobustnessSet,
  robustness,
  robustnessTables,
  toJson,
} from "../../../src/evaluate/index.ts";
import type { Executor } from "../../../src/execute/index.ts";
import { modelCard } from "../../../src/export/card.ts";
import { configOfSize, initialise } from "../../../src/model/index.ts";
import { renderTables } from "../../../src/report/index.ts";
import type { Execution, Outcome, Problem } from "../../../src/types.ts";
import { columnOf, labelledRow } from "../rows.ts";

const row = (task_id: string, effect: RobustnessRow["effect"], kind: string, pass_ratio = 1): RobustnessRow => ({
  ...labelledRow({ task_id, pass_ratio }),
  effect,
  kind,
});

const set: RobustnessSet = {
  rows: [
    row("a", "original", "original"),
    row("a", "harmless", "renaming"),
    row("a", "harmless", "comments"),
    row("a", "harmful", "name", 0.5),
    row("a", "harmful", "name", 0),
    row("b", "original", "original"),
    row("b", "harmless", "renaming"),
    row("b", "harmful", "statement", 0.25),
  ],
  counts: { problems: 2, withoutOriginal: 1, changed: { renaming: 3 }, survived: 2, infra: 0 },
  settings: { variants: 2, mutants: 8, seed: 1 },
};

describe("the card", () => {
  const scores = [0.8, 0.7, 0.8, 0.75, 0.8, 0.6, 0.9, 0.2];
  const card = robustness(set, [columnOf("m", scores)]);
  const [result] = card.results as [(typeof card.results)[0]];

  it("measures the changes by hand", () => {
    expect(result.original).toBeCloseTo(0.7, 12);
    expect(result.harmless.map(({ kind, variants, problems }) => [kind, variants, problems])).toEqual([
      ["renaming", 2, 2],
      ["comments", 1, 1],
      ["all", 3, 2],
    ]);
    expect(result.harmless[0]!.meanChange.value).toBeCloseTo((0.1 + 0.3) / 2, 12);
    expect(result.harmless[2]!.meanChange.value).toBeCloseTo((0.1 + 0 + 0.3) / 3, 12);
    expect(result.harmless[2]!.p90Change.value).toBeCloseTo(0.26, 12); // numpy.quantile([0, .1, .3], .9)
    const all = result.harmful.at(-1)!;
    expect(all).toMatchObject({ kind: "all", mutants: 3, problems: 2, passRatio: 0.25 });
    expect(all.drop.value).toBeCloseTo((0.05 + 0 + 0.4) / 3, 12);
    expect(all.auc.value).toBeCloseTo((1 + 0.5 + 1) / 3, 12);
    // Variants of a: .7 and .8 against .75 and .8. Variants of b: .9 against .2.
    expect(all.disguisedAuc.value).toBeCloseTo((0.5 + 0.25 + 1) / 3, 12);
    expect(all.drop.low!).toBeGreaterThanOrEqual(0.025 - 1e-9);
    expect(all.drop.high!).toBeLessThanOrEqual(0.4 + 1e-9);
  });

  it("has no interval for one problem", () => {
    expect(result.harmless[1]!.meanChange).toEqual({ value: 0, low: null, high: null });
  });

  it("counts what has no score", () => {
    const holes = robustness(set, [columnOf("m", [0.8, null, 0.8, 0.75, 0.8, null, 0.9, 0.2])]).results[0]!;
    expect(holes.unscored).toBe(3);
    expect(holes.harmful.at(-1)!.mutants).toBe(2);
    expect(() => robustness(set, [columnOf("m", [1])])).toThrow("expected 8 scores in `m`, one per row, got 1");
  });

  it("is tables and words", () => {
    const text = renderTables(robustnessTables(card), describeRobustness(card), "text");
    expect(text).toMatch(/renaming +2 +2 +0\.200 \[0\.100, 0\.300\]/);
    expect(text).toContain(
      "left out: 1 problem without a reference that passes, 3 variants that a test distinguishes from their original, 2 mutants that no test distinguishes from their original.",
    );
  });
});

it("stands on a model's card, and nothing does without it", () => {
  const config = configOfSize("nano", 300);
  const tensors = initialise(config, 1);
  const card = robustness(set, [columnOf("m", [0.8, 0.7, 0.8, 0.75, 0.8, 0.6, 0.9, 0.2])]);
  const text = modelCard({ config, tensors, robustness: JSON.parse(toJson(card)) });
  expect(text).toContain("## Robustness\n\nCorrect programs of 2 problems, changed and executed;");
  expect(text).toContain("| renaming | 2 | 0.200 [0.100, 0.300] | ");
  expect(text).toContain("| comments | 1 | 0.000 | 0.000 |");
  expect(text).toMatch(/\| all \| 3 \| 0\.150 \[[^|]+\] \| 0\.833 \[[^|]+\] \|\n\n## Limits/);
  expect(modelCard({ config, tensors })).not.toContain("Robustness");
});

describe("the set", () => {
  const reference = "def f(xs, n):\n    total = 0\n    for x in xs:\n        total += x * n\n    return total\n";
  const problem = (id: string, references: readonly string[]): Problem => ({
    id,
    description: "Sum.",
    prompt: "",
    entryPoint: "f",
    references,
    tests: [{ id: "0", origin: "given", kind: "assert", code: "assert f([1], 2) == 2" }],
    setup: "",
    contract: "",
    source: "test",
  });

  /** "Executes" a program by a rule on its text. */
  const executor = (outcome: (code: string) => Outcome | "infra"): Executor =>
    ({
      execute: async (_: Problem, code: string): Promise<Execution> => {
        const found = outcome(code);
        const passed = Number(found === "pass");
        return {
          status: found === "infra" ? "infra" : "ok",
          verdicts: found === "infra" ? [] : [{ testId: "0", outcome: found }],
          passRatio: found === "infra" ? null : passed,
          executable: 1,
          firstError: null,
          reason: null,
        };
      },
    }) as unknown as Executor;

  it("keeps what execution bears out, and counts the rest", async () => {
    // Dead code "breaks" the program. Mutants by a statement's operator are "not found".
    const bad = /unused|debug|dummy|extra|flag/;
    const isOriginal = (code: string) => code.includes("x * n") || /\w+\s?\*\s?\w+/.test(code);
    const { rows, counts } = await makeRobustnessSet({
      problems: [problem("p", [reference]), problem("q", ["def f(:\n"])],
      executor: executor((code) => (code === "def f(:\n" || bad.test(code) || !isOriginal(code) ? "fail" : "pass")),
      variants: 2,
      mutants: 8,
    });
    expect(counts).toMatchObject({ problems: 1, withoutOriginal: 1, changed: { "dead code": 2 }, infra: 0 });
    expect(rows[0]).toMatchObject({
      effect: "original",
      candidate: reference,
      reference,
      pass_ratio: 1,
      made_by: "original",
    });
    expect(rows.some(({ kind }) => kind === "dead code")).toBe(false);
    expect(rows.filter(({ effect }) => effect === "harmless").every((one) => one.pass_ratio === 1)).toBe(true);
    const harmful = rows.filter(({ effect }) => effect === "harmful");
    expect(harmful.every((one) => one.pass_ratio === 0)).toBe(true);
    expect(harmful.length + counts.survived).toBe(8);
    expect(counts.survived).toBeGreaterThan(0);
    expect(new Set(rows.map(({ sample_id }) => sample_id)).size).toBe(rows.length);
  });

  it("takes the first reference that passes, and compares with the next that does", async () => {
    const other = "def f(xs, n):\n    return n * sum(xs)\n";
    const { rows } = await makeRobustnessSet({
      problems: [problem("p", ["def f(:\n", reference, other])],
      executor: executor((code) => (code === "def f(:\n" ? "error" : "pass")),
      variants: 1,
      mutants: 1,
    });
    expect(rows[0]).toMatchObject({ candidate: reference, reference: other });
  });

  it("counts faults of the harness, and needs one original", async () => {
    const problems = [problem("p", [reference])];
    const { counts, rows } = await makeRobustnessSet({
      problems,
      executor: executor((code) => (code === reference ? "pass" : "infra")),
    });
    expect(rows).toHaveLength(1);
    expect(counts.infra).toBeGreaterThan(10);
    await expect(makeRobustnessSet({ problems, executor: executor(() => "fail") })).rejects.toThrow(
      "none of 1 problem has a reference that passes its tests",
    );
  });
});
