/** The estimated memory of a step compared with its actual memory, and the message if it is too much. */
import * as tf from "@tensorflow/tfjs";
import { beforeAll, describe, expect, it } from "vitest";
import { CodescoreError } from "../../src/errors.ts";
import { configOfSize, initialise, type ModelConfig, network } from "../../src/model/index.ts";
import { parametersOnDevice } from "../../src/train/checkpoint.ts";
import { openDevice } from "../../src/train/engine/device.ts";
import { OutOfMemory } from "../../src/train/engine/out-of-memory.ts";
import { tfOps } from "../../src/train/engine/tf-ops.ts";
import { stepMemory, withBatchThatFits } from "../../src/train/memory.ts";

beforeAll(async () => {
  await openDevice("cpu");
});

/** Peak bytes that the plain JavaScript engine holds during `run`. Each array counts once (`tf.memory` counts reshapes too). */
function peakBytes(run: () => void): number {
  const { data } = tf.backend() as unknown as {
    data: { set(id: object, value: unknown): void; delete(id: object): boolean };
  };
  const original = { set: data.set, delete: data.delete };
  const sizes = new Map<object, number>();
  let [bytes, peak] = [0, 0];
  data.set = function (id, value) {
    const size = (value as { values: Float32Array | null }).values?.byteLength ?? 0;
    bytes += size - (sizes.get(id) ?? 0);
    sizes.set(id, size);
    peak = Math.max(peak, bytes);
    original.set.call(this, id, value);
  };
  data.delete = function (id) {
    bytes -= sizes.get(id) ?? 0;
    sizes.delete(id);
    return original.delete.call(this, id);
  };
  try {
    run();
  } finally {
    Object.assign(data, original);
  }
  return peak;
}

const nano = configOfSize("nano", 300);
const wide: ModelConfig = { ...nano, hidden_size: 128, num_attention_heads: 4, intermediate_size: 512 };

describe("the estimate of a step's memory", () => {
  it.each([
    { of: "long sequences", config: nano, rows: 1, length: 150, dropout: 0.1 },
    { of: "many short ones", config: nano, rows: 12, length: 16, dropout: 0.1 },
    { of: "no dropout", config: nano, rows: 2, length: 80, dropout: 0 },
    { of: "more heads, wider layers", config: wide, rows: 2, length: 48, dropout: 0.1 },
  ])("is what the gradient holds at its highest, within a fifth: $of", ({ config, rows, length, dropout }) => {
    const parameters = parametersOnDevice(initialise(config, 0));
    const gradients = 4 * [...parameters.values()].reduce((sum, { size }) => sum + size, 0);
    const [ids, mask] = [tf.fill([rows, length], 7), tf.ones([rows, length])];
    const peak = peakBytes(() =>
      tf.tidy(() => {
        const ops = tfOps(parameters, { layerNormEps: config.layer_norm_eps, dropout, seed: 1 });
        tf.variableGrads(() => {
          const { scoreLogit, execLogit } = network<tf.Tensor>(ops, config, { ids, mask, levels: mask });
          return tf.sum(tf.add(scoreLogit, execLogit));
        });
      }),
    );
    const { fixed, perRow } = stepMemory(config, { length, dropout, ema: 0 });
    expect(fixed).toBe(5 * gradients);
    expect((rows * perRow + gradients) / peak).toBeGreaterThan(0.8);
    expect((rows * perRow + gradients) / peak).toBeLessThan(1.2);
    tf.dispose([ids, mask, ...parameters.values()]);
  });
});

describe("a batch that is too large", () => {
  const options = { length: 256, dropout: 0.1, ema: 0, batchTokens: 65_536 };
  const small = configOfSize("small", 8000);
  const { fixed, perRow, largest } = stepMemory(small, options);
  const oom = new Error("OOM when allocating tensor with shape[256,6,256,256] and type float on device:GPU:0");
  const explain = (error: unknown, room = 0): Error => withBatchThatFits(error, small, options, () => room) as Error;

  it("becomes an error that names it and the one that fits", () => {
    const error = explain(oom, fixed + 10.5 * perRow);
    expect(error).toBeInstanceOf(CodescoreError);
    expect(error).toMatchObject({ code: "infra", cause: oom });
    expect(error.message).toMatch(
      /^not enough memory for a batch of 65536 tokens, which takes about [\d.]+ GiB: about --batch-tokens 2560 fits \(with --accumulate 26 .*OOM when allocating/,
    );
  });

  it("is told from the bytes that were in use when WebGPU had no more, or from its limit for one tensor", () => {
    expect(explain(new OutOfMemory("x", { all: fixed + 3 * perRow })).message).toContain("--batch-tokens 768 fits");
    expect(explain(new OutOfMemory("x", { one: 5 * largest })).message).toContain("--batch-tokens 1280 fits");
  });

  it.each(["memory access out of bounds", "Aborted(). Build with -sASSERTIONS for more info."])(
    "is told from what WebAssembly has, whatever the machine has: %s",
    (said) => {
      const { message } = explain(new Error(said), 1e15);
      expect(message).toContain(`--batch-tokens ${256 * Math.floor((0.75 * 2 ** 32 - fixed) / perRow)} fits`);
      expect(message).toContain("codescore setup tensorflow");
      expect(explain(oom, 1e15).message).not.toContain("WebAssembly");
    },
  );

  it("is halved where the memory should have done, and refused where not one sequence fits", () => {
    expect(explain(oom, 1e15).message).toContain("--batch-tokens 32768 fits");
    expect(explain(oom, fixed).message).toMatch(/not even one sequence of 256 tokens fits beside [\d.]+ GiB/);
  });

  it("is not seen in other errors", () => {
    const other = new Error("x is not a function");
    expect(explain(other)).toBe(other);
  });
});
