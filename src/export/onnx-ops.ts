/** The network's operations as ONNX nodes (operator set 20). A value is the name of a node's output. */
import { type ModelConfig, type Ops, type Span, sparsemaxOf, type Tensor, type Tensors } from "../model/index.ts";
import { type Attribute, FLOAT, INT64, MICROSOFT, type OnnxNode, type OnnxTensor } from "./proto.ts";

export const OPSET = 20;

export class OnnxOps implements Ops<string> {
  readonly nodes: OnnxNode[] = [];
  readonly initializers = new Map<string, OnnxTensor>();
  readonly #tensors: Tensors;
  readonly #layerNormEps: number;
  /** Number of attention heads. */
  protected readonly heads: number;
  /** Names of constant rows, by their content. */
  readonly #fixed = new Map<string, string>();
  #count = 0;

  constructor(tensors: Tensors, config: ModelConfig) {
    this.#tensors = tensors;
    this.#layerNormEps = config.layer_norm_eps;
    this.heads = config.num_attention_heads;
  }

  /** Adds a node, optionally with a given output name. */
  node(op: string, inputs: readonly string[], attributes: Record<string, Attribute> = {}, output?: string): string {
    const name = output ?? `${op}_${this.#count++}`;
    this.nodes.push({ op, domain: "", inputs, output: name, attributes });
    return name;
  }

  /** Adds a node of ONNX Runtime's own operators. An input of "" is omitted. */
  protected microsoft(op: string, inputs: readonly string[], attributes: Record<string, Attribute> = {}): string {
    const name = `${op}_${this.#count++}`;
    this.nodes.push({ op, domain: MICROSOFT, inputs, output: name, attributes });
    return name;
  }

  weight(name: string): string {
    return this.parameter(name, this.tensor(name));
  }

  linear(x: string, name: string, bias = true): string {
    const product = this.matmul(x, this.parameter(`${name}.weight_t`, this.turned(name)));
    return bias ? this.add(product, this.weight(`${name}.bias`)) : product;
  }

  layerNorm(x: string, name: string, bias = true): string {
    const parameters = [this.weight(`${name}.weight`), ...(bias ? [this.weight(`${name}.bias`)] : [])];
    return this.node("LayerNormalization", [x, ...parameters], {
      axis: -1,
      epsilon: { float: this.#layerNormEps },
    });
  }

  rmsNorm(x: string, name: string): string {
    const mean = this.node("ReduceMean", [this.mul(x, x), this.integers([-1])], { keepdims: 1 });
    const root = this.node("Sqrt", [this.addScalar(mean, this.#layerNormEps)]);
    return this.mul(this.div(x, root), this.weight(`${name}.weight`));
  }

  embedding(indices: string, name: string): string {
    return this.gather(this.weight(`${name}.weight`), this.node("Cast", [indices], { to: INT64 }));
  }

  fixedRows(indices: string, rows: readonly (readonly number[])[]): string {
    const key = JSON.stringify(rows);
    const name = this.#fixed.get(key) ?? `rows_${this.#fixed.size}`;
    this.#fixed.set(key, name);
    const table = this.initializer(name, [rows.length, rows[0]!.length], FLOAT, Float32Array.from(rows.flat()));
    return this.node("Gather", [table, this.node("Cast", [indices], { to: INT64 })], { axis: 0 });
  }

  pick(x: string, indices: string): string {
    const once = this.node("Unsqueeze", [this.node("Cast", [indices], { to: INT64 }), this.integers([1])]);
    const heads = this.node("Expand", [once, this.integers([1, this.heads, 1, 1])]);
    return this.node("GatherElements", [x, heads], { axis: 3 });
  }

  matmul(a: string, b: string, transposeB = false): string {
    return this.node("MatMul", [a, transposeB ? this.transpose(b, [0, 1, 3, 2]) : b]);
  }

  add(a: string, b: string): string {
    return this.node("Add", [a, b]);
  }

  mul(a: string, b: string): string {
    return this.node("Mul", [a, b]);
  }

  div(a: string, b: string): string {
    return this.node("Div", [a, b]);
  }

  scale(x: string, factor: number): string {
    return this.mul(x, this.scalar(factor));
  }

  addScalar(x: string, term: number): string {
    return this.add(x, this.scalar(term));
  }

  gelu(x: string): string {
    return this.node("Gelu", [x]);
  }

  relu(x: string): string {
    return this.node("Relu", [x]);
  }

  tanh(x: string): string {
    return this.node("Tanh", [x]);
  }

  sigmoid(x: string): string {
    return this.node("Sigmoid", [x]);
  }

  attention(q: string, k: string, v: string, bias: string, relative?: string): string {
    const biased = this.add(this.matmul(q, k, true), bias);
    return this.matmul(this.softmax(relative === undefined ? biased : this.add(biased, relative)), v);
  }

  softmax(x: string): string {
    return this.node("Softmax", [x], { axis: -1 });
  }

  /** Sparsemax of a parameter only. ONNX has no sparsemax, but a parameter's result is known at export. */
  sparsemax(x: string): string {
    const data = sparsemaxOf(this.tensor(x).data);
    return this.parameter(`${x}.sparsemax`, { shape: [data.length], data });
  }

  dropout(x: string): string {
    return x;
  }

  reshape(x: string, shape: readonly number[]): string {
    return this.node("Reshape", [x, this.integers(shape)]);
  }

  transpose(x: string, order: readonly number[]): string {
    return this.node("Transpose", [x], { perm: order });
  }

  concat(parts: readonly string[], axis: number): string {
    return this.node("Concat", parts, { axis });
  }

  stack(parts: readonly string[], axis: number): string {
    return this.concat(
      parts.map((part) => this.node("Unsqueeze", [part, this.integers([axis])])),
      axis,
    );
  }

  at(x: string, axis: number, index: number): string {
    return this.node("Gather", [x, this.#index(index)], { axis });
  }

  sum(x: string, axis: number): string {
    return this.node("ReduceSum", [x, this.integers([axis])], { keepdims: 0 });
  }

  max(x: string, axis: number): string {
    return this.node("ReduceMax", [x, this.integers([axis])], { keepdims: 0 });
  }

  atMost(x: string, value: number): string {
    return this.node("Min", [x, this.scalar(value)]);
  }

  clip(x: string, low: number, high: number): string {
    return this.node("Clip", [x, this.scalar(low), this.scalar(high)]);
  }

  equals(x: string, value: number): string {
    return this.equal(x, this.scalar(value));
  }

  equal(a: string, b: string): string {
    return this.node("Cast", [this.node("Equal", [a, b])], { to: FLOAT });
  }

  cumsum(x: string, exclusive: boolean): string {
    return this.node("CumSum", [x, this.#index(-1)], { exclusive: exclusive ? 1 : 0 });
  }

  shift(x: string, axes: readonly number[], by: number): string {
    // Pad first, then slice: this is also right for tensors shorter than the shift.
    const starts = axes.map(() => Math.max(by, 0));
    const before = axes.map(() => (by > 0 ? 0 : -by));
    const after = axes.map(() => Math.max(by, 0));
    const padded = this.node("Pad", [x, this.integers([...before, ...after]), this.scalar(0), this.integers(axes)]);
    const ends = axes.map(() => (by > 0 ? 2 ** 31 : by));
    return this.node("Slice", [padded, this.integers(starts), this.integers(ends), this.integers(axes)]);
  }

  span(mask: string): Span<string> {
    const seen = this.cumsum(this.max(mask, 0), false); // [T]
    const count = (tokens: string): string =>
      this.node("Cast", [this.node("ReduceSum", [tokens], { keepdims: 1 })], { to: INT64 });
    const after = this.node("Sub", [count(this.equal(seen, this.max(seen, 0))), this.integers([1])]);
    const length = this.node("Shape", [mask], { start: 1, end: 2 });
    const end = this.node("Sub", [length, after]);
    // At least one token, even if the mask is empty, because the mean of nothing is undefined.
    const start = this.node("Min", [count(this.equals(seen, 0)), this.node("Sub", [end, this.integers([1])])]);
    const [axes, padding] = [this.integers([1]), this.concat([start, after], 0)];
    return {
      cut: (x) => this.node("Slice", [x, start, end, axes]),
      restore: (x) => this.node("Pad", [x, padding, this.scalar(0), axes]),
    };
  }

  /** A learned parameter's value, in the number format of this file's parameters. */
  protected parameter(name: string, { shape, data }: Tensor): string {
    return this.initializer(name, shape, FLOAT, data);
  }

  protected tensor(name: string): Tensor {
    const tensor = this.#tensors.get(name);
    if (tensor === undefined) throw new RangeError(`the network needs the parameter ${name}, which the model lacks`);
    return tensor;
  }

  /** A linear layer's weight as MatMul needs it, [in, out]. Stored this way, so that no transpose runs with the model. */
  protected turned(name: string): Tensor {
    const { shape, data } = this.tensor(`${name}.weight`);
    const [rows, columns] = shape as [number, number];
    const turned = new Float32Array(data.length);
    for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) turned[c * rows + r] = data[r * columns + c]!;
    return { shape: [columns, rows], data: turned };
  }

  /** Rows of a table. */
  protected gather(table: string, indices: string): string {
    return this.node("Gather", [table, indices], { axis: 0 });
  }

  protected initializer(
    name: string,
    dims: readonly number[],
    type: OnnxTensor["type"],
    { buffer, byteOffset, byteLength }: ArrayBufferView,
  ): string {
    this.initializers.set(name, { name, dims, type, bytes: new Uint8Array(buffer, byteOffset, byteLength) });
    return name;
  }

  protected scalar(value: number): string {
    return this.initializer(`scalar_${value}`, [], FLOAT, Float32Array.of(value));
  }

  protected integers(values: readonly number[]): string {
    return this.initializer(`ints_${values.join("_")}`, [values.length], INT64, BigInt64Array.from(values, BigInt));
  }

  #index(value: number): string {
    return this.initializer(`index_${value}`, [], INT64, BigInt64Array.of(BigInt(value)));
  }
}
