/** Measures PyTorch on the same shapes, if the box has it. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { messageOf } from "../../errors.ts";
import type { ModelConfig } from "../../model/index.ts";

export interface TorchSpeed {
  readonly precision: "f32" | "tf32" | "bf16";
  readonly tokensPerSecond: number;
  /** Speed of one product of two square matrices in that precision. */
  readonly matmulGigaflops: number;
}

export interface TorchResult {
  /** PyTorch's version and device. */
  readonly name: string;
  readonly speeds: readonly TorchSpeed[];
}

/**
 * Measures training steps of a network of the same size, over passes of the same shapes, [rows, tokens] each. A string says why there is no
 * result.
 */
export async function torchSpeed(
  { python, script, seconds }: { readonly python: string; readonly script: string; readonly seconds: number },
  config: ModelConfig,
  passes: readonly (readonly [number, number])[],
): Promise<TorchResult | string> {
  const shape = {
    layers: config.num_hidden_layers,
    hidden: config.hidden_size,
    heads: config.num_attention_heads,
    ffn: config.intermediate_size,
    vocab: config.vocab_size,
    headSizes: config.codescore.head_sizes,
    passes,
    seconds,
  };
  try {
    const { stdout } = await promisify(execFile)(python, [script, JSON.stringify(shape)], {
      timeout: (6 * seconds + 120) * 1000, // the import alone may take a minute
    });
    return JSON.parse(stdout) as TorchResult;
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === "ENOENT") return `no ${python}`;
    if (code === 3) return `${python} has no torch`;
    return (stderr?.trim().split("\n").at(-1) || messageOf(error)).trim();
  }
}
