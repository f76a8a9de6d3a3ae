/** Functions of tensors, on the native engine each recorded as a TensorFlow graph for every shape of their inputs. */
import type * as tf from "@tensorflow/tfjs";
import { Graph, type GraphOptions } from "./graph.ts";
import { isNative } from "./native.ts";
import { type Precision, usesBf16 } from "./precision.ts";

interface GraphsOptions extends GraphOptions {
  /** Tokens in a batch at most. */
  readonly batchTokens: number;
}

export class Graphs {
  readonly #options: GraphsOptions;
  readonly #graphs = new Map<string, { graph: Graph; names: readonly string[] }>();

  constructor(options: GraphsOptions) {
    this.#options = options;
  }

  /**
   * What `work` makes of the inputs. It is called once for a name and the shapes of its inputs, and must compute the same for
   * the same inputs from then on: all else that it uses counts as it was at that call.
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
   * The shape [B, T] that `rows` sequences of at most `length` tokens are filled up to, so that few graphs are recorded: rows
   * to those of a full batch, whose longest sequence in any format has `longest` tokens.
   */
  shapeOf(rows: number, length: number, longest: number): [number, number] {
    return [Math.max(rows, Math.floor(this.#options.batchTokens / roundLength(longest))), roundLength(length)];
  }

  dispose(): void {
    for (const { graph } of this.#graphs.values()) graph.dispose();
    this.#graphs.clear();
  }
}

/** Fewer steps than these take longer to record than recording saves. */
const WORTH_RECORDING = 300;

/** For a run of so many steps on the engine that is open, with what to say of it; no graphs where they do not help. */
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

/** Up to the next of four lengths an octave: batches come in few shapes, for each of which the native engine has a graph. */
export function roundLength(length: number): number {
  const step = Math.max(1, 2 ** (Math.floor(Math.log2(Math.max(length, 1))) - 2));
  return Math.ceil(length / step) * step;
}
