/** `codescore rtc patched`: parse, call the library, print. */
import { join } from "node:path";
import { Command, Option } from "commander";
import type { OracleSummary, PatchflowName } from "../../rtc/index.ts";
import { patchflows } from "../../rtc/patched/patchflow.ts";
import { integer, number } from "../options/values.ts";
import {
  addLlmOptions,
  addSandboxOptions,
  addSimilarityOptions,
  defined,
  type LlmFlags,
  type LlmSpec,
  llmHelp,
  llmSpec,
  openLlm,
  openLlms,
  type SandboxFlags,
  type SimilarityFlags,
  withSimilarities,
} from "./options.ts";
import { fixed, inColumns, interval, putSummary } from "./output.ts";

interface Options extends SimilarityFlags, LlmFlags, SandboxFlags {
  readonly queries: string;
  readonly patchflow: PatchflowName;
  readonly limit?: number;
  readonly forward: LlmSpec;
  readonly backward?: LlmSpec;
  readonly judge?: LlmSpec;
  readonly consistency?: true;
  readonly oracle?: string;
  readonly oracleTimeout?: number;
  readonly output: string;
  readonly prompts?: string;
  readonly temperature?: number;
  readonly repeats?: number;
  readonly seed?: number;
  readonly cache?: string;
}

export const patched = (): Command => {
  const command = new Command("patched")
    .description("see whether a model's answers come about again from a query made of them (Patched RTC)")
    .requiredOption("--queries <file>", "JSON lines with `query`, and `before` and `after` where code belongs to it")
    .addOption(new Option("--patchflow <name>", "what is asked").choices(Object.keys(patchflows)).default("generic"))
    .requiredOption(
      "--forward <llm>",
      "who answers, and makes another query of it: openai:MODEL or replay:FILE",
      llmSpec,
    )
    .option("--backward <llm>", "who answers the other query (default: the same)", llmSpec)
    .requiredOption("--output <dir>", "folder for samples.jsonl, summary.json and what a killed run goes on from")
    .option("--limit <n>", "only the first n queries", integer(1))
    .option("--consistency", "put the paper's consistency prompt before every request")
    .option("--oracle <command>", "also let a program judge each answer, by exit status: 'semgrep --error {code}'")
    .option("--oracle-timeout <seconds>", "of one run of the oracle (default: 60)", number(0.001))
    .option("--judge <llm>", "also let a model say how alike two answers are, as the similarity `judge`", llmSpec)
    .option("--prompts <dir>", "folder with the patched-*.txt (default: the shipped ones)")
    .option("--temperature <t>", "of all answers (default: 0.1)", number(0, 2))
    .option("--repeats <n>", "whole runs, of which sigma says how far they lie apart (default: 1)", integer(1))
    .option("--seed <n>", "sent to the server, and of the intervals", integer(0))
    .option("--cache <file>", "what models said, also a recording to replay (default: recording.jsonl in --output)");
  addSimilarityOptions(addLlmOptions(command), ["exact", "chrf"]);
  addSandboxOptions(command);
  return command
    .addHelpText(
      "after",
      `
A query gets a response, both make another query, and that one gets a second response, compared with the first. An answer
passes from the similarity's threshold on: 1 for exact, else 0.95 for generic queries and 0.8 for patchflows.
Patchflows: code before and after in (in, pr-review), code in (code, generate-readme), or code before in and after out (out,
autofix, generate-docstring, resolve-issue). Rows may bring their \`response\` (out: \`after\`), which is then not asked for.
Where code comes out, --sims behaviour runs both programs on made-up inputs, in the sandbox. The oracle runs without a shell and with your own rights: {code} is a file with the answer, {before} and {query} the code
before and the query; its name is the row's \`file\`. Where code comes out, {code} is also judged as it was before.
${llmHelp}
Directions here: response, forward, backward, judge.
Exit code 1 if a round trip is missing or a similarity gave no value.

Examples:
  $ codescore rtc patched --queries arena-hard.jsonl --forward openai:gpt-4o-mini --sims rouge-l --output runs/arena
  $ codescore rtc patched --queries vulns.jsonl --patchflow autofix --forward openai:gpt-4o --consistency \\
      --oracle "semgrep scan --error --quiet --config rules.yml {code}" --output runs/autofix`,
    )
    .action(run);
};

async function run(options: Options): Promise<void> {
  const { openJudge, patchedRtc, readQueries } = await import("../../rtc/index.ts");
  const { prompts, cache, seed, repeats, output: out } = options;
  const queries = await readQueries(options.queries, options.limit);
  const llms = await openLlms(options, options);
  const judging = options.judge && {
    llm: await openLlm(options.judge, options),
    cache: cache ?? join(out, "recording.jsonl"),
  };
  const { patchflow } = options;
  const runnable = patchflows[patchflow] === "out" ? {} : `what comes out of --patchflow ${patchflow} is text`;
  await withSimilarities(options, runnable, async (named) => {
    const similarities = judging ? [...named, await openJudge({ ...judging, ...defined({ prompts }) })] : named;
    const sampling = defined({ temperature: options.temperature });
    const timeoutMs = options.oracleTimeout === undefined ? undefined : options.oracleTimeout * 1000;
    const { summary, files } = await patchedRtc({
      ...llms,
      queries,
      patchflow,
      consistency: options.consistency ?? false,
      similarities,
      out,
      samples: { forward: sampling, backward: sampling },
      thresholds: options.threshold,
      ...(options.oracle === undefined ? {} : { oracle: { command: options.oracle, ...defined({ timeoutMs }) } }),
      ...defined({ prompts, seed, cache, repeats }),
    });
    putSummary(summary, files, similarities);
    if (summary.oracle) process.stdout.write(`\n${oracleTable(summary.oracle)}`);
  });
}

function oracleTable({ rate, splits, judged, nothing_to_mend: left, timeouts }: OracleSummary): string {
  const head = ["oracle's rate of", "queries", "rate", "95% interval"];
  const row = (name: string, value: OracleSummary["rate"]): string[] => [
    name,
    String(value?.problems ?? 0),
    fixed(value?.value),
    interval(value),
  ];
  const rows = splits.flatMap(({ sim, threshold, passed, failed, difference }) => [
    row(`${sim} >= ${threshold}`, passed),
    row(`${sim} < ${threshold}`, failed),
    row("the first less the second", difference),
  ]);
  const counts = [`${judged} judged`, left > 0 ? `${left} with nothing to mend left out` : "", `${timeouts} timeouts`];
  return `${inColumns([head, row("all", rate), ...rows])}${counts.filter(Boolean).join(", ")}\n`;
}
