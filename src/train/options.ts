/** The options of a training run, and their defaults. */
import { CodescoreError } from "../errors.ts";
import { SIZES, type SizeName } from "../model/index.ts";
import type { InputFormat } from "../types.ts";
import { DEVICES, type Device } from "./engine/device.ts";
import { PRECISIONS, type Precision } from "./engine/precision.ts";
import type { LogLine } from "./log.ts";
import { SCORE_LOSSES, type ScoreLoss } from "./loss.ts";
import { SCHEDULES, type Schedule } from "./schedule.ts";

export interface TrainOptions {
  /** Labelled files (`.arrow` or `.jsonl`) to train on. */
  readonly data: readonly string[];
  /** One weight per file of `data`: its share of the rows in an epoch. Without weights, every row comes once per epoch. */
  readonly mix?: readonly number[];
  /** Draws rows as often as their weights say, and then weights them equally. Otherwise every row comes once and counts by its weight. */
  readonly drawByWeight?: boolean;
  /** Labelled files for choosing the best step. Without any, a share of the training problems is held out. */
  readonly dev?: readonly string[];
  /** Folder of the checkpoint. An unfinished run found there continues. */
  readonly out: string;
  /** Folder of a checkpoint to start from. Its config and tokenizer are used too. */
  readonly init?: string;
  readonly size?: SizeName;
  /** JSON file with the shape of a new model, instead of `size`: the keys of RoBERTa or of the `model_type`, and ours under `codescore`. */
  readonly config?: string;
  readonly vocabSize?: number;
  readonly steps?: number;
  /** Maximum tokens in a batch, padding included. Each step runs such a batch in every format. */
  readonly batchTokens?: number;
  /** Number of batches per update. The result equals one batch of all their rows, but needs only the memory of the largest batch. */
  readonly accumulate?: number;
  /** Peak learning rate of the encoder's top layer. */
  readonly learningRate?: number;
  /** Peak learning rate of the heads, the layer mix and the embeddings of part and cover level. @default `learningRate` */
  readonly headLearningRate?: number;
  /** Ratio of each encoder layer's learning rate to that of the layer above it. The embeddings learn slowest. */
  readonly layerDecay?: number;
  /** Share of the steps over which the learning rate rises. After that it follows `schedule`. */
  readonly warmup?: number;
  /** The learning rate after the warm-up: falls to zero along a cosine or a line, stays constant, or is halved when r_s on dev stops rising. */
  readonly schedule?: Schedule;
  /** Evaluations without a better r_s on dev after which `plateau` halves the learning rate. */
  readonly plateauPatience?: number;
  /** Epochs, or a fraction of one, in which only heads and layer mix learn. All epochs count as long as the first. */
  readonly frozenEpochs?: number;
  /** Freezes the encoder's embeddings for the whole run. */
  readonly keepEmbeddingsFrozen?: boolean;
  /** Number of encoder layers, from the lowest, that are frozen for the whole run. */
  readonly freezeLayers?: number;
  readonly weightDecay?: number;
  /** Gradients with a larger norm are scaled down to this norm. */
  readonly clipNorm?: number;
  readonly dropout?: number;
  /** Probability that a layer is left out of the layer mix of a forward pass in training. */
  readonly layerDropout?: number;
  /** Decay of an exponential moving average of the parameters, which is evaluated and saved instead of them. 0: no average. */
  readonly ema?: number;
  /** L_C: the paper's squared error, or binary cross-entropy with PassRatio as a soft label. */
  readonly loss?: ScoreLoss;
  /** Share by which labels are pulled towards 1/2. */
  readonly labelSmoothing?: number;
  /** Weight of a loss on pairs of candidates of one problem. The one that passes more must score higher. */
  readonly rankingWeight?: number;
  /** Minimum difference of PassRatio between the candidates of such a pair. */
  readonly rankingMargin?: number;
  /** Weight of the same loss on pairs of a rewrite, which keeps the behaviour, and a mutant of the same problem. */
  readonly contrastWeight?: number;
  /** Rows of the same problem that are put into a batch together. @default 8 if a loss on pairs has weight, otherwise 1 */
  readonly perProblem?: number;
  readonly formats?: readonly InputFormat[];
  /** Share of the problems held out for choosing the best step if `dev` is not given. */
  readonly devShare?: number;
  readonly evaluateEvery?: number;
  /** Stops after this many evaluations without a better r_s on dev. 0: never. */
  readonly earlyStop?: number;
  readonly seed?: number;
  readonly device?: Device;
  /** Precision of matrix products on the native engine, in runs long enough to be recorded as graphs. */
  readonly precision?: Precision;
  readonly quiet?: boolean;
  /** Stops the run after the current step. The same call then continues from there. */
  readonly signal?: AbortSignal;
  /** Called with each log line, after it is in the file, and with `out`. The run waits for it. */
  readonly onStep?: (line: LogLine, out: string) => unknown;
}

export const TRAIN_DEFAULTS = {
  dev: [],
  drawByWeight: false,
  size: "nano",
  vocabSize: 2000,
  steps: 400,
  batchTokens: 4096,
  accumulate: 1,
  learningRate: 1e-3,
  layerDecay: 1,
  warmup: 0.1,
  schedule: "cosine",
  plateauPatience: 3,
  frozenEpochs: 0,
  keepEmbeddingsFrozen: false,
  freezeLayers: 0,
  weightDecay: 0.02,
  clipNorm: 1,
  dropout: 0.05,
  layerDropout: 0,
  ema: 0,
  loss: "mse",
  labelSmoothing: 0,
  rankingWeight: 0,
  rankingMargin: 0.1,
  contrastWeight: 0,
  formats: ["ref", "nl", "ref+nl"],
  devShare: 0.1,
  evaluateEvery: 50,
  earlyStop: 0,
  seed: 0,
  device: "auto",
  precision: "auto",
  quiet: false,
} as const satisfies Omit<TrainOptions, "data" | "out" | MayBeNone | FollowsOthers | keyof Hooks>;

/** Options whose default depends on other options. */
type FollowsOthers = "headLearningRate" | "perProblem";
type Hooks = Pick<TrainOptions, "signal" | "onStep">;
type MayBeNone = "init" | "config" | "mix";
export type ResolvedTrainOptions = Required<Omit<TrainOptions, MayBeNone | keyof Hooks>> &
  Hooks & { readonly [name in MayBeNone]: NonNullable<TrainOptions[name]> | null };

/** Fills in the defaults and checks the values. Throws `CodescoreError("usage")`. */
export function resolveTrainOptions(options: TrainOptions): ResolvedTrainOptions {
  const given = { ...TRAIN_DEFAULTS, ...options };
  const resolved: ResolvedTrainOptions = {
    ...given,
    headLearningRate: options.headLearningRate ?? given.learningRate,
    perProblem: options.perProblem ?? (given.rankingWeight + given.contrastWeight > 0 ? 8 : 1),
    init: options.init ?? null,
    config: options.config ?? null,
    mix: options.mix ?? null,
  };
  const expectThat = (holds: boolean, name: keyof TrainOptions, wanted: string): void => {
    if (!holds)
      throw new CodescoreError("usage", `Expected \`${name}\` to be ${wanted}, got \`${String(resolved[name])}\``);
  };
  expectThat(resolved.data.length > 0, "data", "at least one labelled file");
  expectThat(resolved.size in SIZES, "size", `one of ${Object.keys(SIZES).join(", ")}`);
  expectThat(DEVICES.includes(resolved.device), "device", `one of ${DEVICES.join(", ")}`);
  expectThat(PRECISIONS.includes(resolved.precision), "precision", `one of ${PRECISIONS.join(", ")}`);
  expectThat(resolved.formats.length > 0, "formats", "at least one of ref, nl, ref+nl");
  for (const format of resolved.formats) {
    expectThat(TRAIN_DEFAULTS.formats.includes(format), "formats", "among ref, nl, ref+nl");
  }
  expectThat(SCHEDULES.includes(resolved.schedule), "schedule", `one of ${SCHEDULES.join(", ")}`);
  expectThat(SCORE_LOSSES.includes(resolved.loss), "loss", `one of ${SCORE_LOSSES.join(", ")}`);
  const counts = ["steps", "batchTokens", "evaluateEvery", "accumulate", "plateauPatience", "perProblem"] as const;
  for (const name of counts) {
    expectThat(Number.isInteger(resolved[name]) && resolved[name] > 0, name, "a positive integer");
  }
  for (const name of ["earlyStop", "freezeLayers"] as const) {
    expectThat(Number.isInteger(resolved[name]) && resolved[name] >= 0, name, "an integer of at least 0");
  }
  const { mix, data } = resolved;
  const validMix = mix === null || (mix.length === data.length && mix.every((w) => Number.isFinite(w) && w > 0));
  expectThat(validMix, "mix", `one weight above zero for each of the ${data.length} data files`);
  const models = (["init", "config", "size"] as const).filter((name) => options[name] !== undefined);
  if (models.length > 1) {
    throw new CodescoreError("usage", `Expected one of init, config and size, got ${models.join(" and ")}`);
  }
  expectThat(resolved.vocabSize >= 300, "vocabSize", "at least 300 (the bytes and the special tokens)");
  for (const name of ["warmup", "dropout", "layerDropout", "devShare", "ema", "labelSmoothing"] as const) {
    expectThat(resolved[name] >= 0 && resolved[name] < 1, name, "in [0, 1)");
  }
  for (const name of ["learningRate", "headLearningRate", "clipNorm"] as const) {
    expectThat(resolved[name] > 0, name, "above zero");
  }
  expectThat(resolved.layerDecay > 0 && resolved.layerDecay <= 1, "layerDecay", "in (0, 1]");
  for (const name of ["frozenEpochs", "rankingWeight", "rankingMargin", "contrastWeight"] as const) {
    expectThat(resolved[name] >= 0, name, "at least zero");
  }
  return resolved;
}
