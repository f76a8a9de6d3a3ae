/** The summary of the chosen programs counts what is known of them, and the tasks without hope. */
import { expect, it } from "vitest";
import { BestSummary, type ScoreResult } from "../../src/score/index.ts";
import type { Conclusion } from "../../src/types.ts";

const scored = (conclusion: Conclusion): ScoreResult => ({
  score: 0,
  exec: 0,
  format: "ref",
  signature: "s",
  conclusion,
});
const failed = (message: string): ScoreResult => ({ error: { code: "input", message } });

function summaryOf(tasks: Readonly<Record<string, readonly ScoreResult[]>>): BestSummary {
  const summary = new BestSummary();
  for (const [task, results] of Object.entries(tasks)) for (const result of results) summary.add(task, result);
  for (const [task, [chosen]] of Object.entries(tasks)) summary.choose(task, chosen!);
  return summary;
}

it("counts the conclusions of the chosen, and tasks all of whose programs fail", () => {
  const [fails, right, unknown] = [scored("fails"), scored("behaves-right"), scored("unknown")];
  const summary = summaryOf({
    a: [right, fails],
    b: [fails, unknown], // another of its programs may be right
    c: [fails, fails, failed("x.jsonl:7: no candidate")],
    d: [unknown],
    e: [failed("x.jsonl:9: no candidate"), failed("x.jsonl:10: no candidate")],
    "": [failed("x.jsonl:11: not JSON")],
  });
  expect(`${summary}`).toBe(
    "best of 4 tasks: 2 fails, 1 behaves right, 1 unknown; 1 more task has no score; 1 task has only programs that fail; " +
      "2 rows with an error not printed, the first (x.jsonl:7: no candidate)",
  );
  expect(JSON.parse(JSON.stringify(summary))).toEqual({
    tasks: 4,
    conclusions: { fails: 2, "looks-right": 0, "behaves-right": 1, unknown: 1 },
    errors: 1,
    onlyFailing: 1,
    couldNotRun: 0,
  });
});

it("counts the chosen that were to be run and could not be", () => {
  const behaviour = {
    ...{ agree: null, inputs: 0, examples: null, samples: null, source: null, counterexample: null },
    reason: "it needs numpy",
  };
  const unrun = { ...scored("unknown"), behaviour } as ScoreResult;
  const summary = summaryOf({ a: [unrun], b: [scored("behaves-right")], c: [unrun, scored("fails")] });
  expect(`${summary}`).toBe("best of 3 tasks: 1 behaves right, 2 unknown; 2 could not be run");
  expect(summary.couldNotRun).toBe(2);
});

it("says nothing of tasks that only fail if there are none", () => {
  expect(`${summaryOf({ a: [scored("looks-right")] })}`).toBe("best of 1 task: 1 looks right");
});

it("counts a row of no task nowhere, since its error is printed", () => {
  expect(`${summaryOf({ a: [scored("looks-right")], "": [failed("not JSON")] })}`).toBe(
    "best of 1 task: 1 looks right",
  );
  expect(`${summaryOf({ "": [failed("not JSON")] })}`).toBe("best of 0 tasks");
});
