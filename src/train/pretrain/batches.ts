/** The masked batches of a pretraining run. The same files, settings and seed give the same batches. */
import type { ModelConfig } from "../../model/index.ts";
import { SPECIAL_TOKENS } from "../../tokenize/index.ts";
import { Random } from "../../util/random.ts";
import { batchesInOrder } from "../examples.ts";
import { type Masked, type MaskOptions, maskSequences } from "./mlm-mask.ts";
import type { ResolvedPretrainOptions } from "./options.ts";
import { type Draw, drawAll, sequenceOf, type Window } from "./windows.ts";

/** Maximum windows per evaluation. */
const DEV_WINDOWS = 256;

export interface MlmBatches {
  /** The batch of a step, counted from 1. Must be called with increasing steps. */
  at(step: number): Masked;
  /** Batches of the held-out files, always masked in the same way. */
  readonly dev: readonly Masked[];
}

type Settings = Pick<ResolvedPretrainOptions, "batchTokens" | "maskShare" | "seed">;

/** `train` and `dev`: the windows of each file. */
export function mlmBatches(
  train: readonly (readonly Window[])[],
  dev: readonly (readonly Window[])[],
  config: ModelConfig,
  { batchTokens, maskShare, seed }: Settings,
): MlmBatches {
  const { bos_token_id: start, eos_token_id: end, vocab_size: vocabSize } = config;
  const join = { start, end, maxLength: config.codescore.max_length };
  const masking: MaskOptions = {
    share: maskShare,
    maskId: SPECIAL_TOKENS.indexOf("<mask>"),
    specials: SPECIAL_TOKENS.length,
    vocabSize,
  };
  // Seeds below zero, because epochs use seeds from zero upwards.
  const randomOf = (step: number): Random => new Random(-(seed * 1_000_003 + step + 1));
  const mask = (draws: readonly Draw[], random: Random): Masked =>
    maskSequences(
      draws.map((draw) => sequenceOf(draw, join)),
      masking,
      random,
    );
  const batched = (draws: readonly Draw[], random: Random): Draw[][] => {
    const order = random.shuffle([...draws.keys()]);
    const rows = order.map((row) => ({ row, length: sequenceOf(draws[row]!, join).length }));
    return random.shuffle(batchesInOrder(rows, batchTokens)).map((batch) => batch.map((row) => draws[row]!));
  };
  const epoch = (number: number): Draw[][] => {
    const random = new Random(seed * 100_003 + number);
    return batched(drawAll(train, random), random);
  };
  const kept = randomOf(0);
  const devDraws = kept.shuffle(drawAll(dev, kept)).slice(0, DEV_WINDOWS);
  let [number, before, batches] = [0, 0, epoch(0)]; // `before`: number of batches in earlier epochs
  return {
    at(step) {
      while (step - 1 - before >= batches.length) {
        before += batches.length;
        number += 1;
        batches = epoch(number);
      }
      return mask(batches[step - 1 - before]!, randomOf(step));
    },
    dev: batched(devDraws, kept).map((draws) => mask(draws, kept)),
  };
}
