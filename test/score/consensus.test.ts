import { describe, expect, it } from "vitest";
import { joinConsensus, type ScoreResult, type TaskResult } from "../../src/index.ts";
import { getMetric } from "../../src/metrics/index.ts";

const adds = "def f(a, b):\n    return a + b\n";
const alsoAdds = "def f(x, y):\n    total = x + y\n    return total\n";
const differs = "def f(a, b):\n    return [a] * b\n";
const result: ScoreResult = {
  score: 0.6,
  low: 0.1,
  high: 0.9,
  abstained: true,
  exec: 0.8,
  format: "nl",
  signature: "s",
};
const error: ScoreResult = { error: { code: "input", message: "m" } };
const row = (candidate: string, more: Partial<TaskResult> = {}): TaskResult => ({
  task: "t",
  candidate,
  result,
  ...more,
});

describe("scores joined with the consensus of their task", () => {
  it("are the mean of both, without what calibration says of the score alone", async () => {
    const programs = [adds, alsoAdds, differs];
    const rule = getMetric("rule");
    await rule.prepare?.();
    const joined = await joinConsensus(programs.map((candidate) => row(candidate)));
    for (const [i, candidate] of programs.entries()) {
      const others = programs.filter((program) => program !== candidate);
      const consensus = (rule.score!(candidate, others[0]!) + rule.score!(candidate, others[1]!)) / 2;
      const score = (0.6 + consensus) / 2;
      expect(joined[i]).toEqual({
        ...{ score, consensus, exec: 0.8, format: "nl", signature: "s|consensus:rule" },
        ...{ conclusion: score < 0.5 ? "unknown" : "looks-right", reason: "not executed" },
      });
    }
    const [first, second, third] = joined as { score: number }[];
    expect(Math.min(first!.score, second!.score)).toBeGreaterThan(third!.score);
  });

  it("come from candidates of the same task alone, whatever the order of the rows", async () => {
    const rows = [row(adds), row(differs, { task: "u" }), row(alsoAdds), row(adds, { task: "u" })];
    const joined = await joinConsensus(rows);
    expect(joined[0]).toEqual((await joinConsensus([row(adds), row(alsoAdds)]))[0]);
    expect((await joinConsensus([...rows].reverse())).reverse()).toEqual(joined);
  });

  it("stay as they are for a candidate that is alone, has a reference, or has no score", async () => {
    const withReference: ScoreResult = { ...result, format: "ref+nl" };
    const rows = [
      row(adds),
      row(adds, { result: withReference }),
      row(adds, { result: error }),
      row(adds, { task: "u" }),
    ];
    expect(await joinConsensus(rows)).toEqual([result, withReference, error, result]);
  });

  it("are lower for a program that must fail, however like the others it is", async () => {
    const fails = "def f(a, b):\n    return a + c\n";
    const joined = await joinConsensus([row(adds), row(adds), row(fails)]);
    expect(joined[2]).toMatchObject({ consensus: 0, score: 0.3 });
  });

  it("go by the modules that are there", async () => {
    const numpy = "import numpy\ndef f(a, b):\n    return a + b\n";
    const rows = [row(adds), row(numpy)];
    expect((await joinConsensus(rows))[1]).toMatchObject({ consensus: 0 });
    const [, found] = (await joinConsensus(rows, new Set(["numpy"]))) as { consensus: number }[];
    expect(found!.consensus).toBeGreaterThan(0.5);
  });
});
