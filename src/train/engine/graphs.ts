/** Functions of tensors. On the native engine each is recorded as a TensorFlow graph per shape of its inputs. */
import type * as tf from "@tensorflow/tfjs";
import { Graph, type GraphOptions } from "./graph.ts";
import { isNative } from "./native.ts";
import { type Precision, usesBf16 } from "./precision.ts";

interface GraphsOptions extends GraphOptions {
  /** Maximum tokens in a batch. */
  readonly batchTokens: number;
}

export class Graphs {
  readonly #options: GraphsOptions;
  readonly #graphs = new Map<string, { graph: Graph; names: readonly string[] }>();

  constructor(options: GraphsOptions) {
    this.#options = options;
  }

  /**
   * Computes `work` on the inputs. `work` is called only once per name and input shapes, and its recording is used from then on. Anything
   * else that `work` uses, other than inputs and parameters, keeps the value of that call.
   */
  run(
    name: string,
    parameters: readonly tf.Variable[],
    inputs: tf.NamedTensorMap,
    work: () => tf.NamedTensorMap,
  ): tf.NamedTensorMap {
    const given = [...parameters, ...Object.values(inputs)];
    const key = [name, ...Object.entries(inputs).map(([input, { shape }]) => `${input} ${shape}`)].join("; ");
    let recorded = this.#graphs.get(key);
    if (recorded === undefined) {
      let names: string[] = [];
      const graph = new Graph(
        given,
        () => {
          const made = work();
          names = Object.keys(made);
          return Object.values(made);
        },
        this.#options,
      );
      recorded = { graph, names };
      this.#graphs.set(key, recorded);
    }
    const outputs = recorded.graph.run(given);
    return Object.fromEntries(recorded.names.map((output, i) => [output, outputs[i]!]));
  }

  /**
   * The shape [B, T] to which `rows` sequences of at most `length` tokens are padded, so that few graphs are recorded. B is at least the
   * number of rows of a full batch whose longest sequence, in any format, has `longest` tokens.
   */
  shapeOf(rows: number, length: number, longest: number): [number, number] {
    return [Math.max(rows, Math.floor(this.#options.batchTokens / roundLength(longest))), roundLength(length)];
  }

  dispose(): void {
    for (const { graph } of this.#graphs.values()) graph.dispose();
    this.#graphs.clear();
  }
}

/** Minimum steps of a run for recording. Shorter runs would spend more time on recording than they save. */
const WORTH_RECORDING = 300;

/** Graphs for a run of `steps` steps on the open engine, and a note for people. No graphs if they would not help. */
export async function graphsFor(
  steps: number,
  batchTokens: number,
  precision: Precision,
): Promise<{ readonly graphs?: Graphs; readonly note: string }> {
  if (!isNative() || steps < WORTH_RECORDING) return { note: "" };
  const bf16 = await usesBf16(precision);
  return {
    graphs: new Graphs({ bf16, batchTokens }),
    note: `, steps recorded as graphs, products in ${bf16 ? "bfloat16" : "float32"}`,
  };
}

/** Rounds up to one of four lengths per octave. Batches then have few shapes, and the native engine needs one graph per shape. */
export function roundLength(length: number): number {
  const step = Math.max(1, 2 ** (Math.floor(Math.log2(Math.max(length, 1))) - 2));
  return Math.ceil(length / step) * step;
}
