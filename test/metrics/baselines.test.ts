/**
 * BLEU, chrF, ROUGE-L, METEOR, edit similarity and CrystalBLEU compared with reference packages (recorded by
 * scripts/record/text_metrics.py), and their behaviour on hostile texts.
 */

import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { corpusBleu, corpusChrf, getMetric, scorePairs } from "../../src/metrics/index.ts";
import { LCS_LIMIT, lcsLength } from "../../src/metrics/text/lcs.ts";
import { porterStem } from "../../src/metrics/text/porter.ts";
import { loadSynonyms } from "../../src/metrics/text/wordnet.ts";
import { expectValues, hostileTexts } from "./hostile.ts";

interface Pair {
  readonly candidate: string;
  readonly reference: string;
}
interface Values {
  readonly rouge_l: number;
  readonly meteor: number;
  readonly edit: number;
  readonly crystalbleu: number;
}
interface SacreValues {
  readonly bleu_13a: number;
  readonly bleu_code: number;
  readonly chrf: number;
  readonly chrf_pp: number;
}

const fixture = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../fixtures/metrics/${name}`, import.meta.url), "utf8")) as T;
const pairs = fixture<{ cases: Pair[] }>("bleu_chrf.json").cases;
const recorded = fixture<{
  recorded: Values[];
  extra: (Pair & Values & SacreValues)[];
  corpus: SacreValues;
  trivial: string[];
  stems: Record<string, string>;
}>("text.json");
const all = [...pairs, ...recorded.extra];
const values: Values[] = [...recorded.recorded, ...recorded.extra];

let folder: string;
let corpus: string;
let cacheBefore: string | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-text-"));
  corpus = join(folder, "corpus.jsonl");
  const rows = pairs.flatMap(({ candidate, reference }) => [{ code: candidate }, { code: reference }]);
  await writeFile(corpus, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  cacheBefore = process.env.CODESCORE_CACHE;
  process.env.CODESCORE_CACHE = join(folder, "cache");
});

afterAll(async () => {
  if (cacheBefore === undefined) delete process.env.CODESCORE_CACHE;
  else process.env.CODESCORE_CACHE = cacheBefore;
  await rm(folder, { recursive: true });
});

const expectEqual = (got: number, expected: number, what: string): void =>
  expect(Math.abs(got - expected), `${what}: got ${got}, expected ${expected}`).toBeLessThanOrEqual(
    1e-9 * Math.max(1e-3, Math.abs(expected)),
  );

describe("the recorded values", () => {
  it.each([
    ["rouge-l", "rouge_l"],
    ["meteor", "meteor"],
    ["edit", "edit"],
    ["crystalbleu", "crystalbleu"],
  ] as const)("%s equals its reference on all pairs", async (name, field) => {
    const got = await scorePairs(getMetric(name, { corpus }), all);
    got.forEach((value, i) => {
      expectEqual(value, values[i]![field], `${JSON.stringify(all[i])}`);
    });
    expect(new Set(got).size).toBeGreaterThan(50);
  });

  it.each([
    ["bleu-13a", "bleu_13a"],
    ["bleu", "bleu_code"],
    ["chrf", "chrf"],
    ["chrf++", "chrf_pp"],
  ] as const)("%s equals sacreBLEU's on other languages and hostile texts", async (name, field) => {
    const got = await scorePairs(getMetric(name), recorded.extra);
    got.forEach((value, i) => {
      expectEqual(100 * value, recorded.extra[i]![field], `${JSON.stringify(recorded.extra[i])}`);
    });
  });

  it("the whole set's BLEU, chrF and chrF++ equal sacreBLEU's", () => {
    const [ours, theirs] = [all.map(({ candidate }) => candidate), all.map(({ reference }) => reference)];
    expectEqual(corpusBleu(ours, theirs, "13a"), recorded.corpus.bleu_13a, "BLEU 13a");
    expectEqual(corpusBleu(ours, theirs, "code"), recorded.corpus.bleu_code, "BLEU code");
    expectEqual(corpusChrf(ours, theirs), recorded.corpus.chrf, "chrF");
    expectEqual(corpusChrf(ours, theirs, { wordOrder: 2 }), recorded.corpus.chrf_pp, "chrF++");
  });

  it("words have nltk's stems", () => {
    expect(Object.fromEntries(Object.keys(recorded.stems).map((word) => [word, porterStem(word)]))).toEqual(
      recorded.stems,
    );
  });
});

it("WordNet gives the names of a word's synsets, of its base forms too, and none for what is no word", async () => {
  const synonyms = await loadSynonyms();
  expect(synonyms("automobile")).toEqual(expect.arrayContaining(["car", "auto", "machine", "motorcar"]));
  expect(synonyms("geese")).toContain("goose");
  expect(synonyms("car")).not.toContain("railway_car");
  expect(synonyms("elif")).toEqual([]);
  expect(synonyms("constructor")).toContain("builder");
});

describe("CrystalBLEU's list", () => {
  it("is Python's 500 most common n-grams, and is read from the cache the second time", async () => {
    const metric = getMetric("crystalbleu", { corpus });
    await metric.prepare!();
    const [file] = await readdir(join(folder, "cache", "crystalbleu"));
    const path = join(folder, "cache", "crystalbleu", file!);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(recorded.trivial);
    expect(metric.signature).toMatch(/\|k:500\|.*\|ngrams:[0-9a-f]{12}$/);

    await writeFile(path, JSON.stringify(["return"]));
    const other = getMetric("crystalbleu", { corpus });
    await other.prepare!();
    expect(other.signature).not.toBe(metric.signature);
    await rm(path);
  });

  it("comes from a folder's files of the language, too", async () => {
    await writeFile(join(folder, "a.go"), recorded.trivial.join("\n").repeat(9));
    await writeFile(join(folder, "b.py"), "x = 1\n");
    await getMetric("crystalbleu", { corpus: folder, language: "go" }).prepare!();
    await expect(getMetric("crystalbleu", { corpus: folder }).prepare!()).rejects.toThrow(
      "too small to find the n-grams that programs share: in its 1 distinct programs (3 tokens) the n-gram of rank 500 occurs 0 times",
    );
    await expect(getMetric("crystalbleu", { corpus: folder, language: "java" }).prepare!()).rejects.toThrow(
      "expected files ending in .java (--language), found none",
    );
  });

  it("is asked for", async () => {
    expect(() => getMetric("crystalbleu")).toThrow("--crystal-corpus PATH");
    await expect(getMetric("crystalbleu", { corpus: join(folder, "none") }).prepare!()).rejects.toThrow(
      "cannot read the corpus",
    );
    await writeFile(join(folder, "other.jsonl"), '{"text":"x"}\n');
    await expect(getMetric("crystalbleu", { corpus: join(folder, "other.jsonl") }).prepare!()).rejects.toThrow(
      "expected rows with `code`",
    );
  });
});

describe("the longest common subsequence", () => {
  it("equals that of the table", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 90 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        let row = new Array<number>(b.length + 1).fill(0);
        for (const x of a) {
          const next = [0];
          for (const [j, y] of b.entries()) next.push(x === y ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!));
          row = next;
        }
        expect(lcsLength(a, b)).toBe(row.at(-1));
      }),
      { seed: 7 },
    );
  });

  it("reads no side past its limit", () => {
    const [a, b] = [new Array<string>(LCS_LIMIT + 40).fill("a"), ["a", "b"]];
    expect(lcsLength(a, b)).toBe(1);
    expect(lcsLength(a, [...new Array<string>(LCS_LIMIT).fill("b"), "a"])).toBe(0);
  });
});

it.each(hostileTexts(100_000).slice(0, 2))(
  "100,000 characters of %s give every metric a value in time",
  async (_, text) => {
    await expectValues(text, 3000);
  },
  30_000,
);
