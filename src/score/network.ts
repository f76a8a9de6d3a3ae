/**
 * A scorer's network: sequences in, a score and a chance of running for each out. Sequences are batched by length and padding is masked, so
 * an output depends only on its own row.
 */
import { encodeOptions, type ModelConfig } from "../model/config.ts";
import { shortHash } from "../onnx/index.ts";
import { batchByLength, type Encoded, padRows } from "../tokenize/index.ts";
import type { Judged } from "../trees/index.ts";
import { findOnnx, type Precision } from "./model.ts";
import { Session, type SessionOutputs } from "./session.ts";

export interface NetworkOptions {
  readonly precision: Precision;
  readonly device: string;
  readonly threads: number;
  /** Maximum tokens per batch, padding included. */
  readonly batchTokens: number;
}

/** Batches of one call that each thread holds. A thread then need not wait for its next batch, and other calls still get their turn. */
const AHEAD = 2;

export class Network {
  /** The name of the file in signatures: the first digits of its hash. */
  readonly name: string;
  /** The execution provider in use. It is `wasm` also if `cpu` was requested and onnxruntime-node is not installed. */
  readonly device: string;
  readonly #session: Session;
  readonly #batchTokens: number;
  readonly #padId: number;
  readonly #hasMarks: boolean;

  private constructor(name: string, session: Session, config: ModelConfig, batchTokens: number) {
    this.name = name;
    this.device = session.provider;
    this.#session = session;
    this.#batchTokens = batchTokens;
    this.#padId = config.pad_token_id;
    this.#hasMarks = encodeOptions(config).staticMarks;
  }

  /** Throws `CodescoreError("model")` if the folder has no such file, and the errors of `Session.open`. */
  static async open(
    folder: string,
    config: ModelConfig,
    { precision, device, threads, batchTokens }: NetworkOptions,
  ): Promise<Network> {
    const path = await findOnnx(folder, precision, device);
    const name = await shortHash(path);
    return new Network(name, await Session.open(path, { threads, device }), config, batchTokens);
  }

  /** The outputs of each row, in order. If `state.stopped` becomes true, the rest is not computed. Throws `CodescoreError("usage")` after `close`. */
  async compute(rows: readonly Encoded[], state: { readonly stopped: boolean }): Promise<Judged[]> {
    const outputs = new Array<Judged>(rows.length);
    const lengths = rows.map(({ ids }) => ids.length);
    const running: Promise<void>[] = [];
    for (const { rows: chosen, length } of batchByLength(lengths, this.#batchTokens)) {
      if (state.stopped) break;
      if (running.length === AHEAD * this.#session.width) await running.shift();
      const batch = chosen.map((row) => rows[row]!);
      const done = this.#run(batch, length).then(({ score, exec }) => {
        for (const [i, row] of chosen.entries()) outputs[row] = { score: score[i]!, exec: exec[i]! };
      });
      done.catch(() => {}); // if one fails, the others are not awaited
      running.push(done);
    }
    await Promise.all(running);
    return outputs;
  }

  #run(rows: readonly Encoded[], length: number): Promise<SessionOutputs> {
    const batch = { rows: rows.map((_, i) => i), length };
    const pad = (sequences: readonly (readonly number[])[], padId: number): Int32Array<ArrayBuffer> =>
      padRows(sequences, batch, padId);
    const ids = pad(
      rows.map(({ ids }) => ids),
      this.#padId,
    );
    const marks = this.#hasMarks
      ? {
          marks: pad(
            rows.map(({ marks = [] }) => marks),
            0,
          ),
        }
      : {};
    return this.#session.run({ ids, ...marks, padId: this.#padId, shape: [rows.length, length] });
  }

  /** Resolves when a batch can be computed. Restarts a thread that has died. Throws the reason if that fails. */
  async ready(): Promise<void> {
    await this.#session.ready();
  }

  /** Frees the model. Batches not yet computed are rejected. A second call does nothing. */
  async close(): Promise<void> {
    await this.#session.close();
  }
}
