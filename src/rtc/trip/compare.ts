/**
 * Runs similarities over samples. Equal pairs are compared once. Every value is written to a journal immediately, so a run that
 * was killed compares nothing again. A value that cannot be computed is null, never 0.
 */
import { CodescoreError, messageOf } from "../../errors.ts";
import type { SimilarityPair } from "../../types.ts";
import { sha256 } from "../../util/files.ts";
import { readJsonLines } from "../../util/jsonl.ts";
import { startProgress } from "../../util/progress.ts";
import { openJournal } from "../llm/journal.ts";
import type { SignedSimilarity } from "./similarity.ts";

/** A pair, and the hash of everything else that its comparison depends on. */
export interface Comparison {
  readonly pair: SimilarityPair;
  readonly fingerprint: string;
}

export interface Compared {
  /** One value or null per comparison, in order. */
  readonly values: (number | null)[];
  /** How many values are null, and the first reason. */
  readonly unscored: { readonly count: number; readonly reason: string } | null;
}

/** Number of pairs per call of a similarity and per write to the journal. */
const batchSize = 32;

/**
 * The values of every similarity, by its name.
 * @param journal file of known values; new values are appended
 * @throws `CodescoreError("infra")` if a similarity breaks its contract, and any error of a similarity that is not the fault of
 * one pair
 */
export async function compareAll(
  comparisons: readonly Comparison[],
  similarities: readonly SignedSimilarity[],
  { journal: path, quiet }: { readonly journal: string; readonly quiet: boolean },
): Promise<Map<string, Compared>> {
  const journal = await openJournal(path);
  try {
    const known = await readValues(path);
    const out = new Map<string, Compared>();
    for (const similarity of similarities) {
      await similarity.prepare?.();
      const keys = comparisons.map((comparison) => keyOf(similarity, comparison));
      const pending = new Map<string, SimilarityPair>();
      comparisons.forEach(({ pair }, i) => {
        // The answer had no code, so it is not the same by any similarity.
        if (pair.candidate === "" && !similarity.takesEmpty) known.set(keys[i]!, 0);
        if (!known.has(keys[i]!)) pending.set(keys[i]!, pair);
      });
      const progress = startProgress({ label: similarity.name, total: pending.size, unit: "pairs", quiet });
      let unscored: { count: number; reason: string } | null = null;
      const entries = [...pending];
      for (let i = 0; i < entries.length; i += batchSize) {
        const batch = entries.slice(i, i + batchSize);
        const results = await compareBatch(
          similarity,
          batch.map(([, pair]) => pair),
        );
        const rows = batch.flatMap(([key], j) => {
          const result = results[j]!;
          if (typeof result !== "number") return [];
          known.set(key, result);
          return [{ comparison_sha256: key, sim: similarity.name, value: result }];
        });
        await journal.append(rows);
        const failed = results.filter((result) => typeof result !== "number");
        if (failed.length > 0) unscored ??= { count: 0, reason: failed[0]!.reason };
        progress.tick(batch.length);
      }
      progress.done();
      const values = keys.map((key) => known.get(key) ?? null);
      const count = values.filter((value) => value === null).length;
      out.set(similarity.name, { values, unscored: unscored && { ...unscored, count } });
    }
    return out;
  } finally {
    await journal.close();
  }
}

const keyOf = ({ name, signature }: SignedSimilarity, { pair, fingerprint }: Comparison): string =>
  sha256(
    JSON.stringify([
      name,
      signature ?? null,
      pair.reference,
      pair.candidate,
      pair.description ?? null,
      pair.problemId ?? null,
      fingerprint,
    ]),
  );

async function compareBatch(
  similarity: SignedSimilarity,
  pairs: readonly SimilarityPair[],
): Promise<(number | { reason: string })[]> {
  let values: number[];
  try {
    values = await similarity.compare(pairs);
  } catch (error) {
    if (!(error instanceof CodescoreError) || error.code !== "input") throw error;
    if (pairs.length === 1) return [{ reason: messageOf(error) }];
    // Compare the pairs one by one, so that one unusable pair does not cost the others their values.
    const alone: (number | { reason: string })[] = [];
    for (const pair of pairs) alone.push(...(await compareBatch(similarity, [pair])));
    return alone;
  }
  if (values.length !== pairs.length) {
    throw broken(similarity, `expected ${pairs.length} values, got ${values.length}`);
  }
  return values.map((value) => {
    if (Number.isNaN(value)) return { reason: `${similarity.name} gave no value` };
    const near = Math.min(1, Math.max(0, value));
    if (Math.abs(near - value) > 1e-6) throw broken(similarity, `expected values in [0, 1], got ${value}`);
    return near;
  });
}

const broken = ({ name }: SignedSimilarity, message: string): CodescoreError =>
  new CodescoreError("infra", `the similarity \`${name}\` broke its contract: ${message}`);

async function readValues(path: string): Promise<Map<string, number>> {
  const values = new Map<string, number>();
  for await (const { value, where } of readJsonLines(path)) {
    const { comparison_sha256: key, value: number } = value;
    if (typeof key !== "string" || typeof number !== "number") {
      throw new CodescoreError(
        "input",
        `${where}: expected \`comparison_sha256\` and \`value\`; delete the file to compare again`,
      );
    }
    values.set(key, number);
  }
  return values;
}
