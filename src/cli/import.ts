/** `codescore import`: converts a Hugging Face encoder into a checkpoint. */
import { Command } from "commander";
import type { ScoreInput } from "../types.ts";
import { integer } from "./options/values.ts";

interface Options {
  readonly output: string;
  readonly revision?: string;
  readonly config?: string;
  readonly vocabularyFrom?: string[];
  readonly seed: number;
}

export const importVerb = (): Command =>
  new Command("import")
    .description("turn a pretrained encoder, from a folder or the hub, into a checkpoint for `train`")
    .argument("<source>", "a Hugging Face folder, or a model on the hub as owner/name")
    .requiredOption("--output <dir>", "folder of the checkpoint")
    .option("--revision <name>", "branch, tag or commit of a model on the hub (default: main)")
    .option("--config <file>", "JSON whose `codescore` section overrides the defaults of an import")
    .option(
      "--vocabulary-from <files...>",
      "labelled sets: keep only the tokens that occur in them, and single characters",
    )
    .option("--seed <n>", "seed of the new heads", integer(0), 0)
    .addHelpText(
      "after",
      `
A folder has config.json, tokenizer.json (or vocab.json and merges.txt) and model.safetensors (or pytorch_model.bin).
Supported encoders (\`model_type\`): roberta (CodeBERT, GraphCodeBERT, UniXcoder), bert (MiniLM, BGE, E5, GTE), distilbert, mpnet,
modernbert, nomic_bert, t5 (CodeT5's encoder), deberta-v2 (DeBERTa-v3). Tokenizers: BPE, WordPiece, Unigram.
WordPiece and Unigram tokenizers drop white space, and some drop capitals. The checkpoint writes programs with symbols for
them, and with one token per variable. The embeddings of these symbols start as means of word embeddings.
A model on the hub is downloaded into the cache folder (CODESCORE_CACHE). The same command resumes an interrupted download.
HF_ENDPOINT sets a mirror. HF_TOKEN gives access to private models.

Examples:
  $ codescore import microsoft/unixcoder-base --output models/unixcoder
  $ codescore import ~/unixcoder-base --output models/unixcoder
  $ codescore import ~/all-MiniLM-L6-v2 --output models/minilm --vocabulary-from train.arrow
  $ codescore train --init models/unixcoder --data train.arrow --output models/mine`,
    )
    .action(run);

async function run(source: string, { output, revision, config, vocabularyFrom, seed }: Options): Promise<void> {
  const { encoderFolder, importEncoder, readUniceConfig } = await import("../model/index.ts");
  const unice = config === undefined ? {} : await readUniceConfig(config);
  const { downloadBar } = await import("./datasets/download-bar.ts");
  const bar = downloadBar();
  const folder = await encoderFolder(source, {
    ...(revision === undefined ? {} : { revision }),
    onRetry: (message) => process.stderr.write(`${message}\n`),
    onProgress: bar.onProgress,
  }).finally(bar.done);
  const { taken, fresh, vocabulary } = await importEncoder(folder, output, {
    unice,
    seed,
    ...(vocabularyFrom && { vocabularyFrom: rowsOf(vocabularyFrom) }),
  });
  const tokens = vocabulary.from === vocabulary.to ? "" : `; ${vocabulary.to} tokens instead of ${vocabulary.from}`;
  process.stderr.write(`imported ${taken} parameters from ${folder}, initialised ${fresh.length} new ones${tokens}\n`);
  process.stdout.write(`${output}\n`);
}

async function* rowsOf(paths: readonly string[]): AsyncGenerator<ScoreInput> {
  const { readExamples } = await import("../dataset/index.ts");
  for (const path of paths) yield* readExamples(path);
}
