/** The encoders that are read, by Hugging Face's `model_type`, and what sets them apart in the network. */
import { CodescoreError } from "../errors.ts";

/** What the network asks of an encoder. */
export interface EncoderShape {
  /** Row of the position table that a sequence's first token has. */
  readonly firstPosition: number;
}

/** How a `config.json` of Hugging Face's is read. */
export interface Architecture {
  /** What keys mean that the file leaves out, as transformers has it. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** `pad` is the config's `pad_token_id`. */
  readonly shape: (pad: number) => EncoderShape;
}

export const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  roberta: {
    defaults: { type_vocab_size: 1, bos_token_id: 0, pad_token_id: 1, eos_token_id: 2, layer_norm_eps: 1e-5 },
    // Positions begin after the padding's row.
    shape: (pad) => ({ firstPosition: pad + 1 }),
  },
  bert: {
    // Which tokens begin and end a sequence is known to its tokenizer alone.
    defaults: { type_vocab_size: 2, pad_token_id: 0, layer_norm_eps: 1e-12 },
    shape: () => ({ firstPosition: 0 }),
  },
};

/** Throws `CodescoreError("model")` that names those that are read. */
export function architectureOf(modelType: unknown, path: string): Architecture {
  const known = Object.entries(ARCHITECTURES).find(([name]) => name === modelType)?.[1];
  if (known !== undefined) return known;
  const names = Object.keys(ARCHITECTURES).join(", ");
  throw new CodescoreError("model", `${path}: expected \`model_type\` to be one of ${names}, got ${String(modelType)}`);
}

/** The shape of a checked config's encoder. */
export const encoderShape = ({
  model_type,
  pad_token_id,
}: {
  model_type: string;
  pad_token_id: number;
}): EncoderShape => architectureOf(model_type, "config.json").shape(pad_token_id);
