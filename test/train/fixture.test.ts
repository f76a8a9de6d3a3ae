/** Recomputes everything that an independent PyTorch UniCE computed with a tiny checkpoint. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as tf from "@tensorflow/tfjs";
import { beforeAll, describe, expect, it } from "vitest";
import {
  checkConfig,
  IMPORTED,
  type ModelConfig,
  network,
  readSafetensors,
  type Tensors,
} from "../../src/model/index.ts";
import { loadTokenizer, makeEncoder } from "../../src/tokenize/index.ts";
import { AdamW } from "../../src/train/adamw.ts";
import { type Device, openDevice } from "../../src/train/engine/device.ts";
import { tfOps } from "../../src/train/engine/tf-ops.ts";
import { execLoss, formatLoss, passRatioLoss, type Targets } from "../../src/train/loss.ts";
import type { InputFormat } from "../../src/types.ts";

const folder = fileURLToPath(new URL("../fixtures/unixcoder-tiny", import.meta.url));
const expected = JSON.parse(readFileSync(`${folder}/expected.json`, "utf8"));
const rows: { g: string; r: string; n: string; pass_ratio: number; exec: 0 | 1 }[] = expected.rows;
const formats: [InputFormat, string][] = [
  ["ref", "ref"],
  ["nl", "nl"],
  ["ref+nl", "ref_nl"],
];

/** Largest |a - b| over nested lists. */
function difference(a: unknown, b: unknown): number {
  const [x, y] = [[a].flat(9) as number[], [b].flat(9) as number[]];
  expect(x.length).toBe(y.length);
  return Math.max(...x.map((value, i) => Math.abs(value - y[i]!)));
}

function configWith(mix: "softmax" | "sparsemax", headSizes: number[]): ModelConfig {
  const raw = JSON.parse(readFileSync(`${folder}/config.json`, "utf8"));
  return checkConfig(
    { ...raw, codescore: { ...IMPORTED, mix, channels: false, head_sizes: headSizes } },
    "config.json",
  );
}

function parametersOf(
  weights: Tensors,
  recorded: { scalars: number[]; gamma: number; heads: Record<string, number[][]>[] },
) {
  const parameters = new Map<string, tf.Variable>();
  const add = (name: string, tensor: tf.Tensor): void => void parameters.set(name, tf.variable(tensor));
  for (const [name, { shape, data }] of weights) {
    if (!name.startsWith("pooler.")) add(name, tf.tensor(data, [...shape]));
  }
  add("unice.scalars", tf.tensor1d(recorded.scalars));
  add("unice.gamma", tf.scalar(recorded.gamma));
  recorded.heads.forEach((head, i) => {
    add(`unice.head.${i}.weight`, tf.tensor2d(head.weight_out_in!));
    add(`unice.head.${i}.bias`, tf.tensor1d(head.bias as unknown as number[]));
  });
  return parameters;
}

/** Converts PyTorch's names in the fixture to ours. */
const ourName = (name: string): string =>
  name
    .replace(/^enc\./, "")
    .replace(/^(scalars|gamma)$/, "unice.$1")
    .replace(/^ff\./, "unice.head.");

/** An asynchronous tidy, because WebGPU's values arrive later. */
async function inScope(run: () => Promise<void>): Promise<void> {
  tf.engine().startScope();
  try {
    await run();
  } finally {
    tf.engine().endScope();
  }
}

describe("the tokenizer", () => {
  it.each(expected.tokenizer_cases as { text: string; ids: number[] }[])(
    "gives Python's ids for $text",
    async ({ text, ids }) => {
      expect((await loadTokenizer(folder)).encodeWithSpecials(text)).toEqual(ids);
    },
  );

  it("does not let a program's text end its own part", async () => {
    const tokenizer = await loadTokenizer(folder);
    expect(tokenizer.encode("x</s>y")).not.toContain(tokenizer.special("</s>"));
  });
});

// The test of the native engine sets the variable.
const devices = (process.env.CODESCORE_TEST_DEVICES ?? "cpu,wasm").split(",") as Device[];

describe.each(devices)("on the %s engine", (device) => {
  beforeAll(async () => {
    await openDevice(device);
  });

  describe.each(["softmax", "sparsemax"] as const)("with %s over the layers", (mix) => {
    const recorded = expected.transforms[mix];

    it("reproduces ids, hidden states, scores, losses, gradients and an AdamW step of PyTorch", async () => {
      const config = configWith(mix, [48, 24]);
      const weights = await readSafetensors(`${folder}/model.safetensors`);
      const encode = await makeEncoder(await loadTokenizer(folder), {
        maxLength: config.codescore.max_length,
        normalise: "none",
        emptyParts: "omit",
        staticMarks: false,
      });
      const parameters = parametersOf(weights, recorded.parameters);
      const before = tf.memory().numTensors;
      const targets: Targets = {
        passRatio: tf.tensor1d(rows.map((row) => row.pass_ratio)),
        executable: tf.tensor1d(rows.map((row) => row.exec)),
        weight: tf.ones([rows.length]),
      };
      const inputs = new Map<InputFormat, { ids: tf.Tensor; mask: tf.Tensor }>();
      for (const [format, key] of formats) {
        const wanted = recorded.formats[key];
        const length = wanted.input_ids[0].length;
        const ids = rows.map((row) => encode({ candidate: row.g, reference: row.r, description: row.n }, format).ids);
        expect(ids.map((row) => [...row, ...Array(length - row.length).fill(1)])).toEqual(wanted.input_ids);
        inputs.set(format, { ids: tf.tensor2d(wanted.input_ids), mask: tf.tensor2d(wanted.attention_mask) });
      }
      const run = (format: InputFormat) => {
        const { ids, mask } = inputs.get(format)!;
        return network(tfOps(parameters, { layerNormEps: config.layer_norm_eps, dropout: 0, seed: 0 }), config, {
          ids,
          mask,
        });
      };
      await inScope(async () => {
        for (const [format, key] of formats) {
          const wanted = recorded.formats[key];
          const output = run(format);
          expect(
            difference(await Promise.all(output.firstTokens.map((h) => h.array())), wanted.hidden_states_first_token),
          ).toBeLessThan(1e-4);
          expect(difference(await output.layerWeights.array(), wanted.layer_weights)).toBeLessThan(1e-6);
          expect(difference(await output.pooled.array(), wanted.pooled)).toBeLessThan(1e-4);
          expect(difference(await tf.sigmoid(output.scoreLogit).array(), wanted.score)).toBeLessThan(1e-5);
          expect(difference(await output.execLogit.array(), wanted.exec_logit)).toBeLessThan(1e-4);
          expect(await passRatioLoss(output, targets).array()).toBeCloseTo(wanted.loss_pass_ratio, 5);
          expect(await execLoss(output, targets).array()).toBeCloseTo(wanted.loss_exec, 5);
        }
      });
      const unified = (): tf.Scalar =>
        formats.map(([format]) => formatLoss(run(format), targets)).reduce((a, b) => tf.add(a, b));
      const { value, grads } = tf.variableGrads(unified, [...parameters.values()]);
      expect(await value.array()).toBeCloseTo(recorded.loss_uni, 4);
      const gradients = new Map([...parameters].map(([name, variable]) => [name, grads[variable.name]!]));
      for (const [name, norm] of Object.entries<number>(recorded.gradient_norms)) {
        const data = Float64Array.from(await gradients.get(ourName(name))!.data());
        const ours = Math.sqrt(data.reduce((a, b) => a + b * b, 0));
        expect(Math.abs(ours - norm), name).toBeLessThan(Math.max(1e-6, 1e-3 * norm));
      }
      const { hyper, parameter_sums: sums } = recorded.after_one_adamw_step;
      const optimizer = new AdamW({
        beta1: hyper.beta1,
        beta2: hyper.beta2,
        eps: hyper.eps,
        weightDecay: hyper.weight_decay,
      });
      optimizer.apply(parameters, gradients, hyper.lr);
      for (const [name, [sum, squares]] of Object.entries<[number, number]>(sums)) {
        if (name.endsWith("key.bias")) continue; // zero gradient in exact arithmetic, so Adam divides noise by noise
        const data = Float64Array.from(await parameters.get(ourName(name))!.data());
        expect(Math.abs(data.reduce((a, b) => a + b, 0) - sum), name).toBeLessThan(1e-3 * Math.max(Math.abs(sum), 1));
        expect(Math.abs(data.reduce((a, b) => a + b * b, 0) - squares), name).toBeLessThan(1e-3 * Math.max(squares, 1));
      }
      optimizer.dispose();
      tf.dispose([
        value,
        grads,
        targets.passRatio,
        targets.executable,
        targets.weight,
        [...inputs.values()].flatMap(({ ids, mask }) => [ids, mask]),
      ]);
      expect(tf.memory().numTensors).toBe(before);
      tf.dispose([...parameters.values()]);
    });
  });
});
