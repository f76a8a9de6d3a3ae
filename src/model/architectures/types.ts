/** The differences between encoders in the network, and how their Hugging Face files are read. */

/** The content of a `config.json`. */
export type RawConfig = Readonly<Record<string, unknown>>;

/** `gelu_tanh` is the tanh approximation of GELU (Hendrycks and Gimpel 2016, section 2), which T5 uses. */
export type Activation = "gelu" | "gelu_tanh" | "relu" | "silu";

/** How attention depends on the distance of two tokens. Both kinds are learned, and all layers share them. */
export type RelativePositions =
  /** One number per head and distance, added to the attention logits (Raffel et al. 2020, section 2.1). */
  | { readonly kind: "bias"; readonly buckets: number; readonly maxDistance: number }
  /** Products of a distance's embedding with key and query, added to the logits too (He et al. 2021, section 3.1). */
  | { readonly kind: "disentangled"; readonly buckets: number; readonly maxDistance: number };

export interface EncoderShape {
  /** Row of the position table for a sequence's first token. null: there is no table. */
  readonly firstPosition: number | null;
  /** Whether the first row of a token type table is added to each token. */
  readonly tokenTypes: boolean;
  /** Whether the embeddings are normalised. */
  readonly embeddingNorm: boolean;
  /** Layer norm (Ba et al. 2016), with a bias or without, or RMS norm (Zhang and Sennrich 2019). */
  readonly norm: "layer" | "layer without bias" | "rms";
  /** Whether norms come before each branch and once at the end (pre-norm). Otherwise after each residual sum (post-norm). */
  readonly normFirst: boolean;
  /** With `normFirst`: whether the first layer's attention has a norm. Otherwise it uses the normalised embeddings directly. */
  readonly firstAttentionNorm: boolean;
  /** Width of one attention head. */
  readonly headWidth: number;
  /** Factor on the queries. */
  readonly queryScale: number;
  readonly attentionBias: boolean;
  readonly feedForwardBias: boolean;
  readonly activation: Activation;
  /** Whether the activation is multiplied by a second linear projection of the input (Shazeer 2020). */
  readonly gated: boolean;
  readonly relative: RelativePositions | null;
  /** Base of the angles by which a layer rotates queries and keys (Su et al. 2021). null: no rotation. */
  readonly rotary: (layer: number) => number | null;
  /** Maximum distance of the tokens that a layer attends to. null: no limit. */
  readonly window: (layer: number) => number | null;
}

/** A pattern of a parameter's name in the file, and our name for it. Several names take equal shares of its rows, in order. */
export type Renaming = readonly [RegExp, string | readonly string[]];

/** How to read an architecture's files. */
export interface Architecture {
  /** The common name of the architecture. */
  readonly title: string;
  /** Defaults for keys that the file leaves out, as in transformers. */
  readonly defaults: RawConfig;
  /** For each of our keys, the names that the file may use for it. The first one present counts. */
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  /**
   * The encoder shape for a config with our keys. Throws `CodescoreError("model")` that names the unsupported key. `path` is the file, for
   * messages.
   */
  readonly shape: (config: RawConfig, path: string) => EncoderShape;
  /** The file's name for the table with one row per token. @default embeddings.word_embeddings.weight */
  readonly words?: string;
  /** Renamings, in order of priority. Names that match none stay unchanged. */
  readonly names?: readonly Renaming[];
}
