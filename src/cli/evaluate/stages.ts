/** The options of `codescore evaluate` that run programs on more and more inputs, for the curve of accuracy against cost. */
import type { Command } from "commander";
import { CodescoreError } from "../../errors.ts";
import type { Stages } from "../../evaluate/index.ts";
import type { LabelledRow } from "../../types.ts";
import { integer, paths } from "../options/values.ts";
import type { Running } from "./running.ts";

export interface StageFlags {
  /** True: use the default numbers of inputs. */
  readonly costCurve?: readonly number[] | true;
  readonly problems?: readonly string[];
}

export const addStageOptions = (command: Command): Command =>
  command
    .option(
      "--cost-curve [inputs]",
      "measure the cost and benefit of running more: text only, examples, then more and more inputs (default: 5,10,40,160), then tests",
      (text) => [...new Set(text.split(",").map(integer(1)))].sort((a, b) => a - b),
    )
    .option("--problems <path>", "with --cost-curve: problems with the tests of the last stage; repeatable", paths);

/** Null if no curve is requested. */
export async function stagesOf(
  { costCurve, problems }: StageFlags,
  rows: readonly LabelledRow[],
  running: Running | null,
): Promise<Stages | null> {
  if (costCurve === undefined || running === null) {
    if (problems !== undefined) throw new CodescoreError("usage", "--problems needs --cost-curve");
    return null;
  }
  const { runStages } = await import("../../evaluate/index.ts");
  const { readProblems } = await import("../../problems/index.ts");
  const { scorer, format, run } = running;
  const { executor, seed } = run;
  return runStages({
    rows,
    scorer,
    executor,
    format,
    progress: true,
    ...(seed !== undefined && { seed }),
    ...(costCurve !== true && { inputs: costCurve }),
    ...(problems && { problems: await readProblems(problems) }),
  });
}
