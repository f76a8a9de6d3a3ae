/** The kernels that train/engine/wasm-kernels.ts replaces, compared with what they are defined to compute. */
import * as tf from "@tensorflow/tfjs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenedDevice, openDevice } from "../../../src/train/index.ts";

let device: OpenedDevice;
beforeAll(async () => {
  device = await openDevice("wasm");
});
afterAll(() => device.close());

const counted = (shape: number[], dtype: "float32" | "int32" | "bool" = "float32"): tf.Tensor => {
  const size = tf.util.sizeFromShape(shape);
  const values = Array.from({ length: size }, (_, i) => (dtype === "bool" ? i % 3 === 0 : i + 1));
  return tf.tensor(values as number[], shape, dtype);
};

it.each(["float32", "int32", "bool"] as const)("a slice of %s has the range, contiguous or not", (dtype) => {
  tf.tidy(() => {
    const x = counted([4, 3, 5], dtype);
    const all = [...x.dataSync()];
    for (const [begin, size] of [
      [
        [1, 0, 0],
        [2, 3, 5],
      ],
      [
        [3, 1, 0],
        [1, 2, 5],
      ],
      [
        [2, 1, 1],
        [1, 1, 3],
      ],
      [
        [0, 1, 2],
        [4, 1, 2],
      ],
      [
        [0, 0, 0],
        [4, 3, 5],
      ],
    ] as const) {
      const expected = all.filter((_, i) =>
        [Math.floor(i / 15), Math.floor(i / 5) % 3, i % 5].every(
          (at, axis) => at >= begin[axis]! && at < begin[axis]! + size[axis]!,
        ),
      );
      expect([...tf.slice(x, [...begin], [...size]).dataSync()]).toEqual(expected);
    }
    expect(tf.slice(x, [1, 0, 0], [0, 3, 5]).shape).toEqual([0, 3, 5]);
  });
});

it.each([16, 3])("rows of %i numbers are looked up by indices of any shape, and more than once", (width) => {
  tf.tidy(() => {
    const table = counted([7, width]);
    const all = [...table.dataSync()];
    const indices = [6, 0, 0, 3, 6, 1];
    const found = tf.gather(table, tf.tensor2d(indices, [2, 3], "int32"));
    expect(found.shape).toEqual([2, 3, width]);
    expect([...found.dataSync()]).toEqual(indices.flatMap((index) => all.slice(index * width, (index + 1) * width)));
    const columns = tf.gather(table, tf.tensor1d([2, 0], "int32"), 1);
    expect([...columns.dataSync()]).toEqual(
      Array.from({ length: 7 }, (_, row) => [2, 0].map((at) => all[row * width + at])).flat(),
    );
    for (const wrong of [7, -1]) expect(() => tf.gather(table, tf.tensor1d([wrong], "int32"))).toThrow(/ 6\b.*|-1/);
  });
});

it("a large result of a look-up, for which the engine's memory grows, is as right", () => {
  tf.tidy(() => {
    const table = counted([1000, 256]);
    const indices = Int32Array.from({ length: 60_000 }, (_, i) => (i * 7919) % 1000);
    const found = tf.gather(table, tf.tensor1d(indices, "int32")).dataSync();
    for (let i = 0; i < indices.length; i += 997) {
      expect([found[i * 256], found[i * 256 + 255]]).toEqual([indices[i]! * 256 + 1, indices[i]! * 256 + 256]);
    }
  });
});

it("a clone stays when the tensor goes, and the reverse, and neither leaks", () => {
  const before = tf.memory().numDataBuffers;
  const [a, b] = [counted([300]), counted([300])];
  const [cloneOfA, cloneOfB] = [tf.clone(a), tf.clone(b)];
  a.dispose();
  cloneOfB.dispose();
  const others = tf.tidy(() => tf.neg(counted([300]))); // would take the memory that was freed too early
  expect(cloneOfA.dataSync()[299]).toBe(300);
  expect(b.dataSync()[299]).toBe(300);
  const variable = tf.variable(cloneOfA);
  const assigned = tf.neg(b);
  variable.assign(assigned);
  expect([cloneOfA.dataSync()[299], b.dataSync()[299], variable.dataSync()[299]]).toEqual([300, 300, -300]);
  tf.dispose([cloneOfA, b, others, assigned, variable]);
  expect(tf.memory().numDataBuffers).toBe(before);
});
