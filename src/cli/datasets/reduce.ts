/** `codescore datasets reduce`: keeps fewer tests that catch the same wrong programs. */

import { Command, InvalidArgumentError } from "commander";
import type { Criterion } from "../../dataset/index.ts";
import type { Problem } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import { defectLines } from "../options/defects.ts";
import { addExecutor, type ExecutorFlags, executorOptions } from "../options/executor.ts";
import { integer, paths } from "../options/values.ts";

interface Options extends ExecutorFlags {
  readonly problems: readonly string[];
  readonly output: string;
  readonly by: readonly Criterion[];
  readonly samples?: readonly string[];
  readonly holdOut?: readonly string[];
  readonly mutants: number;
  readonly seed: number;
  readonly size?: number;
}

const CRITERIA: readonly Criterion[] = ["coverage", "mutants", "samples"];

export const reduceVerb = (): Command =>
  addExecutor(
    new Command("reduce")
      .description("select few tests that keep branch coverage, and still kill the same mutants and samples")
      .requiredOption("--problems <path>", "a problem file or a folder of them; may be repeated", paths)
      .requiredOption(
        "--output <file>",
        "write the problems here, as JSON lines; a manifest and a report per problem (.report.json) go beside it",
      )
      .option("--by <criteria>", `what must be kept, comma-separated: ${CRITERIA.join(", ")}`, criteria, CRITERIA)
      .option(
        "--samples <path>",
        "programs that the selected tests must still kill: a sample file or a folder; repeatable",
        paths,
      )
      .option(
        "--hold-out <model>",
        "author whose samples are reported on, but not used for the selection; repeatable",
        paths,
      )
      .option("--mutants <n>", "mutants made of a problem's references", integer(1), 60)
      .option("--size <n>", "tests per problem (default: as few as the criteria need)", integer(1))
      .option("--seed <n>", "seed of the mutants", integer(0), 0)
      .addHelpText(
        "after",
        `
Each branch of the reference that some test takes, and each program that fails some test, is also taken or failed by a
selected test. --size selects more, so that several tests cover each. A problem stays unchanged, and is named, if none of
its references passes its tests. A problem without references stays unchanged if no program could be judged.

Examples:
  $ codescore datasets reduce --problems expanded.jsonl --output mini.jsonl --by coverage,mutants
  $ codescore datasets reduce --problems expanded.jsonl --output mini.jsonl --samples samples.jsonl --size 10`,
      )
      .action(run),
  );

function criteria(text: string): Criterion[] {
  const names = text.split(",").map((name) => name.trim());
  const known = CRITERIA.filter((name) => names.includes(name));
  const odd = names.find((name) => !CRITERIA.some((criterion) => criterion === name));
  if (odd !== undefined) throw new InvalidArgumentError(`Expected some of ${CRITERIA.join(", ")}, got \`${odd}\`.`);
  return known;
}

async function run(options: Options): Promise<void> {
  const { problems, output: out, by, samples = [], holdOut = [], size, seed } = options;
  const { CodescoreError } = await import("../../errors.ts");
  if (samples.length === 0 && by.length === 1 && by[0] === "samples") {
    throw new CodescoreError("usage", "--by samples needs --samples");
  }
  const { reduceProblems } = await import("../../dataset/index.ts");
  const { openExecutor } = await import("../../execute/index.ts");
  const executor = await openExecutor(executorOptions(options));
  try {
    const mutants = (problem: Problem) => mutantsOf(problem, options.mutants, seed);
    const how = { by, samples, holdOut, mutants, size: size ?? null };
    const result = await reduceProblems({ problems, out, executor, ...how, progress: true });
    const { before, after, coverage, heldOut } = result;
    const parts = [
      ...(coverage ? [`${coverage.kept} of ${coverage.all} branches`] : []),
      `${result.mutants.kept} of ${counted(result.mutants.all, "killed mutant")}`,
      `${result.samples.kept} of ${counted(result.samples.all, "killed sample")}`,
      ...(holdOut.length > 0
        ? [`${heldOut.kept} of ${counted(heldOut.all, "killed sample")} of ${holdOut.join(", ")}`]
        : []),
    ];
    process.stderr.write(
      `wrote ${out}: ${after} of ${counted(before, "test")} of ${counted(result.problems, "problem")} (${(before / Math.max(1, after)).toFixed(1)} times fewer)\nkept: ${parts.join(", ")}\nwrote ${result.manifest}\nwrote ${result.report}\n`,
    );
    for (const line of defectLines(result.defects)) process.stderr.write(`${line}\n`);
  } finally {
    await executor.close();
  }
}

/** Mutants of all references, an equal number from each. */
export async function mutantsOf(problem: Problem, count: number, seed: number): Promise<string[]> {
  const { keywordsOf, makeCandidates } = await import("../../mutate/index.ts");
  const keep = keywordsOf(problem);
  const each = Math.ceil(count / Math.max(1, problem.references.length));
  const made: string[] = [];
  for (const [i, code] of problem.references.entries()) {
    const candidates = await makeCandidates(code, { count: 2 * each, seed: seed + i, keep });
    made.push(...candidates.flatMap(({ kind, code: mutant }) => (kind === "mutant" ? [mutant] : [])).slice(0, each));
  }
  return made;
}
