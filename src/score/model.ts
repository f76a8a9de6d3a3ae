/** Where a scoring model lies, and whether it is whole. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import type { Normalise } from "../tokenize/index.ts";
import { exists, packageRoot, readJson } from "../util/files.ts";

/** The model shipped with the package; until there is one, the one that `npm run quickstart` trained. */
const DEFAULTS = [join(packageRoot, "models", "codescore-small"), join(packageRoot, "runs", "quickstart", "model")];

/** What the scorer needs of `config.json`. */
export interface ScorerConfig {
  readonly padId: number;
  readonly maxLength: number;
  readonly maxDescription: number;
  readonly normalise: Normalise;
  readonly staticMarks: boolean;
  readonly emptyParts: "omit" | "keep";
  readonly vocabSize: number;
}

/** The folder to load. Throws `CodescoreError("model")` when there is no default, or no such folder. */
export async function findModel(folder?: string): Promise<string> {
  if (folder !== undefined) {
    if (await exists(folder)) return folder;
    throw new CodescoreError("model", `no model folder at ${folder}`);
  }
  for (const candidate of DEFAULTS) if (await exists(join(candidate, "onnx", "model.onnx"))) return candidate;
  throw new CodescoreError(
    "model",
    "no model: none is shipped yet; give --model DIR, or train one with `npm run quickstart`",
  );
}

/** Reads `config.json`. Throws `CodescoreError("model")` that says what is missing and how to mend it. */
export async function readScorerConfig(folder: string): Promise<ScorerConfig> {
  const path = join(folder, "config.json");
  if (!(await exists(path)))
    throw new CodescoreError("model", `${folder} is not a codescore model: it has no config.json`);
  const raw = ((await readJson(path)) ?? {}) as {
    pad_token_id?: unknown;
    vocab_size?: unknown;
    codescore?: Record<string, unknown> | null;
  };
  const { codescore: unice, pad_token_id: padId, vocab_size: vocabSize } = raw;
  if (unice === undefined || unice === null) {
    throw new CodescoreError(
      "model",
      `${path}: expected a \`codescore\` section; an encoder becomes a scorer with \`codescore import\` and \`codescore train\``,
    );
  }
  const { max_length: maxLength, max_description: maxDescription = maxLength, normalise, empty_parts: emptyParts } = unice;
  const numbers = [padId, vocabSize, maxLength, maxDescription];
  if (!numbers.every((value) => typeof value === "number")) {
    throw new CodescoreError(
      "model",
      `${path}: expected numbers for pad_token_id, vocab_size, codescore.max_length and codescore.max_description`,
    );
  }
  return {
    padId: padId as number,
    vocabSize: vocabSize as number,
    maxLength: maxLength as number,
    maxDescription: maxDescription as number,
    normalise: normalise === "code" || normalise === "names" ? normalise : "none",
    staticMarks: unice.static_marks === true,
    emptyParts: emptyParts === "keep" ? "keep" : "omit",
  };
}

/** The ONNX file of a folder. Throws `CodescoreError("model")` that says how to make it. */
export async function findOnnx(folder: string): Promise<string> {
  const path = join(folder, "onnx", "model.onnx");
  if (await exists(path)) return path;
  throw new CodescoreError("model", `${folder} has no onnx/model.onnx; make it with \`codescore export ${folder}\``);
}

/** First 8 hexadecimal digits of a file's sha256: the model's name in signatures. */
export async function shortHash(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex").slice(0, 8);
}
