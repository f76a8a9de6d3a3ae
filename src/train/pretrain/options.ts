/** The options of a pretraining run, and their defaults. */
import { CodescoreError } from "../../errors.ts";
import { SIZES, type SizeName } from "../../model/index.ts";
import { DEVICES, type Device } from "../engine/device.ts";
import type { MlmLogLine } from "./step.ts";

export interface PretrainOptions {
  /** Folders with Python source. */
  readonly data: readonly string[];
  /** Folder of the checkpoint. An unfinished run found there continues. */
  readonly out: string;
  readonly size?: SizeName;
  /** JSON file with the shape of the model, instead of `size`: the keys of RoBERTa or of the `model_type`, and ours under `codescore`. */
  readonly config?: string;
  readonly vocabSize?: number;
  readonly steps?: number;
  /** Maximum tokens in a batch, padding included. */
  readonly batchTokens?: number;
  readonly learningRate?: number;
  /** Share of the steps over which the learning rate rises. After that it falls to zero along a cosine. */
  readonly warmup?: number;
  readonly weightDecay?: number;
  /** Gradients with a larger norm are scaled down to this norm. */
  readonly clipNorm?: number;
  readonly dropout?: number;
  /** Share of the tokens to predict. */
  readonly maskShare?: number;
  /** Share of the files held out for choosing the best step. */
  readonly devShare?: number;
  readonly evaluateEvery?: number;
  readonly seed?: number;
  readonly device?: Device;
  readonly quiet?: boolean;
  /** Stops the run after the current step. The same call then continues from there. */
  readonly signal?: AbortSignal;
  /** Called with each line of the log. */
  readonly onStep?: (line: MlmLogLine) => unknown;
}

export const PRETRAIN_DEFAULTS = {
  size: "nano",
  vocabSize: 8000,
  steps: 2000,
  batchTokens: 8192,
  learningRate: 5e-4,
  warmup: 0.06,
  weightDecay: 0.01,
  clipNorm: 1,
  dropout: 0.1,
  maskShare: 0.15,
  devShare: 0.05,
  evaluateEvery: 100,
  seed: 0,
  device: "auto",
  quiet: false,
} as const satisfies Omit<PretrainOptions, "data" | "out" | "config" | keyof Hooks>;

type Hooks = Pick<PretrainOptions, "signal" | "onStep">;
export type ResolvedPretrainOptions = Required<Omit<PretrainOptions, "config" | keyof Hooks>> &
  Hooks & { readonly config: string | null };

/** Fills in the defaults and checks the values. Throws `CodescoreError("usage")`. */
export function resolvePretrainOptions(options: PretrainOptions): ResolvedPretrainOptions {
  const resolved: ResolvedPretrainOptions = { ...PRETRAIN_DEFAULTS, ...options, config: options.config ?? null };
  const expectThat = (holds: boolean, name: keyof PretrainOptions, wanted: string): void => {
    if (!holds)
      throw new CodescoreError("usage", `Expected \`${name}\` to be ${wanted}, got \`${String(resolved[name])}\``);
  };
  expectThat(resolved.data.length > 0, "data", "at least one folder");
  expectThat(resolved.size in SIZES, "size", `one of ${Object.keys(SIZES).join(", ")}`);
  expectThat(DEVICES.includes(resolved.device), "device", `one of ${DEVICES.join(", ")}`);
  if (options.config !== undefined && options.size !== undefined) {
    throw new CodescoreError("usage", "Expected one of config and size, got both");
  }
  for (const name of ["steps", "batchTokens", "evaluateEvery"] as const) {
    expectThat(Number.isInteger(resolved[name]) && resolved[name] > 0, name, "a positive integer");
  }
  expectThat(resolved.vocabSize >= 300, "vocabSize", "at least 300 (the bytes and the special tokens)");
  for (const name of ["warmup", "dropout"] as const) {
    expectThat(resolved[name] >= 0 && resolved[name] < 1, name, "in [0, 1)");
  }
  for (const name of ["maskShare", "devShare"] as const) {
    expectThat(resolved[name] > 0 && resolved[name] < 1, name, "in (0, 1)");
  }
  for (const name of ["learningRate", "clipNorm"] as const) expectThat(resolved[name] > 0, name, "above zero");
  return resolved;
}
