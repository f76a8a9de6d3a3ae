import { Command } from "commander";
import type { SetupOptions } from "../setup/index.ts";
import { markIncomplete } from "./options/values.ts";

type Flags = SetupOptions & { readonly dryRun?: boolean };

export const setupVerb = (): Command =>
  new Command("setup")
    .description("build native parts that npm cannot install")
    .addCommand(tensorflowVerb())
    .addHelpText("after", "\nExample:\n  codescore setup tensorflow");

const tensorflowVerb = (): Command =>
  new Command("tensorflow")
    .description("build the native engine of `--device tensorflow` on pip's TensorFlow (Linux)")
    .option("--gpu", "TensorFlow with CUDA, for NVIDIA cards (x64)")
    .option("--python <path>", "Python to use (default: the first of at least 3.9 with venv and pip)")
    .option("--dry-run", "show the steps without running them")
    .addHelpText(
      "after",
      `
Needs Python >= 3.9 with venv and pip, g++ or clang++, make, npm. A GPU needs only NVIDIA's driver.
Builds in CODESCORE_CACHE (default: ~/.cache/codescore), where \`codescore train\` finds it. Skips finished steps and resumes
a stopped run. TF_SET_ONEDNN_FPMATH_MODE=BF16 in the environment makes CPUs with AMX multiply matrices in bfloat16: faster,
less exact.

Examples:
  codescore setup tensorflow
  codescore setup tensorflow --gpu --dry-run
  CODESCORE_CACHE=/data/codescore codescore setup tensorflow --python python3.12`,
    )
    .action(async ({ dryRun, ...options }: Flags) => {
      const { planTensorflow, setupTensorflow } = await import("../setup/index.ts");
      if (dryRun) {
        const { folder, steps } = await planTensorflow(options);
        process.stdout.write(`in ${folder}\n`);
        for (const { title, argv, env, done } of steps) {
          const settings = Object.entries(env ?? {}).map(([name, value]) => `${name}=${value}`);
          process.stdout.write(`${done ? "done" : "todo"}  ${title}\n      ${[...settings, ...argv].join(" ")}\n`);
        }
        return;
      }
      const { version, gpu, gflops, folder } = await setupTensorflow(options);
      process.stdout.write(
        `TensorFlow ${version} on ${gpu ? "a GPU" : "the CPU"} works, ${gflops} GFLOP/s: ${folder}\n`,
      );
      if (options.gpu && !gpu) {
        process.stderr.write(
          "no GPU was found: is NVIDIA's driver installed (nvidia-smi)? Training would run on the CPU.\n",
        );
        markIncomplete();
      }
    });
