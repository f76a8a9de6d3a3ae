/** Labelled rows for the tests in this folder. */
import type { ScoreColumn } from "../../src/evaluate/index.ts";
import type { LabelledRow } from "../../src/types.ts";
import { Random } from "../../src/util/random.ts";

export const labelledRow = (given: Partial<LabelledRow>): LabelledRow => ({
  task_id: "t0",
  sample_id: "t0#0",
  source: "test",
  made_by: "nobody",
  candidate: "def f(x):\n    return x\n",
  reference: "def f(x):\n    return x + 1\n",
  description: null,
  pass_ratio: 0,
  executable: 1,
  n_tests: 4,
  n_passed: 0,
  n_opaque: 0,
  passes_base: null,
  temperature: null,
  status: "ok",
  first_error: null,
  reason: null,
  weight: 1,
  ...given,
});

/** Rows of several tasks, given by PassRatio: `[[0, 1], [0.5]]` is two programs of task t0 and one of t1. */
export const rowsOf = (tasks: readonly (readonly number[])[]): LabelledRow[] =>
  tasks.flatMap((ratios, t) =>
    ratios.map((ratio, i) =>
      labelledRow({ task_id: `t${t}`, sample_id: `t${t}#${i}`, pass_ratio: ratio, n_passed: Math.round(4 * ratio) }),
    ),
  );

export const columnOf = (
  name: string,
  scores: readonly (number | null)[],
  exec: readonly (number | null)[] | null = null,
): ScoreColumn => ({ name, kind: "model", signature: null, scores, exec, msPerPair: null });

/** Tasks of varying difficulty. Each program has a PassRatio in quarters. */
export function simulatedRows(tasks: number, perTask: number, seed: number): LabelledRow[] {
  const random = new Random(seed);
  return rowsOf(
    Array.from({ length: tasks }, () => {
      const difficulty = random.float();
      return Array.from(
        { length: perTask },
        () => Math.round(4 * Math.min(1, Math.max(0, difficulty + 0.4 * random.normal()))) / 4,
      );
    }),
  );
}

/** PassRatio plus strong noise. */
export function noisyScores(rows: readonly LabelledRow[], noise: number, seed: number): number[] {
  const random = new Random(seed);
  return rows.map(({ pass_ratio }) => Math.min(1, Math.max(0, (pass_ratio ?? 0) + noise * random.normal())));
}
