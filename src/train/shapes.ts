/** Runs the network on shapes only, to find the tensors of a step that live until its gradient is done. */
import * as tf from "@tensorflow/tfjs";
import { type ModelConfig, type Ops, parameterSpecs } from "../model/index.ts";

/** Stands for a tensor. */
export interface Shaped {
  readonly shape: readonly number[];
  /** Whether it depends on a parameter, and therefore has a gradient. */
  readonly learns: boolean;
}

/**
 * Calls `made` with the size of each tensor that TensorFlow.js keeps until the end of the backward pass when it runs `tfOps`: results,
 * saved values, and the gradients of results. Not counted: temporary tensors within an operation, parameters and their gradients, and
 * tensors that share their values with another, such as reshapes and the gradients of sums.
 */
export function shapeOps(config: ModelConfig, dropout: number, made: (size: number) => void): Ops<Shaped> {
  const shapes = new Map(parameterSpecs(config).map(({ name, shape }) => [name, shape]));
  const shapeOf = (name: string): readonly number[] => {
    const shape = shapes.get(name);
    if (shape === undefined) throw new RangeError(`the network needs the parameter ${name}, which the model lacks`);
    return shape;
  };
  /** A result. Counts as `times` tensors of its shape. */
  const result = (shape: readonly number[], learns: boolean, times = 1): Shaped => {
    for (let i = 0; i < times; i++) made(sizeOf(shape));
    return { shape, learns };
  };
  /** The gradients of those inputs that have one. */
  const back = (...inputs: readonly Shaped[]): void => {
    for (const { shape, learns } of inputs) if (learns) made(sizeOf(shape));
  };
  const oneToOne = (x: Shaped, times = 1): Shaped => {
    back(x);
    return result(x.shape, x.learns, times);
  };
  const joint = (a: Shaped, b: Shaped, times = 1): Shaped =>
    result(tf.broadcast_util.assertAndGetBroadcastShape([...a.shape], [...b.shape]), a.learns || b.learns, times);
  const product = (a: Shaped, b: Shaped): Shaped => {
    back(a, b);
    return joint(a, b);
  };
  const reduce = (x: Shaped, axis: number): Shaped => {
    back(x);
    return result(
      x.shape.filter((_, a) => a !== axis),
      x.learns,
    );
  };
  const merge = (parts: readonly Shaped[], shape: readonly number[]): Shaped => {
    back(...parts);
    return result(
      shape,
      parts.some(({ learns }) => learns),
    );
  };
  return {
    weight: (name) => ({ shape: shapeOf(name), learns: true }),
    linear(x, name) {
      back(x);
      return result([...x.shape.slice(0, -1), shapeOf(`${name}.weight`)[0]!], true);
    },
    layerNorm: (x) => oneToOne(x, 2), // the result, and the normalised x
    rmsNorm: (x) => oneToOne(x, 4),
    embedding: (indices, name) => result([...indices.shape, shapeOf(`${name}.weight`)[1]!], true),
    fixedRows: (indices, rows) => result([...indices.shape, rows[0]!.length], false, 2),
    pick(x, indices) {
      back(x);
      // The result, and the indices of its values.
      return result([...x.shape.slice(0, 3), indices.shape[2]!], x.learns, 2);
    },
    matmul(a, b, transposeB = false) {
      back(a, b);
      return result([...a.shape.slice(0, -1), transposeB ? b.shape.at(-2)! : b.shape.at(-1)!], a.learns || b.learns);
    },
    add: joint,
    mul: product,
    div: product,
    scale: (x) => oneToOne(x),
    addScalar: ({ shape, learns }) => result(shape, learns),
    attention(q, k, v, _bias, relative) {
      back(q, k, v);
      if (relative !== undefined) back(relative);
      // The attention weights; with dropout also its factors and the product of both.
      result([...q.shape.slice(0, -1), k.shape.at(-2)!], true, dropout > 0 ? 3 : 1);
      return result([...q.shape.slice(0, -1), v.shape.at(-1)!], true);
    },
    gelu: (x) => oneToOne(x, 2), // the result, and Phi(x)
    relu: (x) => oneToOne(x),
    tanh: (x) => oneToOne(x),
    sigmoid: (x) => oneToOne(x),
    softmax: (x) => oneToOne(x),
    sparsemax: (x) => oneToOne(x),
    dropout: (x) => (dropout > 0 ? oneToOne(x, 2) : x),
    reshape(x, shape) {
      const known = shape.map((size, axis) => (size === 0 ? x.shape[axis]! : size));
      const rest = sizeOf(x.shape) / sizeOf(known.filter((size) => size !== -1));
      return { shape: known.map((size) => (size === -1 ? rest : size)), learns: x.learns };
    },
    transpose(x, order) {
      back(x);
      return result(
        order.map((axis) => x.shape[axis]!),
        x.learns,
      );
    },
    concat: (parts, axis) =>
      merge(
        parts,
        parts[0]!.shape.map((size, a) => (a === axis ? parts.reduce((sum, { shape }) => sum + shape[a]!, 0) : size)),
      ),
    stack: (parts, axis) => {
      const { shape } = parts[0]!;
      return merge(parts, [...shape.slice(0, axis), parts.length, ...shape.slice(axis)]);
    },
    at: reduce,
    sum: reduce,
    max: reduce,
    clip: (x) => result(x.shape, false),
    equals: (x) => result(x.shape, false, 4),
    equal: (a, b) => joint(a, b, 4),
    cumsum: (x) => oneToOne(x),
    shift: (x) => oneToOne(x, 2),
    span: () => ({ cut: (x) => x, restore: (x) => x }),
  };
}

const sizeOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);
