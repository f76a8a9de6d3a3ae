/** Recomputes what an independent PyTorch computed for a masked language model (scripts/record/mlm.py). */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as tf from "@tensorflow/tfjs";
import { beforeAll, describe, expect, it } from "vitest";
import { checkConfig, IMPORTED, readSafetensors, type Tensors } from "../../../src/model/index.ts";
import { parametersOnDevice } from "../../../src/train/checkpoint.ts";
import { type Device, openDevice } from "../../../src/train/engine/device.ts";
import { mlmHeadSpecs, mlmLogits, mlmLoss } from "../../../src/train/pretrain/mlm.ts";

const folder = fileURLToPath(new URL("../../fixtures/unixcoder-tiny", import.meta.url));
const expected = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../fixtures/mlm/expected.json", import.meta.url)), "utf8"),
);
const raw = JSON.parse(readFileSync(`${folder}/config.json`, "utf8"));
const config = checkConfig({ ...raw, codescore: { ...IMPORTED, channels: false } }, "config.json");

// The test of the native engine sets the variable.
const devices = (process.env.CODESCORE_TEST_DEVICES ?? "cpu,wasm").split(",") as Device[];

describe.each(devices)("on the %s engine", (device) => {
  beforeAll(async () => {
    await openDevice(device);
  });

  it("reproduces PyTorch's logits, loss and gradients, and leaves no tensor behind", async () => {
    const tensors: Tensors = new Map(
      [...(await readSafetensors(`${folder}/model.safetensors`))].filter(([name]) => !name.startsWith("pooler.")),
    );
    for (const [name, { shape, data }] of Object.entries<{ shape: number[]; data: number[] }>(expected.head)) {
      tensors.set(name, { shape, data: Float32Array.from(data) });
    }
    const before = tf.memory().numTensors;
    const parameters = parametersOnDevice(tensors);
    const ids: number[][] = expected.ids;
    const [value, grads] = tf.tidy(() => {
      const input = {
        ids: tf.tensor2d(ids, undefined, "float32"),
        mask: tf.tensor2d(ids.map((row) => row.map((id) => (id === config.pad_token_id ? 0 : 1)))),
        positions: tf.tensor1d(expected.positions, "int32"),
      };
      const logits = (): tf.Tensor2D => mlmLogits(parameters, config, input, { dropout: 0, seed: 0 });
      const ours = logits().arraySync();
      expect(ours.map((row) => row.length)).toEqual(expected.positions.map(() => config.vocab_size));
      for (const [n, row] of ours.entries()) {
        for (const [v, logit] of row.entries()) expect(Math.abs(logit - expected.logits[n][v])).toBeLessThan(1e-4);
      }
      const { value, grads } = tf.variableGrads(() => {
        const weights = tf.fill([expected.targets.length], 1 / expected.targets.length) as tf.Tensor1D;
        return mlmLoss(logits(), tf.tensor1d(expected.targets, "int32"), weights);
      }, [...parameters.values()]);
      return [value.arraySync(), grads] as const;
    });
    expect(value).toBeCloseTo(expected.loss, 5);
    for (const [name, [norm, product]] of Object.entries<[number, number]>(expected.gradients)) {
      const gradient = Float64Array.from(grads[parameters.get(name)!.name]!.dataSync());
      const limit = Math.max(1e-6, 1e-3 * norm);
      expect(Math.abs(Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0)) - norm), name).toBeLessThan(limit);
      const ours = gradient.reduce((sum, g, i) => sum + g * Math.sin(i + 1), 0);
      expect(Math.abs(ours - product), name).toBeLessThan(limit);
    }
    tf.dispose([grads, [...parameters.values()]]);
    expect(tf.memory().numTensors).toBe(before);
  });
});

it("names a head's parameters and their shapes as Hugging Face does", () => {
  expect(Object.fromEntries(mlmHeadSpecs(config).map(({ name, shape }) => [name, shape]))).toEqual(
    Object.fromEntries(Object.entries<{ shape: number[] }>(expected.head).map(([name, { shape }]) => [name, shape])),
  );
});
