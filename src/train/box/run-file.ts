/** `run.json` of a pack: what is to be trained, and what packing it measured. */
import type { ResolvedTrainOptions } from "../options.ts";
import type { SmokeStep } from "./smoke.ts";

/** The settings of a run, without where its data lay and what a process alone has. */
export type PackedOptions = Omit<ResolvedTrainOptions, "signal" | "onStep" | "out" | "quiet">;

export interface RunFile {
  /** Of codescore, which made the pack. */
  readonly version: string;
  /** Name of the folder that the model is trained in. */
  readonly name: string;
  readonly options: PackedOptions;
  /** One model for each; null: one, with the options' seed. */
  readonly seeds: readonly number[] | null;
  /** Of `examples.br`, in hexadecimal digits. */
  readonly examplesSha256: string;
  /** Of the run, see `signatureOf`: what is read on the box must come to the same. */
  readonly signature: string;
  readonly smoke: {
    /** The engine that it was recorded on. */
    readonly engine: string;
    readonly steps: readonly SmokeStep[];
  };
}

/** Where the parts of a pack lie in its folder. */
export const PARTS = {
  run: "run.json",
  examples: "examples.br",
  /** Folder of what goes into the model's folder, and of `model.safetensors` where the run starts from a checkpoint. */
  model: "model",
  torchPeer: "torch-peer.py",
  nvidiaIcd: "nvidia_icd.json",
} as const;
