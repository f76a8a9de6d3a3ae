/** Adam with decoupled weight decay (Loshchilov and Hutter 2019, algorithm 2), as torch.optim.AdamW computes it. */
import * as tf from "@tensorflow/tfjs";
import type { Tensors } from "../model/index.ts";
import type { Graphs } from "./engine/graphs.ts";
import { adamOnGpu } from "./engine/webgpu/fused.ts";
import { isWebGpu } from "./engine/webgpu/shader.ts";

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
  /** Factor on the learning rate of a parameter. @default 1 */
  readonly rate?: (name: string) => number;
  /** Number of updates for which a parameter is frozen before its first one. @default 0 */
  readonly start?: (name: string) => number;
}

/** A parameter, its gradient and its moments. */
interface Moving {
  readonly gradient: tf.Tensor;
  readonly parameter: tf.Variable;
  readonly m: tf.Variable;
  readonly v: tf.Variable;
}

export class AdamW {
  /** Updates made so far. */
  step = 0;
  readonly #options: Required<AdamWOptions>;
  readonly #moments = new Map<string, { m: tf.Variable; v: tf.Variable }>();

  constructor({
    beta1 = 0.9,
    beta2 = 0.999,
    eps = 1e-8,
    weightDecay,
    decays = () => true,
    rate = () => 1,
    start = () => 0,
  }: AdamWOptions) {
    this.#options = { beta1, beta2, eps, weightDecay, decays, rate, start };
  }

  /** Whether the next update changes a parameter. Only then is its gradient needed. */
  moves(name: string): boolean {
    return this.step >= this.#options.start(name);
  }

  /**
   * Changes the parameters in place. Takes the gradients of the moving parameters, by name; each is multiplied by `scale`. Runs as recorded
   * graphs if there are graphs.
   */
  apply(
    parameters: ReadonlyMap<string, tf.Variable>,
    gradients: ReadonlyMap<string, tf.Tensor>,
    learningRate: number,
    { scale = 1, graphs }: { readonly scale?: number; readonly graphs?: Graphs | undefined } = {},
  ): void {
    this.step += 1;
    for (const [name, gradient] of gradients) {
      const parameter = parameters.get(name)!;
      const { m, v } = this.#momentsOf(name, parameter.shape);
      // One parameter at a time, with few temporary tensors at once: WebAssembly has 4 GiB for everything.
      tf.tidy(() => {
        const factors = this.#factorsOf(name, learningRate, scale);
        const next = this.#next({ gradient, parameter, m, v }, factors, graphs);
        m.assign(next.m!);
        v.assign(next.v!);
        parameter.assign(next.parameter!);
      });
    }
  }

  /** Factor of the weight decay, factors on the gradient and on its square, 1 / sqrt(bias correction of v), and the step size. */
  #factorsOf(name: string, learningRate: number, scale: number): number[] {
    const { beta1, beta2, weightDecay, decays, rate, start } = this.#options;
    const own = learningRate * rate(name);
    const updates = this.step - start(name); // as torch, which counts each parameter's own updates
    return [
      decays(name) ? 1 - own * weightDecay : 1,
      (1 - beta1) * scale,
      (1 - beta2) * scale ** 2,
      1 / Math.sqrt(1 - beta2 ** updates),
      own / (1 - beta1 ** updates),
    ];
  }

  #next(
    { gradient, parameter, m, v }: Moving,
    factors: readonly number[],
    graphs: Graphs | undefined,
  ): tf.NamedTensorMap {
    const { beta1, beta2, eps } = this.#options;
    if (isWebGpu()) return adamOnGpu({ gradient, parameter, m, v }, factors, this.#options);
    const scalars = tf.tensor1d([...factors]);
    const work = (): tf.NamedTensorMap => {
      const [decay, first, second, root, size] = tf.unstack(scalars) as [
        tf.Tensor,
        tf.Tensor,
        tf.Tensor,
        tf.Tensor,
        tf.Tensor,
      ];
      const nextM = tf.tidy(() => tf.add(tf.mul(m, beta1), tf.mul(gradient, first)));
      const nextV = tf.tidy(() => tf.add(tf.mul(v, beta2), tf.mul(tf.square(gradient), second)));
      const change = tf.tidy(() => tf.div(nextM, tf.add(tf.mul(tf.sqrt(nextV), root), eps)));
      return { m: nextM, v: nextV, parameter: tf.sub(tf.mul(parameter, decay), tf.mul(change, size)) };
    };
    return graphs ? graphs.run("update", [parameter, m, v], { gradient, scalars }, work) : work();
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
  async state(): Promise<Tensors> {
    const state: Tensors = new Map();
    for (const [name, moments] of this.#moments) {
      for (const kind of ["m", "v"] as const) {
        const data = (await moments[kind].data()) as Float32Array;
        state.set(`${kind}.${name}`, { shape: moments[kind].shape, data });
      }
    }
    return state;
  }

  /** Continues from a checkpoint. */
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
