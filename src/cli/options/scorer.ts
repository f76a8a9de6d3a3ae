/** The scorer options of every command that scores. */
import { type Command, Option } from "commander";
import { integer, number } from "./values.ts";

export const addScorerOptions = (command: Command): Command =>
  command
    .option("--model <model>", "a model folder, or a shipped model: tiny, or small with a network (default: tiny)")
    .addOption(
      new Option(
        "--precision <form>",
        "numeric form of the model (default: int8 on a CPU if the model has it, else fp32)",
      ).choices(["auto", "fp32", "fp16", "int8"]),
    )
    .option(
      "--device <name>",
      "onnxruntime's device: cpu, wasm, cuda, webgpu, coreml, dml, ... (default: cpu, or wasm without onnxruntime-node)",
    )
    .option(
      "--threads <n>",
      "threads for the network and for parsing programs (default: the number of cores; half of them for parsing beside a network)",
      integer(1),
    )
    .option("--no-calibration", "do not use the model's calibration: print raw scores, without intervals")
    .option("--coverage <share>", "confidence level of the intervals (default: 0.9)", number(0.5, 0.99))
    .option("--abstain <width>", "mark rows whose interval is wider than this as `abstained`", number(0, 1));
