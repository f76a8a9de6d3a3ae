/** `codescore sanitize`: extracts the programs from LLMs' answers. */

import { Command } from "commander";
import { counted } from "../util/counted.ts";
import { paths } from "./options/values.ts";

interface Options {
  readonly problems: readonly string[];
  readonly output?: string;
}

export const sanitizeVerb = (): Command =>
  new Command("sanitize")
    .description("extract programs from answers of language models: removes fences, prose, tests and unused code")
    .argument("<samples...>", "sample files or folders of them")
    .requiredOption("--problems <path>", "a problem file or a folder of them; may be repeated", paths)
    .option("--output <file>", "sample rows with `solution`; - is stdout (default: SAMPLES-sanitized.jsonl)")
    .addHelpText(
      "after",
      `
No sample is lost. If an answer has no program that parses and defines the entry point, it passes unchanged.

Examples:
  $ codescore sanitize samples.jsonl --problems HumanEval.jsonl.gz
  $ codescore sanitize answers.jsonl --problems mbpp.jsonl --output programs.jsonl.gz`,
    )
    .action(run);

async function run(samples: string[], { problems, output }: Options): Promise<void> {
  const { sanitizeRows } = await import("../problems/index.ts");
  const { writeJsonLines } = await import("../util/jsonl.ts");
  const out = output ?? defaultOutput(samples[0] as string);
  const counts = { unchanged: 0, pruned: 0, extracted: 0, cut: 0, unmended: 0, unknown: 0 };
  await writeJsonLines(out, sanitizeRows(samples, problems, counts));
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const { unchanged, pruned, extracted, cut, unmended, unknown } = counts;
  if (out !== "-") process.stderr.write(`wrote ${out}: ${counted(total, "sample")}\n`);
  process.stderr.write(`${unchanged} unchanged, ${pruned} pruned, ${extracted} extracted, ${cut} cut to what parses\n`);
  if (unmended > 0)
    process.stderr.write(`unchanged, because they could not be fixed: ${counted(unmended, "sample")}\n`);
  if (unknown > 0)
    process.stderr.write(`warning: unchanged, of tasks that are in no problem file: ${counted(unknown, "sample")}\n`);
}

/** The same name as EvalPlus uses. */
const defaultOutput = (samples: string): string =>
  `${samples.replace(/[\\/]+$/, "").replace(/(?:\.jsonl(?:\.gz)?|\.parquet|\.json)$/, "")}-sanitized.jsonl`;
