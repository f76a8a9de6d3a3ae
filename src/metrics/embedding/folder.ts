/**
 * Reads the folder of a pretrained encoder: `config.json` and `tokenizer.json` as transformers saves them, and `onnx/model.onnx`
 * or `model.onnx`. `tokenizer_config.json` is optional.
 */
import { join } from "node:path";
import { CodescoreError, messageOf } from "../../errors.ts";
import { checkModelFile, exists, LARGEST, readJson } from "../../util/files.ts";
import { TextTokenizer } from "./text-tokenizer.ts";

export interface EncoderFolder {
  readonly folder: string;
  /** The ONNX file. */
  readonly path: string;
  readonly tokenizer: TextTokenizer;
  readonly padId: number;
  /** Maximum number of tokens per sequence, special ones included; Infinity if the files state no limit. */
  readonly maxLength: number;
  /** `config.json`. */
  readonly config: Readonly<Record<string, unknown>>;
}

const ONNX_FILES = [join("onnx", "model.onnx"), "model.onnx"];

/** Model types that count positions from after the padding id, so that the first positions are never used. */
const SHIFTED = ["roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "longformer", "data2vec-text", "mpnet"];

/** transformers writes 1e30 for "no limit". */
const NO_LIMIT = 1e9;

/** Models pad their vocabulary to a round number, by fewer tokens than this. A wider gap means another tokenizer. */
const PADDING = 128;

/**
 * Reads everything except the network.
 * @throws `CodescoreError("model")` that says what is missing or does not fit, and how to fix it.
 */
export async function readEncoderFolder(folder: string): Promise<EncoderFolder> {
  if (!(await exists(folder))) throw new CodescoreError("model", `there is no folder ${folder}`);
  const found = await Promise.all(ONNX_FILES.map((name) => exists(join(folder, name))));
  if (!found.includes(true)) {
    const names = ONNX_FILES.join(" or ");
    throw new CodescoreError("model", `${folder} has no ${names}: export the encoder to it (docs/embeddings.md)`);
  }
  const config = await readObject(folder, "config.json");
  if (config === null) throw missing(folder, "config.json", "config");
  const file = await readObject(folder, "tokenizer.json");
  if (file === null) throw missing(folder, "tokenizer.json", "tokenizer");
  const tokenizer = new TextTokenizer(file, join(folder, "tokenizer.json"));
  const { vocab_size: vocabSize, pad_token_id: padId } = config;
  if (!isCount(vocabSize) || !isCount(padId)) {
    const got = JSON.stringify({ vocab_size: vocabSize, pad_token_id: padId });
    const where = join(folder, "config.json");
    throw new CodescoreError("model", `${where}: expected vocab_size and pad_token_id to be integers, got ${got}`);
  }
  if (tokenizer.size > vocabSize || vocabSize - tokenizer.size >= PADDING) {
    throw new CodescoreError(
      "model",
      `${folder}: the tokenizer has ${tokenizer.size} tokens, the encoder ${vocabSize}; they belong to different models`,
    );
  }
  const limits = [positionsOf(config, padId), (await readObject(folder, "tokenizer_config.json"))?.model_max_length];
  const maxLength = Math.min(...limits.filter((limit) => isCount(limit) && limit < NO_LIMIT).map(Number));
  const specials = tokenizer.head.length + tokenizer.tail.length;
  if (maxLength <= specials + 1) {
    throw new CodescoreError("model", `${folder}: the encoder's ${maxLength} positions leave no room for a text`);
  }
  return { folder, path: join(folder, ONNX_FILES[found.indexOf(true)]!), tokenizer, padId, maxLength, config };
}

function positionsOf(config: Readonly<Record<string, unknown>>, padId: number): unknown {
  const { model_type: kind, max_position_embeddings: positions } = config;
  if (!isCount(positions) || !SHIFTED.includes(String(kind))) return positions;
  return positions - padId - 1;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** A JSON object of the folder; null if the file does not exist. */
async function readObject(folder: string, name: string): Promise<Record<string, unknown> | null> {
  const path = join(folder, name);
  if (!(await exists(path))) return null;
  await checkModelFile(path, LARGEST.tokenizer);
  const value = await readJson(path).catch((error: unknown) => {
    throw new CodescoreError("model", messageOf(error), { cause: error });
  });
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new CodescoreError("model", `${path}: expected a JSON object, got ${JSON.stringify(value)?.slice(0, 40)}`);
}

const missing = (folder: string, name: string, part: string): CodescoreError =>
  new CodescoreError("model", `${folder} has no ${name}; transformers writes it: ${part}.save_pretrained("${folder}")`);
