/** What sets encoders apart in the network, and how Hugging Face's files are read as one. */

/** The content of a `config.json`. */
export type RawConfig = Readonly<Record<string, unknown>>;

/** `gelu_tanh` is GELU by a hyperbolic tangent (Hendrycks and Gimpel 2016, section 2), which T5 has. */
export type Activation = "gelu" | "gelu_tanh" | "relu" | "silu";

/** How what two tokens have to do with each other depends on their distance; both kinds are learned, and shared by all layers. */
export type RelativePositions =
  /** A number a head and distance, added to the attention (Raffel et al. 2020, section 2.1). */
  | { readonly kind: "bias"; readonly buckets: number; readonly maxDistance: number }
  /** Products of a distance's vector with key and query, added likewise (He et al. 2021, section 3.1). */
  | { readonly kind: "disentangled"; readonly buckets: number; readonly maxDistance: number };

export interface EncoderShape {
  /** Row of the position table that a sequence's first token has; null: there is no table. */
  readonly firstPosition: number | null;
  /** Whether the first row of a table of token types is added to each token. */
  readonly tokenTypes: boolean;
  /** Whether the embeddings are normed. */
  readonly embeddingNorm: boolean;
  /** Layer norm (Ba et al. 2016), with a bias or without, or RMS norm (Zhang and Sennrich 2019). */
  readonly norm: "layer" | "layer without bias" | "rms";
  /** Norms stand after each residual sum, or before each branch and once more at the end. */
  readonly normFirst: boolean;
  /** With `normFirst`: whether the first layer's attention has one, or takes the normed embeddings. */
  readonly firstAttentionNorm: boolean;
  /** Values of a head. */
  readonly headWidth: number;
  /** What queries are multiplied by. */
  readonly queryScale: number;
  readonly attentionBias: boolean;
  readonly feedForwardBias: boolean;
  readonly activation: Activation;
  /** Whether the activation is multiplied by a second product of the input (Shazeer 2020). */
  readonly gated: boolean;
  readonly relative: RelativePositions | null;
  /** Base of the angles by which a layer turns queries and keys (Su et al. 2021); null: they are not turned. */
  readonly rotary: (layer: number) => number | null;
  /** The farthest token that a layer's tokens attend to; null: all. */
  readonly window: (layer: number) => number | null;
}

/** A pattern of a parameter's name in the file, and its name of ours; several take equal shares of its rows. */
export type Renaming = readonly [RegExp, string | readonly string[]];

/** How an architecture's files are read. */
export interface Architecture {
  /** What people call it. */
  readonly title: string;
  /** What keys mean that the file leaves out, as transformers has it. */
  readonly defaults: RawConfig;
  /** What the file calls keys of ours; the first that it has counts. */
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  /** The shape of a config with keys of ours. Throws `CodescoreError("model")` that names what is not read; `path` is the file. */
  readonly shape: (config: RawConfig, path: string) => EncoderShape;
  /** What the file calls the table with a row a token. @default embeddings.word_embeddings.weight */
  readonly words?: string;
  /** In order; names that none fits stay. */
  readonly names?: readonly Renaming[];
}
