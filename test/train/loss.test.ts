/**
 * The losses beyond those of the paper, compared with PyTorch's (scripts/record/optimisation.py), and the effect of a row's weight.
 * fixture.test.ts tests the paper's losses.
 */
import { readFileSync } from "node:fs";
import * as tf from "@tensorflow/tfjs";
import { describe, expect, it } from "vitest";
import type { Example } from "../../src/train/examples.ts";
import {
  execLoss,
  formatLoss,
  passesMore,
  passRatioLoss,
  preferenceLoss,
  preferencesIn,
  smooth,
  survivesMutation,
} from "../../src/train/loss.ts";

type Output = Parameters<typeof formatLoss>[0];
const {
  rows,
  smoothing,
  margin,
  losses: recorded,
} = JSON.parse(readFileSync(new URL("../fixtures/optimisation.json", import.meta.url), "utf8"));
const output = (scores: number[], execs: number[]): Output =>
  ({ scoreLogit: tf.tensor1d(scores), execLogit: tf.tensor1d(execs) }) as unknown as Output;
const targets = (epsilon: number) => ({
  passRatio: tf.tensor1d(rows.pass_ratio),
  executable: tf.tensor1d(rows.executable.map((label: number) => smooth(label, epsilon))),
  weight: tf.tensor1d(rows.weight),
});
const examples: Example[] = rows.task.map((taskId: string, i: number) => ({
  taskId,
  sampleId: `${i}`,
  kind: "llm",
  passRatio: rows.pass_ratio[i],
  executable: rows.executable[i],
  weight: rows.weight[i],
  ids: {},
}));

describe("the losses", () => {
  it("are PyTorch's soft cross-entropy, and its cross-entropy with smoothed labels", () => {
    const out = output(rows.score_logit, rows.exec_logit);
    expect(passRatioLoss(out, targets(0), "bce").arraySync()).toBeCloseTo(recorded.bce, 5);
    expect(execLoss(out, targets(smoothing)).arraySync()).toBeCloseTo(recorded.smoothed_exec, 5);
    expect(smooth(0.3, 0)).toBe(0.3);
  });

  it("rank the pairs that RankNet in PyTorch ranks, with its gradient", () => {
    const { counts, pairs } = preferencesIn(examples, passesMore(margin));
    const held = [...counts].flatMap((count, k) => (count > 0 ? [[Math.floor(k / 6), k % 6]] : []));
    expect(held).toEqual(recorded.pairs);
    expect(pairs).toBe(recorded.pairs.length);
    const mean = tf.tensor2d(
      counts.map((count) => count / pairs),
      [6, 6],
    );
    const loss = (scoreLogit: tf.Tensor): tf.Scalar => preferenceLoss({ scoreLogit } as Output, mean);
    const { value, grad } = tf.valueAndGrad(loss)(tf.tensor1d(rows.score_logit));
    expect(value.arraySync()).toBeCloseTo(recorded.ranking, 5);
    (grad.arraySync() as number[]).forEach((ours, i) => {
      expect(ours).toBeCloseTo(recorded.ranking_gradient[i], 5);
    });
  });

  it("prefer a rewrite to the mutants of its problem that pass less, and to nothing else", () => {
    const make = (kind: Example["kind"], passRatio: number, taskId = "a"): Example =>
      ({ ...examples[0]!, kind, passRatio, taskId, weight: 1 }) satisfies Example;
    const batch = [
      make("rewrite", 1),
      make("mutant", 0.2),
      make("mutant", 1),
      make("llm", 0),
      make("mutant", 0, "b"),
      make("reference", 1),
    ];
    const { counts, pairs } = preferencesIn(batch, survivesMutation);
    expect([...counts].flatMap((count, k) => (count > 0 ? [k] : []))).toEqual([0 * batch.length + 1]);
    expect(pairs).toBe(1);
  });
});

it("counts a row of weight w as w rows", () => {
  const loss = (rows: readonly (readonly [number, number, number, number])[], weights: readonly number[]): number => {
    const column = (k: number): tf.Tensor1D => tf.tensor1d(rows.map((row) => row[k] as number));
    const output = { scoreLogit: column(0), execLogit: column(1) } as unknown as Output;
    const targets = { passRatio: column(2), executable: column(3), weight: tf.tensor1d([...weights]) };
    return formatLoss(output, targets).arraySync() * rows.length;
  };
  const a = [0.3, -1.2, 0.8, 1] as const;
  const b = [-2.1, 0.4, 0.1, 0] as const;
  expect(loss([a, b], [3, 1])).toBeCloseTo(loss([a, a, a, b], [1, 1, 1, 1]), 5);
  expect(loss([a, b], [0, 1])).toBeCloseTo(loss([b], [1]), 6);
  expect(loss([a, b], [0.5, 0.25])).toBeCloseTo(0.5 * loss([a], [1]) + 0.25 * loss([b], [1]), 6);
});
