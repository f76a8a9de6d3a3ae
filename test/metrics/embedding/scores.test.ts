/** BERTScore, CodeBERTScore and COMET, compared with Python's results for the same tiny networks (scripts/record/embedding.py). */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { getMetric, type MetricOptions, type Pair, scorePairs } from "../../../src/metrics/index.ts";
import { expectedFile, recordedFolder, remove, robertaFolder } from "./folders.ts";

type Row = readonly (number | null)[];

const expected = JSON.parse(readFileSync(expectedFile, "utf8")) as {
  pairs: Pair[];
  bertscore: Record<string, Row[]>;
  codebertscore: Record<string, Row[]>;
  torchmetrics: (Row | null)[];
  bert: { bertscore: Row[]; codebertscore: Row[] };
  comet: number[];
  unified: (number | null)[];
};
const { pairs } = expected;

let roberta: string;
beforeAll(async () => {
  roberta = await robertaFolder();
});
afterAll(() => remove(roberta));

/** All values of a family for all pairs, one row per pair: P, R, F1 and, if it exists, F3. */
async function score(family: string, options: MetricOptions, given: readonly Pair[] = pairs): Promise<number[][]> {
  const names = [`${family}-p`, `${family}-r`, family, ...(family === "codebertscore" ? [`${family}-f3`] : [])];
  const columns: number[][] = [];
  const metrics = names.map((name) => getMetric(name, options));
  for (const metric of metrics) columns.push(await scorePairs(metric, given));
  await metrics[0]!.close!();
  return given.map((_, i) => columns.map((column) => column[i]!));
}

function expectClose(got: readonly (readonly number[])[], rows: readonly Row[]): void {
  expect(got.map((row) => row.length)).toEqual(rows.map((row) => row.length));
  for (const [i, row] of rows.entries()) {
    for (const [k, value] of row.entries()) {
      const off = value === null ? (Number.isNaN(got[i]![k]!) ? 0 : 1) : Math.abs(got[i]![k]! - value);
      expect(off, `pair ${i}, value ${k}: got ${got[i]![k]}, expected ${value}`).toBeLessThan(2e-6);
    }
  }
}

describe("BERTScore equals bert-score's algorithm in Python", () => {
  test.each([
    ["last", {}],
    ["layer 1", { layer: 1 }],
    ["layer 2, idf", { layer: 2, idf: true }],
  ] as const)("%s", async (name, options) => {
    expectClose(await score("bertscore", { encoder: roberta, ...options }), expected.bertscore[name]!);
  });

  it("with WordPiece, token types, and the last layer alone", async () => {
    expectClose(await score("bertscore", { encoder: recordedFolder("bert") }), expected.bert.bertscore);
  });

  it("and torchmetrics' where no token is most like a special one; that one knows no special tokens", async () => {
    const got = await score("bertscore", { encoder: roberta });
    const equal = expected.torchmetrics.map((row, i) => {
      if (row === null) return false;
      for (const [k, value] of row.entries()) expect(got[i]![k]! - value!).toBeGreaterThan(-2e-6);
      return row.every((value, k) => Math.abs(got[i]![k]! - value!) < 2e-6);
    });
    expect(equal.filter(Boolean).length).toBeGreaterThanOrEqual(3);
  });
});

describe("CodeBERTScore equals code_bert_score's algorithm in Python", () => {
  test.each([
    ["last", {}],
    ["layer 2", { layer: 2 }],
    ["last, idf", { idf: true }],
    ["last, context", { context: true }],
  ] as const)("%s", async (name, options) => {
    expectClose(await score("codebertscore", { encoder: roberta, ...options }), expected.codebertscore[name]!);
  });

  it("with WordPiece, token types, and the last layer alone", async () => {
    expectClose(await score("codebertscore", { encoder: recordedFolder("bert") }), expected.bert.codebertscore);
  });
});

describe("COMET equals", () => {
  const comet = async (folder: string, given: readonly Pair[] = pairs): Promise<number[]> => {
    const metric = getMetric("comet", { models: { comet: folder } });
    const scores = await scorePairs(metric, given);
    await metric.close!();
    return scores;
  };

  it("RegressionMetric of three encodings in Python; a pair without a description has no score", async () => {
    const got = await comet(recordedFolder("comet"));
    for (const [i, { description }] of pairs.entries()) {
      if (description === "") expect(got[i]).toBeNaN();
      else expect(got[i]).toBeCloseTo(expected.comet[i]!, 5);
    }
  });

  it("UnifiedMetric, the mean of three sequences, where nothing is cut", async () => {
    const got = await comet(recordedFolder("unified"));
    const whole = expected.unified.flatMap((value, i) => (value === null || pairs[i]!.description === "" ? [] : [i]));
    expect(whole.length).toBeGreaterThan(7);
    for (const i of whole) expect(got[i]).toBeCloseTo(expected.unified[i]!, 5);
  });
});

describe("a pair's score", () => {
  const by = async (name: string, given: readonly Pair[], options: MetricOptions = {}): Promise<number[]> => {
    const metric = getMetric(name, { encoder: roberta, models: { comet: recordedFolder("comet") }, ...options });
    const scores = await scorePairs(metric, given);
    await metric.close!();
    return scores;
  };

  it.each(["bertscore", "codebertscore", "comet"])("of %s does not depend on the pairs beside it", async (name) => {
    const metric = getMetric(name, { encoder: roberta, models: { comet: recordedFolder("comet") } });
    const all = await scorePairs(metric, pairs);
    const backwards = (await scorePairs(metric, [...pairs].reverse())).reverse();
    const twice = await scorePairs(metric, [...pairs, ...pairs]);
    for (const [i, score] of all.entries()) {
      const alone = await scorePairs(metric, [pairs[i]!]);
      for (const other of [backwards[i]!, twice[i]!, twice[i + pairs.length]!, alone[0]!]) {
        if (Number.isNaN(score)) expect(other).toBeNaN();
        else expect(other).toBeCloseTo(score, 5);
      }
    }
    await metric.close!();
  });

  it("is 1 for a program and itself, and 0 where there is nothing", async () => {
    const same = { candidate: "x = f(1)", reference: "x = f(1)" };
    const [one, zero] = await by("codebertscore", [same, { candidate: "(", reference: "x = 1" }]);
    expect(one).toBeCloseTo(1, 6);
    expect(zero).toBe(0);
    expect(await by("codebertscore", [])).toEqual([]);
  });

  it("is rescaled by the baseline of its layer and value", async () => {
    const baseline = join(roberta, "baseline.csv");
    await writeFile(baseline, "LAYER,P,R,F,F3\n0,.1,.1,.1,.1\n2,.3,.4,.5,.6\n");
    const plain = await by("codebertscore-f3", pairs, { layer: 2 });
    const rescaled = await by("codebertscore-f3", pairs, { layer: 2, baseline });
    for (const [i, value] of plain.entries()) expect(rescaled[i]).toBeCloseTo((value - 0.6) / 0.4, 9);
  });
});

describe("a metric over embeddings", () => {
  it("names its network and how it reads in its signature", async () => {
    const options = {
      encoder: roberta,
      layer: 2,
      idf: true,
      context: true,
      models: { comet: recordedFolder("unified") },
    };
    const metrics = ["bertscore-p", "codebertscore", "comet"].map((name) => getMetric(name, options));
    for (const metric of metrics) await metric.prepare!();
    expect(metrics.map(({ signature }) => signature.replace(/model:[0-9a-f]{8}/, "model:#"))).toEqual([
      "bertscore-p|p|model:#|layer:2|idf:references|max:128",
      "codebertscore|f1|model:#|layer:2|idf:references|punct:no|context:description|max:128+windows",
      "comet|model:#|input:unified|parts:mt+src+ref|max:64",
    ]);
    await metrics[0]!.close!();
  });

  it("says what was cut and what was read in windows", async () => {
    const options = { encoder: roberta, models: { comet: recordedFolder("comet") } };
    const metrics = ["bertscore", "codebertscore", "comet"].map((name) => getMetric(name, options));
    const notes: string[] = [];
    for (const metric of metrics) {
      await scorePairs(metric, pairs);
      if (metric.scoreAll) notes.push(...metric.notes!());
    }
    await metrics[0]!.close!();
    expect(notes.map((note) => note.replace(/\d{3,} (tokens )?in all/, "# in all"))).toEqual([
      "bertscore: 3 of 22 texts longer than the encoder's 128 tokens: cut, # in all",
      "codebertscore: 3 of 22 texts longer than the encoder's 128 tokens: read in windows that overlap by half",
      "comet: 4 of 33 inputs longer than 64 tokens: cut, # in all",
      "comet: 1 pair without a description, which the model reads as the source",
    ]);
  });

  it("shares one matching between its values, and the time that it took", async () => {
    const options = { encoder: roberta };
    const [f1, f3] = ["codebertscore", "codebertscore-f3"].map((name) => getMetric(name, options));
    await scorePairs(f1!, pairs);
    const took = f1!.scoreAll && f1!.msPerPair;
    await scorePairs(f3!, [...pairs]);
    expect(took).toBeGreaterThan(0);
    expect(f3!.scoreAll && f3!.msPerPair).toBe(took);
    await f1!.close!();
    await expect(scorePairs(f3!, pairs.slice(1))).rejects.toThrow(/the model is closed/);
  });
});
