/** Fakes for running programs: a scorer and an executor with given results. */
import type { Stage, Stages } from "../../src/evaluate/index.ts";
import type { RunningRowScorer } from "../../src/evaluate/measure/behaviour.ts";
import type { RowOptions, ScoreResult } from "../../src/score/index.ts";
import type { Behaviour, LabelledRow, ScoreInput } from "../../src/types.ts";
import { columnOf, noisyScores } from "./rows.ts";

export const behaviour = (inputs: number, reason?: string): Behaviour => ({
  agree: null,
  inputs,
  examples: null,
  samples: null,
  source: null,
  counterexample: null,
  ...(reason !== undefined && { reason }),
});

/** `calls` records the arguments of every call. */
export function fakeScorer(answer: (row: ScoreInput, options: RowOptions, i: number) => ScoreResult) {
  const calls: { rows: readonly ScoreInput[]; options: RowOptions }[] = [];
  const scorer: RunningRowScorer = {
    async *score(rows, options) {
      const all = [...rows];
      calls.push({ rows: all, options });
      for (const [i, row] of all.entries()) yield { row, result: answer(row, options, i) };
    },
  };
  return { scorer, calls };
}

/** Stages whose scores have less and less noise, taking 1, 2, 4, ... seconds. */
export function simulatedStages(rows: readonly LabelledRow[]): Stages {
  const names = ["text", "examples", "5 inputs", "40 inputs"];
  const stages = names.map((name, i): Stage => {
    const scores = noisyScores(rows, 0.6 / 2 ** i, i);
    const intervals = scores.map((score) => ({ low: score - 0.2, high: score + 0.2 }));
    const inputs = i < 2 ? null : rows.map(() => (i === 2 ? 5 : 40));
    return { name, column: { ...columnOf(name, scores), intervals }, inputs, seconds: 2 ** i };
  });
  const tests = columnOf(
    "tests",
    rows.map(({ pass_ratio }) => pass_ratio),
  );
  const all = [
    ...stages,
    { name: "tests", column: { ...tests, kind: "execution" }, inputs: null, seconds: 20 } as const,
  ];
  return { stages: all, machine: { cores: 2, cpu: "a CPU", sandbox: "bwrap", python: "3.11.2" } };
}
