/** Decides whether matrix products take their factors in bfloat16. */
import { readFile } from "node:fs/promises";
import * as tf from "@tensorflow/tfjs";
import { CodescoreError } from "../../errors.ts";
import { Graph } from "./graph.ts";

export const PRECISIONS = ["auto", "f32", "bf16"] as const;
/** `auto`: bfloat16 if the CPU multiplies it in hardware. On a GPU, TensorFlow uses TF32 by itself. */
export type Precision = (typeof PRECISIONS)[number];

/**
 * Decides for the native engine, and checks that a product in bfloat16 is correct to its precision. Throws `CodescoreError("environment")`
 * if bfloat16 is requested and incorrect.
 */
export async function usesBf16(precision: Precision): Promise<boolean> {
  const { isUsingGpuDevice } = tf.backend() as unknown as { readonly isUsingGpuDevice: boolean };
  if (precision === "f32" || (precision === "auto" && (isUsingGpuDevice || !(await cpuHasBf16())))) return false;
  const error = errorOfBf16();
  if (error < 2 ** -7) return true;
  if (precision === "auto") return false;
  throw new CodescoreError(
    "environment",
    `expected a product in bfloat16 to have a relative error of at most 2^-7, got ${error}; use --precision f32`,
  );
}

async function cpuHasBf16(): Promise<boolean> {
  const about = await readFile("/proc/cpuinfo", "utf8").catch(() => "");
  return /^(?:flags|Features)\s*:.*\b(?:avx512_bf16|amx_bf16|bf16)\b/m.test(about);
}

/** Error of a product of random matrices, relative to its norm. */
function errorOfBf16(): number {
  return tf.tidy(() => {
    const [a, b] = [tf.randomNormal([64, 128], 0, 1, "float32", 1), tf.randomNormal([128, 32], 0, 1, "float32", 2)];
    const graph = new Graph([a, b], () => [tf.matMul(a, b)], { bf16: true });
    try {
      const exact = tf.matMul(a, b);
      return tf.div(tf.norm(tf.sub(graph.run([a, b])[0]!, exact)), tf.norm(exact)).dataSync()[0]!;
    } finally {
      graph.dispose();
    }
  });
}
