/** The parameters of a config: names (the encoder's are those of Hugging Face's BERT), shapes, and initial values of a new model. */
import { MARK_VALUES } from "../languages/python/index.ts";
import { Random } from "../util/random.ts";
import { encoderShape } from "./architectures/index.ts";
import { type ModelConfig, PARTS } from "./config.ts";

export interface ParameterSpec {
  readonly name: string;
  readonly shape: readonly number[];
  /** Initialisation: normal with this standard deviation, or uniform with bounds from the layer's sizes (Glorot and Bengio 2010). */
  readonly init: number | "ones" | "xavier";
}

export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

export type Tensors = Map<string, Tensor>;

/** Every parameter of a model, in a fixed order. */
export function parameterSpecs(config: ModelConfig): ParameterSpec[] {
  const { hidden_size: h, intermediate_size: f, initializer_range: range, codescore: unice } = config;
  const shape = encoderShape(config);
  const specs: ParameterSpec[] = [];
  const table = (name: string, rows: number, init: number, width = h): void => {
    specs.push({ name: `${name}.weight`, shape: [rows, width], init });
  };
  const linear = (name: string, to: number, from: number, init: ParameterSpec["init"] = range, bias = true): void => {
    specs.push({ name: `${name}.weight`, shape: [to, from], init });
    if (bias) specs.push({ name: `${name}.bias`, shape: [to], init: 0 });
  };
  const norm = (name: string): void => {
    specs.push({ name: `${name}.weight`, shape: [h], init: "ones" });
    if (shape.norm === "layer") specs.push({ name: `${name}.bias`, shape: [h], init: 0 });
  };
  const own = unice.embedding_range || range;
  table("embeddings.word_embeddings", config.vocab_size, own);
  if (shape.firstPosition !== null) table("embeddings.position_embeddings", config.max_position_embeddings, own);
  if (shape.tokenTypes) table("embeddings.token_type_embeddings", config.type_vocab_size, own);
  if (shape.embeddingNorm) norm("embeddings.LayerNorm");
  if (shape.relative?.kind === "bias") {
    table("encoder.relative", shape.relative.buckets, range, config.num_attention_heads);
  } else if (shape.relative?.kind === "disentangled") {
    table("encoder.relative", 2 * shape.relative.buckets, range);
    norm("encoder.relative.LayerNorm");
  }
  const inner = shape.headWidth * config.num_attention_heads;
  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    const name = `encoder.layer.${layer}`;
    for (const kind of ["query", "key", "value"]) {
      linear(`${name}.attention.self.${kind}`, inner, h, range, shape.attentionBias);
    }
    linear(`${name}.attention.output.dense`, h, inner, range, shape.attentionBias);
    if (layer > 0 || shape.firstAttentionNorm) norm(`${name}.attention.output.LayerNorm`);
    linear(`${name}.intermediate.dense`, f, h, range, shape.feedForwardBias);
    if (shape.gated) linear(`${name}.intermediate.gate`, f, h, range, shape.feedForwardBias);
    linear(`${name}.output.dense`, h, f, range, shape.feedForwardBias);
    norm(`${name}.output.LayerNorm`);
  }
  if (shape.normFirst) norm("encoder.final.LayerNorm");
  specs.push({ name: "unice.scalars", shape: [config.num_hidden_layers + 1], init: 0 });
  specs.push({ name: "unice.gamma", shape: [], init: "ones" });
  if (unice.channels) {
    table("unice.part", PARTS, unice.embedding_range);
    table("unice.cover", unice.cover.length + 1, unice.embedding_range);
  }
  if (unice.static_marks) table("unice.mark", MARK_VALUES, unice.embedding_range);
  const widths = [h * (unice.pool === "first" ? 1 : 3), ...unice.head_sizes, 2];
  for (let i = 0; i + 1 < widths.length; i++) linear(`unice.head.${i}`, widths[i + 1]!, widths[i]!, "xavier");
  return specs;
}

/** A new model's parameters, or the subset in `specs`. The same seed gives the same parameters. */
export function initialise(config: ModelConfig, seed: number, specs = parameterSpecs(config)): Tensors {
  const random = new Random(seed);
  return new Map(specs.map((spec) => [spec.name, draw(spec, random)]));
}

function draw({ shape, init }: ParameterSpec, random: Random): Tensor {
  const data = new Float32Array(shape.reduce((a, b) => a * b, 1));
  if (init === "ones") data.fill(1);
  else if (init === "xavier") {
    const bound = Math.sqrt(6 / (shape[0]! + shape[1]!));
    for (let i = 0; i < data.length; i++) data[i] = bound * (2 * random.float() - 1);
  } else if (init > 0) for (let i = 0; i < data.length; i++) data[i] = init * random.normal();
  return { shape, data };
}
