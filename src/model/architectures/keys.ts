/** Reads and checks keys of a `config.json`. */
import { CodescoreError } from "../../errors.ts";
import type { Activation, EncoderShape, RawConfig } from "./types.ts";

/** Throws `CodescoreError("model")` unless the key has one of the values. A missing key has the first. */
export function expectOneOf<T>(config: RawConfig, key: string, values: readonly T[], path: string): T {
  const value = (config[key] ?? values[0]) as T;
  if (values.some((wanted) => JSON.stringify(wanted) === JSON.stringify(value))) return value;
  const wanted = values.map((one) => JSON.stringify(one)).join(" or ");
  throw new CodescoreError("model", `${path}: expected \`${key}\` to be ${wanted}, got ${JSON.stringify(value)}`);
}

/** Throws `CodescoreError("model")` unless the key has an integer in the range. */
export function expectInteger(config: RawConfig, key: string, low: number, high: number, path: string): number {
  const value = config[key];
  if (Number.isInteger(value) && (value as number) >= low && (value as number) <= high) return value as number;
  const got = JSON.stringify(value);
  throw new CodescoreError("model", `${path}: expected \`${key}\` to be an integer from ${low} to ${high}, got ${got}`);
}

/** Throws `CodescoreError("model")` unless the key has a finite number above zero. */
export function expectPositive(config: RawConfig, key: string, path: string): number {
  const value = config[key];
  if (typeof value === "number" && value > 0 && Number.isFinite(value)) return value;
  const got = JSON.stringify(value);
  throw new CodescoreError("model", `${path}: expected \`${key}\` to be a number above zero, got ${got}`);
}

/** Hugging Face's names of activations. */
const ACTIVATIONS: Readonly<Record<string, Activation>> = {
  gelu: "gelu",
  gelu_new: "gelu_tanh",
  gelu_pytorch_tanh: "gelu_tanh",
  relu: "relu",
  silu: "silu",
  swish: "silu",
};

/** Throws `CodescoreError("model")` for an unsupported activation. */
export function activationOf(name: unknown, key: string, path: string): Activation {
  const found = Object.entries(ACTIVATIONS).find(([known]) => known === name)?.[1];
  if (found !== undefined) return found;
  const known = Object.keys(ACTIVATIONS).join(", ");
  throw new CodescoreError("model", `${path}: expected \`${key}\` to be one of ${known}, got ${String(name)}`);
}

/** BERT's shape. Other architectures change parts of it. */
export function bertShape(config: RawConfig, path: string): EncoderShape {
  const [width, heads] = [config.hidden_size as number, config.num_attention_heads as number];
  if (width % heads !== 0) {
    const got = `hidden_size ${width} to be a multiple of num_attention_heads ${heads}`;
    throw new CodescoreError("model", `${path}: expected ${got}`);
  }
  return {
    firstPosition: 0,
    tokenTypes: true,
    embeddingNorm: true,
    norm: "layer",
    normFirst: false,
    firstAttentionNorm: true,
    headWidth: width / heads,
    queryScale: 1 / Math.sqrt(width / heads),
    attentionBias: true,
    feedForwardBias: true,
    activation: activationOf(config.hidden_act, "hidden_act", path),
    gated: false,
    relative: null,
    rotary: () => null,
    window: () => null,
  };
}
