/**
 * UniCE: an encoder, layer-wise pooling, and heads for PassRatio and Executability (Dong et al. 2023, section 2.2; encoder: Liu et al.
 * 2019; layer mix: Rei et al. 2020). Shapes: B rows, T tokens, H hidden, A attention heads.
 */

import { encoderShape } from "./architectures/index.ts";
import { type ModelConfig, PARTS } from "./config.ts";
import { coverLevels } from "./cover.ts";
import { encoderLayers, normed } from "./layers.ts";
import type { Ops, Span } from "./ops.ts";

export interface NetworkOutput<T> {
  /** First token of every layer's output, embeddings first: layers + 1 of [B, H]. */
  readonly firstTokens: readonly T[];
  /** [layers + 1] */
  readonly layerWeights: T;
  /** [B, H] or, with means, [B, 3H] */
  readonly pooled: T;
  /** Before the sigmoid, [B]. */
  readonly scoreLogit: T;
  /** Before the sigmoid, [B]. */
  readonly execLogit: T;
}

export interface NetworkInput<T> {
  /** Token ids [B, T]. */
  readonly ids: T;
  /** 1 for tokens, 0 for padding [B, T]. */
  readonly mask: T;
  /** The static mark of each token [B, T]. Omitted for models without this channel. */
  readonly marks?: T | undefined;
  /** The cover level of each token [B, T]. Omitted: computed from the ids. */
  readonly levels?: T | undefined;
}

/** Runs the network. In training, layers whose `layerMask` [layers + 1] is 0 are left out of the layer mix. */
export function network<T>(ops: Ops<T>, config: ModelConfig, input: NetworkInput<T>, layerMask?: T): NetworkOutput<T> {
  const { codescore: unice } = config;
  const parts = partMasks(ops, config, input);
  const span = ops.span(pooledTokens(ops, config, input.mask, parts));
  const hidden = encodeParts(ops, config, input, parts, span);
  let scalars = ops.weight("unice.scalars");
  if (layerMask !== undefined) {
    scalars = ops.add(ops.mul(scalars, layerMask), ops.scale(ops.addScalar(layerMask, -1), 1e4));
  }
  const layerWeights = unice.mix === "softmax" ? ops.softmax(scalars) : ops.sparsemax(scalars);
  const firstTokens = hidden.map((h) => ops.at(h, 1, 0)); // each [B, H]
  const mixed = (rows: readonly T[]): T => mixLayers(ops, rows, layerWeights);
  const views = [mixed(firstTokens)];
  if (unice.pool === "first+means") {
    for (const part of [parts.candidate, parts.reference]) {
      const masks = hidden.map((_, layer) => (layer === config.num_hidden_layers ? span.cut(part) : part));
      views.push(mixed(hidden.map((h, layer) => meanOver(ops, h, masks[layer]!))));
    }
  }
  const pooled = views.length === 1 ? views[0]! : ops.concat(views, 1);
  let y = pooled;
  unice.head_sizes.forEach((_, i) => {
    y = ops.tanh(ops.dropout(ops.linear(y, `unice.head.${i}`)));
  });
  y = ops.linear(y, `unice.head.${unice.head_sizes.length}`); // [B, 2]
  return { firstTokens, layerWeights, pooled, scoreLogit: ops.at(y, 1, 0), execLogit: ops.at(y, 1, 1) };
}

/** Runs the encoder alone. Returns every layer's output, embeddings first: layers + 1 of [B, T, H]. */
export function encode<T>(ops: Ops<T>, config: ModelConfig, input: NetworkInput<T>): readonly T[] {
  return encodeParts(ops, config, input, partMasks(ops, config, input), null);
}

/** The last layer's output is cut to `span`, because nothing outside it is pooled. */
function encodeParts<T>(
  ops: Ops<T>,
  config: ModelConfig,
  input: NetworkInput<T>,
  parts: PartMasks<T>,
  span: Span<T> | null,
): readonly T[] {
  const places = placesOf(ops, config, input.mask, parts);
  let x = embed(ops, config, input, parts, places); // [B, T, H]
  const hidden = [x];
  // A large negative number, not -Infinity: 0 x Infinity would be NaN in half precision's softmax.
  const bias = ops.reshape(ops.scale(ops.addScalar(input.mask, -1), 1e4), [0, 1, 1, -1]); // [B, 1, 1, T]
  const layer = encoderLayers(ops, config, bias, places);
  for (let i = 0; i < config.num_hidden_layers; i++) {
    x = layer(x, i, i === config.num_hidden_layers - 1 ? span : null);
    hidden.push(x);
  }
  return hidden;
}

interface PartMasks<T> {
  /** 0 candidate, 1 reference, 2 description. A separator belongs to the part that it ends. [B, T] */
  readonly index: T;
  /** 1 on the candidate's tokens, without separators. [B, T] */
  readonly candidate: T;
  readonly reference: T;
}

/** Finds each token's part from the ids alone: the number of separators before it. */
function partMasks<T>(ops: Ops<T>, config: ModelConfig, { ids, mask }: NetworkInput<T>): PartMasks<T> {
  const separator = ops.mul(ops.equals(ids, config.eos_token_id), mask);
  const special = ops.add(separator, ops.equals(ids, config.bos_token_id));
  const token = ops.mul(mask, ops.addScalar(ops.scale(special, -1), 1));
  const index = ops.mul(ops.cumsum(separator, true), mask);
  return {
    index,
    candidate: ops.mul(token, ops.equals(index, 0)),
    reference: ops.mul(token, ops.equals(index, 1)),
  };
}

/** 1 on tokens whose last hidden states are pooled, including separators. [B, T] */
function pooledTokens<T>(ops: Ops<T>, { codescore }: ModelConfig, mask: T, { index }: PartMasks<T>): T {
  if (codescore.pool === "first") return ops.mul(mask, ops.equals(ops.cumsum(mask, false), 1));
  return ops.mul(mask, ops.add(ops.equals(index, 0), ops.equals(index, 1)));
}

/** Positions of tokens, from 1 [B, T]. */
function placesOf<T>(ops: Ops<T>, config: ModelConfig, mask: T, parts: PartMasks<T>): T {
  const places = ops.cumsum(mask, false);
  if (config.codescore.positions === "sequence") return places;
  return ops.add(places, ops.scale(tokensBefore(ops, parts, mask), -1));
}

function embed<T>(
  ops: Ops<T>,
  config: ModelConfig,
  { ids, mask, marks, levels }: NetworkInput<T>,
  parts: PartMasks<T>,
  places: T,
): T {
  const shape = encoderShape(config);
  let x = ops.embedding(ids, "embeddings.word_embeddings");
  if (shape.firstPosition !== null) {
    // Padding uses the row before the first position, if there is one, as in RoBERTa.
    const start = Math.max(shape.firstPosition - 1, 0);
    const steps = shape.firstPosition === 0 ? ops.addScalar(places, -1) : places;
    const positions = ops.addScalar(ops.mul(steps, mask), start);
    x = ops.add(x, ops.embedding(positions, "embeddings.position_embeddings"));
  }
  if (shape.tokenTypes) {
    const types = ops.weight("embeddings.token_type_embeddings.weight");
    x = ops.add(x, ops.reshape(ops.at(types, 0, 0), [1, 1, -1]));
  }
  if (config.codescore.channels) {
    x = ops.add(x, ops.embedding(parts.index, "unice.part"));
    const computed = (): T => coverLevels(ops, ids, parts.candidate, parts.reference, config.codescore.cover);
    x = ops.add(x, ops.embedding(levels ?? computed(), "unice.cover"));
  }
  if (config.codescore.static_marks && marks !== undefined) x = ops.add(x, ops.embedding(marks, "unice.mark"));
  return ops.dropout(shape.embeddingNorm ? normed(ops, shape, x, "embeddings.LayerNorm") : x);
}

/** For each token, the number of tokens in the parts before its part [B, T]. */
function tokensBefore<T>(ops: Ops<T>, { index }: PartMasks<T>, mask: T): T {
  const terms = Array.from({ length: PARTS - 1 }, (_, part) => {
    const size = ops.reshape(ops.sum(ops.mul(mask, ops.equals(index, part)), 1), [0, 1]); // [B, 1]
    const after = Array.from({ length: PARTS - 1 - part }, (_, k) => ops.equals(index, part + 1 + k));
    return ops.mul(
      after.reduce((a, b) => ops.add(a, b)),
      size,
    );
  });
  return terms.reduce((a, b) => ops.add(a, b));
}

/** gamma x the weighted sum over layers: layers of [B, H] -> [B, H]. */
function mixLayers<T>(ops: Ops<T>, rows: readonly T[], layerWeights: T): T {
  const stacked = ops.stack(rows, 2); // [B, H, layers]
  const weighted = ops.sum(ops.mul(stacked, ops.reshape(layerWeights, [1, 1, -1])), 2);
  return ops.mul(weighted, ops.weight("unice.gamma"));
}

/** Mean of x [B, T, H] over the tokens of a mask [B, T] -> [B, H]. Zero if the mask is empty. */
function meanOver<T>(ops: Ops<T>, x: T, mask: T): T {
  const count = ops.addScalar(ops.sum(mask, 1), 1e-3); // [B]
  const total = ops.at(ops.matmul(ops.reshape(mask, [0, 1, -1]), x), 1, 0); // [B, 1, T] x [B, T, H]
  return ops.div(total, ops.reshape(count, [0, 1]));
}
