/** What a training run may be told, and what it runs with. */
import { CodescoreError } from "../errors.ts";
import { SIZES, type SizeName } from "../model/index.ts";
import type { InputFormat } from "../types.ts";
import { DEVICES, type Device } from "./device.ts";
import type { LogLine } from "./log.ts";

export interface TrainOptions {
  /** Labelled files (`.arrow` or `.jsonl`) to train on. */
  readonly data: readonly string[];
  /** Labelled files to choose the best step by; without any, a share of the training problems is kept aside. */
  readonly dev?: readonly string[];
  /** Folder of the checkpoint; a run found there that was not finished goes on. */
  readonly out: string;
  /** Folder of a checkpoint to start from (its config and tokenizer are used). */
  readonly init?: string;
  readonly size?: SizeName;
  readonly vocabSize?: number;
  readonly steps?: number;
  /** Tokens in a batch, padding included; each step takes such a batch in every format. */
  readonly batchTokens?: number;
  readonly learningRate?: number;
  /** Share of the steps over which the learning rate rises; then it falls to zero along a cosine. */
  readonly warmup?: number;
  readonly weightDecay?: number;
  /** Gradients are scaled down to this norm. */
  readonly clipNorm?: number;
  readonly dropout?: number;
  readonly formats?: readonly InputFormat[];
  /** Share of the problems kept aside for choosing the best step when `dev` is not given. */
  readonly devShare?: number;
  readonly evaluateEvery?: number;
  readonly seed?: number;
  readonly device?: Device;
  readonly quiet?: boolean;
  /** Stops the run after the step it is in; called again, it goes on from there. */
  readonly signal?: AbortSignal;
  /** Called with each line of the log. */
  readonly onStep?: (line: LogLine) => void;
}

export const TRAIN_DEFAULTS = {
  dev: [],
  size: "nano",
  vocabSize: 2000,
  steps: 400,
  batchTokens: 4096,
  learningRate: 1e-3,
  warmup: 0.1,
  weightDecay: 0.02,
  clipNorm: 1,
  dropout: 0.05,
  formats: ["ref", "nl", "ref+nl"],
  devShare: 0.1,
  evaluateEvery: 50,
  seed: 0,
  device: "auto",
  quiet: false,
} as const satisfies Omit<TrainOptions, "data" | "out" | "init" | keyof Hooks>;

type Hooks = Pick<TrainOptions, "signal" | "onStep">;
export type ResolvedTrainOptions = Required<Omit<TrainOptions, "init" | keyof Hooks>> &
  Hooks & { readonly init: string | null };

/** Fills the defaults in and checks the values. Throws `CodescoreError("usage")`. */
export function resolveTrainOptions(options: TrainOptions): ResolvedTrainOptions {
  const resolved: ResolvedTrainOptions = { ...TRAIN_DEFAULTS, ...options, init: options.init ?? null };
  const expectThat = (holds: boolean, name: keyof TrainOptions, wanted: string): void => {
    if (!holds)
      throw new CodescoreError("usage", `Expected \`${name}\` to be ${wanted}, got \`${String(resolved[name])}\``);
  };
  expectThat(resolved.data.length > 0, "data", "at least one labelled file");
  expectThat(resolved.size in SIZES, "size", `one of ${Object.keys(SIZES).join(", ")}`);
  expectThat(DEVICES.includes(resolved.device), "device", `one of ${DEVICES.join(", ")}`);
  expectThat(resolved.formats.length > 0, "formats", "at least one of ref, nl, ref+nl");
  for (const name of ["steps", "batchTokens", "evaluateEvery"] as const) {
    expectThat(Number.isInteger(resolved[name]) && resolved[name] > 0, name, "a positive integer");
  }
  expectThat(resolved.vocabSize >= 300, "vocabSize", "at least 300 (the bytes and the special tokens)");
  for (const name of ["warmup", "dropout", "devShare"] as const) {
    expectThat(resolved[name] >= 0 && resolved[name] < 1, name, "in [0, 1)");
  }
  for (const name of ["learningRate", "clipNorm"] as const) expectThat(resolved[name] > 0, name, "above zero");
  return resolved;
}
