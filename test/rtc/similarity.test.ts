import { describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import { sentenceBleu, sentenceChrf } from "../../src/metrics/index.ts";
import { openSimilarity, similarityNames } from "../../src/rtc/similarity.ts";
import type { Execution, Problem } from "../../src/types.ts";

const problems = new Map([["t/1", { id: "t/1" } as Problem]]);

/** Executes nothing: the candidate's text says what came of it. */
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

  it("says what there is, and what `pass` lacks", async () => {
    expect(() => openSimilarity("rouge")).toThrow(`there are ${similarityNames.join(", ")}`);
    expect(() => openSimilarity("pass")).toThrow("needs an executor and the problems");
    await expect(openSimilarity("pass", { executor, problems }).compare([pair("1", "t/9")])).rejects.toThrow(
      "knows no problem `t/9`",
    );
  });
});
