/** Which parameters move, from when, and how fast (Rei et al. 2020, COMET, whose code the authors of CodeScore built on). */

export interface GroupOptions {
  readonly learningRate: number;
  /** Of what the encoder did not come with: heads, layer mix, embeddings of part and cover level. */
  readonly headLearningRate: number;
  /** Each layer learns at this share of the rate of the one above it. */
  readonly layerDecay: number;
  readonly keepEmbeddingsFrozen: boolean;
  /** The lowest layers that stay as they are. */
  readonly freezeLayers: number;
}

/** For the optimizer: what a parameter's learning rate is taken times, and the updates made before its first. */
export interface ParameterGroups {
  readonly rate: (name: string) => number;
  readonly start: (name: string) => number;
}

/**
 * The top layer of `layers` has the encoder's learning rate, the one i below it that times decay^i, the embeddings
 * decay^(layers + 1), as in COMET. The encoder, with the embeddings that feed it, stays as it is for `frozenUpdates`.
 */
export function parameterGroups(options: GroupOptions, layers: number, frozenUpdates: number): ParameterGroups {
  const { learningRate, headLearningRate, layerDecay, keepEmbeddingsFrozen, freezeLayers } = options;
  return {
    rate(name) {
      if (name.startsWith("unice.")) return headLearningRate / learningRate;
      if (name.startsWith("encoder.final.")) return 1;
      const layer = layerOf(name);
      return layerDecay ** (layer === null ? layers + 1 : layers - 1 - layer);
    },
    start(name) {
      if (keepEmbeddingsFrozen && name.startsWith("embeddings.")) return Number.POSITIVE_INFINITY;
      const layer = layerOf(name);
      if (layer !== null && layer < freezeLayers) return Number.POSITIVE_INFINITY;
      return /^unice\.(head|scalars|gamma)/.test(name) ? 0 : frozenUpdates;
    },
  };
}

/** The layer of the encoder that a parameter is in; null outside of them. */
function layerOf(name: string): number | null {
  const found = /^encoder\.layer\.(\d+)\./.exec(name);
  return found === null ? null : Number(found[1]);
}
