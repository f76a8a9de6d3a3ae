/** Which parameters are trained, from when, and at which rate (Rei et al. 2020, COMET, whose code the authors of CodeScore built on). */

export interface GroupOptions {
  readonly learningRate: number;
  /** For parameters that are not the encoder's own: heads, layer mix, embeddings of part and cover level. */
  readonly headLearningRate: number;
  /** Ratio of each layer's learning rate to that of the layer above it. */
  readonly layerDecay: number;
  readonly keepEmbeddingsFrozen: boolean;
  /** Number of lowest layers that are frozen. */
  readonly freezeLayers: number;
}

/** For the optimizer, by parameter name: the factor on the learning rate, and the number of updates before its first one. */
export interface ParameterGroups {
  readonly rate: (name: string) => number;
  readonly start: (name: string) => number;
}

/**
 * The top layer of `layers` has the encoder's learning rate. The layer i below it has decay^i times that rate, and the embeddings
 * decay^(layers + 1) times, as in COMET. The encoder and the embeddings that feed it are frozen for the first `frozenUpdates` updates.
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

/** The encoder layer of a parameter. Null for parameters outside the layers. */
function layerOf(name: string): number | null {
  const found = /^encoder\.layer\.(\d+)\./.exec(name);
  return found === null ? null : Number(found[1]);
}
