/** Recorded steps compared with the same steps run operation by operation, on the native engine. */
import * as tf from "@tensorflow/tfjs";
import { describe, expect, it } from "vitest";
import { configOfSize, initialise, parameterSpecs } from "../../../src/model/index.ts";
import { findNative } from "../../../src/setup/index.ts";
import { AdamW } from "../../../src/train/adamw.ts";
import { parametersOnDevice, parametersOnHost } from "../../../src/train/checkpoint.ts";
import { openDevice } from "../../../src/train/engine/device.ts";
import { Graph } from "../../../src/train/engine/graph.ts";
import { Graphs } from "../../../src/train/engine/graphs.ts";
import type { Example } from "../../../src/train/examples.ts";
import { mlmHeadSpecs } from "../../../src/train/pretrain/mlm.ts";
import type { Masked } from "../../../src/train/pretrain/mlm-mask.ts";
import { evaluateMlm, mlmStep } from "../../../src/train/pretrain/step.ts";
import { predict, type StepOptions, trainStep } from "../../../src/train/step.ts";
import { Random } from "../../../src/util/random.ts";

const native = await findNative();
if (native !== undefined) await openDevice("tensorflow");

const size = configOfSize("nano", 300);
const config = { ...size, codescore: { ...size.codescore, mix: "sparsemax" as const } };
const random = new Random(5);
/** A sequence with this many parts and tokens. */
const sequence = (parts: number, tokens: number): number[] =>
  Array.from({ length: tokens }, (_, i) => {
    if (i === 0) return 0;
    const part = Math.floor(tokens / parts);
    return ((i + 1) % part === 0 && i < part * (parts - 1)) || i === tokens - 1 ? 2 : random.int(5, 204);
  });
/** Rows of two problems. The first has no description. */
const rowsOf = (tokens: (parts: number) => number): Example[] =>
  Array.from({ length: 7 }, (_, i) => {
    const [ref, nl, both] = [2, 3, 3].map((parts, k) => sequence(parts, tokens(parts + k))) as [
      number[],
      number[],
      number[],
    ];
    return {
      sampleId: `s${i}`,
      taskId: `t${i % 2}`,
      kind: "llm",
      passRatio: (i % 5) / 4,
      executable: i % 3 === 0 ? 0 : 1,
      weight: 1 + (i % 2),
      ids: i === 0 ? { ref } : { ref, nl, "ref+nl": both },
    };
  });
const uneven = rowsOf((parts) => random.int(parts * 2, parts * 7));
const even = rowsOf((parts) => parts * 8);
const options: Omit<StepOptions, "step" | "dropout"> = {
  formats: ["ref", "nl", "ref+nl"],
  layerDropout: 0.3,
  clipNorm: 1,
  learningRate: 1e-3,
  loss: "mse",
  labelSmoothing: 0,
  rankingWeight: 0.5,
  rankingMargin: 0.1,
  contrastWeight: 0,
};

async function run(examples: readonly Example[], dropout: number, graphs: Graphs | undefined) {
  const parameters = parametersOnDevice(initialise(config, 3));
  const optimizer = new AdamW({ weightDecay: 0.01 });
  const trainee = { config, parameters, ...(graphs && { graphs }) };
  const losses: number[] = [];
  const tensors: number[] = [];
  for (let step = 1; step <= 3; step++) {
    const batches = [step % 2 === 0 ? examples : examples.slice(2)];
    losses.push((await trainStep(trainee, optimizer, batches, { ...options, dropout, step })).loss);
    tensors.push(tf.memory().numTensors);
  }
  const scores = await predict(trainee, examples, "ref", 64);
  const values = [...(await parametersOnHost(parameters))].map(([, { data }]) => data);
  tf.dispose([...parameters.values()]);
  optimizer.dispose();
  graphs?.dispose();
  return { losses, scores: scores.map(({ score }) => score), values, tensors };
}

const largest = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from(a, (x, i) => Math.abs(x - b[i]!)));

describe.skipIf(native === undefined)("recorded graphs", () => {
  it("compute what the steps compute operation by operation, filled up to few shapes", async () => {
    const before = tf.memory().numTensors;
    const eager = await run(uneven, 0, undefined);
    const recorded = await run(uneven, 0, new Graphs({ bf16: false, batchTokens: 512 }));
    expect(largest(recorded.losses, eager.losses)).toBeLessThan(1e-5);
    expect(largest(recorded.scores, eager.scores)).toBeLessThan(1e-5);
    recorded.values.forEach((data, i) => {
      expect(largest(data, eager.values[i]!)).toBeLessThan(2e-4); // AdamW divides tiny gradients by their own size
    });
    expect(new Set(recorded.tensors).size).toBe(1);
    expect(tf.memory().numTensors).toBe(before);
  });

  it("drop what the steps drop, other values in each step", async () => {
    const eager = await run(even, 0.2, undefined);
    const recorded = await run(even, 0.2, new Graphs({ bf16: false, batchTokens: 1 }));
    expect(largest(recorded.losses, eager.losses)).toBeLessThan(1e-5);
    const whole = await run(even, 0, undefined);
    expect(largest(recorded.losses, whole.losses)).toBeGreaterThan(1e-3);
  });

  it("pretrain as operation by operation does, with masked tokens filled up", async () => {
    const batch: Masked = {
      sequences: uneven.map(({ ids }) => ids.ref!),
      positions: uneven.map((_, row) => row * Math.max(...uneven.map(({ ids }) => ids.ref!.length)) + 1),
      targets: uneven.map((_, row) => 10 + row),
    };
    const pretrained = async (graphs: Graphs | undefined) => {
      const parameters = parametersOnDevice(
        initialise(config, 3, [...parameterSpecs(config), ...mlmHeadSpecs(config)]),
      );
      const optimizer = new AdamW({ weightDecay: 0.01 });
      const trainee = { config, parameters, ...(graphs && { graphs }) };
      const losses: number[] = [];
      // At a larger rate AdamW would amplify rounding differences between CPUs to 1e-4.
      for (let step = 1; step <= 3; step++) {
        losses.push(
          (await mlmStep(trainee, optimizer, batch, { dropout: 0, clipNorm: 1, learningRate: 1e-3, step })).loss,
        );
      }
      const dev = await evaluateMlm(trainee, [batch]);
      tf.dispose([...parameters.values()]);
      optimizer.dispose();
      graphs?.dispose();
      return { losses, dev };
    };
    const eager = await pretrained(undefined);
    const recorded = await pretrained(new Graphs({ bf16: false, batchTokens: 512 }));
    expect(largest(recorded.losses, eager.losses)).toBeLessThan(1e-4);
    expect(recorded.losses[2]).toBeLessThan(recorded.losses[0]! - 0.1);
    expect(Math.abs(recorded.dev.loss - eager.dev.loss)).toBeLessThan(1e-3);
    expect(recorded.dev.tokens).toBe(7);
    expect(recorded.dev.accuracy).toBe(eager.dev.accuracy);
  });

  it("multiply in bfloat16 to its precision", async () => {
    const eager = await run(uneven, 0, undefined);
    const recorded = await run(uneven, 0, new Graphs({ bf16: true, batchTokens: 512 }));
    const difference = largest(recorded.losses, eager.losses);
    expect(difference).toBeLessThan(2e-2);
    expect(difference).toBeGreaterThan(1e-7);
  });

  it("refuse what would be recorded as it was", () => {
    const x = tf.tensor1d([1, 2]);
    const stray = tf.tensor1d([3, 4]);
    stray.dataSync();
    tf.square(stray).dispose(); // moves it to TensorFlow
    expect(() => new Graph([x], () => [tf.mul(x, stray)], { bf16: false })).toThrow(/not an input of the recording/);
    expect(() => new Graph([x], () => [tf.mul(x, x.dataSync()[0]!)], { bf16: false })).toThrow(/reads the values/);
    tf.dispose([x, stray]);
  });
});
