/** `codescore mutate`: makes candidates from the references of problems. */

import { Command } from "commander";
import { counted } from "../util/counted.ts";
import { integer, paths } from "./options/values.ts";

interface Options {
  readonly problems: readonly string[];
  readonly output: string;
  readonly perProblem?: number;
  readonly seed?: number;
}

export const mutateVerb = (): Command =>
  new Command("mutate")
    .description("make candidates from references: mutants, equivalent rewrites, solutions of other problems")
    .requiredOption("--problems <path>", "a problem file or a folder of them; may be repeated", paths)
    .requiredOption("--output <file>", "samples, JSON lines; `model` says how each was made; `-` is stdout")
    .option("--per-problem <n>", "rows per problem, including its references (default: 40)", integer(1))
    .option("--seed <n>", "seed; the same seed gives the same file (default: 0)", integer(0))
    .addHelpText(
      "after",
      `
Executes nothing. \`codescore label\` labels the candidates.

Examples:
  $ codescore mutate --problems datasets/starter --output samples.jsonl
  $ codescore mutate --problems mbpp.jsonl --output samples.jsonl.gz --per-problem 100 --seed 7
  $ codescore mutate --problems datasets/starter --output - --per-problem 5 | head`,
    )
    .action(run);

async function run({ problems: from, output, perProblem, seed }: Options): Promise<void> {
  const { readProblems } = await import("../problems/index.ts");
  const { makeSamples } = await import("../mutate/index.ts");
  const { writeJsonLines } = await import("../util/jsonl.ts");
  const { startProgress } = await import("../util/progress.ts");
  const { CodescoreError } = await import("../errors.ts");
  const problems = [...(await readProblems(from)).values()];
  const usable = problems.filter(({ references }) => references.length > 0);
  if (usable.length === 0) {
    throw new CodescoreError(
      "input",
      `none of ${counted(problems.length, "problem")} in ${from.join(", ")} has a reference`,
    );
  }
  const progress = startProgress({ label: "mutating", total: usable.length, unit: "problems" });
  let written = 0;
  async function* rows() {
    const options = { ...(perProblem === undefined ? {} : { perProblem }), ...(seed === undefined ? {} : { seed }) };
    for await (const made of makeSamples(usable, options)) {
      yield* made.rows;
      written += made.rows.length;
      progress.tick();
    }
  }
  try {
    await writeJsonLines(output, rows());
  } finally {
    progress.done();
  }
  const skipped = problems.length - usable.length;
  const note = skipped > 0 ? `; ${counted(skipped, "problem")} without a reference skipped` : "";
  process.stderr.write(
    `wrote ${output}: ${counted(written, "candidate")} for ${counted(usable.length, "problem")}${note}\n`,
  );
}
