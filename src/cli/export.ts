import { Command } from "commander";

export const exportVerb = (): Command =>
  new Command("export")
    .description("write a checkpoint's network as ONNX, which `codescore score` runs")
    .argument("<dir>", "folder with config.json, tokenizer.json and model.safetensors")
    .addHelpText(
      "after",
      `
Examples:
  codescore export models/mine
  codescore export models/mine && codescore score --model models/mine --reference ref.py candidate.py`,
    )
    .action(async (dir: string) => {
      const { exportOnnx } = await import("../export/index.ts");
      process.stdout.write(`${await exportOnnx(dir)}\n`);
    });
