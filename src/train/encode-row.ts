/** Encodes a labelled row as sequences of token ids, in each format that it allows. */
import { encodeOptions, type ModelConfig } from "../model/index.ts";
import { makeEncoder, Tokenizer, type TokenizerFile } from "../tokenize/index.ts";
import type { InputFormat, LabelledRow } from "../types.ts";

export type Texts = Pick<LabelledRow, "candidate" | "reference" | "description">;

export interface EncodedRow {
  readonly ids: Readonly<Partial<Record<InputFormat, number[]>>>;
  readonly marks: Readonly<Partial<Record<InputFormat, number[]>>>;
}

export interface EncodeAsked {
  /** File of the tokenizer. */
  readonly file: TokenizerFile;
  readonly config: ModelConfig;
  readonly formats: readonly InputFormat[];
}

/** Throws the same errors as `makeEncoder`. */
export async function openRowEncoder({ file, config, formats }: EncodeAsked): Promise<(row: Texts) => EncodedRow> {
  const encode = await makeEncoder(new Tokenizer(file), encodeOptions(config));
  return (row) => {
    const ids: Partial<Record<InputFormat, number[]>> = {};
    const marks: Partial<Record<InputFormat, number[]>> = {};
    for (const format of formats) {
      const complete = (format === "nl" || row.reference !== null) && (format === "ref" || row.description !== null);
      if (!complete) continue;
      const encoded = encode(row, format);
      ids[format] = encoded.ids;
      if (encoded.marks !== undefined) marks[format] = encoded.marks;
    }
    return { ids, marks };
  };
}
