/** What every kind of training does with a gradient. */
import * as tf from "@tensorflow/tfjs";
import type { AdamW } from "./adamw.ts";
import type { Graphs } from "./engine/graphs.ts";

/** A type, not an interface, for `tf.tidy` to take it. */
export type Gradients = {
  readonly value: tf.Scalar;
  /** By the variable's name; none for one that the rows do not reach. */
  readonly grads: tf.NamedTensorMap;
};

/**
 * The loss and its gradient for the variables among the parameters that move. With graphs it is recorded for each `name` and
 * shape of the inputs, which must then be all that differs from call to call.
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
    const reached = Object.entries(grads).filter(([, gradient]) => gradient); // null where rows reach no variable
    return { value, ...Object.fromEntries(reached) };
  };
  const { value, ...grads } = graphs
    ? graphs.run(`${name}: gradients of ${moving.length}`, [...parameters.values()], inputs, work)
    : work();
  return { value: value as tf.Scalar, grads };
}

export interface Update {
  /** Before the update. */
  readonly loss: number;
  /** Norm of the gradient before clipping. */
  readonly gradientNorm: number;
}

export interface UpdateOptions {
  /** Gradients are scaled down to this norm. */
  readonly clipNorm: number;
  readonly learningRate: number;
  /** Where the update is recorded. */
  readonly graphs?: Graphs | undefined;
}

/**
 * Clips a gradient and makes one update with it; the gradient is disposed. When it or the loss is not finite, throws what
 * `notFinite` makes of them, and the parameters are as before.
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
      const squares = Object.values(grads).map((gradient) => tf.sum(tf.square(gradient)));
      return { measured: tf.stack([value, tf.sum(tf.stack(squares))]) };
    };
    return (graphs ? graphs.run("norm", [], inputs, work) : work()).measured!;
  });
  try {
    const [loss, norm2] = (await measured.data()) as unknown as [number, number];
    const gradientNorm = Math.sqrt(norm2);
    if (!Number.isFinite(loss) || !Number.isFinite(gradientNorm)) throw notFinite({ loss, gradientNorm });
    const gradients = new Map<string, tf.Tensor>();
    for (const [name, variable] of parameters) {
      const gradient = grads[variable.name]; // none where a batch does not reach a parameter
      if (gradient) gradients.set(name, gradient);
    }
    optimizer.apply(parameters, gradients, learningRate, { scale: Math.min(1, clipNorm / gradientNorm), graphs });
    return { loss, gradientNorm };
  } finally {
    tf.dispose([measured, value, grads]);
  }
}
