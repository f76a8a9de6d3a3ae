/** `codescore rtc identity`: tests whether a model is consistent with itself along chains of descriptions and programs. */
import { Command } from "commander";
import { CodescoreError } from "../../errors.ts";
import type { MbppSplit } from "../../problems/mbpp-splits.ts";
import { chainLegend } from "../../rtc/identity/words.ts";
import type { IdentitySummary, IdentityTasks, Llm, SignedSimilarity } from "../../rtc/index.ts";
import { shownModel } from "../../rtc/report/finished.ts";
import { oddDescriptions } from "../../rtc/trip/words.ts";
import { counted, some } from "../../util/counted.ts";
import { metricOptionsOf } from "../options/metrics.ts";
import { integer, markIncomplete, number, paths } from "../options/values.ts";
import {
  addLlmOptions,
  addSandboxOptions,
  addShotsOption,
  addSimilarityOptions,
  addSplitOption,
  addTokenOptions,
  checkSims,
  defined,
  type LlmFlags,
  type LlmSpec,
  llmHelp,
  llmSpec,
  openLlms,
  openSandbox,
  type SandboxFlags,
  type SimilarityFlags,
  type TokenFlags,
  withSimilarities,
} from "./options.ts";
import {
  agreementTable,
  fixed,
  inColumns,
  interval,
  notesOf,
  unscoredLines,
  usageLines,
  wroteLines,
} from "./output.ts";
import { names } from "./parsers.ts";
import { ofSplit, readPrograms } from "./problems.ts";
import { resumable } from "./stop.ts";

interface Options extends SimilarityFlags, LlmFlags, SandboxFlags, TokenFlags {
  readonly problems?: readonly string[];
  readonly recorded?: string;
  readonly limit?: number;
  readonly llm?: LlmSpec;
  readonly output: string;
  readonly steps?: number;
  readonly prompts?: string;
  readonly shots?: number;
  readonly split?: MbppSplit;
  readonly temperature?: number;
  readonly descriptionSims?: readonly string[];
  readonly seed?: number;
  readonly cache?: string;
}

export const identity = (): Command => {
  const command = new Command("identity")
    .description("write a program, describe it, write it again, n times, and compare (IdentityChain)")
    .option("--problems <path>", "a problem file or a folder of them; may be repeated", paths)
    .option("--llm <llm>", "model that writes and describes: openai:MODEL or replay:FILE", llmSpec)
    .option("--recorded <file>", "chains in the format of the authors' release, instead of --problems and --llm")
    .requiredOption("--output <dir>", "folder for steps.jsonl, summary.json and the files to resume from")
    .option("--steps <n>", "round trips after the first program (default: 5; with --recorded all)", integer(1))
    .option("--limit <n>", "only the first n problems", integer(1))
    .option("--prompts <dir>", "folder with identity-forward.txt and identity-backward.txt (default: the shipped ones)")
    .option(
      "--description-sims <names>",
      "metrics that compare each description with the one before, comma-separated: bleu-13a, rouge-l, chrf, meteor, ...",
      names,
    )
    .option(
      "--temperature <t>",
      "temperature of all answers (default: 0, greedy; the paper asks Gemini at 0.2)",
      number(0, 2),
    )
    .option("--seed <n>", "seed of the intervals, and sent to the server with --temperature", integer(0))
    .option(
      "--cache <file>",
      "recording of the models' answers; answers in it are reused (default: recording.jsonl in --output)",
    );
  addTokenOptions(addShotsOption(addSplitOption(command)), { forward: 512, backward: 1024 });
  addSimilarityOptions(command, ["codescore", "chrf", "exact"], "behaviour, pass, hybrid");
  addSandboxOptions(addLlmOptions(command));
  return command
    .addHelpText(
      "after",
      `
${llmHelp}
Here \`forward\` samples are descriptions, \`backward\` samples are programs, and a sample's number is its step.
${chainLegend().join("\n")}
Timeouts count as answers.
Problems without tests are compared on generated inputs. They have no Pass@1 and no SSC.
Exit code 1 if a step is missing, a problem has no valid input, or a similarity gave no value.

Examples:
  $ codescore rtc identity --problems HumanEvalPlus.jsonl.gz --llm openai:gpt-4o-mini --output runs/identity
  $ codescore rtc identity --recorded chains.jsonl.gz --sims codescore,exact,bleu,chrf,codebleu --output runs/recorded`,
    )
    .action(resumable(run));
};

async function run(options: Options): Promise<void> {
  await checkSims(options);
  const { identityChain, openSimilarity } = await import("../../rtc/index.ts");
  const { metricNames } = await import("../../metrics/index.ts");
  const words = (options.descriptionSims ?? []).map((name) => {
    if (!metricNames.includes(name)) {
      throw new CodescoreError(
        "usage",
        `expected --description-sims out of ${metricNames.join(", ")}, got \`${name}\``,
      );
    }
    return openSimilarity(name, { metrics: metricOptionsOf(options) });
  });
  const { what, length, ...llms } = await open(options);
  const tasks = what.tasks.slice(0, options.limit);
  const problems = new Map(tasks.map(({ problem }) => [problem.id, problem]));
  const executor = await openSandbox(options);
  try {
    await withSimilarities(options, { problems, executor }, async (similarities) => {
      const { summary, files } = await identityChain(
        { ...what, tasks },
        {
          ...llms,
          executor,
          similarities,
          descriptionSimilarities: words,
          out: options.output,
          samples: {
            forward: defined({ temperature: options.temperature, maxTokens: options.forwardMaxTokens }),
            backward: defined({ temperature: options.temperature, maxTokens: options.backwardMaxTokens }),
          },
          thresholds: options.threshold,
          ...defined({ length, seed: options.seed, cache: options.cache }),
        },
      );
      put(summary, similarities);
      process.stderr.write(
        wroteLines(files)
          .map((line) => `${line}\n`)
          .join(""),
      );
    });
  } finally {
    await executor.close();
  }
}

async function open(
  options: Options,
): Promise<{ what: IdentityTasks; forward: Llm; backward: Llm; length: number | undefined }> {
  const { problems, recorded, llm, steps, prompts } = options;
  if ((recorded === undefined) === (problems === undefined || llm === undefined)) {
    throw new CodescoreError("usage", "expected either --problems and --llm, or --recorded");
  }
  const { identityTasks, readRecordedChains } = await import("../../rtc/index.ts");
  if (recorded !== undefined) {
    const what = await readRecordedChains(recorded);
    return { what, forward: what.llm, backward: what.llm, length: steps ?? what.length };
  }
  const chosen = ofSplit([...(await readPrograms(problems!)).values()], options.split);
  const what = await identityTasks(chosen, prompts, options.shots);
  return { what, ...(await openLlms({ forward: llm! }, options)), length: steps };
}

function put(summary: IdentitySummary, similarities: readonly SignedSimilarity[]): void {
  const { counts, pass_at_1: pass, failed, skipped, recorded } = summary;
  const steps = summary.steps.map(({ step, sc, ssc, tom, pass_fail_match: match }) => [
    `${step}`,
    ...[sc, ssc, tom, match].flatMap((estimate) => [fixed(estimate?.value), interval(estimate)]),
  ]);
  const rowsOf = (list: IdentitySummary["similarities"]): string[][] =>
    list.map(({ name, mean, tom, pass_fail_match: match }) => [
      name,
      fixed(mean?.value),
      ...[tom.spearman, tom.pearson, tom.kendall, tom.kappa, match.spearman, match.auc].map(fixed),
    ]);
  const columns = (what: string): string[] => [
    ...[what, "mean", "r_s TOM", "r TOM", "tau TOM", "kappa TOM", "r_s P/F match", "AUC P/F match"],
  ];
  const known = similarities.map(({ name }) => name);
  const pairs = summary.agreement.filter(({ a }) => known.includes(a));
  process.stdout.write(
    [
      `Pass@1 ${fixed(pass?.value)} (${interval(pass)})\n`,
      inColumns([
        ["step", "SC", "95% interval", "SSC", "95% interval", "TOM", "95% interval", "P/F match", "95% interval"],
        ...steps,
      ]),
      inColumns([columns("similarity"), ...rowsOf(summary.similarities)]),
      ...(summary.descriptions.length === 0
        ? []
        : [inColumns([columns("descriptions"), ...rowsOf(summary.descriptions)])]),
      ...(pairs.length === 0 ? [] : [agreementTable(pairs)]),
      chainLegend()
        .map((line) => `${line}\n`)
        .join(""),
    ].join("\n"),
  );
  const lines = [
    `model: ${shownModel(summary.models)}; ${counted(counts.chains, "chain")}, ${counted(counts.pairs, "pair")} of programs compared`,
    ...usageLines(summary),
    ...oddDescriptions(summary.task, counts).map((odd) => `warning: ${odd}`),
    counts.repeating > 0 ? `${counted(counts.repeating, "chain")} ended early: a step repeated the one before` : "",
    counts.without_code > 0 ? `${counted(counts.without_code, "chain")} ended with an answer without code` : "",
    counts.inputs_refused > 0
      ? `not counted: ${counted(counts.inputs_refused, "input")} outside a problem's contract`
      : "",
    counts.inputs_made_up > 0
      ? `no test has an input in ${counted(counts.inputs_made_up, "chain")}: SC and TOM use generated inputs`
      : "",
    withoutTests(counts),
    recorded
      ? `${recorded.results - recorded.different} of ${recorded.results} test results equal the recorded ones`
      : "",
    counts.missing > 0
      ? `warning: incomplete: ${counts.missing} of ${counted(counts.chains, "chain")} (${some(summary.incomplete)})`
      : "",
    failed[0] ? `warning: ${counted(failed.length, "call")} failed; the first error: ${failed[0].message}` : "",
    skipped[0] ? `skipped: ${counted(skipped.length, "problem")}; the first reason: ${skipped[0].reason}` : "",
    ...unscoredLines(summary.similarities, "pair"),
    ...notesOf(similarities),
  ].filter(Boolean);
  process.stderr.write(lines.map((line) => `${line}\n`).join(""));
  const unscored = summary.similarities.some((similarity) => similarity.unscored !== null);
  const untested = counts.without_verdict > counts.inputs_made_up || counts.without_input > 0;
  if (counts.missing > 0 || failed.length > 0 || unscored || untested) markIncomplete();
}

/** Warns about chains that count as neither consistent nor inconsistent. */
const withoutTests = ({ without_verdict: verdict, without_input: input }: IdentitySummary["counts"]): string =>
  [
    verdict > 0
      ? `warning: not in Pass@1, SSC and P/F match because no test can run: ${counted(verdict, "chain")}`
      : "",
    input > 0 ? `warning: not in SC, SSC and TOM because no input counts: ${counted(input, "chain")}` : "",
  ]
    .filter(Boolean)
    .join("\n");
