/** `codescore datasets decontaminate`: removes problems that are near copies of test problems. */

import { Command } from "commander";
import { counted } from "../../util/counted.ts";
import { paths } from "../options/values.ts";

interface Options {
  readonly problems: readonly string[];
  readonly against: readonly string[];
  readonly listed?: readonly string[];
  readonly keepMaybe?: boolean;
  readonly output: string;
  readonly report: string;
}

export const decontaminateVerb = (): Command =>
  new Command("decontaminate")
    .description("remove problems that resemble one of a test set, and report which and why")
    .requiredOption("--problems <path>", "a problem file or a folder of them; may be repeated", paths)
    .requiredOption("--against <path>", "problems to keep out of training, e.g. HumanEval; repeatable", paths)
    .option("--listed <file>", "known near-duplicates: rows of task_id and level (high or maybe); repeatable", paths)
    .option("--keep-maybe", "keep problems that a list calls maybe, unless they are found here too")
    .requiredOption("--output <file>", "write the remaining problems here, as JSON lines")
    .requiredOption("--report <file>", "JSON lines of task_id, why, nearest, score; `-` is stdout")
    .addHelpText(
      "after",
      `
Compares references as syntax trees with normalised names (same-tree) and by common runs of 8 such tokens (tokens, from
0.6), and descriptions by common runs of 5 words (words, from 0.5). MBPP/N and MBPPT/N are removed together.

Examples:
  $ codescore datasets decontaminate --problems mbpp.jsonl --against HumanEval.jsonl.gz --output clean.jsonl --report -
  $ codescore datasets decontaminate --problems train --against HumanEval.jsonl.gz --listed near.jsonl.gz --output clean.jsonl --report removed.jsonl`,
    )
    .action(run);

async function run({ problems, against, listed, keepMaybe, output, report }: Options): Promise<void> {
  const { decontaminate, readNearDuplicates } = await import("../../dataset/index.ts");
  const { printProblem, readProblems } = await import("../../problems/index.ts");
  const { writeAtomic } = await import("../../util/files.ts");
  const { writeJsonLines } = await import("../../util/jsonl.ts");
  const { clean, removed } = await decontaminate((await readProblems(problems)).values(), {
    against: (await readProblems(against)).values(),
    listed: await readNearDuplicates(listed ?? []),
    keepMaybe: keepMaybe ?? false,
  });
  await writeJsonLines(
    report,
    removed.map(({ taskId, ...rest }) => ({ task_id: taskId, ...rest })),
  );
  await writeAtomic(output, clean.map((problem) => `${printProblem(problem)}\n`).join(""));
  process.stderr.write(
    `wrote ${output}: ${counted(clean.length, "problem")}; ${removed.length} left out, see ${report}\n`,
  );
}
