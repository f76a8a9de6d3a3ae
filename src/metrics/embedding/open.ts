/** Opens the models for BERTScore and CodeBERTScore. */
import { CodescoreError } from "../../errors.ts";
import { sha256 } from "../../util/files.ts";
import type { MetricOptions } from "../types.ts";
import { readBaseline } from "./baseline.ts";
import { Encoder } from "./encoder.ts";
import type { Matched } from "./match.ts";
import { PairMatcher } from "./pair-matcher.ts";
import { bertReader, codeReader } from "./texts.ts";

/** What all values of one matching share. */
export interface Opened {
  readonly matcher: PairMatcher;
  /** The rest of a metric's signature, after its name and value. */
  readonly signature: string;
  /** The baseline of one value; null if no file was given. */
  readonly readBaseline: (part: keyof Matched) => Promise<number | null>;
}

export const openEncoder = (folder: string): Promise<Encoder> => Encoder.open(folder);

/** The layer that code_bert_score uses by default for every model. */
const CODE_LAYER = 10;

/**
 * Creates the matcher of a metric.
 * @throws `CodescoreError("model")` if the layer does not exist.
 * @throws `CodescoreError("usage")` for options that do not fit the encoder.
 */
export function openMatcher(family: "bertscore" | "codebertscore", encoder: Encoder, options: MetricOptions): Opened {
  const { idf = false, context = false, progress = false, baseline } = options;
  const { tokenizer, maxLength, folder } = encoder.parts;
  const isCode = family === "codebertscore";
  if (isCode && context && !tokenizer.byteLevel) {
    throw new CodescoreError(
      "usage",
      `${folder}: a description before the code (--context) needs a tokenizer with byte-level BPE, which preserves every text`,
    );
  }
  const preferred = isCode && encoder.hasLayer(CODE_LAYER) ? CODE_LAYER : undefined;
  const layer = encoder.layer(options.layer ?? preferred);
  const read = (isCode ? codeReader : bertReader)(tokenizer, { maxLength, context });
  const matcher = new PairMatcher({ name: family, encoder, layer, read, idf, context, progress });
  const signature = [
    `model:${encoder.hash}`,
    `layer:${layer.layer ?? "last"}`,
    `idf:${idf ? "references" : "no"}`,
    ...(isCode ? ["punct:no", `context:${context ? "description" : "no"}`] : []),
    `max:${maxLength}${isCode ? "+windows" : ""}`,
    ...(baseline === undefined ? [] : [`baseline:${sha256(baseline).slice(0, 8)}`]),
  ];
  return {
    matcher,
    signature: signature.join("|"),
    readBaseline: async (part) =>
      baseline === undefined ? null : readBaseline(baseline, options.layer ?? layer.layer, part),
  };
}
