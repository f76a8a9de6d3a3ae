/** `codescore expand`: adds tests to problems. */
import { Command } from "commander";
import type { SandboxKind } from "../execute/types.ts";
import { integer, paths, sandboxOption, some } from "./options.ts";

interface Options {
  readonly problems: readonly string[];
  readonly output: string;
  readonly count?: number;
  readonly seed?: number;
  readonly sandbox: SandboxKind | "auto";
  readonly allowUnsafe?: boolean;
  readonly workers?: number;
}

export const expandVerb = (): Command =>
  new Command("expand")
    .description("add tests to problems: new inputs, answered by the references, and kept where these agree")
    .requiredOption("--problems <path>", "a problem file or a folder of them; may be repeated", paths)
    .requiredOption(
      "--output <file>",
      "problems in codescore's own format, JSON lines; a manifest is written beside it",
    )
    .option("--count <n>", "tests a problem has in the end, the given ones included (default: 100)", integer(1))
    .option("--seed <n>", "seed of the proposals (default: 0)", integer(0))
    .addOption(sandboxOption())
    .option("--allow-unsafe", "permit --sandbox none, which runs the references with your own rights")
    .option("--workers <n>", "programs executed at a time (default: the number of cores)", integer(1))
    .addHelpText(
      "after",
      `
Examples:
  $ codescore expand --problems datasets/starter --output expanded.jsonl
  $ codescore expand --problems mbpp.jsonl --output mbpp-50.jsonl --count 50 --seed 7`,
    )
    .action(run);

async function run({ problems, output: out, count, seed, sandbox, allowUnsafe, workers }: Options): Promise<void> {
  const { expandProblems } = await import("../dataset/index.ts");
  const { openExecutor } = await import("../execute/index.ts");
  const executor = await openExecutor({
    sandbox,
    allowUnsafe: allowUnsafe ?? false,
    ...(workers === undefined ? {} : { workers }),
  });
  try {
    const wanted = { ...(count === undefined ? {} : { count }), ...(seed === undefined ? {} : { seed }) };
    const result = await expandProblems({ problems, out, executor, ...wanted, progress: true });
    const { short, disagreeing } = result;
    process.stderr.write(
      `wrote ${result.out}: ${result.problems} problems, ${result.testsAdded} tests added\nwrote ${result.manifest}\n`,
    );
    if (short.length > 0) process.stderr.write(`fewer tests than asked for: ${some(short)}\n`);
    if (disagreeing.length > 0) process.stderr.write(`references disagree on some input: ${some(disagreeing)}\n`);
  } finally {
    await executor.close();
  }
}
