/** WebGPU's shaders compared with TensorFlow.js's own operations on the CPU: values and gradients. */
import * as tf from "@tensorflow/tfjs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { AdamW } from "../../../src/train/adamw.ts";
import { type OpenedDevice, openDevice } from "../../../src/train/engine/device.ts";
import * as plain from "../../../src/train/engine/fused.ts";
import { linear } from "../../../src/train/engine/matmul.ts";
import { sumOfSquares, sumRows, sumRowsByIndex } from "../../../src/train/engine/sums.ts";
import { tfOps } from "../../../src/train/engine/tf-ops.ts";
import { BufferPool } from "../../../src/train/engine/webgpu/buffers.ts";
import * as webgpu from "../../../src/train/engine/webgpu/fused.ts";
import { Random } from "../../../src/util/random.ts";
import { whyNoWebGpu } from "./webgpu.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });
const reason = await whyNoWebGpu();
let gpu: OpenedDevice;

/** Values of a shape in -2 to 2, the same on every engine. */
function values(shape: readonly number[], seed: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: tf.util.sizeFromShape([...shape]) }, () => random.int(-2000, 2000) / 1000);
}

type Work = (inputs: tf.Tensor[]) => tf.Tensor;

/** The result of an operation and its gradients for all inputs, with a weight on each element of the result. */
async function results(
  device: "webgpu" | "cpu",
  work: Work,
  shapes: readonly (readonly number[])[],
): Promise<number[][]> {
  await tf.setBackend(device);
  const tensors = tf.tidy(() => {
    const inputs = shapes.map((shape, i) => tf.tensor(values(shape, i + 1), [...shape]));
    const loss = (...all: tf.Tensor[]): tf.Scalar => {
      const result = work(all);
      return tf.sum(tf.mul(result, tf.tensor(values(result.shape, 99), result.shape)));
    };
    return [work(inputs), ...tf.grads(loss)(inputs)];
  });
  const read = await Promise.all(tensors.map(async (tensor) => Array.from(await tensor.data())));
  tf.dispose(tensors);
  return read;
}

/** `ours` on WebGPU is `theirs` on the CPU, to 1e-5 of the largest value. */
async function same(ours: Work, theirs: Work, shapes: readonly (readonly number[])[]): Promise<void> {
  const before = tf.memory().numTensors;
  const got = await results("webgpu", ours, shapes);
  const expected = await results("cpu", theirs, shapes);
  expect(tf.memory().numTensors).toBe(before);
  expected.forEach((numbers, i) => {
    const largest = Math.max(...numbers.map(Math.abs));
    expect(got[i]).toHaveLength(numbers.length);
    expect(Math.max(...numbers.map((value, k) => Math.abs(value - got[i]![k]!))), `result ${i}`).toBeLessThan(
      1e-5 * largest,
    );
    expect(largest).toBeGreaterThan(0.01);
  });
}

describe.skipIf(reason !== null)("WebGPU's shaders", () => {
  beforeAll(async () => {
    gpu = await openDevice("webgpu");
  });
  afterAll(() => gpu.close());

  it("norm layers, with and without beta", async () => {
    for (const [rows, width] of [
      [5, 3],
      [70, 130],
    ] as const) {
      const shapes = [[rows, width], [width], [width]];
      await same(
        ([x, gamma, beta]) => webgpu.layerNorm(x!, gamma!, beta!, 1e-5),
        ([x, gamma, beta]) => plain.layerNorm(x!, gamma!, beta!, 1e-5),
        shapes,
      );
      await same(
        ([x, gamma]) => webgpu.layerNorm(x!, gamma!, null, 1e-5),
        ([x, gamma]) => plain.layerNorm(x!, gamma!, null, 1e-5),
        shapes.slice(0, 2),
      );
    }
  });

  it("compute GELU", async () => {
    await same(
      ([x]) => webgpu.gelu(x!),
      ([x]) => plain.gelu(x!),
      [[7, 50]],
    );
  });

  it("attend, with padding, with relative positions per head and shared", async () => {
    const [batch, heads, queries, keys, width] = [2, 3, 5, 70, 4];
    const qkv = [
      [batch, heads, queries, width],
      [batch, heads, keys, width],
      [batch, heads, keys, width],
    ];
    const bias = (): tf.Tensor =>
      tf.tensor(
        Array.from({ length: batch * keys }, (_, i) => (i % keys > 60 ? -1e4 : 0)),
        [batch, 1, 1, keys],
      );
    for (const relative of [[], [[batch, heads, queries, keys]], [[batch, 1, queries, keys]]]) {
      await same(
        ([q, k, v, r]) => webgpu.attention(q!, k!, v!, bias(), r ?? null, null),
        ([q, k, v, r]) => plain.attention(q!, k!, v!, bias(), r ?? null, null),
        [...qkv, ...relative],
      );
    }
  });

  it("drop the same values forwards and backwards", async () => {
    const dropped = { rate: 0.3, seed: 5 };
    await tf.setBackend("webgpu");
    const factors = await webgpu.dropout(tf.ones([6, 50]), dropped).data();
    expect(factors.filter((factor) => factor === 0).length).toBeGreaterThan(30);
    await same(
      ([x]) => webgpu.dropout(x!, dropped),
      ([x]) => tf.mul(x!, tf.tensor(Array.from(factors), [6, 50])),
      [[6, 50]],
    );
    await tf.setBackend("webgpu");
    const ofWeights = await webgpu.dropout(tf.ones([1, 2, 3, 50]), dropped).data();
    const [q, kv] = [
      [1, 2, 3, 4],
      [1, 2, 50, 4],
    ];
    await same(
      ([q, k, v]) => webgpu.attention(q!, k!, v!, tf.zeros([1, 1, 1, 50]), null, dropped),
      ([q, k, v]) => {
        const factors = tf.tensor(Array.from(ofWeights), [1, 2, 3, 50]);
        return plain.attention(q!, k!, v!, tf.zeros([1, 1, 1, 50]), null, factors);
      },
      [q!, kv!, kv!],
    );
  });

  it("multiply and add a bias", async () => {
    const work: Work = ([x, w, b]) => linear(x!, w!, b!);
    await same(work, work, [[90, 6], [4, 6], [4]]);
    await same(work, work, [[1029, 6], [4, 6], [4]]); // 7 products of 147 rows
    await same(
      ([x, w]) => linear(x!, w!, null),
      ([x, w]) => linear(x!, w!, null),
      [
        [1024, 6],
        [4, 6],
      ],
    );
  });

  it("look up rows of large and small tables", async () => {
    for (const count of [3, 65, 300]) {
      const indices = Array.from({ length: 500 }, (_, i) => (i * i) % count);
      const work: Work = ([table]) => plain.embedding(table!, tf.tensor(indices, [50, 10], "int32"));
      await same(work, work, [[count, 5]]);
    }
  });

  it("sum rows, rows by index, squares", async () => {
    const ids = Array.from({ length: 400 }, (_, i) => i % 7);
    const numbers = async (device: string): Promise<number[][]> => {
      await tf.setBackend(device);
      const x = tf.tensor2d(values([400, 9], 1), [400, 9]);
      const small = tf.tensor1d(values([10], 2));
      const sums = [
        sumRows(x),
        sumRows(tf.tile(tf.slice(x, [0, 0], [3, 9]), [1, 1000])),
        sumRows(tf.slice(x, [0, 0], [100, 9])),
        sumRowsByIndex(x, tf.tensor1d(ids, "int32"), 7),
        sumRowsByIndex(x, tf.tensor1d(ids, "int32"), 100),
        sumOfSquares([x, small]),
      ];
      return Promise.all(sums.map(async (sum) => Array.from(await sum.data())));
    };
    const [ours, theirs] = [await numbers("webgpu"), await numbers("cpu")];
    expect(ours.map((sum) => sum.length)).toEqual(theirs.map((sum) => sum.length));
    const expected = theirs.flat(); // once, since it takes a millisecond
    ours.flat().forEach((value, i) => {
      expect(Math.abs(value - expected[i]!)).toBeLessThan(1e-3 + 1e-5 * Math.abs(expected[i]!));
    });
  });

  it("find numbers", async () => {
    const find = async (device: string): Promise<number[]> => {
      await tf.setBackend(device);
      const ops = tfOps(new Map(), { layerNormEps: 1e-5, dropout: 0, seed: 0 });
      return Array.from(await ops.equals(tf.tensor2d([0, 2, 5, 2, 3, 1], [2, 3]), 2).data());
    };
    expect(await find("webgpu")).toEqual([0, 1, 0, 1, 0, 0]);
    expect(await find("cpu")).toEqual([0, 1, 0, 1, 0, 0]);
  });

  it("move parameters as AdamW", async () => {
    const moved = async (device: string): Promise<number[]> => {
      await tf.setBackend(device);
      const parameter = tf.variable(tf.tensor1d(values([100], 1)));
      const optimizer = new AdamW({ weightDecay: 0.1 });
      for (const seed of [2, 3, 4]) {
        optimizer.apply(new Map([["p", parameter]]), new Map([["p", tf.tensor1d(values([100], seed))]]), 0.01, {
          scale: 0.5,
        });
      }
      return Array.from(await parameter.data());
    };
    const [ours, theirs] = [await moved("webgpu"), await moved("cpu")];
    ours.forEach((value, i) => {
      expect(Math.abs(value - theirs[i]!)).toBeLessThan(1e-6);
    });
  });

  it("read only a tensor's own values from a larger buffer", async () => {
    await tf.setBackend("webgpu");
    const large = tf.add(tf.ones([1000]), 1);
    await large.data();
    large.dispose();
    const small = tf.add(tf.ones([700]), 2);
    expect(Array.from(await small.data())).toEqual(Array(700).fill(3));
  });
});

describe("the pool of buffers", () => {
  const TENSOR = 140; // GPUBufferUsage.STORAGE, COPY_SRC and COPY_DST
  const made: FakeBuffer[] = [];
  class FakeBuffer {
    destroyed = false;
    readonly size: number;
    readonly usage: number;
    constructor({ size, usage }: { size: number; usage: number }) {
      this.size = size;
      this.usage = usage;
    }
    destroy(): void {
      this.destroyed = true;
    }
  }
  const device = {
    createBuffer: (descriptor: { size: number; usage: number }) => {
      const buffer = new FakeBuffer(descriptor);
      made.push(buffer);
      return buffer;
    },
  } as unknown as GPUDevice;

  it("reuses the smallest freed buffer that is large enough, of the same usage, and not much too large", () => {
    const pool = new BufferPool(device);
    const sizes = [100_000, 120_000, 400_000];
    const buffers = sizes.map((size) => pool.acquireBuffer(size, TENSOR));
    const other = pool.acquireBuffer(100_000, 9);
    for (const buffer of [...buffers, other]) pool.releaseBuffer(buffer);
    expect(pool.acquireBuffer(90_000, TENSOR)).toBe(buffers[0]);
    expect(pool.acquireBuffer(90_000, TENSOR)).toBe(buffers[1]);
    const fresh = pool.acquireBuffer(90_000, TENSOR); // 400,000 is too large
    expect([...buffers, other]).not.toContain(fresh);
    expect(pool.numBytesUsed).toBe(310_000);
    expect(pool.numBytesAllocated).toBe(810_000);
    expect(pool.acquireBuffer(90_000, 9)).not.toBe(other); // buffers of other usages must fit exactly
    expect(pool.acquireBuffer(100_000, 9)).toBe(other);
    pool.releaseBuffer(other);
    expect(() => pool.releaseBuffer(other)).toThrow("released twice");
  });

  it("destroys the longest unused buffers when there are too many", () => {
    const pool = new BufferPool(device);
    const [a, b] = [pool.acquireBuffer(10_000, TENSOR), pool.acquireBuffer(20_000, TENSOR)];
    pool.releaseBuffer(b);
    pool.releaseBuffer(a);
    const c = pool.acquireBuffer(40_000, TENSOR) as unknown as FakeBuffer; // at most 60,000 bytes
    expect((b as unknown as FakeBuffer).destroyed).toBe(true);
    expect((a as unknown as FakeBuffer).destroyed).toBe(false);
    expect(c.destroyed).toBe(false);
    expect(pool.numBytesAllocated).toBe(50_000);
    pool.dispose();
    expect(made.every((one) => one.destroyed || one.size !== 40_000)).toBe(true);
  });
});
