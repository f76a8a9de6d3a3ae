/** Sums over many rows on WebGPU, in two steps, so that they keep all of a GPU busy. */
import * as tf from "@tensorflow/tfjs";
import { type Shader, shade, THREADS } from "./shader.ts";
import { eachColumn, eachRow, ROWS } from "./shaders.ts";

/** Sums over chunks of rows: x [rows, width] -> [chunks, width]. */
const COLUMN_SUMS: Shader = {
  name: "ColumnSums",
  inputs: ["x"],
  uniforms: { ...ROWS, chunks: "i32" },
  per: "element",
  body: `
    let chunk = index / uniforms.width;
    let column = index - chunk * uniforms.width;
    var sum = 0.0;
    ${eachRow("sum = sum + x[row * uniforms.width + column];")}
    result[index] = sum;`,
};

/** The sum over its rows of x [count, rows] -> [rows], a workgroup for each column. For few rows. */
const COLUMN_TOTALS: Shader = {
  name: "ColumnTotals",
  inputs: ["x"],
  uniforms: { rows: "i32", count: "i32" },
  per: "row",
  body: `
    var sum = 0.0;
    for (var k = lane; k < uniforms.count && row < uniforms.rows; k = k + ${THREADS}) { sum = sum + x[k * uniforms.rows + row]; }
    let all = total(sum);
    if (lane == 0 && row < uniforms.rows) { result[row] = all; }`,
};

/** Sums over chunks of rows of x [rows, width] by index, ids [rows] -> [chunks, count, width]. For small tables. */
const SUMS_BY_INDEX: Shader = {
  name: "SumsByIndex",
  inputs: ["x", "ids"],
  uniforms: { ...ROWS, chunks: "i32", count: "i32" },
  per: "element",
  body: `
    let outer = index / uniforms.width;
    let column = index - outer * uniforms.width;
    let chunk = outer / uniforms.count;
    let id = outer - chunk * uniforms.count;
    var sum = 0.0;
    ${eachRow("if (ids[row] == id) { sum = sum + x[row * uniforms.width + column]; }")}
    result[index] = sum;`,
};

/** Adds each row of x [rows, width] to the row ids [rows] of a table. Skips zeros: all padding has one index, so its additions would wait for each other. */
const SCATTER: Shader = {
  name: "Scatter",
  inputs: ["x", "ids"],
  uniforms: ROWS,
  per: "row",
  atomic: true,
  body: eachColumn(`
    if (x[i] != 0.0) {
      let place = ids[row] * uniforms.width + k;
      var old = 0;
      loop {
        let next = bitcast<i32>(bitcast<f32>(old) + x[i]);
        let attempt = atomicCompareExchangeWeak(&result[place], old, next);
        if (attempt.exchanged) { break; }
        old = attempt.old_value;
      }
    }`),
};

/** Sums of the squares of chunks of x -> [rows]. */
const SQUARES: Shader = {
  name: "Squares",
  inputs: ["x"],
  uniforms: { rows: "i32", count: "i32" },
  per: "row",
  body: `
    var sum = 0.0;
    for (var i = index; i < uniforms.count && row < uniforms.rows; i = i + uniforms.rows * ${THREADS}) { sum = sum + x[i] * x[i]; }
    let all = total(sum);
    if (lane == 0 && row < uniforms.rows) { result[row] = all; }`,
};

/** Threads that fill a GPU. Longer sums are cut into chunks until there are so many. */
const ENOUGH = 65536;
/** Rows of a chunk at least. */
const CHUNK = 32;

/** Chunks into which to cut a sum over rows that is done for so many others at once. */
export const chunksOf = (rows: number, others: number): number =>
  Math.max(1, Math.min(Math.ceil(rows / CHUNK), Math.ceil(ENOUGH / others)));

/** The sum of x [rows, width] over its rows -> [width]. */
export function sumRows(x: tf.Tensor): tf.Tensor {
  const [rows, width] = x.shape as [number, number];
  const chunks = chunksOf(rows, width);
  if (width >= ENOUGH / 8 && chunks <= 8) return shade(COLUMN_SUMS, [x], [width], { rows, width, chunks: 1 });
  if (rows <= 4 * CHUNK) return shade(COLUMN_TOTALS, [x], [width], { rows: width, count: rows });
  const parts = shade(COLUMN_SUMS, [x], [chunks, width], { rows, width, chunks });
  const sum = shade(COLUMN_TOTALS, [parts], [width], { rows: width, count: chunks });
  parts.dispose();
  return sum;
}

/** Tables of at most so many rows are summed row by row. Atomic additions would wait for each other. */
const SMALL_TABLE = 64;

/** Sums the rows of x [rows, width] by index [rows] -> [count, width]. */
export function sumRowsByIndex(x: tf.Tensor, indices: tf.Tensor, count: number): tf.Tensor {
  const [rows, width] = x.shape as [number, number];
  if (count > SMALL_TABLE) return shade(SCATTER, [x, indices], [count, width], { rows, width });
  const chunks = chunksOf(rows, count * width);
  const parts = shade(SUMS_BY_INDEX, [x, indices], [chunks, count, width], { rows, width, chunks, count });
  const sum = sumRows(tf.reshape(parts, [chunks, count * width]));
  parts.dispose();
  return tf.reshape(sum, [count, width]);
}

/** The sum of the squares of all elements of tensors -> []. */
export function sumOfSquares(tensors: readonly tf.Tensor[]): tf.Tensor {
  const parts = tensors.map((x) => {
    const rows = Math.min(256, Math.ceil(x.size / 4096));
    return shade(SQUARES, [x], [rows], { rows, count: x.size });
  });
  return tf.sum(tf.concat(parts));
}
