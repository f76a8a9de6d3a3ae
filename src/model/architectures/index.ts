/** The supported encoders, by Hugging Face's `model_type`. */
import { CodescoreError } from "../../errors.ts";
import { bert } from "./bert.ts";
import { debertaV2 } from "./deberta-v2.ts";
import { distilbert } from "./distilbert.ts";
import { modernbert } from "./modernbert.ts";
import { mpnet } from "./mpnet.ts";
import { nomicBert } from "./nomic-bert.ts";
import { roberta } from "./roberta.ts";
import { t5 } from "./t5.ts";
import type { Architecture, EncoderShape } from "./types.ts";

export const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  roberta,
  bert,
  distilbert,
  mpnet,
  modernbert,
  nomic_bert: nomicBert,
  t5,
  "deberta-v2": debertaV2,
};

/** Throws `CodescoreError("model")` that lists the supported architectures. */
export function architectureOf(modelType: unknown, path = "config.json"): Architecture {
  const known = Object.entries(ARCHITECTURES).find(([name]) => name === modelType)?.[1];
  if (known !== undefined) return known;
  const names = Object.keys(ARCHITECTURES).join(", ");
  throw new CodescoreError("model", `${path}: expected \`model_type\` to be one of ${names}, got ${String(modelType)}`);
}

/** The encoder's shape for a checked config. */
export const encoderShape = (config: { readonly model_type: string }): EncoderShape =>
  architectureOf(config.model_type).shape({ ...config }, "config.json");

export type { Activation, Architecture, EncoderShape, RawConfig, RelativePositions } from "./types.ts";
