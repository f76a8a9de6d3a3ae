/**
 * The cosine of two texts' vectors, as sentence-transformers computes it (Reimers and Gurevych 2019). The hidden states of a
 * text's tokens, special ones included, are averaged; or the first one is taken if the folder's `1_Pooling/config.json` says so.
 * A text longer than the encoder's positions is cut. A negative cosine counts as 0, because 0 already means no similarity.
 */
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { counted } from "../../util/counted.ts";
import { exists, readJson } from "../../util/files.ts";
import { startProgress } from "../../util/progress.ts";
import type { Pair } from "../types.ts";
import { Encoder, type Layer } from "./encoder.ts";
import { strip } from "./texts.ts";

type Pooling = "mean" | "cls";

/** Number of texts that are encoded at a time. */
const TEXTS = 256;

export class PooledEncoder {
  readonly signature: string;
  readonly #encoder: Encoder;
  readonly #layer: Layer;
  readonly #pooling: Pooling;
  readonly #seen = { texts: 0, long: 0, cut: 0 };

  private constructor(encoder: Encoder, layer: Layer, pooling: Pooling) {
    this.#encoder = encoder;
    this.#layer = layer;
    this.#pooling = pooling;
    this.signature = `model:${encoder.hash}|layer:${layer.layer ?? "last"}|pooling:${pooling}|cosine|max:${encoder.parts.maxLength}`;
  }

  /** @throws `CodescoreError("model")` for an incomplete folder, another pooling, or a layer that does not exist. */
  static async open(folder: string, wanted?: number): Promise<PooledEncoder> {
    const pooling = await readPooling(folder);
    const encoder = await Encoder.open(folder);
    try {
      return new PooledEncoder(encoder, encoder.layer(wanted), pooling);
    } catch (error) {
      await encoder.close();
      throw error;
    }
  }

  /** Cosines in [0, 1], one per pair, in order; NaN if a text has no tokens except special ones. Each distinct text is encoded once. */
  async compare(pairs: readonly Pair[], showProgress: boolean): Promise<number[]> {
    const texts = [...new Set(pairs.flatMap(({ candidate, reference }) => [candidate, reference]))];
    const vectors = new Map<string, Float64Array | null>();
    const bar = startProgress({ label: "embedding", total: texts.length, unit: "texts", quiet: !showProgress });
    for (let from = 0; from < texts.length; from += TEXTS) {
      const slice = texts.slice(from, from + TEXTS);
      const encoded = await this.#encode(slice);
      slice.forEach((text, i) => {
        vectors.set(text, encoded[i]!);
      });
      bar.tick(slice.length);
    }
    bar.done();
    return pairs.map(({ candidate, reference }) => {
      const [a, b] = [vectors.get(candidate)!, vectors.get(reference)!];
      return a === null || b === null ? Number.NaN : Math.min(1, Math.max(0, cosine(a, b)));
    });
  }

  /** Remarks for the user about the texts of all calls. */
  notes(): string[] {
    const { texts, long, cut } = this.#seen;
    if (long === 0) return [];
    const { maxLength } = this.#encoder.parts;
    return [
      `embedding: ${long} of ${counted(texts, "text")} longer than the encoder's ${maxLength} tokens: cut, ${counted(cut, "token")} in all`,
    ];
  }

  close(): Promise<void> {
    return this.#encoder.close();
  }

  async #encode(texts: readonly string[]): Promise<(Float64Array | null)[]> {
    const { tokenizer, maxLength } = this.#encoder.parts;
    const room = maxLength - tokenizer.head.length - tokenizer.tail.length;
    const inner = texts.map((text) => tokenizer.encode(strip(text)));
    for (const ids of inner) {
      this.#seen.texts += 1;
      this.#seen.cut += Math.max(0, ids.length - room);
      if (ids.length > room) this.#seen.long += 1;
    }
    const there = inner.flatMap((ids, i) => (ids.length > 0 ? [i] : []));
    const sequences = there.map((i) => [...tokenizer.head, ...inner[i]!.slice(0, room), ...tokenizer.tail]);
    const states = await this.#encoder.encode(sequences, this.#layer);
    const vectors = new Array<Float64Array | null>(texts.length).fill(null);
    there.forEach((i, k) => {
      vectors[i] = pool(states[k]!, sequences[k]!.length, this.#pooling);
    });
    return vectors;
  }
}

function pool(states: Float32Array, tokens: number, pooling: Pooling): Float64Array {
  const size = states.length / tokens;
  const sum = new Float64Array(size);
  const rows = pooling === "cls" ? 1 : tokens;
  for (let at = 0; at < rows * size; at++) sum[at % size]! += states[at]!;
  return sum; // the cosine is independent of the vector's length
}

function cosine(a: Float64Array, b: Float64Array): number {
  const dot = (x: Float64Array, y: Float64Array): number => x.reduce((total, value, i) => total + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** The pooling that sentence-transformers saved beside the encoder; the mean if there is no such file. */
async function readPooling(folder: string): Promise<Pooling> {
  const path = join(folder, "1_Pooling", "config.json");
  if (!(await exists(path))) return "mean";
  const config = ((await readJson(path)) ?? {}) as Readonly<Record<string, unknown>>;
  const chosen = Object.keys(config).filter((name) => name.startsWith("pooling_mode_") && config[name] === true);
  if (chosen.length === 1 && chosen[0] === "pooling_mode_mean_tokens") return "mean";
  if (chosen.length === 1 && chosen[0] === "pooling_mode_cls_token") return "cls";
  const got = chosen.join(", ") || "none";
  throw new CodescoreError(
    "model",
    `${path}: expected pooling_mode_mean_tokens or pooling_mode_cls_token alone, got ${got}; remove the file to take the mean`,
  );
}
