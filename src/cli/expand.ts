/** `codescore expand`: adds tests to problems. */

import { Command } from "commander";
import type { ExpandProblemsResult, ExpansionReport, SeedModel } from "../dataset/index.ts";
import { CodescoreError } from "../errors.ts";
import { counted, some } from "../util/counted.ts";
import type { Flags } from "./expand/flags.ts";
import { defectLines } from "./options/defects.ts";
import { addExecutor, executorOptions } from "./options/executor.ts";
import { leftOutLines } from "./options/status.ts";
import { integer, paths, shard } from "./options/values.ts";

export const expandVerb = (): Command =>
  addExecutor(
    new Command("expand")
      .description(
        "add tests to problems: generate inputs, run the references on them, keep the answers on which they agree",
      )
      .option("--problems <path>", "a problem file or a folder of them; may be repeated", paths)
      .option(
        "--output <file>",
        "write the problems here, as JSON lines; a manifest and a report per problem (.report.json) go beside it",
      )
      .option("--count <n>", "tests per problem, including its own (default: 100)", integer(1))
      .option("--seed <n>", "seed of the generated inputs (default: 0)", integer(0))
      .option(
        "--llm <model>",
        "also ask this model for inputs, and for contracts where there are none, on an OpenAI-compatible server",
      )
      .option("--shard <i/n>", "expand only part i of n of the problems (i counts from 1); not with --llm", shard)
      .option(
        "--stdio",
        "read problems from stdin and write them to stdout, as JSON lines or Arrow batches (docs/clusters.md)",
      )
      .addHelpText(
        "after",
        `
References run on the given tests first. Only those that pass all tests answer new inputs. A problem without such a
reference does not change. The manifest and the report name defective problems and say why.

A problem needs no tests. The first inputs come from
  1. the examples of its description,
  2. the annotations of its reference,
  3. trial calls of its reference with values of many types.
A problem without a reference gets the examples of its description as tests, and no others.

--llm uses OPENAI_BASE_URL (default: https://api.openai.com/v1) and OPENAI_API_KEY. The model sees the description, the first
reference and a few inputs. The inputs in its answer are parsed as Python literals and never executed. If a problem has no contract, the
model is asked for one: asserts about the arguments. They run in the sandbox. An assert is kept if it holds for all given inputs.

Examples:
  $ codescore expand --problems datasets/starter --output expanded.jsonl
  $ codescore expand --problems mbpp.jsonl --output mbpp-50.jsonl --count 50 --seed 7
  $ OPENAI_BASE_URL=http://localhost:8000/v1 codescore expand --problems mbpp.jsonl --output mbpp-100.jsonl --llm qwen`,
      )
      .action(run),
  );

async function run(options: Flags): Promise<void> {
  if (options.stdio) return (await import("./expand/stdio.ts")).expandStdio(options);
  const { problems, output: out, count, seed, llm, shard = null } = options;
  if (problems === undefined || out === undefined) {
    const missing = problems === undefined ? "--problems PATH" : "--output FILE";
    throw new CodescoreError("usage", `expected ${missing}, got none (only --stdio works without)`);
  }
  if (shard !== null && llm !== undefined)
    throw new CodescoreError("usage", "--llm cannot be used with --shard: the answers of a model vary");
  const { expandProblems } = await import("../dataset/index.ts");
  const { openExecutor } = await import("../execute/index.ts");
  const executor = await openExecutor(executorOptions(options));
  // Runs the references a second time, with another hash seed. This reveals answers that depend on the order of a set.
  const again = await openExecutor({ ...executorOptions(options), workers: 1, hashSeed: 1 });
  try {
    const wanted = {
      ...(count === undefined ? {} : { count }),
      ...(seed === undefined ? {} : { seed }),
      ...(llm === undefined ? {} : { llm: await seedModel(llm) }),
    };
    const result = await expandProblems({ problems, out, executor, again, shard, ...wanted, progress: true });
    const { defects, llm: seeds } = result;
    process.stderr.write(
      `wrote ${result.out}: ${counted(result.problems, "problem")}, ${counted(result.testsAdded, "test")} added\nwrote ${result.manifest}\nwrote ${result.report}\n`,
    );
    if (seeds) {
      const { proposed, junk, kept, contracts, contractRefused } = seeds;
      process.stderr.write(
        `${llm} proposed ${counted(proposed, "input")}, ${kept} of them kept, and ${counted(junk, "line")} without one\n` +
          `${llm} wrote contracts for ${counted(contracts, "problem")}; ${counted(contractRefused, "assert")} left out, because given inputs break them\n`,
      );
    }
    for (const line of leftOutLines(result.testsLeftOut)) process.stderr.write(`${line}\n`);
    const origins = originsLine(result.inputsFrom);
    if (origins !== null) process.stderr.write(`${origins}\n`);
    const few = shortOnes(result);
    if (few.length > 0) process.stderr.write(`fewer tests than requested: ${some(few)}\n`);
    for (const line of defectLines(defects)) process.stderr.write(`${line}\n`);
  } finally {
    await Promise.all([executor.close(), again.close()]);
  }
}

const WHY_DROPPED = {
  contract: "violate the contract",
  failed: "make a reference fail",
  unstable: "get another answer the second time",
  incomparable: "get an answer that cannot be compared",
  disagreed: "get different answers from the references",
} as const satisfies Record<keyof ExpansionReport["dropped"], string>;

/** Each problem with too few tests: how many it has, and why. Without those that the lines about defects explain. */
const shortOnes = ({ short, reports }: ExpandProblemsResult): string[] =>
  short.flatMap((id) => {
    const { given, added, dropped, reason, defects } = reports.get(id)!;
    if (reason !== null && defects.length > 0) return [];
    const kinds = Object.entries(WHY_DROPPED).filter(([kind]) => dropped[kind as keyof typeof dropped] > 0);
    const left = kinds.map(([kind, why]) => `${dropped[kind as keyof typeof dropped]} ${why}`);
    const why = reason ?? (left.length > 0 ? `other inputs: ${left.join(", ")}` : "no more inputs were found");
    return [`${id} has ${given + added} (${why})`];
  });

/** A line that says where the first inputs came from; null if all came from given tests. */
function originsLine(from: ExpandProblemsResult["inputsFrom"]): string | null {
  const words = {
    tests: "given tests",
    examples: "examples",
    annotations: "annotations",
    trial: "trial",
    none: "nowhere",
  };
  const parts = Object.entries(from).map(([name, count]) => `${words[name as keyof typeof words]} ${count}`);
  return Object.keys(from).some((name) => name !== "tests")
    ? `problems by the source of their first inputs: ${parts.join(", ")}`
    : null;
}

/** Asks for one answer per problem. The temperature is EvalPlus' 1, so that the inputs vary. */
async function seedModel(model: string): Promise<SeedModel> {
  const { openAiLlm } = await import("../rtc/index.ts");
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey } = process.env;
  const llm = openAiLlm({ model, ...(baseUrl ? { baseUrl } : {}), ...(apiKey ? { apiKey } : {}) });
  const about = { taskId: "", direction: "forward", first: 0 } as const;
  return {
    name: model,
    ask: async (prompt) => {
      const [answer = ""] = await llm.complete({ prompt, n: 1, temperature: 1, maxTokens: 2048, about });
      return answer;
    },
  };
}
