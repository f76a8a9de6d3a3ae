import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type BehaviourRow,
  fitJoined,
  observeBehaviour,
  passRatiosByGroup,
} from "../../../src/evaluate/fit/behaviour.ts";
import { type Executor, openExecutor } from "../../../src/execute/index.ts";
import { Joined } from "../../../src/score/joined.ts";
import type { LabelledRow } from "../../../src/types.ts";
import { Random } from "../../../src/util/random.ts";
import { labelledRow } from "../rows.ts";

let executor: Executor;
beforeAll(async () => {
  executor = await openExecutor({ workers: 2 });
});
afterAll(() => executor.close());

const row = (task_id: string, candidate: string, pass_ratio: number | null): LabelledRow =>
  labelledRow({
    task_id,
    candidate,
    reference: "def f(x):\n    return x + x\n",
    description: "Twice a number.\n>>> f(2)\n4\n",
    pass_ratio,
    executable: pass_ratio === null ? null : 1,
  });

describe("observing labelled programs", () => {
  it("runs the programs of a task together, once for each number of inputs, and leaves out those without a label", async () => {
    const rows = [
      row("a", "def f(x):\n    return 2 * x\n", 1),
      row("a", "def f(x):\n    return x * x\n", 0.2),
      row("a", "def f(x):\n    return 4\n", null),
    ];
    const found = await observeBehaviour(rows, { executor, text: null, format: "ref+nl", counts: [0, 5, 20], seed: 0 });
    expect(found.map(({ shown }) => [shown.evidence.inputs, shown.evidence.agree === 1, shown.text === null])).toEqual([
      [0, false, false],
      [0, false, false],
      [5, true, false],
      [5, false, false],
      [20, true, true],
      [20, false, true],
    ]);
    expect(found[0]!.shown.evidence.examples).toEqual({ passed: 1, total: 1 });
    expect(found.map(({ passRatio }) => passRatio)).toEqual([1, 0.2, 1, 0.2, 1, 0.2]);
  });
});

describe("fitting", () => {
  /** Rows whose PassRatio is close to the agreement, or to what examples and samples show. */
  function rows(count: number, hasText: boolean): BehaviourRow[] {
    const random = new Random(hasText ? 1 : 2);
    return Array.from({ length: count }, (_, i) => {
      const truth = random.chance(0.4) ? 1 : random.float();
      const near = (): number => Math.min(1, Math.max(0, truth + (truth === 1 ? 0 : 0.1 * (random.float() - 0.5))));
      const isReference = i % 2 === 0;
      const evidence = {
        agree: isReference ? near() : null,
        usual: null,
        inputs: i % 3 === 0 ? 5 : i % 3 === 1 ? 10 : 40,
        answered: 1,
        examples: { passed: Math.round(4 * near()), total: 4 },
        samples: near(),
        cluster: null,
        greatest: null,
        variety: 0.5,
      };
      const candidates = i % 5 === 0 ? 2 : 20;
      return {
        problem: `p${Math.floor(i / 10)}`,
        shown: {
          evidence,
          about: { candidates, killed: 1 },
          text: hasText && (evidence.inputs < 20 || candidates < 5) ? { score: near(), exec: 1 } : null,
        },
        passRatio: truth,
        executable: 1 as const,
        weight: 1,
      };
    });
  }

  it("finds scores near the truth, and intervals that hold it as often as they say", () => {
    const file = fitJoined(rows(700, false), rows(700, true));
    const joined = new Joined("test", file);
    const fresh = rows(1000, true).map(({ shown, passRatio }) => ({ ...joined.join(shown), passRatio }));
    const held = fresh.filter(({ low, high, passRatio }) => low - 1e-9 <= passRatio && passRatio <= high + 1e-9).length;
    expect(held / fresh.length).toBeGreaterThan(0.87);
    const error = fresh.reduce((sum, { score, passRatio }) => sum + Math.abs(score - passRatio), 0) / fresh.length;
    expect(error).toBeLessThan(0.08);
    expect(file.text.inputs).toBeGreaterThan(1); // here texts are as good as inputs
  });

  it("learns intervals from programs of models that Python can compile", () => {
    const own = rows(600, false);
    const others = own.map((row): BehaviourRow => ({ ...row, passRatio: 0 }));
    const mutants = others.map((row) => ({ ...row, weight: 0.5 }));
    const broken = others.map((row) => ({ ...row, shown: { ...row.shown, isBroken: true } }));
    expect(passRatiosByGroup([...own, ...mutants, ...broken])).toEqual(passRatiosByGroup(own));
    expect(passRatiosByGroup(own)["examples and inputs"]).not.toEqual(passRatiosByGroup(others)["examples and inputs"]);
  });

  it("allows intervals without a reference eight tenths of the misses", () => {
    const fitted = rows(3000, false);
    const joined = new Joined("test", fitJoined(fitted, rows(300, true)), { coverage: 0.5 });
    const missed = (hasReference: boolean): number => {
      const own = fitted.filter(
        ({ shown: { evidence, text } }) => text === null && (evidence.agree !== null) === hasReference,
      );
      const outside = own.filter(({ shown, passRatio }) => {
        const { low, high } = joined.join(shown);
        return passRatio < low || passRatio > high;
      });
      return outside.length / own.length;
    };
    expect(missed(true)).toBeGreaterThan(0.35);
    expect(missed(true)).toBeLessThan(0.5);
    expect(missed(false)).toBeGreaterThan(0.37);
    expect(missed(false)).toBeLessThan(0.43);
  });
});
