/** One step of pretraining, and how well the tokens of kept-aside windows are predicted. */
import * as tf from "@tensorflow/tfjs";
import { CodescoreError } from "../errors.ts";
import type { AdamW } from "./adamw.ts";
import { mlmLogits, mlmLoss } from "./mlm.ts";
import type { Masked } from "./mlm-mask.ts";
import { sequenceTensors, type Trainee } from "./step.ts";
import { type Update, update } from "./update.ts";

export interface MlmStepOptions {
  readonly dropout: number;
  readonly clipNorm: number;
  readonly learningRate: number;
  /** Number of the step, which seeds dropout. */
  readonly step: number;
}

/** How well masked tokens are predicted. */
export interface MlmDev {
  /** Masked tokens. */
  readonly tokens: number;
  /** Mean cross-entropy, in nats. */
  readonly loss: number;
  /** Share of the tokens that got the highest logit. */
  readonly accuracy: number;
}

/** Throws `CodescoreError("infra")` when the loss or the gradient is not finite; the parameters are then unchanged. */
export async function mlmStep(
  { config, parameters }: Trainee,
  optimizer: AdamW,
  batch: Masked,
  options: MlmStepOptions,
): Promise<Update> {
  const { dropout, step } = options;
  const gradients = tf.tidy(() => {
    const input = tensorsOf(batch, config);
    const loss = (): tf.Scalar => mlmLoss(mlmLogits(parameters, config, input, { dropout, seed: step }), input.targets);
    return tf.variableGrads(loss, [...parameters.values()]);
  });
  return update(parameters, optimizer, gradients, options, ({ loss, gradientNorm }) => {
    const came = `${loss} with a gradient of norm ${gradientNorm}`;
    return new CodescoreError(
      "infra",
      `step ${step}: expected a finite loss, got ${came}; a lower learning rate may help`,
    );
  });
}

/** Over all masked tokens of the batches. */
export async function evaluateMlm({ config, parameters }: Trainee, batches: readonly Masked[]): Promise<MlmDev> {
  let [tokens, loss, correct] = [0, 0, 0];
  for (const batch of batches) {
    const measured = tf.tidy(() => {
      const input = tensorsOf(batch, config);
      const logits = mlmLogits(parameters, config, input, { dropout: 0, seed: 0 });
      const right = tf.equal(tf.argMax(logits, 1), input.targets);
      return tf.stack([mlmLoss(logits, input.targets), tf.sum(tf.cast(right, "float32"))]);
    });
    const [mean, hits] = (await measured.data()) as unknown as [number, number];
    measured.dispose();
    tokens += batch.targets.length;
    loss += mean * batch.targets.length;
    correct += hits;
  }
  return { tokens, loss: loss / tokens, accuracy: correct / tokens };
}

function tensorsOf({ sequences, positions, targets }: Masked, config: Trainee["config"]) {
  return {
    ...sequenceTensors(sequences, config),
    positions: tf.tensor1d(positions, "int32"),
    targets: tf.tensor1d(targets, "int32"),
  };
}
