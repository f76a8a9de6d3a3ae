/** Prepares a pretraining run: tokenizer, shape of the model, and the files as windows of token ids. */
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { configOfSize, type ModelConfig, readNewConfig } from "../../model/index.ts";
import { Tokenizer, type TokenizerFile, trainBpe } from "../../tokenize/index.ts";
import { exists, readJson } from "../../util/files.ts";
import { startProgress } from "../../util/progress.ts";
import { Random } from "../../util/random.ts";
import { readSourceFiles, type SkipReason, type SourceFile } from "./files.ts";
import type { ResolvedPretrainOptions } from "./options.ts";
import { cutWindows, type Window } from "./windows.ts";

export interface PretrainData {
  readonly config: ModelConfig;
  readonly tokenizerFile: TokenizerFile;
  /** The windows of each file. */
  readonly train: readonly (readonly Window[])[];
  /** The windows of each held-out file. */
  readonly dev: readonly (readonly Window[])[];
  readonly skipped: Readonly<Record<SkipReason, number>>;
}

/** Maximum characters of source to train the vocabulary on. */
const VOCABULARY_SAMPLE = 32_000_000;

/** Reads, splits and encodes the files. Throws `CodescoreError("input")` if there are fewer than two. */
export async function preparePretraining(options: ResolvedPretrainOptions): Promise<PretrainData> {
  const { files, skipped } = await readSourceFiles(options.data);
  if (files.length < 2) {
    throw new CodescoreError(
      "input",
      `expected at least two files, because one is held out, got only ${files[0]!.path}`,
    );
  }
  const shuffled = new Random(options.seed).shuffle(files);
  const kept = Math.min(files.length - 1, Math.ceil(options.devShare * files.length));
  const [dev, train] = [shuffled.slice(0, kept), shuffled.slice(kept)];
  const tokenizerFile = await tokenizerOf(options, train);
  const tokenizer = new Tokenizer(tokenizerFile);
  // The embeddings are also the decoder's weights. If they were as large as a scorer's, the initial predictions would be far from uniform.
  const config =
    options.config === null
      ? configOfSize(options.size, tokenizer.vocabSize, 0)
      : await readNewConfig(options.config, tokenizer.vocabSize, 0);
  const progress = startProgress({ label: "tokenize", total: files.length, unit: "files", quiet: options.quiet });
  const windowsOf = ({ code }: SourceFile): Window[] => {
    progress.tick();
    return cutWindows(code, (text) => tokenizer.encode(text), config.codescore.max_length);
  };
  const windows = { train: train.map(windowsOf), dev: dev.map(windowsOf) };
  progress.done();
  return { config, tokenizerFile, ...windows, skipped };
}

/**
 * The tokenizer of the run that continues, otherwise a new one. A new one is trained on the original files, including comments and
 * docstrings, because a scorer reads descriptions too.
 */
async function tokenizerOf(
  { out, vocabSize }: ResolvedPretrainOptions,
  files: readonly SourceFile[],
): Promise<TokenizerFile> {
  if (await exists(join(out, "last", "state.json")))
    return (await readJson(join(out, "tokenizer.json"))) as TokenizerFile;
  let characters = 0;
  const sample = files.filter(({ source }) => {
    characters += source.length;
    return characters <= VOCABULARY_SAMPLE;
  });
  return trainBpe(
    sample.map(({ source }) => source),
    { vocabSize },
  );
}
