import { Command, Option } from "commander";
import type { PretrainOptions } from "../train/index.ts";
import { printResult } from "./options/result.ts";
import { integer, number } from "./options/values.ts";

type Flags = Omit<PretrainOptions, "data" | "out" | "evaluateEvery"> & {
  readonly data: string[];
  readonly output: string;
  readonly evalEvery?: number;
};

export const pretrainVerb = (): Command =>
  new Command("pretrain")
    .description("train an encoder and its tokenizer on Python source, as a start for `train`; resumes a stopped run")
    .requiredOption("--data <dirs...>", "folders with *.py files; some files are held out")
    .requiredOption("--output <dir>", "folder of the model")
    .addOption(new Option("--size <size>", "size of the model: nano, tiny, small, base (default: nano)"))
    .option(
      "--config <file>",
      "shape of a new model: JSON with the keys of RoBERTa, or of another architecture named by model_type; vocab_size is set for you",
    )
    .option("--vocab-size <n>", "vocabulary (default: 8000)", integer(300))
    .option("--steps <n>", "updates to make (default: 2000)", integer(1))
    .option("--batch-tokens <n>", "tokens in a batch, padding included (default: 8192)", integer(64))
    .option("--learning-rate <x>", "peak learning rate (default: 5e-4)", number(0))
    .option("--mask-share <x>", "share of the tokens to predict (default: 0.15)", number(0, 1))
    .option("--eval-every <n>", "steps between evaluations and checkpoints (default: 100)", integer(1))
    .option("--seed <n>", "seed of parameters, order, masks and dropout (default: 0)", integer(0))
    .option("--device <device>", "engine, as for `train` (default: auto)")
    .addHelpText(
      "after",
      `
The vocabulary is learnt from the files as they are. The encoder is trained on them without comments and docstrings.
Skipped: files that are not UTF-8, generated, larger than 1 MB, or copies. Remove solutions of problems that you test on.

Examples:
  codescore pretrain --data ~/projects /usr/lib/python3 --output models/encoder --size small --device tensorflow
  codescore train --init models/encoder --data train.arrow --output models/mine`,
    )
    .action(async ({ data, output, evalEvery, ...rest }: Flags) => {
      const { pretrain } = await import("../train/index.ts");
      const stop = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
      const result = await pretrain({
        ...rest,
        signal: stop.signal,
        data,
        out: output,
        ...(evalEvery === undefined ? {} : { evaluateEvery: evalEvery }),
      });
      printResult(result);
      process.stderr.write(
        `engine ${result.device}\nwrote ${output} (start from it with \`codescore train --init ${output}\`)\n`,
      );
    });
