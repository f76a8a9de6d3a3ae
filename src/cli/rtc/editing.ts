/** `codescore rtc editing`: parse, call the library, print. */
import { Command } from "commander";
import { integer } from "../options/values.ts";
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
import { putSummary } from "./output.ts";

interface Options extends SimilarityFlags, LlmFlags, SamplingFlags {
  readonly edits: string;
  readonly limit?: number;
  readonly maxCharacters?: number;
  readonly forward: LlmSpec;
  readonly backward?: LlmSpec;
  readonly output: string;
  readonly prompts?: string;
  readonly shots?: number;
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
  addShotsOption(command);
  addLlmOptions(addSamplingOptions(command, { forward: 1, backward: 0 }));
  return command
    .addHelpText(
      "after",
      `
Rows have old, new and optionally comment (CodeReviewer; diff marks are removed), or code_before_edit, code_after_edit and
ground_truth_edit_description. Lift is measured against the description \`Edit.\`.
${llmHelp}
Exit code 1 if a round trip is missing or a similarity gave no value.

Example:
  $ codescore rtc editing --edits ref-test.jsonl --limit 1000 --forward openai:gpt-4o-mini --output runs/edits`,
    )
    .action(run);
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
    },
  );
}
