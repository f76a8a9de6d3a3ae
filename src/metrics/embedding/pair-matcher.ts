/**
 * Matches pairs with one encoder. Each distinct pair is matched once. Each distinct text is encoded once within successive
 * pairs; pairs with the same reference are successive.
 */

import { counted } from "../../util/counted.ts";
import { startProgress } from "../../util/progress.ts";
import type { Pair } from "../types.ts";
import type { Encoder, Layer } from "./encoder.ts";
import { inverseDocumentFrequency, type Matched, matchTokens, normalizeRows, type TokenVectors } from "./match.ts";
import type { ReadText } from "./texts.ts";

/** Approximate number of tokens whose vectors are in memory at a time: 50 MB with 768 numbers each. */
const HELD_TOKENS = 2 ** 14;

export interface MatcherParts {
  readonly name: string;
  readonly encoder: Encoder;
  readonly layer: Layer;
  readonly read: ReadText;
  readonly idf: boolean;
  /** Whether `read` uses descriptions. */
  readonly context: boolean;
  readonly progress: boolean;
}

/** A distinct pair, and its indices among the given pairs. */
interface Job {
  readonly pair: Pair;
  readonly places: number[];
}

export class PairMatcher {
  readonly #parts: MatcherParts;
  readonly #seen = { texts: 0, long: 0, cut: 0 };
  #last: { readonly pairs: readonly Pair[]; readonly matched: Promise<Matched[]> } | null = null;
  /** Wall-clock time per pair in the last call, in ms. */
  msPerPair: number | null = null;

  constructor(parts: MatcherParts) {
    this.#parts = parts;
  }

  /** One result per pair, in order. The pairs of the previous call are not matched again, because F1 and F3 come from one matching. */
  match(pairs: readonly Pair[]): Promise<Matched[]> {
    if (this.#last === null || !samePairs(this.#last.pairs, pairs)) {
      const began = performance.now();
      const matched = this.#match(pairs).then((found) => {
        this.msPerPair = pairs.length === 0 ? null : (performance.now() - began) / pairs.length;
        return found;
      });
      this.#last = { pairs, matched };
    }
    return this.#last.matched;
  }

  /** Remarks for the user about the texts of all calls. */
  notes(): string[] {
    const { texts, long, cut } = this.#seen;
    const { name, encoder } = this.#parts;
    if (long === 0) return [];
    const how = cut > 0 ? `cut, ${counted(cut, "token")} in all` : "read in windows that overlap by half";
    return [
      `${name}: ${long} of ${counted(texts, "text")} longer than the encoder's ${encoder.parts.maxLength} tokens: ${how}`,
    ];
  }

  async #match(pairs: readonly Pair[]): Promise<Matched[]> {
    const { encoder, layer, read, context, progress, name } = this.#parts;
    const weigh = this.#weights(pairs);
    const results = new Array<Matched>(pairs.length);
    const bar = startProgress({ label: name, total: pairs.length, unit: "pairs", quiet: !progress });
    let held = new Map<string, TokenVectors>();
    for (const { jobs, texts } of slices(distinct(pairs, context), read, HELD_TOKENS)) {
      const missing = [...texts].filter(([key]) => !held.has(key));
      const encoded = await encoder.encode(
        missing.map(([, { ids }]) => ids),
        layer,
      );
      const now = new Map([...texts.keys()].flatMap((key) => (held.has(key) ? [[key, held.get(key)!] as const] : [])));
      for (const [i, [key, reading]] of missing.entries()) {
        now.set(key, weigh(reading, encoded[i]!));
        this.#count(reading);
      }
      for (const { pair, places } of jobs) {
        const [ours, theirs] = keysOf(pair).map((key) => now.get(key)!);
        const size = ours!.vectors.length / ours!.weights.length;
        const found = matchTokens(ours!, theirs!, size);
        for (const place of places) results[place] = found;
        bar.tick(places.length);
      }
      held = now;
    }
    bar.done();
    return results;
  }

  #count({ ids, cut }: { readonly ids: readonly number[]; readonly cut: number }): void {
    this.#seen.texts += 1;
    this.#seen.cut += cut;
    if (cut > 0 || ids.length > this.#parts.encoder.parts.maxLength) this.#seen.long += 1;
  }

  /** Returns a function that selects the matched tokens of a reading, normalizes their vectors to length 1, and adds weights. */
  #weights(pairs: readonly Pair[]): (reading: ReturnType<ReadText>, vectors: Float32Array) => TokenVectors {
    const { encoder, read, idf } = this.#parts;
    const { head, tail } = encoder.parts.tokenizer;
    const times = new Map<string, number>();
    for (const { reference } of idf ? pairs : []) times.set(reference, (times.get(reference) ?? 0) + 1);
    const rarity = inverseDocumentFrequency([...times].map(([text, n]) => [read(text, "").ids, n] as const));
    return ({ ids, kept }, vectors) => {
      const size = vectors.length / ids.length;
      const chosen = new Float32Array(kept.length * size);
      for (const [i, at] of kept.entries()) chosen.set(vectors.subarray(at * size, (at + 1) * size), i * size);
      const isSpecial = (at: number): boolean => at < head.length || at >= ids.length - tail.length;
      const weights = Float64Array.from(kept, (at) => (idf ? rarity(ids[at]!) : isSpecial(at) ? 0 : 1));
      const content = kept.length - head.length - tail.length;
      return { vectors: normalizeRows(chosen, size), weights, content };
    };
  }
}

/** Distinct pairs, without descriptions unless they matter. Pairs with the same reference are successive. */
function distinct(pairs: readonly Pair[], context: boolean): Job[] {
  const groups = new Map<string, Map<string, Job>>();
  for (const [place, { candidate, reference, description }] of pairs.entries()) {
    const pair = { candidate, reference, description: (context ? description : null) ?? null };
    const [ours, theirs] = keysOf(pair);
    const group = groups.get(theirs) ?? new Map<string, Job>();
    groups.set(theirs, group);
    const job = group.get(ours);
    if (job) job.places.push(place);
    else group.set(ours, { pair, places: [place] });
  }
  return [...groups.values()].flatMap((group) => [...group.values()]);
}

/** The keys of a pair's texts. The description may be part of both texts. */
function keysOf({ candidate, reference, description }: Pair): [string, string] {
  const context = description ?? "";
  return [`${context}\0${candidate}`, `${context}\0${reference}`];
}

interface Slice {
  readonly jobs: readonly Job[];
  readonly texts: ReadonlyMap<string, ReturnType<ReadText>>;
}

/** Groups of jobs whose texts have about this many tokens in total, with at least one job each. */
function* slices(jobs: readonly Job[], read: ReadText, tokens: number): Generator<Slice> {
  let slice: { jobs: Job[]; texts: Map<string, ReturnType<ReadText>> } = { jobs: [], texts: new Map() };
  let held = 0;
  for (const job of jobs) {
    const { candidate, reference, description } = job.pair;
    const keys = keysOf(job.pair);
    for (const [i, text] of [candidate, reference].entries()) {
      if (slice.texts.has(keys[i]!)) continue;
      const reading = read(text, description ?? "");
      slice.texts.set(keys[i]!, reading);
      held += reading.ids.length;
    }
    slice.jobs.push(job);
    if (held < tokens) continue;
    yield slice;
    slice = { jobs: [], texts: new Map() };
    held = 0;
  }
  if (slice.jobs.length > 0) yield slice;
}

function samePairs(ours: readonly Pair[], theirs: readonly Pair[]): boolean {
  const same = (a: Pair, b: Pair): boolean =>
    a.candidate === b.candidate && a.reference === b.reference && (a.description ?? "") === (b.description ?? "");
  return ours.length === theirs.length && ours.every((pair, i) => same(pair, theirs[i]!));
}
