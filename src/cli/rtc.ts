/** `codescore rtc`: evaluates language models by round trips. One command a task. */
import { Command, InvalidArgumentError, Option } from "commander";
import { CodescoreError } from "../errors.ts";
import type { SandboxKind } from "../execute/types.ts";
import type { Estimate, Llm, RtcSummary, SignedSimilarity } from "../rtc/index.ts";
import { integer, markIncomplete, number, paths, sandboxOption } from "./options.ts";

interface Options {
  readonly problems: readonly string[];
  readonly limit?: number;
  readonly forward: LlmSpec;
  readonly backward?: LlmSpec;
  readonly sims: readonly string[];
  readonly output: string;
  readonly model?: string;
  readonly threshold: Readonly<Record<string, number>>;
  readonly passRatio?: boolean;
  readonly prompts?: string;
  readonly forwardSamples?: number;
  readonly backwardSamples?: number;
  readonly forwardTemperature?: number;
  readonly backwardTemperature?: number;
  readonly lift: boolean;
  readonly seed?: number;
  readonly cache?: string;
  readonly api: "chat" | "completions";
  readonly concurrency?: number;
  readonly timeout?: number;
  readonly retries?: number;
  readonly sandbox: SandboxKind | "auto";
  readonly allowUnsafe?: boolean;
  readonly workers?: number;
}

interface LlmSpec {
  readonly kind: "replay" | "openai";
  readonly name: string;
}

export const rtcVerb = (): Command =>
  new Command("rtc")
    .description("evaluate a language model by round trips: code to description and back, compared by any similarity")
    .addCommand(synthesis())
    .addHelpText(
      "after",
      `
Example:
  $ codescore rtc synthesis --problems HumanEval.jsonl.gz --forward openai:gpt-4o-mini --output runs/mini`,
    );

const synthesis = (): Command =>
  new Command("synthesis")
    .description("describe reference solutions, write them again from the description, and compare (SynthesisRTC)")
    .requiredOption("--problems <path>", "a problem file or a folder of them; may be repeated", paths)
    .requiredOption("--forward <llm>", "who describes: openai:MODEL or replay:FILE", llmSpec)
    .option("--backward <llm>", "who writes it again (default: the same)", llmSpec)
    .requiredOption("--output <dir>", "folder for samples.jsonl, summary.json and what a killed run goes on from")
    .option("--sims <names>", "similarities, comma-separated: codescore, pass, exact, bleu, chrf, ...", names, [
      "codescore",
      "pass",
      "chrf",
    ])
    .option("--model <dir>", "model folder of codescore (default: the shipped model)")
    .option("--threshold <sim=value>", "also count values from here on as a yes; may be repeated", threshold, {})
    .option("--pass-ratio", "let pass be the share of tests passed, not 1 for all and 0 for less")
    .option("--limit <n>", "only the first n problems", integer(1))
    .option(
      "--prompts <dir>",
      "folder with synthesis-forward.txt and synthesis-backward.txt (default: the shipped ones)",
    )
    .option("--forward-samples <n>", "descriptions of each problem (default: 3)", integer(1))
    .option("--backward-samples <n>", "programs for each description (default: 1)", integer(1))
    .option("--forward-temperature <t>", "(default: 0.8)", number(0, 2))
    .option("--backward-temperature <t>", "(default: 0.1)", number(0, 2))
    .option("--no-lift", "do not ask with the description that says nothing")
    .option("--seed <n>", "sent to the server, and of the intervals", integer(0))
    .option("--cache <file>", "what models said, also a recording to replay (default: recording.jsonl in --output)")
    .addOption(
      new Option("--api <api>", "completions for base models").choices(["chat", "completions"]).default("chat"),
    )
    .option("--concurrency <n>", "calls at a time (default: 8)", integer(1))
    .option("--timeout <seconds>", "of one call (default: 120)", number(1))
    .option("--retries <n>", "further tries of a call that failed (default: 5)", integer(0))
    .addOption(sandboxOption())
    .option("--allow-unsafe", "permit --sandbox none, which runs the programs with your own rights")
    .option("--workers <n>", "programs executed at a time (default: the number of cores)", integer(1))
    .addHelpText(
      "after",
      `
openai:MODEL is any OpenAI-compatible server: OPENAI_BASE_URL (default: https://api.openai.com/v1), OPENAI_API_KEY.
replay:FILE answers from JSON lines {"task_id", "direction": "forward" | "backward" | "baseline", "sample", "text"}.
Exit code 1 if a round trip is missing or a similarity gave no value.

Examples:
  $ codescore rtc synthesis --problems HumanEval.jsonl.gz --forward openai:gpt-4o-mini --output runs/mini
  $ OPENAI_BASE_URL=http://localhost:8000/v1 codescore rtc synthesis --problems mbpp.jsonl --forward openai:qwen \\
      --sims codescore,pass,chrf --threshold codescore=0.5 --output runs/qwen
  $ codescore rtc synthesis --problems HumanEval.jsonl.gz --forward replay:runs/mini/recording.jsonl \\
      --sims bleu,chrf --output runs/again`,
    )
    .action(run);

async function run(options: Options): Promise<void> {
  const { readProblems } = await import("../problems/index.ts");
  const { similarityNames, synthesisRtc } = await import("../rtc/index.ts");
  const known = ["codescore", ...similarityNames];
  const unknown = options.sims.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new CodescoreError("usage", `no similarity is called \`${unknown}\`; there are ${known.join(", ")}`);
  }
  const problems = await readProblems(options.problems);
  const forward = await openLlm(options.forward, options);
  const same = options.backward === undefined || specText(options.backward) === specText(options.forward);
  const backward = same ? forward : await openLlm(options.backward!, options);
  const opened: { close(): Promise<void> }[] = [];
  try {
    const similarities: SignedSimilarity[] = [];
    for (const name of options.sims) similarities.push(await openSim(name, options, problems, opened));
    const { summary, files } = await synthesisRtc({
      problems: [...problems.values()].slice(0, options.limit),
      forward,
      backward,
      similarities,
      out: options.output,
      samples: {
        forward: defined({ samples: options.forwardSamples, temperature: options.forwardTemperature }),
        backward: defined({ samples: options.backwardSamples, temperature: options.backwardTemperature }),
      },
      thresholds: options.threshold,
      lift: options.lift,
      ...defined({ prompts: options.prompts, seed: options.seed, cache: options.cache }),
    });
    process.stdout.write(table(summary));
    process.stderr.write(`${report(summary)}\nwrote ${files.samples}\nwrote ${files.summary}\n`);
    const unscored = summary.similarities.some((similarity) => similarity.unscored !== null);
    if (summary.counts.missing > 0 || summary.failed.length > 0 || unscored) markIncomplete();
  } finally {
    for (const thing of opened) await thing.close();
  }
}

async function openLlm({ kind, name }: LlmSpec, { api, concurrency, timeout, retries }: Options): Promise<Llm> {
  const { openAiLlm, replayLlm } = await import("../rtc/index.ts");
  if (kind === "replay") return replayLlm(name);
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey } = process.env;
  const timeoutMs = timeout === undefined ? undefined : timeout * 1000;
  return openAiLlm({
    model: name,
    api,
    ...defined({ baseUrl: baseUrl || undefined, apiKey, concurrency, timeoutMs, retries }),
  });
}

async function openSim(
  name: string,
  { model, passRatio = false, sandbox, allowUnsafe = false, workers }: Options,
  problems: Awaited<ReturnType<typeof import("../problems/index.ts").readProblems>>,
  opened: { close(): Promise<void> }[],
): Promise<SignedSimilarity> {
  const { openSimilarity } = await import("../rtc/index.ts");
  if (name === "codescore") {
    const { CodeScorer } = await import("../score/index.ts");
    const scorer = await CodeScorer.load(model);
    opened.push(scorer);
    return { ...scorer.similarity(), signature: scorer.signature };
  }
  if (name !== "pass") return openSimilarity(name);
  const { openExecutor } = await import("../execute/index.ts");
  const executor = await openExecutor({ sandbox, allowUnsafe, ...defined({ workers }) });
  opened.push(executor);
  return openSimilarity("pass", { executor, problems, ratio: passRatio });
}

function table({ similarities, agreement }: RtcSummary): string {
  const rows = similarities.map(({ name, rtc, lift, threshold, share_above: share }) => {
    const withPass = agreement.find(({ a, b }) => (a === "pass" && b === name) || (a === name && b === "pass"));
    return [
      name,
      fixed(rtc?.value),
      interval(rtc),
      fixed(lift?.value),
      threshold === null ? "-" : `${fixed(share?.value)} (${threshold})`,
      name === "pass" ? "-" : fixed(withPass?.spearman),
      name === "pass" ? "-" : fixed(withPass?.kappa),
    ];
  });
  const head = ["sim", "RTC", "95% interval", "lift", "share of yes", "r_s with pass", "kappa with pass"];
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  return [head, ...rows]
    .map(
      (row) =>
        `${row
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function report({ models, counts, similarities, failed, notes }: RtcSummary): string {
  const who = models.forward === models.backward ? models.forward : `${models.forward}, back by ${models.backward}`;
  return [
    `model: ${who}; ${counts.round_trips} round trips over ${counts.problems} problems`,
    counts.recited > 0 ? `warning: ${counts.recited} descriptions recite the code` : "",
    counts.empty_answers > 0 ? `${counts.empty_answers} answers have no code and count as 0` : "",
    ...similarities.map(({ name, unscored }) =>
      unscored ? `warning: ${name} gave no value for ${unscored.count} programs: ${unscored.reason}` : "",
    ),
    failed[0] ? `warning: ${failed.length} calls failed, the first with: ${failed[0].message}` : "",
    ...notes,
  ]
    .filter(Boolean)
    .join("\n");
}

const fixed = (value: number | null | undefined): string => value?.toFixed(3) ?? "-";

const interval = (estimate: Estimate | null): string =>
  estimate?.interval ? `${fixed(estimate.interval[0])} to ${fixed(estimate.interval[1])}` : "-";

function llmSpec(text: string): LlmSpec {
  const [, kind, name] = /^(replay|openai):(.+)$/.exec(text) ?? [];
  if (kind === undefined || name === undefined) {
    throw new InvalidArgumentError(`Expected openai:MODEL or replay:FILE, got \`${text}\`.`);
  }
  return { kind: kind as LlmSpec["kind"], name };
}

const specText = ({ kind, name }: LlmSpec): string => `${kind}:${name}`;

const names = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

function threshold(text: string, before: Readonly<Record<string, number>>): Record<string, number> {
  const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError(`Expected a threshold such as codescore=0.5, got \`${text}\`.`);
  }
  return { ...before, [name]: number(0, 1)(value) };
}

/** Without the keys that have no value, so that the library's own defaults hold. */
const defined = <T extends Record<string, unknown>>(values: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
