/** Encoders of every architecture, compared with transformers in PyTorch (scripts/record/encoders.py), with tiny random ones. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as tf from "@tensorflow/tfjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  architectureOf,
  encode,
  importEncoder,
  type ModelConfig,
  readConfig,
  readSafetensors,
  type Tensors,
  underOurNames,
} from "../../src/model/index.ts";
import { loadTokenizer } from "../../src/tokenize/index.ts";
import { AdamW } from "../../src/train/adamw.ts";
import { type Device, openDevice } from "../../src/train/engine/device.ts";
import { embedding } from "../../src/train/engine/fused.ts";
import { tfOps } from "../../src/train/engine/tf-ops.ts";

const fixtures = fileURLToPath(new URL("../fixtures/encoders", import.meta.url));
const names = readdirSync(fixtures);
const devices = (process.env.CODESCORE_TEST_DEVICES ?? "cpu,wasm").split(",") as Device[];

/** Like `wave` in the script: a vector with a different value in every place. */
const wave = (count: number): tf.Tensor1D =>
  tf.tensor1d(Float32Array.from({ length: count }, (_, i) => Math.sin(1 + i)));

const furthest = (ours: ArrayLike<number>, wanted: ArrayLike<number>): number => {
  expect(ours.length).toBe(wanted.length);
  return Math.max(...Array.from(wanted, (value, i) => Math.abs(value - ours[i]!)));
};

const norm = (values: ArrayLike<number>): number => Math.sqrt(Array.from(values).reduce((sum, x) => sum + x * x, 0));

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "codescore-encoders-"));
});
afterAll(() => rmSync(scratch, { recursive: true }));

interface Imported {
  readonly config: ModelConfig;
  readonly tensors: Tensors;
  readonly folder: string;
}

/** Imports an encoder with its own vocabulary and nothing added to its embeddings. */
async function imported(name: string): Promise<Imported> {
  const folder = join(scratch, name);
  await importEncoder(join(fixtures, name), folder, {
    unice: { channels: false, static_marks: false, max_length: 32 },
  });
  return {
    folder,
    config: await readConfig(folder),
    tensors: await readSafetensors(join(folder, "model.safetensors")),
  };
}

describe.each(names)("%s", (name) => {
  const expected = JSON.parse(readFileSync(join(fixtures, name, "expected.json"), "utf8"));

  it("has Python's tokens", async () => {
    const tokenizer = await loadTokenizer(join(fixtures, name));
    for (const { text, ids } of expected.tokens) expect(tokenizer.encodeWithSpecials(text), text).toEqual(ids);
    const specials = (["start", "end", "pad"] as const).flatMap((role) =>
      tokenizer.has(role) ? tokenizer.role(role) : [],
    );
    for (const text of ["<s> [CLS] </s>", "[SEP]<pad>", "a</s>b [PAD]"]) {
      for (const id of tokenizer.encode(text)) expect(specials, text).not.toContain(id);
    }
  });

  it.each(devices)("has PyTorch's hidden states, gradients and AdamW update on the %s engine", async (device) => {
    await openDevice(device);
    const { config, tensors } = await imported(name);
    const parameters = new Map(
      [...tensors]
        .filter(([parameter]) => !parameter.startsWith("unice."))
        .map(([parameter, { shape, data }]) => [parameter, tf.variable(tf.tensor(data, [...shape]))]),
    );
    const kept = expected.mask.flat().flatMap((one: number, i: number) => (one === 1 ? [i] : []));
    /** Every layer's output for the tokens [tokens x H]. */
    const states = (): tf.Tensor[] =>
      encode<tf.Tensor>(tfOps(parameters, { layerNormEps: config.layer_norm_eps, dropout: 0, seed: 0 }), config, {
        ids: tf.tensor2d(expected.ids),
        mask: tf.tensor2d(expected.mask),
      }).map((h) => embedding(tf.reshape(h, [-1, config.hidden_size]), tf.tensor1d(kept, "int32")));
    const hidden = tf.tidy(() => states().map((h) => h.dataSync()));
    expect(hidden.length).toBe(expected.hidden.length);
    hidden.forEach((h, layer) => {
      expect(furthest(h, expected.hidden[layer]), `layer ${layer}`).toBeLessThan(1e-4);
    });

    const { value, grads } = tf.variableGrads(
      () =>
        states()
          .map((h, layer) => tf.mul(tf.sum(tf.mul(tf.reshape(h, [-1]), wave(h.size))), layer + 1) as tf.Scalar)
          .reduce((a, b) => tf.add(a, b)),
      [...parameters.values()],
    );
    expect(Math.abs(value.dataSync()[0]! - expected.loss)).toBeLessThan(1e-4 * Math.max(10, Math.abs(expected.loss)));
    const gradients = new Map([...parameters].map(([parameter, { name }]) => [parameter, grads[name]!]));
    const file = await readSafetensors(join(fixtures, name, "gradients.safetensors"));
    const wanted = underOurNames(file, architectureOf(config.model_type));
    const largest = Math.max(...[...wanted.values()].map(({ data }) => norm(data)));
    for (const parameter of parameters.keys()) {
      const { data } = wanted.get(parameter)!;
      const own = gradients.get(parameter)!.dataSync();
      const off = norm(own.map((value, i) => value - (data[i] ?? 0))); // the rows of our symbols have none
      expect(off, parameter).toBeLessThan(2e-3 * norm(data) + 1e-5 * largest); // recorded in half precision
    }

    const { lr, beta1, beta2, eps, weight_decay: weightDecay, last_hidden: after } = expected.update;
    const optimizer = new AdamW({ beta1, beta2, eps, weightDecay });
    optimizer.apply(parameters, gradients, lr);
    const last = tf.tidy(() => states().at(-1)!.dataSync());
    expect(furthest(last, hidden.at(-1)!)).toBeGreaterThan(0.01); // the update has an effect
    expect(furthest(last, after)).toBeLessThan(1e-3);
    optimizer.dispose();
    tf.dispose([value, grads, [...parameters.values()]]);
  });
});
