/**
 * Agreement with labels made by another harness: 1,540 programs of two models on 78 HumanEval tasks, about 107 asserts
 * each, labelled by `bench/plain_labeller.py` (which runs each assert beside the program, with alarms in wall time).
 */
import { join } from "node:path";
import { expect, it } from "vitest";
import { openExecutor } from "../../src/execute/index.ts";
import type { Problem } from "../../src/types.ts";
import { readJsonLines, stringField } from "../../src/util/jsonl.ts";
import { bwrapWorks, problem } from "./open.ts";

const data = process.env.CODESCORE_DATA;

it.skipIf(!data || !bwrapWorks)(
  "agrees with the recorded labels of he-eval-dev on at least 99.5% of rows",
  async () => {
    const folder = join(data as string, "he-eval-dev");
    const problems = new Map<string, Problem>();
    for await (const line of readJsonLines(join(folder, "problems.jsonl.gz"))) {
      const prompt = stringField(line, "prompt");
      const references = [prompt + stringField(line, "canonical_solution")];
      const task = problem(stringField(line, "entry_point"), line.value.test_case_list as string[], {
        prompt,
        references,
      });
      problems.set(stringField(line, "task_id"), task);
    }
    const executor = await openExecutor({ sandbox: "bwrap" });
    const rows: Promise<{ ratio: boolean; executable: boolean; shown: string }>[] = [];
    for await (const line of readJsonLines(join(folder, "samples.jsonl.gz"))) {
      const task = problems.get(stringField(line, "task_id")) as Problem;
      const { pass_ratio, executable, first_error } = line.value;
      rows.push(
        executor.execute(task, task.prompt + stringField(line, "completion")).then((mine) => ({
          ratio: mine.passRatio !== null && Math.abs(mine.passRatio - (pass_ratio as number)) < 1e-9,
          executable: mine.executable === executable,
          shown:
            `${stringField(line, "sample_id")}: recorded ${pass_ratio} ${executable} ${first_error}, ` +
            `ours ${mine.passRatio} ${mine.executable} ${mine.firstError} ${mine.reason ?? ""}`,
        })),
      );
    }
    const done = await Promise.all(rows);
    await executor.close();
    for (const { ratio, executable, shown } of done) if (!ratio || !executable) process.stderr.write(`  ${shown}\n`);
    const share = (of: "ratio" | "executable"): number => done.filter((row) => row[of]).length / done.length;
    process.stderr.write(`  PassRatio agrees on ${share("ratio")}, Executability on ${share("executable")}\n`);
    expect(done.length).toBeGreaterThan(1000);
    expect(share("ratio")).toBeGreaterThanOrEqual(0.995);
    expect(share("executable")).toBeGreaterThanOrEqual(0.995);
  },
  600_000,
);
