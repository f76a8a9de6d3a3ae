/**
 * The tensor operations that define the network. TensorFlow.js implements them for training (`train/engine/tf-ops.ts`), and the ONNX
 * builder for export (`export/onnx-ops.ts`), so that the trained and the exported network share one definition. In `reshape`, 0 keeps the
 * input's dimension. Masks and counts are float tensors of whole numbers.
 */
export interface Ops<T> {
  /** A parameter by name. */
  weight(name: string): T;
  /** x [..., in] with `name.weight` [out, in] and, with a bias, `name.bias` [out] -> [..., out]. */
  linear(x: T, name: string, bias?: boolean): T;
  /** Over the last axis, with `name.weight` and, with a bias, `name.bias`. */
  layerNorm(x: T, name: string, bias?: boolean): T;
  /** Over the last axis, with `name.weight` (Zhang and Sennrich 2019). */
  rmsNorm(x: T, name: string): T;
  /** Rows of the table `name` [rows, width]: indices [...] (whole numbers) -> [..., width]. */
  embedding(indices: T, name: string): T;
  /** Rows of a constant table, all of one width, looked up like `embedding`. */
  fixedRows(indices: T, rows: readonly (readonly number[])[]): T;
  /** Picks values of the last axis of x [B, A, T, N] at indices [B, T, S], the same for all A -> [B, A, T, S]. */
  pick(x: T, indices: T): T;
  /** Batch matrix product. The first axis of b may be 1 even if that of a is not. */
  matmul(a: T, b: T, transposeB?: boolean): T;
  add(a: T, b: T): T;
  mul(a: T, b: T): T;
  div(a: T, b: T): T;
  scale(x: T, factor: number): T;
  addScalar(x: T, term: number): T;
  /**
   * softmax(q k^T + bias) v (Vaswani et al. 2017, equation 1, with q already scaled), with dropout on the weights: q, k, v [B, A, T, W],
   * bias [B, 1, 1, T] -> [B, A, T, W]. The queries may have fewer tokens, T'. `relative` [B, A or 1, T', T] is added to the bias.
   */
  attention(q: T, k: T, v: T, bias: T, relative?: T): T;
  gelu(x: T): T;
  relu(x: T): T;
  tanh(x: T): T;
  sigmoid(x: T): T;
  /** Over the last axis. */
  softmax(x: T): T;
  /** Martins and Astudillo 2016; over the last axis of a vector. */
  sparsemax(x: T): T;
  /** Identity except during training. */
  dropout(x: T): T;
  reshape(x: T, shape: readonly number[]): T;
  transpose(x: T, order: readonly number[]): T;
  concat(parts: readonly T[], axis: number): T;
  stack(parts: readonly T[], axis: number): T;
  /** Selects one index of an axis and drops the axis. */
  at(x: T, axis: number, index: number): T;
  sum(x: T, axis: number): T;
  max(x: T, axis: number): T;
  /** Clips to [low, high]. Only for values that are not learned. */
  clip(x: T, low: number, high: number): T;
  /** 1 where x equals the number, otherwise 0. */
  equals(x: T, value: number): T;
  /** 1 where a equals b (broadcast), otherwise 0. */
  equal(a: T, b: T): T;
  /** Running sum along the last axis. */
  cumsum(x: T, exclusive: boolean): T;
  /** Along each of the axes, element i takes the value of element i + by; zero beyond the end. */
  shift(x: T, axes: readonly number[], by: number): T;
  /**
   * The range from the first to the last token at which any row of the mask [B, T] has a 1. An implementation that gains nothing by cutting
   * may keep all tokens.
   */
  span(mask: T): Span<T>;
}

export interface Span<T> {
  /** [B, T, ...] -> [B, T', ...] */
  cut(x: T): T;
  /** [B, T'] -> [B, T], with zeros at the tokens that were cut. */
  restore(x: T): T;
}
