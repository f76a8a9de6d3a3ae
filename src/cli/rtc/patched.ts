/** `codescore rtc patched`: parses, calls the library, prints. */
import { join } from "node:path";
import { Command, Option } from "commander";
import { CodescoreError } from "../../errors.ts";
import type { OracleSummary, PatchflowName } from "../../rtc/index.ts";
import { ORACLE_HEAD, oracleCounts, oracleRates } from "../../rtc/patched/oracle-words.ts";
import { patchflows } from "../../rtc/patched/patchflow.ts";
import { integer, number } from "../options/values.ts";
import {
  addLlmOptions,
  addSandboxOptions,
  addSimilarityOptions,
  addTokenOptions,
  defined,
  type LlmFlags,
  type LlmSpec,
  llmHelp,
  llmSpec,
  openLlm,
  openLlms,
  type SandboxFlags,
  type SimilarityFlags,
  type TokenFlags,
  withSimilarities,
} from "./options.ts";
import { fixed, inColumns, interval, putSummary } from "./output.ts";
import { resumable } from "./stop.ts";

interface Options extends SimilarityFlags, LlmFlags, SandboxFlags, TokenFlags {
  readonly queries: string;
  readonly patchflow: PatchflowName;
  readonly limit?: number;
  readonly forward: LlmSpec;
  readonly backward?: LlmSpec;
  readonly judge?: LlmSpec;
  readonly consistency?: true;
  readonly oracle?: string;
  readonly oracleTimeout?: number;
  readonly oracleCounts?: "number" | "sarif" | "status";
  readonly output: string;
  readonly prompts?: string;
  readonly temperature?: number;
  readonly repeats?: number;
  readonly seed?: number;
  readonly cache?: string;
}

export const patched = (): Command => {
  const command = new Command("patched")
    .description("check whether a query made from an answer gives that answer again (Patched RTC)")
    .requiredOption("--queries <file>", "JSON lines with `query`, and for code `before` and `after`")
    .addOption(new Option("--patchflow <name>", "kind of query").choices(Object.keys(patchflows)).default("generic"))
    .requiredOption(
      "--forward <llm>",
      "model that answers, and makes another query from it: openai:MODEL or replay:FILE",
      llmSpec,
    )
    .option("--backward <llm>", "model that answers the other query (default: the same)", llmSpec)
    .requiredOption("--output <dir>", "folder for samples.jsonl, summary.json and the files to resume from")
    .option("--limit <n>", "only the first n queries", integer(1))
    .option("--consistency", "put the paper's consistency prompt before every request")
    .option("--oracle <command>", "program that also judges each response, by exit status: 'semgrep --error {code}'")
    .option("--oracle-timeout <seconds>", "time limit of one run of the oracle (default: 60)", number(0.001))
    .addOption(
      new Option(
        "--oracle-counts <kind>",
        "the oracle counts findings: last line of stdout, SARIF on stdout, or exit status",
      ).choices(["number", "sarif", "status"]),
    )
    .option("--judge <llm>", "model that says how similar two responses are, as the similarity `judge`", llmSpec)
    .option("--prompts <dir>", "folder with the patched-*.txt (default: the shipped ones)")
    .option("--temperature <t>", "temperature of all answers (default: 0.1)", number(0, 2))
    .option("--repeats <n>", "number of whole runs; their standard deviation is sigma (default: 1)", integer(1))
    .option("--seed <n>", "seed sent to the server, and of the intervals", integer(0))
    .option(
      "--cache <file>",
      "recording of the models' answers; answers in it are reused (default: recording.jsonl in --output)",
    );
  addTokenOptions(command, { forward: 1024, backward: 4096 });
  const running = "behaviour and hybrid (if the response is code)";
  const thresholds = "1 for exact; for the others, behaviour too, 0.95 for generic queries and 0.8 for patchflows";
  addSimilarityOptions(addLlmOptions(command), ["exact", "chrf"], running, thresholds);
  addSandboxOptions(command);
  return command
    .addHelpText(
      "after",
      `
A query gets a response. Both make another query, which gets a second response. A similarity compares the two responses.
A response passes from the threshold on: 1 for exact, else 0.95 for generic queries and 0.8 for patchflows.
Patchflows:
- code before and after goes in: in, pr-review;
- code goes in: code, generate-readme;
- code before goes in, code after comes out: out, autofix, generate-docstring, resolve-issue.
A row may have its own \`response\` (\`after\` if the response is code). The model is then not asked for it.
If code comes out, --sims behaviour runs both programs on generated inputs in the sandbox.
The oracle runs without a shell and with your own rights. {code} is a file with the answer, named as the row's \`file\`;
{before} and {query} are the code before and the query. If code comes out, the oracle also judges the code before.
With --oracle-counts the rate is the share of findings that are gone (Fix %); without code before, of responses without one.
${llmHelp}
Here the directions are response, forward, backward and judge. --forward-max-tokens limits the other query, and
--backward-max-tokens both responses.
Exit code 1 if a round trip is missing or a similarity gave no value.

Examples:
  $ codescore rtc patched --queries arena-hard.jsonl --forward openai:gpt-4o-mini --sims rouge-l --output runs/arena
  $ codescore rtc patched --queries vulns.jsonl --patchflow autofix --forward openai:gpt-4o --consistency \\
      --oracle "semgrep scan --sarif --quiet --config rules.yml {code}" --oracle-counts sarif --output runs/autofix`,
    )
    .action(resumable(run));
};

async function run(options: Options): Promise<void> {
  const { openJudge, patchedRtc, readQueries } = await import("../../rtc/index.ts");
  const { prompts, cache, seed, repeats, output: out } = options;
  if (options.oracleCounts !== undefined && options.oracle === undefined) {
    throw new CodescoreError("usage", "--oracle-counts says how to read --oracle, which is not given");
  }
  const queries = await readQueries(options.queries, options.limit);
  const llms = await openLlms(options, options);
  const judging = options.judge && {
    llm: await openLlm(options.judge, options),
    cache: cache ?? join(out, "recording.jsonl"),
  };
  const { patchflow } = options;
  const runnable = patchflows[patchflow] === "out" ? {} : `the response of --patchflow ${patchflow} is text`;
  await withSimilarities(options, runnable, async (named) => {
    const similarities = judging ? [...named, await openJudge({ ...judging, ...defined({ prompts }) })] : named;
    const { temperature, forwardMaxTokens, backwardMaxTokens } = options;
    const timeoutMs = options.oracleTimeout === undefined ? undefined : options.oracleTimeout * 1000;
    const { summary, files } = await patchedRtc({
      ...llms,
      queries,
      patchflow,
      consistency: options.consistency ?? false,
      similarities,
      out,
      samples: {
        forward: defined({ temperature, maxTokens: forwardMaxTokens }),
        backward: defined({ temperature, maxTokens: backwardMaxTokens }),
      },
      thresholds: options.threshold,
      ...(options.oracle === undefined
        ? {}
        : { oracle: { command: options.oracle, ...defined({ timeoutMs, kind: options.oracleCounts }) } }),
      ...defined({ prompts, seed, cache, repeats }),
    });
    putSummary(summary, files, similarities);
    if (summary.oracle) process.stdout.write(`\n${oracleTable(summary.oracle)}`);
  });
}

function oracleTable(oracle: OracleSummary): string {
  const head = [ORACLE_HEAD, "queries", "rate", "95% interval"];
  const rows = oracleRates(oracle).map(([name, rate]) => [
    ...[name, `${rate?.problems ?? 0}`, fixed(rate?.value), interval(rate)],
  ]);
  return `${inColumns([head, ...rows])}${oracleCounts(oracle)}\n`;
}
