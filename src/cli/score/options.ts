/** The options of `codescore score` for input and output. */
import { Command, Option } from "commander";
import type { Conclusion } from "../../types.ts";
import { ListOption, number, paths, shard } from "../options/values.ts";
import { OUTPUT_KINDS } from "./output.ts";

/** The conclusions that `--fail-on` accepts. */
const REFUSABLE = ["fails", "unknown", "looks-right"] as const satisfies readonly Conclusion[];

/** The options for input and output. */
export const rowOptions = (): Command =>
  new Command("score")
    .description("score candidates against a reference, a description or both. Executes nothing unless --run is given")
    .argument("[candidates...]", "Python files, or folders of them")
    .option("--reference <path>", "a correct program; or a folder of them, matched to candidates by file name")
    .option(
      "--description <path>",
      "a text file that says what the program should do; or a folder of them, matched by file name",
    )
    .option(
      "--input <file>",
      "rows {id?, candidate, reference?, description?, task_id?, entry_point?}: .jsonl, .json, .csv, .parquet, - (stdin); or a labelled .arrow set",
    )
    .option(
      "--problems <path>",
      "problems for --samples: a file or a folder, in any format that `label` reads; repeatable",
      paths,
    )
    .option("--samples <path>", "samples to score: a file or a folder; needs --problems; repeatable", paths)
    .option(
      "--shard <i/n>",
      "score only part i of n of the tasks (i counts from 1), and write a manifest beside the output; `datasets merge` joins parts",
      shard,
    )
    .option(
      "--stdio",
      "read rows from stdin and write one score per row to stdout, as JSON lines or Arrow batches (docs/clusters.md)",
    )
    .option("--output <file>", "write the scores to a file: .jsonl, .json or .csv, optionally .gz; - is stdout", "-")
    .addOption(
      new Option(
        "--as <kind>",
        "output format (default: from the file's ending; on stdout a table for files, JSON lines for rows)",
      ).choices(OUTPUT_KINDS),
    )
    .option("--json", "the same as --as jsonl")
    .option(
      "--rank",
      "rank the candidates of each task, best first, and mark ties. Rows without task_id are grouped by reference and description",
    )
    .option(
      "--best",
      "print only the best candidate of each task, the first one if several are equal; JSON and CSV have its program",
    )
    .option(
      "--consensus",
      "for samples without a reference: let agreement with the task's other candidates make up half of the score",
    )
    .option("--fail-under <score>", "exit with 1 if a printed score is below this", number(0, 1))
    .addOption(
      new ListOption(
        "--fail-on <conclusions>",
        "exit with 1 if a printed row has one of these conclusions, separated by commas",
      ).choices(REFUSABLE),
    )
    .option("--junit <file>", "with --fail-under or --fail-on: write a JUnit XML report, one test case per row")
    .option(
      "--annotate",
      "with --fail-under or --fail-on: write GitHub Actions annotations to stderr, at the file and line if candidates are files",
    )
    .addOption(
      new Option(
        "--format <format>",
        "what to compare the candidate with: the reference (ref), the description (nl) or both",
      )
        .choices(["auto", "ref", "nl", "ref+nl"])
        .default("auto"),
    );
