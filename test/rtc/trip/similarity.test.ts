import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Executor } from "../../../src/execute/index.ts";
import { sentenceBleu, sentenceChrf } from "../../../src/metrics/index.ts";
import { compareAll } from "../../../src/rtc/trip/compare.ts";
import { openSimilarity, similarityNames, similarityNeeds } from "../../../src/rtc/trip/similarity.ts";
import type { Execution, Problem } from "../../../src/types.ts";

const problems = new Map([["t/1", { id: "t/1" } as Problem]]);

/** Executes nothing: the candidate's text determines the result. */
const executor = {
  sandbox: "bwrap",
  python: "3.11.2",
  execute: async (problem: Problem, code: string): Promise<Execution> => {
    expect(problem.id).toBe("t/1");
    const passRatio = code === "no label" ? null : Number(code);
    return { status: "ok", verdicts: [], passRatio, executable: 1, firstError: null, reason: null };
  },
} as unknown as Executor;

const pair = (candidate: string, problemId = "t/1") => ({ reference: "r", candidate, problemId });

describe("a similarity by name", () => {
  it("is a metric of the text, from the candidate to the reference", async () => {
    const pairs = [
      { reference: "return a + b", candidate: "return a + b" },
      { reference: "return a + b", candidate: "return a" },
    ];
    expect(await openSimilarity("exact").compare(pairs)).toEqual([1, 0]);
    expect(await openSimilarity("bleu").compare(pairs)).toEqual(
      pairs.map(({ candidate, reference }) => sentenceBleu(candidate, reference) / 100),
    );
    expect(await openSimilarity("chrf").compare(pairs)).toEqual(
      pairs.map(({ candidate, reference }) => sentenceChrf(candidate, reference) / 100),
    );
  });

  it("hands a metric its options", () => {
    expect(() => openSimilarity("crystalbleu")).toThrow("--crystal-corpus");
    expect(openSimilarity("crystalbleu", { metrics: { corpus: "x" } }).name).toBe("crystalbleu");
  });

  it("`pass` is 1 when every test passes and 0 when one does not, or the share of them", async () => {
    const pairs = [pair("1"), pair("0.99"), pair("0"), pair("no label")];
    const all = openSimilarity("pass", { executor, problems });
    expect(await all.compare(pairs)).toEqual([1, 0, 0, Number.NaN]);
    const ratio = openSimilarity("pass", { executor, problems, ratio: true });
    expect(await ratio.compare(pairs)).toEqual([1, 0.99, 0, Number.NaN]);
    expect([all.signature, ratio.signature]).toEqual([
      "pass|all|sandbox:bwrap|python:3.11.2",
      "pass|ratio|sandbox:bwrap|python:3.11.2",
    ]);
  });

  it("`pass` has no value without a test, whether code came back or not, and says why", async () => {
    const status = { status: "no_label", passRatio: null, reason: "the problem has no test cases" };
    const untested = { ...executor, execute: async () => status } as unknown as Executor;
    const similarity = openSimilarity("pass", { executor: untested, problems });
    const folder = await mkdtemp(join(tmpdir(), "similarity-"));
    const comparisons = ["return 1", ""].map((code) => ({ pair: pair(code), fingerprint: "" }));
    const options = { journal: join(folder, "comparisons.jsonl"), quiet: true };
    const compared = await compareAll(comparisons, [similarity, openSimilarity("exact")], options);
    await rm(folder, { recursive: true });
    expect(compared.get("pass")).toMatchObject({ values: [null, null], unscored: { count: 2 } });
    expect(compared.get("exact")?.values).toEqual([0, 0]);
    expect(similarity.notes?.()).toEqual(["pass has no verdict on 1 problem: t/1: the problem has no test cases"]);
    // If there are tests, an empty answer is wrong, even if a test checks nothing.
    const nothing = { ...executor, execute: async () => ({ ...status, passRatio: 1 }) } as unknown as Executor;
    expect(await openSimilarity("pass", { executor: nothing, problems }).compare([pair("")])).toEqual([0]);
  });

  it("`codescore` is what the caller hands in, whatever it is", async () => {
    const codescore = { name: "codescore", signature: "tiny", compare: async () => [0.7] };
    expect(openSimilarity("codescore", { codescore })).toBe(codescore);
    expect(() => openSimilarity("codescore")).toThrow("the similarity `codescore` needs a scorer");
  });

  it("`hybrid` executes only where the score is in between", async () => {
    const scores: Readonly<Record<string, number>> = { "0": 0.9, "1": 0.5, "0.99": 0.21, "no label": 0.2 };
    const executed: string[] = [];
    const watched = {
      ...executor,
      execute: (problem: Problem, code: string) => {
        executed.push(code);
        return executor.execute(problem, code);
      },
    } as Executor;
    const codescore = {
      name: "codescore",
      signature: "tiny",
      compare: async (pairs: readonly { candidate: string }[]) => pairs.map(({ candidate }) => scores[candidate]!),
    };
    const pairs = Object.keys(scores).map((code) => pair(code));
    const hybrid = openSimilarity("hybrid", { codescore, executor: watched, problems });
    expect(await hybrid.compare(pairs)).toEqual(
      pairs.map(({ candidate }) => ({ "1": 1, "0.99": 0 })[candidate] ?? scores[candidate]),
    );
    expect(executed).toEqual(["1", "0.99"]);
    expect(hybrid.threshold).toBe(0.8);
    expect(hybrid.notes?.()).toEqual(["hybrid ran 2 of the 4 programs it compared: 2 on tests, 0 on generated inputs"]);
    expect(hybrid.signature).toBe("hybrid|unsure:0.2-0.8|tiny|pass|all|sandbox:bwrap|python:3.11.2");

    const never = openSimilarity("hybrid", { codescore, executor, problems, unsure: [0.6, 0.6] });
    expect(await never.compare([pair("1"), pair("0")])).toEqual([0.5, 0.9]);
    expect(() => openSimilarity("hybrid", { codescore, executor, problems, unsure: [0.9, 0.1] })).toThrow(
      "expected `unsure` as two scores in [0, 1], the lower first, got 0.9, 0.1",
    );
    expect(() => openSimilarity("hybrid", { codescore })).toThrow("`hybrid` needs an executor and the problems");
  });

  it("`behaviour` is what the caller hands in", () => {
    const behaviour = { name: "behaviour", compare: async () => [0.7] };
    expect(openSimilarity("behaviour", { behaviour })).toBe(behaviour);
    expect(() => openSimilarity("behaviour")).toThrow("the similarity `behaviour` needs a scorer and an executor");
    expect(similarityNeeds("behaviour")).toEqual(["scorer", "sandbox"]);
  });

  it("`hybrid` runs the tests where there are some, else takes `behaviour`", async () => {
    const codescore = { name: "codescore", signature: "tiny", compare: async () => pairs.map(() => 0.5) };
    const pairs = [pair("1"), pair("no label"), pair("0")];
    const asked: string[] = [];
    const behaviour = {
      name: "behaviour",
      signature: "ran",
      compare: async (of: readonly { candidate: string }[]) => {
        asked.push(...of.map(({ candidate }) => candidate));
        return of.map(() => 0.7);
      },
      notes: () => ["behaviour: of its own"],
    };
    const both = openSimilarity("hybrid", { codescore, behaviour, executor, problems });
    expect(await both.compare(pairs)).toEqual([1, 0.7, 0]);
    expect(asked).toEqual(["no label"]);
    expect(both.signature).toBe("hybrid|unsure:0.2-0.8|tiny|pass|all|sandbox:bwrap|python:3.11.2|ran");
    expect(both.notes?.()).toEqual([
      "hybrid ran 3 of the 3 programs it compared: 2 on tests, 1 on generated inputs",
      "behaviour: of its own",
    ]);
    const untested = openSimilarity("hybrid", { codescore, behaviour });
    expect(await untested.compare(pairs)).toEqual([0.7, 0.7, 0.7]);
    expect(untested.signature).toBe("hybrid|unsure:0.2-0.8|tiny|ran");
    const nothing = { ...behaviour, compare: async () => pairs.map(() => Number.NaN) };
    expect(await openSimilarity("hybrid", { codescore, behaviour: nothing }).compare(pairs)).toEqual(
      pairs.map(() => Number.NaN),
    );
  });

  it("refuses weights by all pairs, since it compares each alone", () => {
    expect(() => openSimilarity("codebertscore", { metrics: { encoder: "x", idf: true } })).toThrow(
      "compares each pair alone",
    );
    expect(openSimilarity("codebertscore", { metrics: { encoder: "x" } }).name).toBe("codebertscore");
  });

  it("says what there is, and what `pass` lacks", async () => {
    expect(() => openSimilarity("rouge")).toThrow(`expected one of ${similarityNames.join(", ")}`);
    expect(() => openSimilarity("pass")).toThrow("needs an executor and the problems");
    await expect(openSimilarity("pass", { executor, problems }).compare([pair("1", "t/9")])).rejects.toThrow(
      "knows no problem `t/9`",
    );
  });
});
