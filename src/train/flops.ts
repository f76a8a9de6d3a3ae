/** Counts the arithmetic of training, and measures its speed. */
import { encoderShape, type ModelConfig } from "../model/index.ts";

/**
 * Parameters of the encoder's matrices: per layer four of the attention and two of the feed-forward part, or three if that is gated.
 * Tables, norms, biases and heads are left out because they take hardly any multiplications per token.
 */
export function matrixParameters(config: ModelConfig): number {
  const { num_hidden_layers, hidden_size, intermediate_size, num_attention_heads } = config;
  const { headWidth, gated } = encoderShape(config);
  const attention = 4 * num_attention_heads * headWidth;
  return num_hidden_layers * hidden_size * (attention + (gated ? 3 : 2) * intermediate_size);
}

/**
 * Floating-point operations of a training step on a number of tokens, padding included: 6 per matrix parameter and token, 2 forward and 4
 * backward (Kaplan et al. 2020, section 2.1). Attention over the sequence is not counted.
 */
export const trainingFlops = (config: ModelConfig, tokens: number): number => 6 * matrixParameters(config) * tokens;

/** Rates of the steps, without evaluation and saving. */
export interface Speed {
  readonly examplesPerSecond: number;
  /** Tokens with padding, over all formats. */
  readonly tokensPerSecond: number;
  /** 1e9 floating-point operations per second, see `trainingFlops`. */
  readonly gigaflopsPerSecond: number;
}

/** Sums up the steps of this process. */
export class SpeedMeter {
  readonly #config: ModelConfig;
  #examples = 0;
  #tokens = 0;
  #seconds = 0;

  constructor(config: ModelConfig) {
    this.#config = config;
  }

  add({ rows, tokens, seconds }: { rows: number; tokens: number; seconds: number }): void {
    this.#examples += rows;
    this.#tokens += tokens;
    this.#seconds += seconds;
  }

  /** Null before the first step. */
  get speed(): Speed | null {
    if (this.#seconds === 0) return null;
    return {
      examplesPerSecond: this.#examples / this.#seconds,
      tokensPerSecond: this.#tokens / this.#seconds,
      gigaflopsPerSecond: trainingFlops(this.#config, this.#tokens) / this.#seconds / 1e9,
    };
  }
}

/** Text for the progress bar. */
export const speedNote = (speed: Speed | null): string =>
  speed === null
    ? "no step yet"
    : `${speed.examplesPerSecond.toFixed(speed.examplesPerSecond < 10 ? 1 : 0)} examples/s, ${speed.tokensPerSecond.toFixed(0)} tokens/s, ${speed.gigaflopsPerSecond.toFixed(1)} GFLOP/s`;
