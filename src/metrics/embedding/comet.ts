/**
 * COMET (Rei et al. 2020) with a user's ONNX export of Unbabel's models. The candidate is the hypothesis (`mt`), the description
 * is the source (`src`). There are two kinds:
 * - regression: int64 inputs `src_input_ids`, `src_attention_mask`, and the same for `mt` and `ref`, [batch, sequence]. The
 *   length may differ between parts. A model that does not use the source or the reference lacks those inputs.
 * - unified: `input_ids` and `attention_mask` of one sequence of the parts, with special tokens between them. `input_segments`
 *   in config.json names the parts. If it names three, the score is the mean over mt+src, mt+ref and all, as in UniTE.
 * The output is `score`, float32 [batch] or [batch, 1].
 */
import { CodescoreError } from "../../errors.ts";
import { type Integers, type Port, Session, shortHash } from "../../onnx/index.ts";
import { batchByLength, shareBudget } from "../../tokenize/index.ts";
import { counted } from "../../util/counted.ts";
import { startProgress } from "../../util/progress.ts";
import type { Pair } from "../types.ts";
import { REMEDY, show } from "./encoder.ts";
import { tokenFeeds } from "./feeds.ts";
import { type EncoderFolder, readEncoderFolder } from "./folder.ts";

const PARTS = ["src", "mt", "ref"] as const;
type Part = (typeof PARTS)[number];

/** Maximum number of tokens in a batch, padding included. */
const BATCH_TOKENS = 2048;

const INPUTS = ["input_ids", "attention_mask"];

export class CometModel {
  readonly signature: string;
  readonly #folder: EncoderFolder;
  readonly #session: Session;
  /** The parts that the model reads, in the order of a unified sequence. */
  readonly #parts: readonly Part[];
  readonly #unified: boolean;
  readonly #seen = { texts: 0, long: 0, cut: 0, lacking: 0 };

  private constructor(folder: EncoderFolder, hash: string, session: Session, parts: readonly Part[], unified: boolean) {
    this.signature = `model:${hash}|input:${unified ? "unified" : "regression"}|parts:${parts.join("+")}|max:${folder.maxLength}`;
    this.#folder = folder;
    this.#session = session;
    this.#parts = parts;
    this.#unified = unified;
  }

  /** @throws `CodescoreError("model")` for an incomplete folder, or a network with other inputs or outputs. */
  static async open(path: string): Promise<CometModel> {
    const folder = await readEncoderFolder(path);
    const hash = await shortHash(folder.path);
    const session = await Session.open(folder.path, { threads: 0, device: "cpu" }, REMEDY);
    try {
      const found = partsOf(session, folder);
      return new CometModel(folder, hash, session, found.parts, found.unified);
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** One score per pair, in order; NaN if the model reads a source and the pair has no description. */
  async scoreAll(pairs: readonly Pair[], progress: boolean): Promise<number[]> {
    const scores = new Array<number>(pairs.length).fill(Number.NaN);
    const remembered = new Map<string, number[]>();
    const rows = pairs.flatMap((pair, place) => {
      const texts = { src: pair.description ?? "", mt: pair.candidate, ref: pair.reference };
      if (this.#parts.includes("src") && texts.src.trim() === "") {
        this.#seen.lacking += 1;
        return [];
      }
      const ids = this.#parts.map((part) => {
        const known = remembered.get(texts[part]) ?? this.#folder.tokenizer.encode(texts[part]);
        remembered.set(texts[part], known);
        return known;
      });
      return this.#unified ? this.#joined(ids).map((one) => ({ place, ids: [one] })) : [{ place, ids: this.#cut(ids) }];
    });
    const bar = startProgress({ label: "comet", total: rows.length, unit: "inputs", quiet: !progress });
    const sums = new Map<number, number[]>();
    const lengths = rows.map(({ ids }) => ids.reduce((sum, one) => sum + one.length, 0));
    for (const batch of batchByLength(lengths, BATCH_TOKENS)) {
      const chosen = batch.rows.map((index) => rows[index]!);
      const found = await this.#run(chosen.map(({ ids }) => ids));
      for (const [i, { place }] of chosen.entries()) sums.set(place, [...(sums.get(place) ?? []), found[i]!]);
      bar.tick(chosen.length);
    }
    bar.done();
    for (const [place, all] of sums) scores[place] = all.reduce((sum, one) => sum + one, 0) / all.length;
    return scores;
  }

  /** Remarks for the user about the texts of all calls. */
  notes(): string[] {
    const { texts, long, cut, lacking } = this.#seen;
    const most = this.#folder.maxLength;
    return [
      ...(long === 0
        ? []
        : [`comet: ${long} of ${counted(texts, "input")} longer than ${most} tokens: cut, ${cut} in all`]),
      ...(lacking === 0
        ? []
        : [`comet: ${counted(lacking, "pair")} without a description, which the model reads as the source`]),
    ];
  }

  /** Frees the network. */
  async close(): Promise<void> {
    await this.#session.close();
  }

  /** Adds the special tokens to each part, cut to the model's length. */
  #cut(parts: readonly (readonly number[])[]): number[][] {
    const { tokenizer, maxLength } = this.#folder;
    const room = maxLength - tokenizer.head.length - tokenizer.tail.length;
    return parts.map((ids) => {
      this.#count(ids.length - room);
      return [...tokenizer.head, ...ids.slice(0, room), ...tokenizer.tail];
    });
  }

  /** The sequences over which a pair's score is averaged: one, or three if there are three parts. */
  #joined(parts: readonly (readonly number[])[]): number[][] {
    const [first, ...others] = parts;
    const sets = others.length < 2 ? [parts] : [...others.map((other) => [first!, other]), parts];
    return sets.map((set) => this.#sequence(set));
  }

  #sequence(parts: readonly (readonly number[])[]): number[] {
    const { tokenizer, maxLength } = this.#folder;
    const { head, between, tail } = tokenizer;
    const room = maxLength - head.length - tail.length - between.length * (parts.length - 1);
    const lengths = parts.map(({ length }) => length);
    this.#count(lengths.reduce((sum, length) => sum + length, 0) - room);
    const kept = shareBudget(lengths, room);
    const body = parts.flatMap((ids, i) => [...(i === 0 ? [] : between), ...ids.slice(0, kept[i])]);
    return [...head, ...body, ...tail];
  }

  #count(over: number): void {
    this.#seen.texts += 1;
    if (over <= 0) return;
    this.#seen.long += 1;
    this.#seen.cut += over;
  }

  async #run(rows: readonly (readonly (readonly number[])[])[]): Promise<Float32Array> {
    const feeds: Record<string, Integers> = {};
    for (const [i, part] of (this.#unified ? [""] : this.#parts.map((one) => `${one}_`)).entries()) {
      const { ids, mask } = tokenFeeds(
        rows.map((row) => row[i]!),
        this.#folder.padId,
      );
      feeds[`${part}input_ids`] = ids;
      feeds[`${part}attention_mask`] = mask;
    }
    return (await this.#session.run(feeds, ["score"])).score!.data;
  }
}

/** The parts that a network reads, determined from its inputs. */
function partsOf({ inputs, outputs }: Session, { path, config }: EncoderFolder): { parts: Part[]; unified: boolean } {
  const names = new Set(inputs.filter(({ type }) => type === "int64").map(({ name }) => name));
  const score = outputs.find(({ name }: Port) => name === "score");
  const whole = PARTS.filter((part) => INPUTS.every((name) => names.has(`${part}_${name}`)));
  const regression = whole.includes("mt") && whole.length > 1 && whole.length * 2 === inputs.length;
  const unified = INPUTS.every((name) => names.has(name)) && inputs.length === 2;
  if (score?.type !== "float32" || !(regression || unified)) {
    const prefixed = PARTS.flatMap((part) => INPUTS.map((name) => `${part}_${name}`)).join(", ");
    throw new CodescoreError(
      "model",
      `${path}: expected the int64 inputs ${prefixed} (or only ${INPUTS.join(", ")}) and the float32 output score, ` +
        `got ${show(inputs)} and ${show(outputs)}; ${REMEDY}`,
    );
  }
  if (regression) return { parts: whole, unified: false };
  const { input_segments: segments = ["mt", "src", "ref"] } = config;
  const isKnown = (name: unknown): name is Part => PARTS.some((part) => part === name);
  if (Array.isArray(segments) && segments.length > 1 && segments[0] === "mt" && segments.every(isKnown)) {
    return { parts: segments, unified: true };
  }
  throw new CodescoreError(
    "model",
    `${path}: expected \`input_segments\` of config.json to be "mt" and then src, ref or both, got ${JSON.stringify(segments)}`,
  );
}
