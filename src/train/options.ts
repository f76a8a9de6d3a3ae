/** What a training run may be told, and what it runs with. */
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
  /** Share of each file of `data` in the rows of an epoch, as weights; without them an epoch is every row once. */
  readonly mix?: readonly number[];
  /** Rows come as often as their weights say and then count alike, instead of all coming and counting by their weights. */
  readonly drawByWeight?: boolean;
  /** Labelled files to choose the best step by; without any, a share of the training problems is kept aside. */
  readonly dev?: readonly string[];
  /** Folder of the checkpoint; a run found there that was not finished goes on. */
  readonly out: string;
  /** Folder of a checkpoint to start from (its config and tokenizer are used). */
  readonly init?: string;
  readonly size?: SizeName;
  /** JSON file with the shape of a new model, instead of `size`: RoBERTa's keys, and ours under `codescore`. */
  readonly config?: string;
  readonly vocabSize?: number;
  readonly steps?: number;
  /** Tokens in a batch, padding included; each step takes such a batch in every format. */
  readonly batchTokens?: number;
  /** Batches whose gradients make one update: the same as one batch of their rows, in the memory of the largest. */
  readonly accumulate?: number;
  /** Of the encoder's top layer, at its highest. */
  readonly learningRate?: number;
  /** Of heads, layer mix and the embeddings of part and cover level; like `learningRate` when not given. */
  readonly headLearningRate?: number;
  /** Each layer of the encoder learns at this share of the rate of the one above it, the embeddings slowest. */
  readonly layerDecay?: number;
  /** Share of the steps over which the learning rate rises; then it goes as `schedule` says. */
  readonly warmup?: number;
  /** After the warm-up: to zero along a cosine or a line, constant, or halved where r_s on dev rises no more. */
  readonly schedule?: Schedule;
  /** Evaluations without a better r_s on dev after which `plateau` halves the learning rate. */
  readonly plateauPatience?: number;
  /** Epochs, or a part of the first, in which only heads and layer mix learn (an epoch is as long as the first). */
  readonly frozenEpochs?: number;
  /** The encoder's embeddings stay as they are for the whole run. */
  readonly keepEmbeddingsFrozen?: boolean;
  /** So many of the encoder's layers, from the lowest, stay as they are for the whole run. */
  readonly freezeLayers?: number;
  readonly weightDecay?: number;
  /** Gradients are scaled down to this norm. */
  readonly clipNorm?: number;
  readonly dropout?: number;
  /** Probability that a layer is left out of the layer mix of a forward pass in training. */
  readonly layerDropout?: number;
  /** Decay of an average of the parameters over the steps, which is evaluated and kept in their place; 0: none. */
  readonly ema?: number;
  /** L_C: the paper's squared error, or binary cross-entropy to PassRatio as a soft label. */
  readonly loss?: ScoreLoss;
  /** Labels are pulled towards 1/2 by this share. */
  readonly labelSmoothing?: number;
  /** Weight of a loss on pairs of candidates of a problem, of which the one that passes more must score higher. */
  readonly rankingWeight?: number;
  /** Pairs count for it whose PassRatios differ by at least this. */
  readonly rankingMargin?: number;
  /** Weight of such a loss on pairs of a rewrite, which behaves as before, and a mutant of the same problem. */
  readonly contrastWeight?: number;
  /** Rows of the same problem that come into a batch together; 8 when not given and a loss on pairs has weight, else 1. */
  readonly perProblem?: number;
  readonly formats?: readonly InputFormat[];
  /** Share of the problems kept aside for choosing the best step when `dev` is not given. */
  readonly devShare?: number;
  readonly evaluateEvery?: number;
  /** Stops after so many evaluations without a better r_s on dev; 0 never does. */
  readonly earlyStop?: number;
  readonly seed?: number;
  readonly device?: Device;
  /** Of matrix products on the native engine, in runs long enough to be recorded as graphs. */
  readonly precision?: Precision;
  readonly quiet?: boolean;
  /** Stops the run after the step it is in; called again, it goes on from there. */
  readonly signal?: AbortSignal;
  /** Called with each line of the log, once it is in the file, and with `out`; the run waits for it. */
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

/** Whose default depends on other options. */
type FollowsOthers = "headLearningRate" | "perProblem";
type Hooks = Pick<TrainOptions, "signal" | "onStep">;
type MayBeNone = "init" | "config" | "mix";
export type ResolvedTrainOptions = Required<Omit<TrainOptions, MayBeNone | keyof Hooks>> &
  Hooks & { readonly [name in MayBeNone]: NonNullable<TrainOptions[name]> | null };

/** Fills the defaults in and checks the values. Throws `CodescoreError("usage")`. */
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
