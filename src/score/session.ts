/** The scorer's network: onnxruntime sessions with the inputs and outputs of a scorer. */
import { CodescoreError } from "../errors.ts";
import { type Port, type SessionOptions, SessionPool } from "../onnx/index.ts";

/** A padded batch of integers, shape [rows, length]. */
export interface SessionBatch {
  readonly ids: Int32Array<ArrayBuffer>;
  /** Static marks, for a model with `static_marks`. */
  readonly marks?: Int32Array<ArrayBuffer>;
  readonly padId: number;
  readonly shape: readonly [rows: number, length: number];
}

/** One number per row, in [0, 1]. */
export interface SessionOutputs {
  readonly score: Float32Array;
  readonly exec: Float32Array;
}

const REMEDY = "create it again with `codescore export`";

export class Session {
  /** Number of batches computed at the same time. */
  readonly width: number;
  /** The execution provider in use. */
  readonly provider: string;
  readonly #pool: SessionPool;

  private constructor(pool: SessionPool) {
    this.width = pool.width;
    this.provider = pool.provider;
    this.#pool = pool;
  }

  /** Throws `CodescoreError("model")` if the file is not a scorer, and "environment" if the device is not available. */
  static async open(path: string, options: SessionOptions): Promise<Session> {
    const pool = await SessionPool.open(path, options, REMEDY);
    try {
      checkPorts(path, pool);
    } catch (error) {
      await pool.close();
      throw error;
    }
    return new Session(pool);
  }

  /** Throws `CodescoreError("usage")` after `close`. */
  async run({ ids, marks, padId, shape }: SessionBatch): Promise<SessionOutputs> {
    // 0 on padding, 1 on tokens, 1 + static mark on a token that has one (export/graph.ts)
    const mask = ids.map((one, i) => (one === padId ? 0 : 1 + (marks?.[i] ?? 0)));
    const feeds = { input_ids: { data: ids, shape }, attention_mask: { data: mask, shape } };
    const { score, exec } = await this.#pool.run(feeds, ["score", "exec"]);
    return { score: score!.data, exec: exec!.data };
  }

  /** Resolves when a batch can be computed. Restarts a thread that has died. Throws the reason if that fails. */
  async ready(): Promise<void> {
    await this.#pool.ready();
  }

  /** Frees the model. Batches not yet computed are rejected. A second call does nothing. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}

function checkPorts(path: string, { inputs, outputs }: { inputs: readonly Port[]; outputs: readonly Port[] }): void {
  const fits = (ports: readonly Port[], names: readonly string[], type: string): boolean =>
    ports.length === names.length &&
    names.every((name) => ports.some((port) => port.name === name && port.type === type));
  const show = (ports: readonly Port[]): string => ports.map(({ name, type }) => `${name} (${type})`).join(", ");
  if (fits(inputs, ["input_ids", "attention_mask"], "int64") && fits(outputs, ["score", "exec"], "float32")) return;
  throw new CodescoreError(
    "model",
    `${path}: expected the int64 inputs input_ids and attention_mask and the float32 outputs score and exec, ` +
      `got ${show(inputs)} and ${show(outputs)}; ${REMEDY}`,
  );
}
