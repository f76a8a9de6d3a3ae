/**
 * Scores candidates with an exported model. Loads onnxruntime and a tokenizer, never TensorFlow.js. A score depends on
 * its own row alone: rows are batched by length, padding is masked.
 */
import type { InferenceSession } from "onnxruntime-node";
import { CodescoreError, messageOf } from "../errors.ts";
import {
  batchByLength,
  type Encoded,
  type Encoder,
  formatOf,
  loadTokenizer,
  makeEncoder,
  padRows,
} from "../tokenize/index.ts";
import type { InputFormat, Score, ScoreInput, Similarity } from "../types.ts";
import { packageVersion } from "../util/files.ts";
import { findModel, findOnnx, readScorerConfig, type ScorerConfig, shortHash } from "./model.ts";

export interface ScorerOptions {
  /** Threads of one operation. @default the number of cores */
  readonly threads?: number;
  /** Tokens in a batch, padding included. @default 8192 */
  readonly batchTokens?: number;
}

export interface RowOptions {
  /** `auto` takes the richest format that a row allows. @default "auto" */
  readonly format?: InputFormat | "auto";
}

/** A row that could not be scored, in its place. */
export interface ScoreError {
  readonly error: { readonly code: string; readonly message: string };
}

export type ScoreResult = Score | ScoreError;

/** Rows taken from a stream at a time: enough for batches of like length, little to hold. */
const WINDOW = 1024;

export class CodeScorer {
  /** Folder of the model. */
  readonly folder: string;
  readonly #session: InferenceSession;
  readonly #ort: typeof import("onnxruntime-node");
  readonly #encode: Encoder;
  readonly #config: ScorerConfig;
  readonly #batchTokens: number;
  readonly #name: string;
  readonly #version: string;

  private constructor(parts: {
    folder: string;
    session: InferenceSession;
    ort: typeof import("onnxruntime-node");
    encode: Encoder;
    config: ScorerConfig;
    batchTokens: number;
    name: string;
    version: string;
  }) {
    this.folder = parts.folder;
    this.#session = parts.session;
    this.#ort = parts.ort;
    this.#encode = parts.encode;
    this.#config = parts.config;
    this.#batchTokens = parts.batchTokens;
    this.#name = parts.name;
    this.#version = parts.version;
  }

  /**
   * Loads a model folder (`config.json`, `tokenizer.json`, `onnx/model.onnx`); without one, the shipped model.
   * Throws `CodescoreError("model")` when the folder is incomplete or its parts do not fit together.
   */
  static async load(folder?: string, { threads = 0, batchTokens = 8192 }: ScorerOptions = {}): Promise<CodeScorer> {
    const found = await findModel(folder);
    const config = await readScorerConfig(found);
    const path = await findOnnx(found);
    const [ort, tokenizer, hash, version] = await Promise.all([
      import("onnxruntime-node"),
      loadTokenizer(found),
      shortHash(path),
      packageVersion(),
    ]);
    if (tokenizer.vocabSize > config.vocabSize) {
      throw new CodescoreError(
        "model",
        `${found}: the tokenizer has ${tokenizer.vocabSize} tokens, the model ${config.vocabSize}; they are not of one model`,
      );
    }
    const session = await ort.InferenceSession.create(path, { intraOpNumThreads: threads, logSeverityLevel: 3 }).catch(
      (error: unknown) => {
        throw new CodescoreError("model", `cannot load ${path}: ${messageOf(error)}`, { cause: error });
      },
    );
    if (!["score", "exec"].every((name) => session.outputNames.includes(name))) {
      throw new CodescoreError(
        "model",
        `${path}: expected the outputs score and exec, got ${session.outputNames.join(", ")}`,
      );
    }
    const encode = await makeEncoder(tokenizer, config);
    return new CodeScorer({ folder: found, session, ort, encode, config, batchTokens, name: hash, version });
  }

  /** Names the model, format, length and version: scores with the same signature can be compared. */
  get signature(): string {
    return this.signatureOf("auto");
  }

  /** The signature of scores made in one format. */
  signatureOf(format: InputFormat | "auto"): string {
    return `codescore|model:${this.#name}|input:${format}|max:${this.#config.maxLength}|v:${this.#version}`;
  }

  /** Scores rows in their order; a row that cannot be scored yields its error and the rest are scored. */
  async scoreAll(inputs: readonly ScoreInput[], { format = "auto" }: RowOptions = {}): Promise<ScoreResult[]> {
    const results = new Array<ScoreResult>(inputs.length);
    const rows: { index: number; encoded: Encoded; format: InputFormat }[] = [];
    for (const [index, input] of inputs.entries()) {
      try {
        const chosen = chooseFormat(input, format);
        rows.push({ index, encoded: this.#encode(input, chosen), format: chosen });
      } catch (error) {
        if (!(error instanceof CodescoreError)) throw error;
        results[index] = { error: { code: error.code, message: error.message } };
      }
    }
    const sequences = rows.map(({ encoded }) => encoded.ids);
    for (const batch of batchByLength(
      sequences.map((ids) => ids.length),
      this.#batchTokens,
    )) {
      const { score, exec } = await this.#run(padRows(sequences, batch, this.#config.padId), batch.length);
      for (const [i, row] of batch.rows.entries()) {
        const { index, encoded, format: chosen } = rows[row]!;
        const { cut } = encoded;
        const isCut = cut.candidate + cut.reference + cut.description > 0;
        results[index] = {
          score: score[i]!,
          exec: exec[i]!,
          format: chosen,
          ...(isCut ? { cut } : {}),
          signature: this.signatureOf(chosen),
        };
      }
    }
    return results;
  }

  /** Scores a stream of rows, in order, holding a thousand at a time. */
  async *score<Row extends ScoreInput>(
    rows: Iterable<Row> | AsyncIterable<Row>,
    options: RowOptions = {},
  ): AsyncGenerator<{ row: Row; result: ScoreResult }> {
    let window: Row[] = [];
    const flush = async (): Promise<{ row: Row; result: ScoreResult }[]> => {
      const results = await this.scoreAll(window, options);
      const pairs = window.map((row, i) => ({ row, result: results[i]! }));
      window = [];
      return pairs;
    };
    for await (const row of rows) {
      window.push(row);
      if (window.length === WINDOW) yield* await flush();
    }
    yield* await flush();
  }

  /** The scorer as a `Similarity`, e.g. for round-trip correctness. */
  similarity(): Similarity {
    return {
      name: "codescore",
      compare: async (pairs) => {
        const results = await this.scoreAll(pairs);
        return results.map((result, i) => {
          if (!("error" in result)) return result.score;
          throw new CodescoreError("input", `pair ${i}: ${result.error.message}`);
        });
      },
    };
  }

  async #run(ids: Int32Array, length: number): Promise<{ score: Float32Array; exec: Float32Array }> {
    const shape = [ids.length / length, length];
    const wide = BigInt64Array.from(ids, BigInt);
    const mask = BigInt64Array.from(ids, (id) => (id === this.#config.padId ? 0n : 1n));
    const outputs = await this.#session.run({
      input_ids: new this.#ort.Tensor("int64", wide, shape),
      attention_mask: new this.#ort.Tensor("int64", mask, shape),
    });
    return { score: outputs.score!.data as Float32Array, exec: outputs.exec!.data as Float32Array };
  }

  /** Frees the model. */
  async close(): Promise<void> {
    await this.#session.release();
  }
}

/** Checks a row and picks its format. Throws `CodescoreError("input")`. */
function chooseFormat(input: ScoreInput, wanted: InputFormat | "auto"): InputFormat {
  for (const field of ["candidate", "reference", "description"] as const) {
    const value: unknown = input[field];
    const optional = field !== "candidate" && (value === undefined || value === null);
    if (!optional && typeof value !== "string")
      throw new CodescoreError(
        "input",
        `expected \`${field}\` to be a string, got ${value === null ? "null" : typeof value}`,
      );
  }
  if (input.candidate.trim() === "")
    throw new CodescoreError("input", "expected a candidate program, got an empty text");
  const richest = formatOf(input);
  if (wanted === "auto" || wanted === richest || richest === "ref+nl") return wanted === "auto" ? richest : wanted;
  throw new CodescoreError(
    "input",
    `the format ${wanted} needs a ${wanted === "nl" ? "description" : wanted === "ref" ? "reference" : richest === "ref" ? "description" : "reference"}, got none`,
  );
}
