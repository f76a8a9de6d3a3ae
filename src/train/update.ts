/** The part of an update that all kinds of training share. */
import * as tf from "@tensorflow/tfjs";
import type { AdamW } from "./adamw.ts";
import type { Graphs } from "./engine/graphs.ts";
import { sumOfSquares } from "./engine/sums.ts";

/** A type, not an interface, because `tf.tidy` accepts only a type here. */
export type Gradients = {
  readonly value: tf.Scalar;
  /** By variable name. A variable that does not affect the loss has no entry. */
  readonly grads: tf.NamedTensorMap;
};

/**
 * The loss and its gradient for the `moving` variables. With graphs, the computation is recorded once per `name` and shape of the inputs.
 * Only the inputs and parameters may then differ between calls.
 */
export function gradientsOf(
  { parameters, graphs }: { readonly parameters: ReadonlyMap<string, tf.Variable>; readonly graphs?: Graphs },
  name: string,
  moving: tf.Variable[],
  inputs: tf.NamedTensorMap,
  loss: () => tf.Scalar,
): Gradients {
  const work = (): tf.NamedTensorMap => {
    const { value, grads } = tf.variableGrads(loss, moving);
    const reached = Object.entries(grads).filter(([, gradient]) => gradient); // null for variables that do not affect the loss
    return { value, ...Object.fromEntries(reached) };
  };
  const { value, ...grads } = graphs
    ? graphs.run(`${name}: gradients of ${moving.length}`, [...parameters.values()], inputs, work)
    : work();
  return { value: value as tf.Scalar, grads };
}

export interface Update {
  /** Loss before the update. */
  readonly loss: number;
  /** Norm of the gradient before clipping. */
  readonly gradientNorm: number;
}

export interface UpdateOptions {
  /** Gradients with a larger norm are scaled down to this norm. */
  readonly clipNorm: number;
  readonly learningRate: number;
  /** Records the update as graphs. */
  readonly graphs?: Graphs | undefined;
}

/**
 * Clips a gradient, makes one update with it, and disposes it. If the gradient or the loss is not finite, throws the error that `notFinite`
 * returns and leaves the parameters unchanged.
 */
export async function update(
  parameters: ReadonlyMap<string, tf.Variable>,
  optimizer: AdamW,
  { value, grads }: Gradients,
  { clipNorm, learningRate, graphs }: UpdateOptions,
  notFinite: (update: Update) => Error,
): Promise<Update> {
  const measured = tf.tidy(() => {
    const inputs = { ...grads, value };
    const work = (): { measured: tf.Tensor } => {
      return { measured: tf.stack([value, sumOfSquares(Object.values(grads))]) };
    };
    return (graphs ? graphs.run("norm", [], inputs, work) : work()).measured!;
  });
  try {
    const [loss, norm2] = (await measured.data()) as unknown as [number, number];
    const gradientNorm = Math.sqrt(norm2);
    if (!Number.isFinite(loss) || !Number.isFinite(gradientNorm)) throw notFinite({ loss, gradientNorm });
    const gradients = new Map<string, tf.Tensor>();
    for (const [name, variable] of parameters) {
      const gradient = grads[variable.name]; // absent if the batch does not involve the parameter
      if (gradient) gradients.set(name, gradient);
    }
    optimizer.apply(parameters, gradients, learningRate, { scale: Math.min(1, clipNorm / gradientNorm), graphs });
    return { loss, gradientNorm };
  } finally {
    tf.dispose([measured, value, grads]);
  }
}
