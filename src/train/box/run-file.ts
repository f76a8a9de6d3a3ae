/** `run.json` of a pack: what to train, and the measurements made at packing. */
import type { ResolvedTrainOptions } from "../options.ts";
import type { SmokeStep } from "./smoke.ts";

/** The settings of a run, without the output folder and without those of a single process. */
export type PackedOptions = Omit<ResolvedTrainOptions, "signal" | "onStep" | "out" | "quiet">;

export interface RunFile {
  /** Version of codescore that made the pack. */
  readonly version: string;
  /** Name of the folder in which the model is trained. */
  readonly name: string;
  readonly options: PackedOptions;
  /** One model per seed. null: one model, with the options' seed. */
  readonly seeds: readonly number[] | null;
  /** SHA-256 of `examples.br`, in hexadecimal digits. */
  readonly examplesSha256: string;
  /** Signature of the run, see `signatureOf`. The data that the box reads must give the same one. */
  readonly signature: string;
  readonly smoke: {
    /** The engine on which the steps were recorded. */
    readonly engine: string;
    readonly steps: readonly SmokeStep[];
  };
}

/** Paths of a pack's parts in its folder. */
export const PARTS = {
  run: "run.json",
  examples: "examples.br",
  /** Folder of the files for the model's folder. Also holds `model.safetensors` if the run starts from a checkpoint. */
  model: "model",
  torchPeer: "torch-peer.py",
  nvidiaIcd: "nvidia_icd.json",
} as const;
