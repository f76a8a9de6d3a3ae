/** One step of pretraining, and how well the tokens of held-out windows are predicted. */
import * as tf from "@tensorflow/tfjs";
import { CodescoreError } from "../../errors.ts";
import type { AdamW } from "../adamw.ts";
import { roundLength } from "../engine/graphs.ts";
import { isNative } from "../engine/native.ts";
import type { LogLine } from "../log.ts";
import { sequenceTensors, type Trainee } from "../step.ts";
import { gradientsOf, type Update, update } from "../update.ts";
import { mlmLogits, mlmLoss } from "./mlm.ts";
import type { Masked } from "./mlm-mask.ts";

export interface MlmStepOptions {
  readonly dropout: number;
  readonly clipNorm: number;
  readonly learningRate: number;
  /** Number of the step, which seeds dropout. */
  readonly step: number;
}

/** Figures of the prediction of masked tokens. */
export interface MlmDev {
  /** Number of masked tokens. */
  readonly tokens: number;
  /** Mean cross-entropy, in nats. */
  readonly loss: number;
  /** Share of the tokens for which the right token has the highest logit. */
  readonly accuracy: number;
}

/** One line of a pretraining run's `log.jsonl`. Its rows are sequences. */
export type MlmLogLine = LogLine<MlmDev>;

/** Throws `CodescoreError("infra")` if the loss or the gradient is not finite. The parameters are then unchanged. */
export async function mlmStep(
  trainee: Trainee,
  optimizer: AdamW,
  batch: Masked,
  options: MlmStepOptions,
): Promise<Update> {
  const { config, parameters, graphs } = trainee;
  const { dropout, step } = options;
  const gradients = tf.tidy(() => {
    const seed = dropout > 0 && isNative() ? { seed: tf.tensor1d([step, 0], "int32") } : {};
    const input = { ...tensorsOf(batch, trainee), ...seed };
    const loss = (): tf.Scalar => {
      const logits = mlmLogits(parameters, config, input, { dropout, seed: step, ...seed });
      return mlmLoss(logits, input.targets, input.weights);
    };
    return gradientsOf(trainee, "mlm", [...parameters.values()], input, loss);
  });
  return update(parameters, optimizer, gradients, { ...options, graphs }, ({ loss, gradientNorm }) => {
    const came = `${loss} with a gradient of norm ${gradientNorm}`;
    return new CodescoreError(
      "infra",
      `step ${step}: expected a finite loss, got ${came}; a lower learning rate may help`,
    );
  });
}

/** Measures over all masked tokens of the batches. */
export async function evaluateMlm(trainee: Trainee, batches: readonly Masked[]): Promise<MlmDev> {
  const { config, parameters, graphs } = trainee;
  let [tokens, loss, correct] = [0, 0, 0];
  for (const batch of batches) {
    const measured = tf.tidy(() => {
      const input = tensorsOf(batch, trainee);
      const work = (): { measured: tf.Tensor } => {
        const logits = mlmLogits(parameters, config, input, { dropout: 0, seed: 0 });
        const right = tf.cast(tf.equal(tf.argMax(logits, 1), input.targets), "float32");
        const share = tf.sum(tf.mul(right, input.weights));
        return { measured: tf.stack([mlmLoss(logits, input.targets, input.weights), share]) };
      };
      return (graphs ? graphs.run("mlm", [...parameters.values()], input, work) : work()).measured!;
    });
    const [mean, share] = (await measured.data()) as unknown as [number, number];
    measured.dispose();
    tokens += batch.targets.length;
    loss += mean * batch.targets.length;
    correct += Math.round(share * batch.targets.length);
  }
  return { tokens, loss: loss / tokens, accuracy: correct / tokens };
}

/** The tensors of a batch. With graphs they are padded to one of few shapes, and padding tokens have weight 0. */
function tensorsOf({ sequences, positions, targets }: Masked, { config, graphs }: Trainee) {
  const longest = Math.max(...sequences.map((ids) => ids.length));
  const shape = graphs?.shapeOf(sequences.length, longest, longest) ?? ([sequences.length, longest] as const);
  const empty = new Array<number>(graphs ? roundLength(targets.length) - targets.length : 0).fill(0);
  const places = positions.map((at) => Math.floor(at / longest) * shape[1] + (at % longest));
  return {
    ...sequenceTensors(sequences, config, shape),
    positions: tf.tensor1d([...places, ...empty], "int32"),
    targets: tf.tensor1d([...targets, ...empty], "int32"),
    weights: tf.tensor1d([...targets.map(() => 1 / targets.length), ...empty]),
  };
}
