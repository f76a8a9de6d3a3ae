/** The layers of an encoder. Shapes: B rows, T tokens, H hidden, A attention heads of W values. */
import { type EncoderShape, encoderShape } from "./architectures/index.ts";
import type { ModelConfig } from "./config.ts";
import type { Ops, Span } from "./ops.ts";
import { angleRows, bucketsOf, distances, nearTokens, turn } from "./positions.ts";

export function normed<T>(ops: Ops<T>, { norm }: EncoderShape, x: T, name: string): T {
  return norm === "rms" ? ops.rmsNorm(x, name) : ops.layerNorm(x, name, norm === "layer");
}

/**
 * Makes a function from a layer's input [B, T, H] and index to its output. With a `span`, the output holds only the span's tokens.
 * @param bias masks padding [B, 1, 1, T]
 * @param places positions from 1 [B, T]
 */
export function encoderLayers<T>(
  ops: Ops<T>,
  config: ModelConfig,
  bias: T,
  places: T,
): (x: T, layer: number, span: Span<T> | null) => T {
  const shape = encoderShape(config);
  const [count, width] = [config.num_attention_heads, shape.headWidth];
  const standing = standingOf(ops, config, shape, places);
  const linear = (x: T, name: string): T => ops.linear(x, name, shape.feedForwardBias);
  const scaled = (x: T): T => (shape.queryScale === 1 ? x : ops.scale(x, shape.queryScale));

  /** [B, T, H] -> [B, A, T, W] */
  const heads = (x: T, name: string): T =>
    ops.transpose(ops.reshape(ops.linear(x, name, shape.attentionBias), [0, 0, count, width]), [0, 2, 1, 3]);

  const activated = (x: T): T => {
    if (shape.activation === "gelu") return ops.gelu(x);
    if (shape.activation === "relu") return ops.relu(x);
    if (shape.activation === "silu") return ops.mul(x, ops.sigmoid(x));
    // x / 2 (1 + tanh(sqrt(2 / pi) (x + .044715 x^3)))
    const inner = ops.mul(x, ops.addScalar(ops.scale(ops.mul(x, x), 0.044715), 1));
    return ops.mul(ops.scale(x, 0.5), ops.addScalar(ops.tanh(ops.scale(inner, Math.sqrt(2 / Math.PI))), 1));
  };

  /** The term that relative positions add to the attention of queries [B, A, T', W] to keys [B, A, T, W]. */
  const relativeTerm = (query: T, key: T, layer: number, cut: Span<T> | null): T | undefined => {
    const self = `encoder.layer.${layer}.attention.self`;
    const window = shape.window(layer);
    if (window !== null) return standing.near(window, cut);
    if (shape.relative === null) return undefined;
    if (shape.relative.kind === "bias") return standing.bias(cut);
    const rows = standing.rows();
    const buckets = standing.buckets(cut); // [B, T', T]
    const ofQueries = ops.pick(ops.matmul(query, heads(rows, `${self}.key`), true), buckets);
    const ofKeys = ops.matmul(key, scaled(heads(rows, `${self}.query`)), true);
    return ops.add(ofQueries, ops.transpose(ops.pick(ofKeys, ops.transpose(buckets, [0, 2, 1])), [0, 1, 3, 2]));
  };

  return (all, layer, span) => {
    const name = `encoder.layer.${layer}`;
    const x = span === null ? all : span.cut(all); // [B, T', H]
    const cut = x === all ? null : span;
    const hasNorm = shape.normFirst && (layer > 0 || shape.firstAttentionNorm);
    const before = (y: T): T => (hasNorm ? normed(ops, shape, y, `${name}.attention.output.LayerNorm`) : y);
    const from = before(all);
    const own = cut === null ? from : before(x);
    let query = scaled(heads(own, `${name}.attention.self.query`));
    let key = heads(from, `${name}.attention.self.key`);
    const value = heads(from, `${name}.attention.self.value`);
    const base = shape.rotary(layer);
    if (base !== null) {
      query = turn(ops, query, standing.angles(base, cut), width);
      key = turn(ops, key, standing.angles(base, null), width);
    }
    const attention = ops.attention(query, key, value, bias, relativeTerm(query, key, layer, cut)); // [B, A, T', W]
    const context = ops.reshape(ops.transpose(attention, [0, 2, 1, 3]), [0, 0, count * width]);
    const output = ops.dropout(ops.linear(context, `${name}.attention.output.dense`, shape.attentionBias));
    let attended = ops.add(x, output);
    if (!shape.normFirst) attended = normed(ops, shape, attended, `${name}.attention.output.LayerNorm`);
    const input = shape.normFirst ? normed(ops, shape, attended, `${name}.output.LayerNorm`) : attended;
    let inner = activated(linear(input, `${name}.intermediate.dense`));
    if (shape.gated) inner = ops.mul(inner, linear(input, `${name}.intermediate.gate`));
    const sum = ops.add(attended, ops.dropout(linear(inner, `${name}.output.dense`)));
    if (!shape.normFirst) return normed(ops, shape, sum, `${name}.output.LayerNorm`);
    return layer === config.num_hidden_layers - 1 ? normed(ops, shape, sum, "encoder.final.LayerNorm") : sum;
  };
}

/** Position data that all layers share, computed once, for all queries or for those of a span. */
function standingOf<T>(ops: Ops<T>, config: ModelConfig, shape: EncoderShape, places: T) {
  const known = new Map<string, T>();
  const once = (name: string, cut: Span<T> | null, make: () => T): T => {
    const key = `${name} ${cut === null}`;
    const value = known.get(key) ?? make();
    known.set(key, value);
    return value;
  };
  const between = (cut: Span<T> | null): T =>
    once("distances", cut, () => distances(ops, cut === null ? places : cut.cut(places), places));
  const buckets = (cut: Span<T> | null): T => once("buckets", cut, () => bucketsOf(ops, between(cut), shape.relative!)); // [B, T', T]
  return {
    buckets,
    /** Masks of tokens outside the window [B, 1, T', T]. */
    near: (window: number, cut: Span<T> | null): T =>
      once(`near ${window}`, cut, () => nearTokens(ops, between(cut), window)),
    /** One number per head and distance [B, A, T', T]. */
    bias: (cut: Span<T> | null): T =>
      once("bias", cut, () => ops.transpose(ops.embedding(buckets(cut), "encoder.relative"), [0, 3, 1, 2])),
    /** The embeddings of the distances [1, rows, H]. */
    rows: (): T =>
      once("rows", null, () => {
        const table = normed(ops, shape, ops.weight("encoder.relative.weight"), "encoder.relative.LayerNorm");
        return ops.reshape(table, [1, -1, config.hidden_size]);
      }),
    /** Cosines, then sines [B, T', W]. */
    angles: (base: number, cut: Span<T> | null): T =>
      once(`angles ${base}`, cut, () => {
        const last = config.codescore.max_length - 1;
        const rows = angleRows(base, shape.headWidth, last + 1);
        const from = ops.clip(ops.addScalar(cut === null ? places : cut.cut(places), -1), 0, last);
        return ops.fixedRows(from, rows);
      }),
  };
}
