/** `codescore rtc editing`: parses, calls the library, prints. */
import { Command } from "commander";
import type { EditingSummary } from "../../rtc/index.ts";
import { counted } from "../../util/counted.ts";
import { integer, markIncomplete } from "../options/values.ts";
import {
  addLlmOptions,
  addSamplingOptions,
  addShotsOption,
  addSimilarityOptions,
  defined,
  type LlmFlags,
  type LlmSpec,
  llmHelp,
  llmSpec,
  openLlms,
  type SamplingFlags,
  type SimilarityFlags,
  samplesOf,
  withSimilarities,
} from "./options.ts";
import { fixed, inColumns, interval, putSummary } from "./output.ts";
import { resumable } from "./stop.ts";

interface Options extends SimilarityFlags, LlmFlags, SamplingFlags {
  readonly edits: string;
  readonly limit?: number;
  readonly maxCharacters?: number;
  readonly forward: LlmSpec;
  readonly backward?: LlmSpec;
  readonly output: string;
  readonly prompts?: string;
  readonly shots?: number;
  readonly supervised?: true;
}

export const editing = (): Command => {
  const command = new Command("editing")
    .description("describe code edits, make them again from the description, compare (EditingRTC)")
    .requiredOption("--edits <file>", "JSON lines with `old` and `new`, as CodeReviewer's ref-test.jsonl, or Parquet")
    .requiredOption("--forward <llm>", "model that describes: openai:MODEL or replay:FILE", llmSpec)
    .option("--backward <llm>", "model that makes the edit again (default: the same)", llmSpec)
    .requiredOption("--output <dir>", "folder for samples.jsonl, summary.json and the files to resume from")
    .option("--limit <n>", "only the first n edits", integer(1))
    .option("--max-characters <n>", "characters kept of a description (default: 128)", integer(1))
    .option("--prompts <dir>", "folder with editing-forward.txt and editing-backward.txt (default: the shipped ones)");
  addSimilarityOptions(command, ["exact", "bleu", "rouge-l"]);
  addShotsOption(command).option(
    "--supervised",
    "also compare a greedy description with each comment, and make each edit from its comment",
  );
  addLlmOptions(addSamplingOptions(command, { forward: 1, backward: 0 }));
  return command
    .addHelpText(
      "after",
      `
Rows have old, new and optionally comment (CodeReviewer; diff marks are removed), or code_before_edit, code_after_edit and
ground_truth_edit_description. Lift is measured against the description \`Edit.\`.
With --supervised the directions \`greedy\` (descriptions) and \`comment\` (edits from comments) are asked too, once per edit.
${llmHelp}
Exit code 1 if a round trip is missing or a similarity gave no value.

Example:
  $ codescore rtc editing --edits ref-test.jsonl --limit 1000 --forward openai:gpt-4o-mini --supervised --output runs/edits`,
    )
    .action(resumable(run));
};

async function run(options: Options): Promise<void> {
  const { editingRtc, readEdits } = await import("../../rtc/index.ts");
  const edits = await readEdits(options.edits, options.limit);
  const llms = await openLlms(options, options);
  await withSimilarities(
    { ...options, sandbox: "auto" },
    "an edit is a part of one, in any language",
    async (similarities) => {
      const { summary, files } = await editingRtc({
        ...llms,
        edits,
        similarities,
        out: options.output,
        samples: samplesOf(options),
        thresholds: options.threshold,
        lift: options.lift,
        supervised: options.supervised ?? false,
        ...defined({
          prompts: options.prompts,
          maxCharacters: options.maxCharacters,
          shots: options.shots,
          repeats: options.repeats,
          seed: options.seed,
          cache: options.cache,
        }),
      });
      putSummary(summary, files, similarities);
      process.stdout.write(`\n${lengthsTable(summary)}`);
      if (summary.supervised) process.stdout.write(`\n${supervisedTable(summary.supervised)}`);
      if (summary.supervised && summary.supervised.missing > 0) {
        process.stderr.write(`warning: the supervised half lacks ${counted(summary.supervised.missing, "answer")}\n`);
        markIncomplete();
      }
    },
  );
}

const characters = (value: number | null): string => value?.toFixed(1) ?? "-";

/** Shows whether longer edits survive the round trip less often. */
const lengthsTable = ({ lengths }: EditingSummary): string =>
  inColumns([
    ["similarity", "edits, RTC > 0", "mean characters", "edits, RTC = 0", "mean characters", "r_s of length and RTC"],
    ...lengths.map(({ sim, above, above_characters: some, zero, zero_characters: none, spearman }) => [
      ...[sim, `${above}`, characters(some), `${zero}`, characters(none), fixed(spearman)],
    ]),
  ]);

/** The supervised half of Table 3 of the paper. */
const supervisedTable = (supervised: NonNullable<EditingSummary["supervised"]>): string =>
  inColumns([
    ["measure", "edits", "mean", "95% interval"],
    ...(
      [
        ["edit to text: BLEU of the greedy description", supervised.description_bleu],
        ["edit to text: BLEU of the sampled descriptions", supervised.sampled_bleu],
        ...supervised.from_comment.map(({ name, value }) => [`text to edit: ${name} from the comment`, value] as const),
      ] as const
    ).map(([name, value]) => [name, `${value?.problems ?? 0}`, fixed(value?.value), interval(value)]),
  ]);
