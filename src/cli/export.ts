import { Command, Option } from "commander";
import { CodescoreError } from "../errors.ts";
import type { Form } from "../export/index.ts";

interface Flags {
  readonly forms: readonly Form[];
  readonly calibrate?: string;
  readonly to?: string;
}

const ALL: readonly Form[] = ["fp32", "fp16", "int8"];

export const exportVerb = (): Command =>
  new Command("export")
    .description("write a checkpoint's network as ONNX for `codescore score`, with a model card")
    .argument("<dir>", "folder with config.json, tokenizer.json and model.safetensors")
    .addOption(
      new Option("--forms <list>", `of ${ALL.join(", ")}: in single, in half precision, in 8 bits`)
        .default(ALL, ALL.join(","))
        .argParser(parseForms),
    )
    .option(
      "--calibrate <file>",
      "labelled set for the scales of the 8-bit form, which is not what `codescore calibrate` fits (default: the starter problems)",
    )
    .option("--to <dir>", "write to another folder, with a half-precision copy of the model, as for shipping")
    .addHelpText(
      "after",
      `
Examples:
  codescore export models/mine
  codescore export models/mine --forms fp32,int8 --calibrate data/train.arrow
  codescore export models/mine && codescore score --model models/mine --reference ref.py candidate.py`,
    )
    .action(async (dir: string, { forms, calibrate, to }: Flags) => {
      if (calibrate !== undefined && !forms.includes("int8")) {
        throw new CodescoreError("usage", "--calibrate chooses the scales of int8, which --forms leaves out");
      }
      const { exportOnnx } = await import("../export/index.ts");
      const rows = calibrate === undefined ? {} : { rows: await readRows(calibrate) };
      for (const path of await exportOnnx(dir, { forms, ...rows, ...(to && { to }) }))
        process.stdout.write(`${path}\n`);
    });

const readRows = async (path: string) => (await import("../evaluate/index.ts")).readRows(path);

function parseForms(text: string): readonly Form[] {
  const forms = text.split(",").map((form) => form.trim());
  const unknown = forms.find((form) => !ALL.some((known) => known === form));
  if (unknown === undefined) return ALL.filter((form) => forms.includes(form));
  throw new CodescoreError("usage", `--forms: expected some of ${ALL.join(",")}, got \`${unknown}\``);
}
