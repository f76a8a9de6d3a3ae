/** Options of a training step beyond the paper: several batches, frozen parameters, layer dropout, pairs. */
import { readFile } from "node:fs/promises";
import * as tf from "@tensorflow/tfjs";
import { beforeAll, describe, expect, it } from "vitest";
import { configOfSize, initialise, network } from "../../src/model/index.ts";
import { AdamW } from "../../src/train/adamw.ts";
import { parametersOnDevice } from "../../src/train/checkpoint.ts";
import { evaluateOnDev, measure } from "../../src/train/develop.ts";
import { openDevice } from "../../src/train/engine/device.ts";
import { tfOps } from "../../src/train/engine/tf-ops.ts";
import { type Example, epochBatches } from "../../src/train/examples.ts";
import { parameterGroups } from "../../src/train/groups.ts";
import { TRAIN_DEFAULTS, type TrainOptions } from "../../src/train/index.ts";
import { passesOf } from "../../src/train/passes.ts";
import { predict, type StepResult, type Trainee, trainStep } from "../../src/train/step.ts";
import { Random } from "../../src/util/random.ts";

beforeAll(async () => {
  await openDevice("wasm");
});

const nano = configOfSize("nano", 300);
const config = {
  ...nano,
  hidden_size: 16,
  intermediate_size: 32,
  num_hidden_layers: 3,
  codescore: { ...nano.codescore, head_sizes: [16] },
};

const trainee = (): Trainee => ({ config, parameters: parametersOnDevice(initialise(config, 1)) });

/** Rows of random ids, for three problems. */
function examplesOf(count: number, seed = 0): Example[] {
  const random = new Random(seed);
  const ids = (): number[] => [0, ...Array.from({ length: 10 }, () => random.int(5, 299)), 2];
  return Array.from({ length: count }, (_, i) => ({
    taskId: `t/${i % 3}`,
    sampleId: `${i}`,
    kind: i % 5 === 0 ? "rewrite" : "mutant",
    passRatio: i % 5 === 0 ? 1 : random.int(0, 8) / 10,
    executable: random.chance(0.5) ? 1 : 0,
    weight: random.int(1, 8) / 4,
    ids: i % 4 === 3 ? { nl: ids() } : { ref: ids(), nl: ids(), "ref+nl": [...ids(), ...ids()] },
  }));
}

const { dropout: _1, ...defaults } = TRAIN_DEFAULTS;
const still = { ...defaults, dropout: 0, step: 1 };

/** One step from the same parameters: its result, the parameters after it, and Adam's first moments. */
async function stepped(batches: Example[][], options: Partial<typeof still> & Pick<TrainOptions, "loss">) {
  const model = trainee();
  const optimizer = new AdamW({ weightDecay: 0 });
  const before = tf.memory().numTensors;
  const result: StepResult = await trainStep(model, optimizer, batches, { ...still, clipNorm: 1e9, ...options });
  const moments = await optimizer.state();
  expect(tf.memory().numTensors).toBe(before + moments.size);
  optimizer.dispose();
  tf.dispose([...model.parameters.values()]);
  return { result, moments };
}

const norm = (values: Float32Array): number => Math.hypot(...values);

describe("a step", () => {
  it("on several batches is the step on one batch of their rows", async () => {
    const rows = examplesOf(12);
    const whole = await stepped([rows], {});
    const parts = await stepped([rows.slice(0, 2), rows.slice(2, 9), rows.slice(9)], {});
    expect(parts.result.loss).toBeCloseTo(whole.result.loss, 5);
    expect(parts.result.gradientNorm / whole.result.gradientNorm).toBeCloseTo(1, 4);
    for (const [name, { data }] of whole.moments) {
      const apart = norm(parts.moments.get(name)!.data.map((value, i) => value - data[i]!));
      expect(apart, name).toBeLessThan(1e-4 * norm(data) + 1e-8);
    }
    // Not equal to the mean over batches, because their sizes differ.
    const one = await stepped([rows.slice(0, 2)], {});
    expect(Math.abs(one.result.loss - whole.result.loss)).toBeGreaterThan(1e-3);
  });

  it("adds the mean loss of ranked pairs with its weight, all batches together", async () => {
    const batches = [examplesOf(9, 1), examplesOf(6, 2)];
    const loss = async (options: Partial<typeof still>) => (await stepped(batches, options)).result.loss;
    const plain = await loss({});
    const once = await loss({ rankingWeight: 1 as 0 });
    const twice = await loss({ rankingWeight: 2 as 0 });
    expect(once).toBeGreaterThan(plain + 0.1);
    expect(twice - once).toBeCloseTo(once - plain, 4);
    const both = await loss({ rankingWeight: 1 as 0, contrastWeight: 0.5 as 0 });
    expect(both).toBeGreaterThan(once + 0.1);
    // Pairs of equal weight sum to one for each format, however the batches are formed.
    const even = batches.map((batch) => batch.map((row) => ({ ...row, weight: 1 })));
    const passes = passesOf(even, { ...still, rankingWeight: 3 }).flat();
    for (const format of still.formats) {
      const counts = passes.flatMap((pass) => (pass.format === format ? [...(pass.preferences ?? [])] : []));
      expect(counts.reduce((a, b) => a + b)).toBeCloseTo(3, 5);
    }
  });

  it("moves heads and layer mix alone until the encoder thaws, and its embeddings never where they are to stay", async () => {
    const model = trainee();
    const groups = parameterGroups(
      { learningRate: 1, headLearningRate: 1, layerDecay: 1, keepEmbeddingsFrozen: true, freezeLayers: 0 },
      config.num_hidden_layers,
      1,
    );
    const optimizer = new AdamW({ ...groups, weightDecay: 0.1 });
    const moved = async (step: number): Promise<string[]> => {
      const copy = new Map([...model.parameters].map(([name, value]) => [name, value.dataSync().slice()]));
      await trainStep(model, optimizer, [examplesOf(4)], { ...still, step });
      return [...copy].flatMap(([name, data]) => {
        const now = model.parameters.get(name)!.dataSync();
        return data.every((value, i) => value === now[i]) ? [] : [name];
      });
    };
    expect((await moved(1)).every((name) => /^unice\.(head|scalars|gamma)/.test(name))).toBe(true);
    const second = await moved(2);
    expect(second).toContain("encoder.layer.0.output.dense.weight");
    expect(second).toContain("unice.cover.weight");
    expect(second.filter((name) => name.startsWith("embeddings."))).toEqual([]);
    tf.dispose([...model.parameters.values()]);
    optimizer.dispose();
  });

  it("leaves layers out of the mix as COMET in PyTorch does, others each time", async () => {
    const { layer_mask: recorded } = JSON.parse(
      await readFile(new URL("../fixtures/optimisation.json", import.meta.url), "utf8"),
    );
    const model = trainee();
    model.parameters.get("unice.scalars")!.assign(tf.tensor1d(recorded.scalars));
    const [{ ids }] = examplesOf(1) as [Example];
    const weighted = (): tf.Scalar => {
      const ops = tfOps(model.parameters, { layerNormEps: 1e-5, dropout: 0, seed: 0 });
      const input = tf.tensor2d([ids.ref!]);
      const tokens = { ids: input, mask: tf.onesLike(input) };
      const { layerWeights } = network<tf.Tensor>(ops, config, tokens, tf.tensor1d(recorded.keep));
      (layerWeights.arraySync() as number[]).forEach((weight, i) => {
        expect(weight).toBeCloseTo(recorded.weights[i], 6);
      });
      return tf.sum(tf.mul(layerWeights, [1, 2, 3, 4]));
    };
    const { grads } = tf.variableGrads(weighted, [model.parameters.get("unice.scalars")!]);
    (Object.values(grads)[0]!.arraySync() as number[]).forEach((ours, i) => {
      expect(ours).toBeCloseTo(recorded.gradient[i], 5);
    });
    tf.dispose([...model.parameters.values()]);

    const rows = [examplesOf(3)];
    const loss = async (step: number, layerDropout: number) =>
      (await stepped(rows, { step: step as 1, layerDropout: layerDropout as 0 })).result.loss;
    const losses: number[] = [];
    for (const [step, rate] of [
      [1, 0.5],
      [2, 0.5],
      [1, 0.5],
      [1, 0],
      [2, 0],
    ] as const)
      losses.push(await loss(step, rate));
    expect(losses[2]).toBe(losses[0]);
    expect(losses[4]).toBe(losses[3]);
    expect(new Set(losses).size).toBe(3);
  });
});

describe("batches", () => {
  it("keep rows of a problem together when asked to, every row once an epoch", () => {
    const rows = Array.from({ length: 1200 }, (_, i): Example => {
      const [example] = examplesOf(1, i) as [Example];
      return { ...example, taskId: `t/${i % 60}`, ids: { ref: Array(20 + ((i * 7) % 67)).fill(5) } };
    });
    const all = rows.map((_, i) => i);
    const companions = (perProblem: number): number => {
      const batches = epochBatches(rows, all, 1200, 3, 0, perProblem);
      expect(batches.flat().sort((a, b) => a - b)).toEqual(all);
      expect(epochBatches(rows, all, 1200, 3, 0, perProblem)).toEqual(batches);
      const counts = batches.flatMap((batch) => {
        expect(batch.length * Math.max(...batch.map((i) => rows[i]!.ids.ref!.length))).toBeLessThanOrEqual(1200);
        const tasks = batch.map((i) => rows[i]!.taskId);
        return tasks.map((task) => tasks.filter((other) => other === task).length - 1);
      });
      return counts.reduce((a, b) => a + b) / counts.length;
    };
    expect(companions(1)).toBeLessThan(1);
    expect(companions(8)).toBeGreaterThan(4.5);
  });
});

describe("the evaluation of a run in a single format", () => {
  it.each(["nl", "ref"] as const)("is in that format: %s", async (format) => {
    const dev = examplesOf(20);
    const model = trainee();
    const rows = dev.filter(({ ids }) => ids[format] !== undefined);
    const predictions = await predict(model, rows, format, 1000);
    const scores = predictions.map(({ score }) => score);
    const execs = predictions.map(({ exec }) => exec);
    expect(await evaluateOnDev(model, dev, [format], 1000)).toEqual(measure(rows, scores, execs));
    tf.dispose([...model.parameters.values()]);
  });
});
