/** Adam with decoupled weight decay (Loshchilov and Hutter 2019, algorithm 2), as torch.optim.AdamW computes it. */
import * as tf from "@tensorflow/tfjs";
import type { Tensors } from "../model/index.ts";

export interface AdamWOptions {
  /** @default 0.9 */
  readonly beta1?: number;
  /** @default 0.999 */
  readonly beta2?: number;
  /** @default 1e-8 */
  readonly eps?: number;
  readonly weightDecay: number;
  /** Whether a parameter decays. @default all do */
  readonly decays?: (name: string) => boolean;
}

export class AdamW {
  /** Updates made so far. */
  step = 0;
  readonly #options: Required<AdamWOptions>;
  readonly #moments = new Map<string, { m: tf.Variable; v: tf.Variable }>();

  constructor({ beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weightDecay, decays = () => true }: AdamWOptions) {
    this.#options = { beta1, beta2, eps, weightDecay, decays };
  }

  /** Changes the parameters in place; gradients by parameter name. */
  apply(
    parameters: ReadonlyMap<string, tf.Variable>,
    gradients: ReadonlyMap<string, tf.Tensor>,
    learningRate: number,
  ): void {
    this.step += 1;
    const { beta1, beta2, eps, weightDecay, decays } = this.#options;
    const [correct1, correct2] = [1 - beta1 ** this.step, 1 - beta2 ** this.step];
    tf.tidy(() => {
      for (const [name, gradient] of gradients) {
        const parameter = parameters.get(name)!;
        const { m, v } = this.#momentsOf(name, parameter.shape);
        m.assign(tf.add(tf.mul(m, beta1), tf.mul(gradient, 1 - beta1)));
        v.assign(tf.add(tf.mul(v, beta2), tf.mul(tf.square(gradient), 1 - beta2)));
        const denominator = tf.add(tf.mul(tf.sqrt(v), 1 / Math.sqrt(correct2)), eps);
        const change = tf.mul(tf.div(m, denominator), learningRate / correct1);
        const decay = decays(name) ? 1 - learningRate * weightDecay : 1;
        parameter.assign(tf.sub(tf.mul(parameter, decay), change));
      }
    });
  }

  #momentsOf(name: string, shape: number[]): { m: tf.Variable; v: tf.Variable } {
    let moments = this.#moments.get(name);
    if (moments === undefined) {
      const zeros = (): tf.Variable => tf.tidy(() => tf.variable(tf.zeros(shape), false));
      moments = { m: zeros(), v: zeros() };
      this.#moments.set(name, moments);
    }
    return moments;
  }

  /** The moments as `m.NAME` and `v.NAME`, for a checkpoint. */
  state(): Tensors {
    const state: Tensors = new Map();
    for (const [name, moments] of this.#moments) {
      for (const kind of ["m", "v"] as const) {
        state.set(`${kind}.${name}`, { shape: moments[kind].shape, data: moments[kind].dataSync() as Float32Array });
      }
    }
    return state;
  }

  /** Goes on from a checkpoint. */
  restore(state: Tensors, step: number): void {
    this.step = step;
    for (const [key, { shape, data }] of state) {
      const name = key.slice(2);
      const moments = this.#momentsOf(name, [...shape]);
      tf.tidy(() => moments[key[0] as "m" | "v"].assign(tf.tensor(data, [...shape])));
    }
  }

  dispose(): void {
    for (const { m, v } of this.#moments.values()) tf.dispose([m, v]);
    this.#moments.clear();
  }
}
