/**
 * The operations with 8-bit weights and activations, for ONNX Runtime on CPUs. A score must not depend on the other rows of its batch, so
 * no scale depends on the batch: activations have one fixed scale per layer, chosen at export (Jacob et al. 2018, section 2; Wu et al.
 * 2020, section 3), and integer sums are exact in any order.
 */
import { encoderShape, type ModelConfig, type Tensor, type Tensors } from "../model/index.ts";
import { OnnxOps } from "./onnx-ops.ts";
import { FLOAT, INT8, INT64, UINT8 } from "./proto.ts";

/** Minimum and maximum of a linear layer's input. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

interface Quantized {
  readonly value: string;
  readonly scale: string;
  readonly zero: string;
}

/**
 * Weights use 7 of their 8 bits. x86 CPUs older than VNNI add two products of an activation and a weight in 16 bits, and 2 x 255 x 64 still
 * fits. So all CPUs compute the same sums.
 */
const WEIGHT_LEVELS = 64;

/** Tables with fewer rows stay in floats, because 8 bits would save nothing. */
const SMALL_TABLE = 256;

export class Int8Ops extends OnnxOps {
  readonly #width: number;
  readonly #ranges: ReadonlyMap<string, Range>;
  readonly #quantized = new Map<string, Quantized>();
  /** The attention bias of each token, appended to the W values of its key [B, A, T, 1]. */
  #keyBias: string | null = null;

  /** @param ranges range of the input of each linear layer, by the layer's name */
  constructor(tensors: Tensors, config: ModelConfig, ranges: ReadonlyMap<string, Range>) {
    super(tensors, config);
    this.#width = encoderShape(config).headWidth;
    this.#ranges = ranges;
  }

  override linear(x: string, name: string, biased = true): string {
    const range = this.#ranges.get(name);
    if (range === undefined) throw new RangeError(`the range of the inputs of layer ${name} is unknown`);
    const { weight, scale } = this.#byColumn(name);
    const input = this.#quantize(x, range);
    const bias = biased ? ["", this.weight(`${name}.bias`)] : []; // "" is the weights' zero point, which is omitted
    return this.microsoft("MatMulIntegerToFloat", [input.value, weight, input.scale, scale, input.zero, ...bias]);
  }

  override embedding(indices: string, name: string): string {
    const { shape, data } = this.tensor(`${name}.weight`);
    const [rows, width] = shape as [number, number];
    if (rows < SMALL_TABLE) return super.embedding(indices, name);
    const { whole, scales } = quantize(data, 127, rows, (i) => Math.floor(i / width));
    const table = this.initializer(`${name}.weight_int8`, [rows, width], INT8, whole);
    const scale = this.initializer(`${name}.weight_scale`, [rows, 1], FLOAT, scales);
    const index = this.node("Cast", [indices], { to: INT64 });
    return this.mul(this.node("Cast", [this.gather(table, index)], { to: FLOAT }), this.gather(scale, index));
  }

  /**
   * Attention in one node that never holds all weights [B, A, T, T] (Dao et al. 2022). ONNX Runtime computes it this way only without a
   * mask, so the bias enters through the product: [q, 1] [k, bias]^T = q k^T + bias. A term that differs between queries cannot enter this
   * way.
   */
  override attention(q: string, k: string, v: string, bias: string, relative?: string): string {
    if (relative !== undefined) return super.attention(q, k, v, bias, relative);
    const [heads, width] = [this.heads, this.#width];
    this.#keyBias ??= this.node("Expand", [this.transpose(bias, [0, 1, 3, 2]), this.integers([1, heads, 1, 1])]);
    const first = this.node("Slice", [q, this.integers([0]), this.integers([1]), this.integers([3])]);
    const ones = this.addScalar(this.scale(first, 0), 1);
    const joined = (x: string, w: number): string => this.reshape(this.transpose(x, [0, 2, 1, 3]), [0, 0, heads * w]); // [B, T, A * w]
    const queries = joined(this.concat([q, ones], 3), width + 1);
    const keys = joined(this.concat([k, this.#keyBias], 3), width + 1);
    const attributes = { num_heads: heads, scale: { float: 1 } };
    const output = this.microsoft("MultiHeadAttention", [queries, keys, joined(v, width)], attributes);
    return this.transpose(this.reshape(output, [0, 0, heads, width]), [0, 2, 1, 3]);
  }

  /** Quantizes a value once for all layers that take it as input: query, key and value share theirs. */
  #quantize(x: string, { min, max }: Range): Quantized {
    const known = this.#quantized.get(x);
    if (known !== undefined) return known;
    // Zero is always in the range, and always exact.
    const [low, high] = [Math.min(min, 0), Math.max(max, 0)];
    const step = Math.fround((high - low) / 255) || 1;
    const scale = this.initializer(`${x}.scale`, [], FLOAT, Float32Array.of(step));
    const zero = this.initializer(`${x}.zero`, [], UINT8, Uint8Array.of(Math.round(-low / step)));
    const quantized = { value: this.node("QuantizeLinear", [x, scale, zero]), scale, zero };
    this.#quantized.set(x, quantized);
    return quantized;
  }

  /** A linear layer's weight [in, out] as integers, with one scale per output. */
  #byColumn(name: string): { readonly weight: string; readonly scale: string } {
    const { shape, data }: Tensor = this.turned(name);
    const columns = shape[1]!;
    const { whole, scales } = quantize(data, WEIGHT_LEVELS, columns, (i) => i % columns);
    return {
      weight: this.initializer(`${name}.weight_int8`, shape, INT8, whole),
      scale: this.initializer(`${name}.weight_scale`, [columns], FLOAT, scales),
    };
  }
}

/** Numbers as scale x integer, with integers from -levels to levels and one scale per group. */
function quantize(
  data: Float32Array,
  levels: number,
  groups: number,
  groupOf: (index: number) => number,
): { whole: Int8Array; scales: Float32Array } {
  const [scales, whole] = [new Float32Array(groups), new Int8Array(data.length)];
  for (let i = 0; i < data.length; i++) {
    const group = groupOf(i);
    scales[group] = Math.max(scales[group]!, Math.abs(data[i]!) / levels);
  }
  for (let group = 0; group < groups; group++) scales[group] ||= 1;
  for (let i = 0; i < data.length; i++) whole[i] = Math.round(data[i]! / scales[groupOf(i)]!);
  return { whole, scales };
}
