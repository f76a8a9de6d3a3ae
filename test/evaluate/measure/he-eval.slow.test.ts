/** Text metrics on the 1,540 programs of `he-eval-dev`: how well they agree with execution. */
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { evaluate, metricColumn, stripSharedPrompt } from "../../../src/evaluate/index.ts";
import { getMetric } from "../../../src/metrics/index.ts";
import type { LabelledRow } from "../../../src/types.ts";
import { readJsonLines, stringField } from "../../../src/util/jsonl.ts";
import { labelledRow } from "../rows.ts";

const data = process.env.CODESCORE_DATA;

describe.skipIf(data === undefined)("he-eval-dev", () => {
  const rows: LabelledRow[] = [];
  const bodies: [string, string][] = [];
  const errors: unknown[] = [];

  beforeAll(async () => {
    const problems = new Map<string, { prompt: string; solution: string }>();
    for await (const line of readJsonLines(join(data!, "he-eval-dev", "problems.jsonl.gz"))) {
      const solution = stringField(line, "canonical_solution");
      problems.set(stringField(line, "task_id"), { prompt: stringField(line, "prompt"), solution });
    }
    for await (const line of readJsonLines(join(data!, "he-eval-dev", "samples.jsonl.gz"))) {
      const { prompt, solution } = problems.get(stringField(line, "task_id"))!;
      const completion = stringField(line, "completion");
      bodies.push([completion, solution]);
      errors.push(line.value.first_error);
      rows.push(
        labelledRow({
          task_id: stringField(line, "task_id"),
          sample_id: String(rows.length),
          candidate: prompt + completion,
          reference: prompt + solution,
          pass_ratio: line.value.pass_ratio as number,
          executable: line.value.executable as 0 | 1,
        }),
      );
    }
  });

  it("leaves the bodies when the shared prompt is cut", () => {
    expect(rows).toHaveLength(1540);
    const trimmed = (pair: readonly string[]) => pair.map((text) => text.replace(/^\s*\n/, "").trimEnd());
    const different = rows.filter((row, i) => {
      const cut = stripSharedPrompt(row.candidate, row.reference!);
      return trimmed(cut).join("\0") !== trimmed(bodies[i]!).join("\0");
    });
    expect(different.map(({ task_id, sample_id }) => `${task_id} ${sample_id}`)).toEqual([]);
  });

  it("gives the metrics the correlations that were found for bodies", async () => {
    const { columns } = evaluate({
      rows,
      columns: await Promise.all(["bleu", "chrf"].map((name) => metricColumn(getMetric(name), rows))),
      resamples: 100,
    });
    // An independent study in Python found .415 for BLEU (with other tokens) and .461 for chrF.
    expect(Math.abs(columns[0]!.spearman! - 0.415)).toBeLessThan(0.02);
    expect(Math.abs(columns[1]!.spearman! - 0.461)).toBeLessThan(0.005);
  });

  it("shows the gate what fails, without running it", async () => {
    const column = await metricColumn(getMetric("gate"), rows);
    const fails = rows.map((_, i) =>
      ["NameError", "SyntaxError", "IndentationError", "ModuleNotFoundError"].includes(errors[i] as string),
    );
    const shut = column.scores.map((score) => score === 0);
    const caught = fails.filter((fail, i) => fail && shut[i]).length;
    expect(caught / shut.filter(Boolean).length).toBeGreaterThanOrEqual(0.95); // precision
    expect(caught / fails.filter(Boolean).length).toBeGreaterThanOrEqual(0.95); // recall
    expect(evaluate({ rows, columns: [column], resamples: 100 }).columns[0]!.spearman!).toBeGreaterThan(0.49);
  });
});
