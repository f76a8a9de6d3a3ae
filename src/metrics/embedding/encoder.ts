/** Computes the hidden states of an encoder that was exported to ONNX. */
import { CodescoreError } from "../../errors.ts";
import { type Port, Session, shortHash } from "../../onnx/index.ts";
import { batchByLength } from "../../tokenize/index.ts";
import { tokenFeeds } from "./feeds.ts";
import { type EncoderFolder, readEncoderFolder } from "./folder.ts";
import { keptWindows } from "./windows.ts";

/** Maximum number of tokens in a batch, padding included. A CPU's caches hold little more. */
const BATCH_TOKENS = 2048;

export const REMEDY = "export it again (docs/embeddings.md)";

/** A hidden state: the name of its output, and its layer. Layer 0 is the embeddings; null if only the last layer exists. */
export interface Layer {
  readonly layer: number | null;
  readonly output: string;
}

export class Encoder {
  readonly parts: EncoderFolder;
  /** Identifies the ONNX file in signatures. */
  readonly hash: string;
  readonly #session: Session;

  private constructor(parts: EncoderFolder, hash: string, session: Session) {
    this.parts = parts;
    this.hash = hash;
    this.#session = session;
  }

  /** @throws `CodescoreError("model")` for an incomplete folder, or a network that is not an encoder. */
  static async open(folder: string): Promise<Encoder> {
    const parts = await readEncoderFolder(folder);
    const hash = await shortHash(parts.path);
    const session = await Session.open(parts.path, { threads: 0, device: "cpu" }, REMEDY);
    const names = session.inputs.filter(({ type }) => type === "int64").map(({ name }) => name);
    const fits = names.length === session.inputs.length && NEEDED.every((name) => names.includes(name));
    if (fits && names.every((name) => [...NEEDED, TYPES].includes(name))) return new Encoder(parts, hash, session);
    await session.close();
    throw new CodescoreError(
      "model",
      `${parts.path}: expected the int64 inputs ${NEEDED.join(", ")} and optionally ${TYPES}, ` +
        `got ${show(session.inputs)}; ${REMEDY}`,
    );
  }

  /**
   * The output with the hidden states after the wanted number of layers: `hidden_states.N` (or `hidden_states_N`). Without a
   * number `last_hidden_state`, otherwise the last of the numbered ones.
   * @throws `CodescoreError("model")` that lists the existing outputs.
   */
  layer(wanted?: number): Layer {
    const outputs = this.#session.outputs.filter(({ type, shape }) => type === "float32" && shape?.length === 3);
    const numbered = outputs.flatMap(({ name }) => {
      const number = /^hidden_states[._](\d+)$/.exec(name)?.[1];
      return number === undefined ? [] : [{ layer: Number(number), output: name }];
    });
    numbered.sort((a, b) => a.layer - b.layer);
    const last = outputs.find(({ name }) => name === LAST);
    const found =
      wanted === undefined
        ? last && { layer: numbered.at(-1)?.layer ?? null, output: last.name }
        : numbered.find(({ layer }) => layer === wanted);
    const chosen = found ?? (wanted === undefined ? numbered.at(-1) : undefined);
    if (chosen) return chosen;
    const expected = wanted === undefined ? `${LAST} or hidden_states.N` : `hidden_states.${wanted}`;
    throw new CodescoreError(
      "model",
      `${this.parts.path}: expected the float32 output ${expected} [batch, sequence, size], ` +
        `got ${show(this.#session.outputs)}; ${REMEDY}`,
    );
  }

  /** Whether there is an output for that layer. */
  hasLayer(layer: number): boolean {
    return this.#session.outputs.some(({ name }) => /^hidden_states[._](\d+)$/.exec(name)?.[1] === String(layer));
  }

  /**
   * The vectors of each sequence's tokens, [tokens, size]. A sequence longer than the encoder's positions is read separately, in
   * windows that overlap by half.
   */
  async encode(sequences: readonly (readonly number[])[], { output }: Layer): Promise<Float32Array[]> {
    const { maxLength, padId } = this.parts;
    const windows = sequences.flatMap((ids, row) => keptWindows(ids.length, maxLength).map((at) => ({ ...at, row })));
    const chunks = windows.map(({ row, from, to }) => sequences[row]!.slice(from, to));
    const vectors = new Array<Float32Array | undefined>(sequences.length);
    const lengths = chunks.map(({ length }) => length);
    for (const batch of batchByLength(lengths, BATCH_TOKENS)) {
      const { ids, mask } = tokenFeeds(
        batch.rows.map((index) => chunks[index]!),
        padId,
      );
      const types = { data: new Int32Array(ids.data.length), shape: ids.shape };
      const feeds = { input_ids: ids, attention_mask: mask, ...(this.#takesTypes && { [TYPES]: types }) };
      const found = (await this.#session.run(feeds, [output]))[output]!;
      const size = found.shape[2]!;
      for (const [i, index] of batch.rows.entries()) {
        const { row, from, keepFrom, keepTo } = windows[index]!;
        vectors[row] ??= new Float32Array(sequences[row]!.length * size);
        const start = (i * batch.length - from) * size; // where the sequence's first token would be
        vectors[row].set(found.data.subarray(start + keepFrom * size, start + keepTo * size), keepFrom * size);
      }
    }
    return vectors.map((one) => one!);
  }

  /** Frees the network. */
  async close(): Promise<void> {
    await this.#session.close();
  }

  get #takesTypes(): boolean {
    return this.#session.inputs.some(({ name }) => name === TYPES);
  }
}

const NEEDED = ["input_ids", "attention_mask"];
const TYPES = "token_type_ids";
const LAST = "last_hidden_state";

export const show = (ports: readonly Port[]): string =>
  ports.map(({ name, type, shape }) => `${name} (${type}${shape ? ` [${shape.join(", ")}]` : ""})`).join(", ");
