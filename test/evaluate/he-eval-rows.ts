/** The programs of `he-eval-dev` as labelled rows, in file order. */
import { join } from "node:path";
import { docstring } from "../../src/languages/python/syntax/source.ts";
import type { LabelledRow } from "../../src/types.ts";
import { readJsonLines, stringField } from "../../src/util/jsonl.ts";
import { labelledRow } from "./rows.ts";

export async function heEvalRows(data: string): Promise<LabelledRow[]> {
  const problems = new Map<string, { prompt: string; solution: string; description: string | null }>();
  for await (const line of readJsonLines(join(data, "he-eval-dev", "problems.jsonl.gz"))) {
    const prompt = stringField(line, "prompt");
    problems.set(stringField(line, "task_id"), {
      prompt,
      solution: stringField(line, "canonical_solution"),
      description: docstring(prompt, stringField(line, "entry_point")) ?? null,
    });
  }
  const rows: LabelledRow[] = [];
  for await (const line of readJsonLines(join(data, "he-eval-dev", "samples.jsonl.gz"))) {
    const { prompt, solution, description } = problems.get(stringField(line, "task_id"))!;
    rows.push(
      labelledRow({
        task_id: stringField(line, "task_id"),
        sample_id: String(rows.length),
        candidate: prompt + stringField(line, "completion"),
        reference: prompt + solution,
        description,
        pass_ratio: line.value.pass_ratio as number,
        executable: line.value.executable as 0 | 1,
      }),
    );
  }
  return rows;
}
