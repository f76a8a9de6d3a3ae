import { basename, join } from "node:path";
import { Command, Option } from "commander";
import { CodescoreError } from "../errors.ts";
import { fixed } from "../report/tables.ts";
import type { LogLine, PackResult, SeedsResult, TrainOptions, TrainResult } from "../train/index.ts";
import type { InputFormat } from "../types.ts";
import { printResult } from "./options/result.ts";
import { integer, number, numbers } from "./options/values.ts";

type Flags = Omit<TrainOptions, "data" | "out" | "formats" | "evaluateEvery"> & {
  readonly data: string[];
  readonly output?: string;
  readonly formats?: string;
  readonly evalEvery?: number;
  readonly seeds?: number[];
  readonly pack?: string;
  readonly packNode?: string;
  readonly packHalf?: true;
  readonly maxSize?: number;
};

export const trainVerb = (): Command =>
  new Command("train")
    .description("train UniCE on labelled sets; resumes a stopped run")
    .requiredOption("--data <files...>", "labelled sets (.arrow or .jsonl) to train on")
    .option("--output <dir>", "folder of the model; required without --pack")
    .option("--mix <weights>", "share of each data file in training, comma-separated (default: all rows)", numbers)
    .option("--draw-by-weight", "draw rows by their weights, instead of weighting them in the loss")
    .option(
      "--dev <files...>",
      "labelled sets to choose the best step with (default: a share of the training problems)",
    )
    .option("--init <dir>", "checkpoint to start from, e.g. one made by `codescore import`")
    .addOption(new Option("--size <size>", "size of a new model: nano, tiny, small, base (default: nano)"))
    .option(
      "--config <file>",
      "shape of a new model: JSON with the keys of RoBERTa, or of another architecture named by model_type; vocab_size is set for you",
    )
    .option("--vocab-size <n>", "vocabulary of a new model (default: 2000)", integer(300))
    .optionsGroup("Optimisation:")
    .option("--steps <n>", "updates to make (default: 400)", integer(1))
    .option("--batch-tokens <n>", "tokens in a batch, padding included (default: 4096)", integer(64))
    .option("--accumulate <n>", "batches per update, treated as one (default: 1)", integer(1))
    .option("--learning-rate <x>", "peak learning rate (default: 1e-3)", number(0))
    .option("--head-learning-rate <x>", "learning rate of heads and layer mix (default: the same)", number(0))
    .option(
      "--layer-decay <x>",
      "learning rate of each layer, as a share of the rate of the layer above (default: 1)",
      number(0, 1),
    )
    .option("--warmup <x>", "share of the steps over which the rate rises (default: 0.1)", number(0, 0.99))
    .option(
      "--schedule <name>",
      "learning rate after the warmup: cosine, linear, constant, plateau (on dev) (default: cosine)",
    )
    .option(
      "--plateau-patience <n>",
      "evaluations without a better r_s before plateau halves the rate (default: 3)",
      integer(1),
    )
    .option("--weight-decay <x>", "AdamW's decoupled decay (default: 0.02)", number(0))
    .option("--clip-norm <x>", "scale gradients down to this norm (default: 1)", number(0))
    .option("--frozen-epochs <x>", "epochs, or a part of one, before the encoder learns (default: 0)", number(0))
    .option("--keep-embeddings-frozen", "never change the encoder's embeddings")
    .option("--freeze-layers <n>", "never change the n lowest layers of the encoder (default: 0)", integer(0))
    .option("--ema <x>", "decay of averaged parameters, which become the model (default: 0, none)", number(0, 0.99999))
    .option("--dropout <x>", "share of values dropped (default: 0.05)", number(0, 0.9))
    .option("--layer-dropout <x>", "probability of leaving a layer out of the mix (default: 0)", number(0, 0.9))
    .optionsGroup("Loss:")
    .option("--formats <list>", "input formats, comma-separated (default: ref,nl,ref+nl)")
    .option("--loss <name>", "loss of the score: mse, or bce with PassRatio as a soft label (default: mse)")
    .option("--label-smoothing <x>", "pull labels towards 1/2 by this share (default: 0)", number(0, 0.99))
    .option(
      "--ranking-weight <x>",
      "weight of the loss on pairs of a problem, ordered by PassRatio (default: 0)",
      number(0),
    )
    .option("--ranking-margin <x>", "least difference in PassRatio of a pair (default: 0.1)", number(0, 1))
    .option(
      "--contrast-weight <x>",
      "weight of the loss on rewrites against mutants of a problem (default: 0)",
      number(0),
    )
    .option("--per-problem <n>", "rows of a problem in one batch (default: 8 with a pair loss, else 1)", integer(1))
    .optionsGroup("Run:")
    .option("--eval-every <n>", "steps between evaluations on dev, and checkpoints (default: 50)", integer(1))
    .option("--early-stop <n>", "stop after n evaluations without a better dev r_s (default: never)", integer(0))
    .option("--seed <n>", "seed of parameters, order and dropout (default: 0)", integer(0))
    .addOption(
      new Option("--seeds <list>", "train one model per seed, in seed-N of the folder; prints mean and deviation")
        .argParser(numbers)
        .conflicts("seed"),
    )
    .option(
      "--precision <name>",
      "precision of native matrix products: f32, bf16, or auto, by what the CPU supports (default: auto)",
    )
    .option("--device <device>", "engine: auto, tensorflow, webgpu, wasm, cpu (default: auto)")
    .optionsGroup("For another machine:")
    .option("--pack <file>", "do not train; write the run as .tar.zst or .tar.gz for a machine with only a GPU driver")
    .option(
      "--pack-node <file>",
      "Node binary for that machine, Linux x64 or arm64 (default: the one that runs this command)",
    )
    .option("--pack-half", "store the checkpoint of --init in half precision, and start from that")
    .option("--max-size <mb>", "fail if the pack is larger than this, in megabytes (default: no limit)", number(0))
    .addHelpText(
      "after",
      `
Examples:
  codescore train --data train.arrow --dev dev.arrow --output models/mine --steps 2000
  codescore train --data train.arrow --output models/mine --size small --device tensorflow
  codescore train --data train.arrow --init models/unixcoder --output models/mine --learning-rate 5e-6
  codescore train --data train.arrow more.arrow --mix 0.7,0.3 --output models/mine --config model.json
  codescore train --data train.arrow --output models/mine --seeds 0,1,2 --early-stop 5
  codescore train --data train.arrow --dev dev.arrow --size small --steps 20000 --pack run.tar.zst --max-size 64

With the rates that the authors of CodeScore released:
  codescore train --data train.arrow --init models/unixcoder --output models/mine --dropout 0.1 \\
    --learning-rate 5e-6 --head-learning-rate 3.1e-5 --layer-decay 0.95`,
    )
    .action(async ({ output, formats, evalEvery, seeds, pack, packNode, packHalf, maxSize, ...rest }: Flags) => {
      const settings = {
        ...rest,
        ...(formats === undefined ? {} : { formats: formats.split(",") as InputFormat[] }),
        ...(evalEvery === undefined ? {} : { evaluateEvery: evalEvery }),
      };
      if (pack !== undefined) {
        const { packRun } = await import("../train/index.ts");
        const result = await packRun({
          ...settings,
          pack,
          ...(output !== undefined && { out: output }),
          ...(seeds !== undefined && { seeds }),
          ...(packNode !== undefined && { node: packNode }),
          ...(packHalf && { half: true }),
          ...(maxSize !== undefined && { maxBytes: maxSize * 1e6 }),
        });
        printResult(result);
        process.stderr.write(ofPack(result));
        return;
      }
      if (packNode !== undefined || packHalf || maxSize !== undefined) {
        throw new CodescoreError("usage", "--pack-node, --pack-half and --max-size need --pack FILE");
      }
      if (output === undefined) throw new CodescoreError("usage", "expected --output DIR, the folder of the model");
      const { train, trainSeeds } = await import("../train/index.ts");
      const stop = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
      const options: TrainOptions = {
        ...settings,
        signal: stop.signal,
        onStep: ({ dev }: LogLine, out: string) => (dev === undefined ? undefined : writeReport(out)),
        out: output,
      };
      const result = seeds === undefined ? await train(options) : await trainSeeds(options, seeds);
      for (const { out } of "runs" in result ? result.runs : [result]) await writeReport(out);
      printResult(result);
      process.stderr.write("runs" in result ? ofSeeds(result, output) : ofRun(result));
    });

/** Writes the curves of a run as a page in its folder. */
async function writeReport(folder: string): Promise<void> {
  const { renderTraining } = await import("../evaluate/index.ts");
  const { writeAtomic } = await import("../util/files.ts");
  await writeAtomic(join(folder, "report.html"), await renderTraining(folder));
}

function ofRun({ device, out, steps, stoppedEarly, best, bestStep }: TrainResult): string {
  const early = stoppedEarly ? `stopped early at step ${steps}\n` : "";
  const r = best?.spearman ?? null;
  const chosen = r === null ? "" : `best step ${bestStep}, chosen by r_s with PassRatio on the dev rows: ${fixed(r)}\n`;
  return `engine ${device}\n${early}${chosen}wrote ${out} (export it with \`codescore export ${out}\`)\n`;
}

function ofPack({ pack, folder, bytes, platform }: PackResult): string {
  const [unpack, needs] = pack.endsWith(".zst") ? ["zstd -dc", "zstd"] : ["gzip -dc", "gzip"];
  const name = basename(pack);
  const size = `${(bytes / 1e6).toFixed(1)} MB for ${platform}`;
  return `wrote ${pack}, ${size}; there, with tar and ${needs}: ${unpack} ${name} | tar x && sh ${folder}/run.sh\n`;
}

function ofSeeds({ runs, dev, best }: SeedsResult, output: string): string {
  const digits = (value: number | null): string => value?.toFixed(4) ?? "-";
  const lines = Object.entries(dev).map(
    ([name, { mean, deviation }]) => `  dev ${name} ${digits(mean)} ± ${digits(deviation)}`,
  );
  const next = best === null ? "" : `the best is ${best.out} (export it with \`codescore export ${best.out}\`)\n`;
  const summary = join(output, "seeds.json");
  return `mean ± standard deviation of ${runs.length} seeds:\n${lines.join("\n")}\nwrote ${summary}\n${next}`;
}
