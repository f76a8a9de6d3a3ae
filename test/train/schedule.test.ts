/** Learning rates over a run, compared with PyTorch's schedulers (scripts/record/optimisation.py). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { afterEvaluation, noPlateau, rateAt } from "../../src/train/schedule.ts";

const { schedules, plateau } = JSON.parse(
  readFileSync(new URL("../fixtures/optimisation.json", import.meta.url), "utf8"),
);

describe("the learning rate", () => {
  it.each(["cosine", "linear", "constant"] as const)("goes as PyTorch's: warm-up, then %s", (name) => {
    const { total, warm } = schedules;
    const rates = Array.from({ length: total }, (_, i) => rateAt(name, (i + 1) / total, warm / total));
    rates.forEach((rate, i) => {
      expect(rate).toBeCloseTo(schedules[name][i], 10);
    });
  });

  it("stays at a plateau's but for what evaluations take off", () => {
    expect([0.05, 0.1, 0.5, 1].map((at) => rateAt("plateau", at, 0.1))).toEqual([0.5, 1, 1, 1]);
  });

  it("is halved where PyTorch's ReduceLROnPlateau halves it", () => {
    let state = noPlateau;
    let best = Number.NEGATIVE_INFINITY;
    const rates = (plateau.values as (number | null)[]).map((value) => {
      const better = value !== null && value > best;
      if (better) best = value;
      state = afterEvaluation(state, better, plateau.patience);
      return state.scale;
    });
    expect(rates).toEqual(plateau.rates);
  });
});
