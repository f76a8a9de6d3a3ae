import { Command, Option } from "commander";
import type { TrainOptions } from "../train/index.ts";
import type { InputFormat } from "../types.ts";
import { integer, number } from "./options.ts";

type Flags = Omit<TrainOptions, "data" | "out" | "formats" | "evaluateEvery"> & {
  readonly data: string[];
  readonly output: string;
  readonly formats?: string;
  readonly evalEvery?: number;
};

export const trainVerb = (): Command =>
  new Command("train")
    .description("train UniCE on labelled sets; a run that was stopped goes on")
    .requiredOption("--data <files...>", "labelled sets (.arrow or .jsonl) to train on")
    .requiredOption("--output <dir>", "folder of the model")
    .option("--dev <files...>", "labelled sets to choose the best step by (default: a share of the training problems)")
    .option("--init <dir>", "checkpoint to start from, e.g. one made by `codescore import`")
    .addOption(new Option("--size <size>", "size of a new model: nano, tiny, small, base (default: nano)"))
    .option("--vocab-size <n>", "vocabulary of a new model", integer(300))
    .option("--steps <n>", "updates to make", integer(1))
    .option("--batch-tokens <n>", "tokens in a batch, padding included", integer(64))
    .option("--learning-rate <x>", "peak learning rate", number(0))
    .option("--dropout <x>", "share of values dropped", number(0, 0.9))
    .option("--formats <list>", "input formats, comma-separated (default: ref,nl,ref+nl)")
    .option("--eval-every <n>", "steps between evaluations on dev (and checkpoints)", integer(1))
    .option("--seed <n>", "seed of parameters, order and dropout", integer(0))
    .option("--device <device>", "engine: auto, tensorflow, wasm, cpu (default: auto)")
    .addHelpText(
      "after",
      `
Examples:
  codescore train --data train.arrow --dev dev.arrow --output models/mine --steps 2000
  codescore train --data train.arrow --output models/mine --size small --device tensorflow
  codescore train --data train.arrow --init models/unixcoder --output models/mine --learning-rate 5e-6`,
    )
    .action(async ({ data, output, formats, evalEvery, ...rest }: Flags) => {
      const { train } = await loadTrain();
      const stop = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
      const result = await train({
        ...rest,
        signal: stop.signal,
        data,
        out: output,
        ...(formats === undefined ? {} : { formats: formats.split(",") as InputFormat[] }),
        ...(evalEvery === undefined ? {} : { evaluateEvery: evalEvery }),
      });
      process.stderr.write(`engine ${result.device}\n`);
      process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
      process.stderr.write(`wrote ${output} (export it with \`codescore export ${output}\`)\n`);
    });

/** Training needs packages that scoring does not install. */
export async function loadTrain(): Promise<typeof import("../train/index.ts")> {
  const { CodescoreError } = await import("../errors.ts");
  return import("../train/index.ts").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new CodescoreError(
      "environment",
      "training needs TensorFlow.js: npm install @tensorflow/tfjs @tensorflow/tfjs-backend-wasm",
    );
  });
}
