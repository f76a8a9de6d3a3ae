/** A few updates on a few short rows, enough to see that one engine computes the same as another. */
import * as tf from "@tensorflow/tfjs";
import { AdamW } from "../adamw.ts";
import { parametersOnDevice } from "../checkpoint.ts";
import { type Example, longestOf } from "../examples.ts";
import type { ResolvedTrainOptions } from "../options.ts";
import type { Prepared } from "../prepare.ts";
import { type Trainee, trainStep } from "../step.ts";

/** Values of one update, from before it. */
export interface SmokeStep {
  readonly loss: number;
  readonly gradientNorm: number;
}

const UPDATES = 4;
const ROWS = 8;
/** Small enough to lower the loss of the rows trained on, regardless of the run's own learning rate. */
const RATE = 1e-4;

/**
 * Makes a few updates from the run's initial parameters, which are not changed. The engine must be open. Dropout is off, because its random
 * numbers differ between engines.
 */
export async function smokeSteps(
  options: ResolvedTrainOptions,
  { config, initial, trainSets }: Pick<Prepared, "config" | "initial" | "trainSets">,
): Promise<SmokeStep[]> {
  const parameters = parametersOnDevice(initial(options.seed));
  const trainee: Trainee = { config, parameters };
  const optimizer = new AdamW({ weightDecay: 0 });
  const off = { dropout: 0, layerDropout: 0, labelSmoothing: 0, rankingWeight: 0, contrastWeight: 0 };
  const rows = smokeRows(trainSets.flat());
  try {
    const steps: SmokeStep[] = [];
    for (let step = 1; step <= UPDATES; step++) {
      const { loss, gradientNorm } = await trainStep(trainee, optimizer, [rows], {
        ...options,
        ...off,
        learningRate: RATE,
        step,
      });
      steps.push({ loss, gradientNorm });
    }
    return steps;
  } finally {
    optimizer.dispose();
    tf.dispose([...parameters.values()]);
  }
}

/** The shortest among the rows with the most formats. */
function smokeRows(examples: readonly Example[]): Example[] {
  const formatsOf = ({ ids }: Example): number => Object.keys(ids).length;
  const most = examples.reduce((max, example) => Math.max(max, formatsOf(example)), 0);
  return examples
    .filter((example) => formatsOf(example) === most)
    .sort((a, b) => longestOf(a) - longestOf(b))
    .slice(0, ROWS);
}

/** The largest relative difference between two engines' steps. */
export function largestDifference(ours: readonly SmokeStep[], recorded: readonly SmokeStep[]): number {
  const differences = recorded.flatMap(({ loss, gradientNorm }, i) => {
    const mine = ours[i] ?? { loss: Number.NaN, gradientNorm: Number.NaN };
    return [Math.abs(mine.loss / loss - 1), Math.abs(mine.gradientNorm / gradientNorm - 1)];
  });
  // NaN counts as the largest difference.
  return differences.reduce((max, one) => (Number.isNaN(max) || max >= one ? max : one), 0);
}

export const lossFalls = (steps: readonly SmokeStep[]): boolean => steps.at(-1)!.loss < steps[0]!.loss;
