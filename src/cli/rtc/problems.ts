/** The problems of `--problems`, for tasks in which whole programs make the round trip. */
import { CodescoreError } from "../../errors.ts";
import { type MbppSplit, mbppSplitOf } from "../../problems/mbpp-splits.ts";
import type { Problem } from "../../types.ts";
import { counted } from "../../util/counted.ts";

/** Throws like `readProblems`, and `CodescoreError("usage")` for notebooks, because a cell without the earlier cells is not a program. */
export async function readPrograms(paths: readonly string[]): Promise<Map<string, Problem>> {
  const { readProblems } = await import("../../problems/index.ts");
  const problems = await readProblems(paths);
  const turn = [...problems.values()].find(({ notebook }) => notebook !== undefined);
  if (turn === undefined) return problems;
  throw new CodescoreError(
    "usage",
    `expected --problems to be problems with whole programs, got the notebook \`${turn.notebook!.name}\` in ${paths.join(", ")}; ` +
      "for cells of notebooks: codescore rtc synthesis --notebook",
  );
}

/** The problems of the split; all of them if no split is given. Throws `CodescoreError("input")` if none is in the split. */
export function ofSplit(problems: readonly Problem[], split: MbppSplit | undefined): readonly Problem[] {
  if (split === undefined) return problems;
  const kept = problems.filter(({ id }) => mbppSplitOf(id) === split);
  if (kept.length > 0) return kept;
  const got = problems[0] ? `${problems[0].id} and ${counted(problems.length - 1, "other")}` : "no problem";
  throw new CodescoreError("input", `expected problems of MBPP's split \`${split}\`, got ${got}`);
}
