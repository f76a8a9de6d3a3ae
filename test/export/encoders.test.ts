/** Exported encoders of every architecture and form. The trained and the exported network come from the same source code. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as tf from "@tensorflow/tfjs";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportOnnx, FORMS } from "../../src/export/index.ts";
import { importEncoder, network, readConfig, readSafetensors } from "../../src/model/index.ts";
import { openDevice } from "../../src/train/engine/device.ts";
import { tfOps } from "../../src/train/engine/tf-ops.ts";
import { Random } from "../../src/util/random.ts";

const fixtures = fileURLToPath(new URL("../fixtures/encoders", import.meta.url));
const LENGTH = 24;
/** One thread, because several would spin while they wait, and the models are small. */
const ALONE = { intraOpNumThreads: 1, logSeverityLevel: 3 } as const;

let scratch: string;
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "codescore-encoders-"));
  await openDevice("wasm");
});
afterAll(() => rmSync(scratch, { recursive: true }));

describe.each(readdirSync(fixtures))("%s", (name) => {
  it.each(["sequence", "part"] as const)(
    "has the trained network's outputs in all forms (positions: %s)",
    async (positions) => {
      const folder = join(scratch, `${name}-${positions}`);
      const unice = { pool: "first+means", positions, head_sizes: [16], max_length: 32, empty_parts: "keep" } as const;
      const rows = [{ candidate: "def f(x):\n    return x + 1\n", reference: "def f(y):\n    return 1 + y\n" }];
      await importEncoder(join(fixtures, name), folder, { unice });
      await exportOnnx(folder, { rows });
      const [config, tensors] = [await readConfig(folder), await readSafetensors(join(folder, "model.safetensors"))];
      const random = new Random(4);
      const { bos_token_id: bos, eos_token_id: eos, pad_token_id: pad } = config;
      const sequences = [24, 17, 9].map((length) => {
        const ids = Array.from({ length }, () => random.int(8, 70));
        [ids[0], ids[Math.floor(length / 2)], ids[length - 2], ids[length - 1]] = [bos, eos, eos, eos];
        return ids;
      });
      const ids = sequences.map((row) => [...row, ...Array<number>(LENGTH - row.length).fill(pad)]);
      const mask = sequences.map((row) => Array.from({ length: LENGTH }, (_, i) => Number(i < row.length)));
      const ours = tf.tidy(() => {
        const weights = new Map(
          [...tensors].map(([key, { shape, data }]) => [key, tf.tensor(data, [...shape]) as tf.Tensor]),
        );
        const ops = tfOps(weights, { layerNormEps: config.layer_norm_eps, dropout: 0, seed: 0 });
        const marks = tf.zeros([ids.length, LENGTH]) as tf.Tensor;
        const { scoreLogit } = network<tf.Tensor>(ops, config, {
          ids: tf.tensor2d(ids),
          mask: tf.tensor2d(mask),
          marks,
        });
        return Array.from(tf.sigmoid(scoreLogit).dataSync());
      });
      expect(new Set(ours.map((value) => value.toFixed(5))).size).toBe(ours.length); // the inputs matter
      const feed = (values: readonly number[]): Tensor =>
        new Tensor("int64", BigInt64Array.from(values, BigInt), [values.length / LENGTH, LENGTH]);
      for (const [form, most] of [
        ["fp32", 1e-4],
        ["fp16", 5e-3],
        ["int8", 5e-2],
      ] as const) {
        const session = await InferenceSession.create(join(folder, "onnx", FORMS[form]), ALONE);
        const run = async (i: readonly number[], m: readonly number[]): Promise<number[]> => {
          const { score } = await session.run({ input_ids: feed(i), attention_mask: feed(m) });
          return Array.from(score!.data as Float32Array);
        };
        const together = await run(ids.flat(), mask.flat());
        for (const [row, score] of together.entries()) {
          expect(Math.abs(score - ours[row]!), `${form}, row ${row}`).toBeLessThan(most);
          expect(Math.abs((await run(ids[row]!, mask[row]!))[0]! - score), `${form}, alone`).toBeLessThan(1e-6);
        }
        await session.release();
      }
    },
  );
});
