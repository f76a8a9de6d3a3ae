/** One training step, and prediction with the current parameters. */
import * as tf from "@tensorflow/tfjs";
import { coverLevelsOf, type ModelConfig, network } from "../model/index.ts";
import { batchByLength } from "../tokenize/index.ts";
import type { InputFormat } from "../types.ts";
import { Random } from "../util/random.ts";
import type { AdamW } from "./adamw.ts";
import { NotFiniteError } from "./bad-batch.ts";
import type { Graphs } from "./engine/graphs.ts";
import { isNative } from "./engine/native.ts";
import { tfOps } from "./engine/tf-ops.ts";
import { type Example, longestOf } from "./examples.ts";
import { formatLoss, preferenceLoss, type ScoreLoss, smooth, type Targets } from "./loss.ts";
import { type Pass, type PassOptions, passesOf } from "./passes.ts";
import { type Gradients, gradientsOf, type Update, update } from "./update.ts";

export interface Trainee {
  readonly config: ModelConfig;
  readonly parameters: Map<string, tf.Variable>;
  /** Records steps as graphs. Without it, steps run operation by operation. */
  readonly graphs?: Graphs;
}

export interface StepOptions extends PassOptions {
  readonly dropout: number;
  /** Probability that a layer is left out of the layer mix of a forward pass. */
  readonly layerDropout: number;
  readonly clipNorm: number;
  readonly learningRate: number;
  readonly loss: ScoreLoss;
  readonly labelSmoothing: number;
}

/** Result of a step. The loss is L_Uni of the batches. */
export interface StepResult extends Update {
  /** Tokens with padding, over all formats. */
  readonly tokens: number;
}

/**
 * Computes L_Uni over the formats of the batches, which count as one batch, and its gradient, and makes one AdamW update. Throws
 * `NotFiniteError` if the loss or the gradient is not finite. The parameters are then unchanged.
 */
export async function trainStep(
  trainee: Trainee,
  optimizer: AdamW,
  batches: readonly (readonly Example[])[],
  options: StepOptions,
): Promise<StepResult> {
  const { parameters } = trainee;
  const moving = [...parameters].flatMap(([name, variable]) => (optimizer.moves(name) ? [variable] : []));
  let total: Gradients | null = null;
  let tokens = 0;
  for (const pass of passesOf(batches, options).flat()) {
    const shape = shapeOf(trainee, pass);
    const next = passGradients(trainee, moving, { ...pass, shape }, options);
    total = total === null ? next : plus(total, next);
    tokens += shape[0] * shape[1];
  }
  const result = await update(
    parameters,
    optimizer,
    total!,
    { ...options, graphs: trainee.graphs },
    ({ loss, gradientNorm }) => new NotFiniteError(options.step, loss, gradientNorm, batches.flat()),
  );
  return { ...result, tokens };
}

/** The sum of both. Disposes both. */
function plus(a: Gradients, b: Gradients): Gradients {
  const sum = tf.tidy(() => {
    const names = new Set([...Object.keys(a.grads), ...Object.keys(b.grads)]);
    const grads: tf.NamedTensorMap = {};
    for (const name of names) {
      const terms = [a, b].flatMap((one) => (one.grads[name] ? [one.grads[name]!] : []));
      grads[name] = terms.length === 2 ? tf.add(terms[0]!, terms[1]!) : tf.clone(terms[0]!);
    }
    return { value: tf.add(a.value, b.value) as tf.Scalar, grads };
  });
  tf.dispose([a.value, a.grads, b.value, b.grads]);
  return sum;
}

/** Rows and tokens of a pass's tensors. */
function shapeOf({ graphs }: Trainee, { rows, format }: Pass): [number, number] {
  const length = Math.max(...rows.map(({ ids }) => ids[format]!.length));
  return graphs?.shapeOf(rows.length, length, Math.max(...rows.map(longestOf))) ?? [rows.length, length];
}

type ShapedPass = Pass & { readonly shape: [number, number] };

/** The contribution of a pass to L_Uni, and its gradient. */
function passGradients(trainee: Trainee, moving: tf.Variable[], pass: ShapedPass, options: StepOptions): Gradients {
  return tf.tidy(() => {
    const inputs = passInputs(trainee.config, pass, options);
    return gradientsOf(trainee, "pass", moving, { ...inputs }, () => passLoss(trainee, pass, inputs, options));
  });
}

type PassInputs = ReturnType<typeof exampleTensors> &
  Targets & { preferences?: tf.Tensor2D; layerMask?: tf.Tensor1D; seed?: tf.Tensor1D };

/** The data that differs from pass to pass, in the pass's shape. Padding rows have weight 0. */
function passInputs(
  config: ModelConfig,
  pass: ShapedPass,
  { dropout, layerDropout, labelSmoothing }: StepOptions,
): PassInputs {
  const { rows, format, shape, preferences } = pass;
  const filled = (values: readonly number[]): tf.Tensor1D =>
    tf.tensor1d([...values, ...new Array<number>(shape[0] - rows.length).fill(0)]);
  const scale = shape[0] / rows.length; // the loss is a mean over all rows of the shape
  return {
    ...exampleTensors(rows, format, config, shape),
    passRatio: filled(rows.map(({ passRatio }) => smooth(passRatio, labelSmoothing))),
    executable: filled(rows.map(({ executable }) => smooth(executable, labelSmoothing))),
    weight: filled(pass.weights.map((weight) => weight * scale)),
    ...(preferences && { preferences: tf.pad(tf.tensor2d(preferences, [rows.length, rows.length]), fillUp(pass)) }),
    ...(layerDropout > 0 && { layerMask: layerMask(config.num_hidden_layers + 1, layerDropout, pass.seed) }),
    ...(dropout > 0 && isNative() && { seed: tf.tensor1d([pass.seed, 0], "int32") }),
  };
}

const fillUp = ({ rows, shape }: ShapedPass): [[number, number], [number, number]] => {
  const more = shape[0] - rows.length;
  return [
    [0, more],
    [0, more],
  ];
};

function passLoss(
  { config, parameters }: Trainee,
  pass: Pass,
  { ids, mask, marks, levels, preferences, layerMask, seed, ...targets }: PassInputs,
  { dropout, loss }: StepOptions,
): tf.Scalar {
  const ops = tfOps(parameters, { layerNormEps: config.layer_norm_eps, dropout, seed: seed ?? pass.seed });
  const output = network<tf.Tensor>(ops, config, { ids, mask, marks, levels }, layerMask);
  const ofRows = formatLoss(output, targets, loss);
  return preferences === undefined ? ofRows : tf.add(ofRows, preferenceLoss(output, preferences));
}

/** 0 for a layer that is left out, with probability `rate`, otherwise 1: [layers]. */
function layerMask(layers: number, rate: number, seed: number): tf.Tensor1D {
  const random = new Random(seed);
  return tf.tensor1d(Array.from({ length: layers }, () => (random.chance(rate) ? 0 : 1)));
}

export interface Prediction {
  readonly score: number;
  readonly exec: number;
}

/** Scores of examples in one format, in their order. Every example must have that format. */
export async function predict(
  { config, parameters, graphs }: Trainee,
  examples: readonly Example[],
  format: InputFormat,
  batchTokens: number,
): Promise<Prediction[]> {
  const out = new Array<Prediction>(examples.length);
  const lengths = examples.map(({ ids }) => ids[format]!.length);
  for (const { rows } of batchByLength(lengths, batchTokens)) {
    const length = Math.max(...rows.map((row) => lengths[row]!));
    const shape = graphs?.shapeOf(rows.length, length, length) ?? ([rows.length, length] as const);
    const scores = tf.tidy(() => {
      const inputs = exampleTensors(
        rows.map((row) => examples[row]!),
        format,
        config,
        shape,
      );
      const work = (): { scores: tf.Tensor } => {
        const ops = tfOps(parameters, { layerNormEps: config.layer_norm_eps, dropout: 0, seed: 0 });
        const output = network(ops, config, inputs);
        return { scores: tf.sigmoid(tf.stack([output.scoreLogit, output.execLogit])) };
      };
      return (graphs ? graphs.run("scores", [...parameters.values()], { ...inputs }, work) : work()).scores!;
    });
    const data = await scores.data();
    tf.dispose(scores);
    rows.forEach((row, i) => {
      out[row] = { score: data[i]!, exec: data[shape[0] + i]! };
    });
  }
  return out;
}

export interface InputTensors {
  /** [B, T] */
  readonly ids: tf.Tensor2D;
  /** 1 for tokens, 0 for padding, [B, T] */
  readonly mask: tf.Tensor2D;
}

interface ExampleTensors extends InputTensors {
  readonly marks?: tf.Tensor2D;
  readonly levels?: tf.Tensor2D;
}

/** The tensors of a format's pass, padded to a shape. */
function exampleTensors(
  rows: readonly Example[],
  format: InputFormat,
  config: ModelConfig,
  shape: readonly [number, number],
): ExampleTensors {
  const sequences = rows.map(({ ids }) => ids[format]!);
  const padded = (lists: readonly ArrayLike<number>[]): tf.Tensor2D => {
    const values = new Float32Array(shape[0] * shape[1]);
    for (const [i, list] of lists.entries()) values.set(list, i * shape[1]);
    return tf.tensor2d(values, [...shape]);
  };
  return {
    ...sequenceTensors(sequences, config, shape),
    ...(config.codescore.static_marks && { marks: padded(rows.map(({ marks }) => marks?.[format] ?? [])) }),
    ...(config.codescore.channels && { levels: padded(sequences.map((ids) => levelsOf(ids, config))) }),
  };
}

const known = new WeakMap<ModelConfig, WeakMap<readonly number[], Uint8Array>>();

/** Cover levels, computed once for each sequence and not in every pass. */
function levelsOf(ids: readonly number[], config: ModelConfig): Uint8Array {
  const own = known.get(config) ?? new WeakMap<readonly number[], Uint8Array>();
  known.set(config, own);
  const levels = own.get(ids) ?? coverLevelsOf(ids, config);
  own.set(ids, levels);
  return levels;
}

/** Sequences of ids padded to a shape, and their mask. Ids are floats because they are compared and looked up, exact up to 2^24. */
export function sequenceTensors(
  sequences: readonly (readonly number[])[],
  { pad_token_id }: ModelConfig,
  [rows, length]: readonly [number, number],
): InputTensors {
  const ids = new Float32Array(rows * length).fill(pad_token_id);
  const mask = new Float32Array(rows * length);
  sequences.forEach((sequence, i) => {
    ids.set(sequence, i * length);
    mask.fill(1, i * length, i * length + sequence.length);
  });
  return { ids: tf.tensor2d(ids, [rows, length]), mask: tf.tensor2d(mask, [rows, length]) };
}
