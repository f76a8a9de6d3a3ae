/** Opens what BERTScore and CodeBERTScore run. */
import { CodescoreError } from "../../errors.ts";
import { sha256 } from "../../util/files.ts";
import type { MetricOptions } from "../types.ts";
import { readBaseline } from "./baseline.ts";
import { Encoder } from "./encoder.ts";
import type { Matched } from "./match.ts";
import { PairMatcher } from "./pair-matcher.ts";
import { bertReader, codeReader } from "./texts.ts";

/** What is the same for all values of one matching. */
export interface Opened {
  readonly matcher: PairMatcher;
  /** What follows the name and the value in a metric's signature. */
  readonly signature: string;
  /** The baseline of one value; null where no file was given. */
  readonly readBaseline: (part: keyof Matched) => Promise<number | null>;
}

export const openEncoder = (folder: string): Promise<Encoder> => Encoder.open(folder);

/** The layer that code_bert_score takes of every model unless told otherwise. */
const CODE_LAYER = 10;

/** Throws `CodescoreError("model")` for a layer that is not there, "usage" for options that do not go with the encoder. */
export function openMatcher(family: "bertscore" | "codebertscore", encoder: Encoder, options: MetricOptions): Opened {
  const { idf = false, context = false, progress = false, baseline } = options;
  const { tokenizer, maxLength, folder } = encoder.parts;
  const isCode = family === "codebertscore";
  if (isCode && context && !tokenizer.byteLevel) {
    throw new CodescoreError(
      "usage",
      `${folder}: a description can be put before code (--context) for byte-level BPE only, which loses nothing of a text`,
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
