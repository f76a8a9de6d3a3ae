/** Options that the commands of `codescore rtc` share: the models, the similarities, and the output. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { CodescoreError } from "../../errors.ts";
import type { Executor, SandboxKind } from "../../execute/types.ts";
import { mbppSplits } from "../../problems/mbpp-splits.ts";
import type { Llm, Price, RoundTripsOptions, SignedSimilarity, SimilarityContext } from "../../rtc/index.ts";
import type { Problem } from "../../types.ts";
import { addMetricOptions, type MetricFlags, metricOptionsOf } from "../options/metrics.ts";
import { allowUnsafeOption, integer, number, sandboxOption } from "../options/values.ts";
import { between, names, price, threshold } from "./parsers.ts";

export interface LlmSpec {
  readonly kind: "replay" | "openai";
  readonly name: string;
}

export interface CallFlags {
  readonly concurrency?: number;
  readonly timeout?: number;
  readonly retries?: number;
}

export interface LlmFlags extends CallFlags {
  readonly api: "chat" | "completions";
  readonly price: Readonly<Record<string, Price>>;
}

/** Maximum length of answers, in tokens. */
export interface TokenFlags {
  readonly forwardMaxTokens?: number;
  readonly backwardMaxTokens?: number;
}

export interface SamplingFlags extends TokenFlags {
  readonly forwardSamples?: number;
  readonly backwardSamples?: number;
  readonly forwardTemperature?: number;
  readonly backwardTemperature?: number;
  readonly lift: boolean;
  readonly repeats?: number;
  readonly seed?: number;
  readonly cache?: string;
}

export interface SimilarityFlags extends MetricFlags {
  readonly sims: readonly string[];
  readonly model?: string;
  readonly threshold: Readonly<Record<string, number>>;
  readonly passRatio?: boolean;
  readonly unsure?: readonly [number, number];
}

export interface SandboxFlags {
  readonly sandbox: SandboxKind | "auto";
  readonly allowUnsafe?: boolean;
  readonly workers?: number;
}

/** Adds the maximum length of answers. A base model that does not find an end generates up to this limit. */
export const addTokenOptions = (command: Command, defaults: { forward: number; backward: number }): Command =>
  command
    .option("--forward-max-tokens <n>", `tokens of a description (default: ${defaults.forward})`, integer(1))
    .option("--backward-max-tokens <n>", `tokens of a program (default: ${defaults.backward})`, integer(1));

/** Adds the number of examples in each prompt. */
export const addShotsOption = (command: Command): Command =>
  command.option(
    "--shots <n>",
    "examples in each prompt, 0 for none (default: all; the shipped prompts have 3)",
    integer(0),
  );

/** Adds the option that restricts the run to one split of MBPP. */
export const addSplitOption = (command: Command): Command =>
  command.addOption(
    new Option("--split <name>", "only the problems of this split of MBPP, by their numbers").choices(mbppSplits),
  );

/** Adds the number of samples and their settings for tasks with two directions, and the cache file. */
export const addSamplingOptions = (command: Command, temperatures = { forward: 0.8, backward: 0.1 }): Command =>
  addTokenOptions(command, { forward: 128, backward: 1024 })
    .option("--forward-samples <n>", "descriptions per item (default: 3)", integer(1))
    .option("--backward-samples <n>", "programs per description (default: 1)", integer(1))
    .option("--forward-temperature <t>", `temperature of descriptions (default: ${temperatures.forward})`, number(0, 2))
    .option("--backward-temperature <t>", `temperature of programs (default: ${temperatures.backward})`, number(0, 2))
    .option("--no-lift", "do not ask with the uninformative description; there is then no lift")
    .option("--repeats <n>", "number of whole runs; their standard deviation is sigma (default: 1)", integer(1))
    .option("--seed <n>", "seed sent to the server, and of the intervals", integer(0))
    .option(
      "--cache <file>",
      "recording of the models' answers; answers in it are reused (default: recording.jsonl in --output)",
    );

/** The library's `samples` option, from the flags. */
export const samplesOf = (flags: SamplingFlags): NonNullable<RoundTripsOptions["samples"]> => ({
  forward: defined({
    samples: flags.forwardSamples,
    temperature: flags.forwardTemperature,
    maxTokens: flags.forwardMaxTokens,
  }),
  backward: defined({
    samples: flags.backwardSamples,
    temperature: flags.backwardTemperature,
    maxTokens: flags.backwardMaxTokens,
  }),
});

/** Adds how models are called. Each command adds the models themselves: `.requiredOption("--forward <llm>", "...", llmSpec)`. */
export const addLlmOptions = (command: Command): Command =>
  addCallOptions(
    command.addOption(
      new Option("--api <api>", "API of the server; completions is for base models")
        .choices(["chat", "completions"])
        .default("chat"),
    ),
  ).addOption(
    new Option("--price <model=in,out>", "prices per million tokens, to print the cost; may be repeated")
      .argParser(price)
      .default({}, "none"),
  );

/** Adds the number of concurrent calls, the time limit of each, and the number of retries. */
export const addCallOptions = (command: Command, defaults = { concurrency: 8, retries: 5 }): Command =>
  command
    .option("--concurrency <n>", `calls at a time (default: ${defaults.concurrency})`, integer(1))
    .option("--timeout <seconds>", "time limit of one call (default: 120)", number(1))
    .option("--retries <n>", `further tries of a failed call (default: ${defaults.retries})`, integer(0));

/**
 * Adds the similarities and the options that they may need. @param sims the default @param running the similarities that run programs, as
 * listed in the help; if empty, their options are not added @param thresholds the default ones, in words, if the command has its own
 */
export function addSimilarityOptions(
  command: Command,
  sims: readonly string[],
  running = "",
  thresholds?: string,
): Command {
  const known = ["codescore", running, "exact, bleu, chrf, ..."].filter(Boolean).join(", ");
  command
    .addOption(
      new Option("--sims <names>", `similarities, comma-separated: ${known}`)
        .argParser(names)
        .default(sims, sims.join(",")),
    )
    .option("--model <dir>", "model folder of codescore (default: the shipped model)")
    .addOption(
      new Option("--threshold <sim=value>", "lowest value that counts as yes; may be repeated")
        .argParser(threshold)
        .default({}, thresholds ?? thresholdsOf(running)),
    );
  if (/\bpass\b/.test(running))
    command.option("--pass-ratio", "`pass` is the share of tests passed, instead of 1 or 0");
  if (/\bhybrid\b/.test(running))
    command.option(
      "--unsure <low,high>",
      "hybrid runs programs with a codescore between these (default: 0.2,0.8)",
      between,
    );
  return addMetricOptions(command);
}

/** The default thresholds of the similarities that a command takes, in words. */
function thresholdsOf(running: string): string {
  const has = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(running);
  const ones = ["pass", "calls"].filter(has);
  const yesNo = `1 for ${[...ones, "exact"].join(", ")}`;
  const others = has("behaviour") ? "codescore, behaviour and the other metrics" : "the others";
  return `${yesNo}${has("hybrid") ? "; the upper value of --unsure for hybrid" : ""}; none for ${others}`;
}

/** Adds where and how programs run. */
export const addSandboxOptions = (command: Command): Command =>
  command
    .addOption(sandboxOption())
    .addOption(allowUnsafeOption())
    .option("--workers <n>", "programs executed at a time (default: the number of cores)", integer(1));

/** Help text on how models are named. */
export const llmHelp = `openai:MODEL asks an OpenAI-compatible server: OPENAI_BASE_URL (default: https://api.openai.com/v1), OPENAI_API_KEY.
replay:FILE answers from JSON lines {"task_id", "direction": "forward" | "backward" | "baseline", "sample", "text"}.`;

export function llmSpec(text: string): LlmSpec {
  const [, kind, name] = /^(replay|openai):(.+)$/.exec(text) ?? [];
  if (kind === undefined || name === undefined) {
    throw new InvalidArgumentError(`Expected openai:MODEL or replay:FILE, got \`${text}\`.`);
  }
  return { kind: kind as LlmSpec["kind"], name };
}

/** Opens both models; one object if they are the same or no backward model is named. Throws `usage` for a price of an unknown model. */
export async function openLlms(
  { forward, backward = forward }: { readonly forward: LlmSpec; readonly backward?: LlmSpec | undefined },
  flags: LlmFlags,
): Promise<{ forward: Llm; backward: Llm }> {
  const odd = Object.keys(flags.price).find((name) => name !== forward.name && name !== backward.name);
  if (odd !== undefined) {
    const known = [...new Set([forward.name, backward.name])].join(" or ");
    throw new CodescoreError("usage", `expected the price of ${known}, got one of \`${odd}\``);
  }
  const first = await openLlm(forward, flags);
  const same = forward.kind === backward.kind && forward.name === backward.name;
  return { forward: first, backward: same ? first : await openLlm(backward, flags) };
}

export async function openLlm({ kind, name }: LlmSpec, flags: LlmFlags): Promise<Llm> {
  const { openAiLlm, replayLlm } = await import("../../rtc/index.ts");
  if (kind === "replay") return replayLlm(name);
  const { api, concurrency, timeout, retries } = flags;
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey } = process.env;
  const timeoutMs = timeout === undefined ? undefined : timeout * 1000;
  return openAiLlm({
    model: name,
    api,
    ...defined({ baseUrl: baseUrl || undefined, apiKey, concurrency, timeoutMs, retries, price: flags.price[name] }),
  });
}

/** Throws `CodescoreError("usage")` for an unknown similarity. Call it before anything is opened. */
export async function checkSims({ sims }: Pick<SimilarityFlags, "sims">): Promise<void> {
  const { similarityNeeds } = await import("../../rtc/index.ts");
  for (const name of sims) similarityNeeds(name);
}

/** What a command can run: its programs on the problems' tests, or its own replacements for `pass` and for calls. */
export interface Runnable {
  readonly problems?: ReadonlyMap<string, Problem>;
  readonly executor?: Executor;
  readonly pass?: SignedSimilarity;
  readonly calls?: SignedSimilarity;
  /** Adapts `behaviour` to what is compared. @default unchanged */
  readonly behaviourOf?: (behaviour: SignedSimilarity) => SignedSimilarity;
}

/**
 * Opens the similarities of `--sims`, and an executor if one of them runs programs and none is given. Closes them when `use` is done.
 * If `runnable` is text, it says why nothing can be run, and similarities that run programs are refused.
 */
export async function withSimilarities<T>(
  flags: SimilarityFlags & SandboxFlags,
  runnable: Runnable | string,
  use: (similarities: readonly SignedSimilarity[]) => Promise<T>,
): Promise<T> {
  await checkSims(flags);
  const { openSimilarity, similarityNeeds } = await import("../../rtc/index.ts");
  const needs = new Set(flags.sims.flatMap(similarityNeeds));
  const running = flags.sims.find((name) => similarityNeeds(name).some((need) => need !== "scorer"));
  if (typeof runnable === "string" && running !== undefined) {
    throw new CodescoreError("usage", `the similarity \`${running}\` runs programs: ${runnable}`);
  }
  const { behaviourOf = (behaviour) => behaviour, ...given }: Runnable = typeof runnable === "string" ? {} : runnable;
  const opened: { close(): Promise<void> }[] = [];
  try {
    const context: Writable<SimilarityContext> = { ...given, metrics: { ...metricOptionsOf(flags), progress: false } };
    if (flags.passRatio) context.ratio = true;
    if (flags.unsure) context.unsure = flags.unsure;
    if ((needs.has("sandbox") || (needs.has("tests") && context.problems)) && !context.executor) {
      context.executor = await openSandbox(flags);
      opened.push(context.executor);
    }
    if (needs.has("scorer")) {
      const { behaviourSimilarity, CodeScorer } = await import("../../score/index.ts");
      const scorer = await CodeScorer.load(flags.model);
      opened.push(scorer);
      context.codescore = { ...scorer.similarity(), signature: scorer.signature };
      if (needs.has("sandbox")) context.behaviour = behaviourOf(await behaviourSimilarity(scorer, context.executor!));
    }
    return await use(flags.sims.map((name) => openSimilarity(name, context)));
  } finally {
    for (const thing of opened) await thing.close();
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export async function openSandbox({ sandbox, allowUnsafe = false, workers }: SandboxFlags): Promise<Executor> {
  const { openExecutor } = await import("../../execute/index.ts");
  return openExecutor({ sandbox, allowUnsafe, ...defined({ workers }) });
}

/** Removes the keys without a value, so that the library's defaults apply. */
export const defined = <T extends Record<string, unknown>>(values: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
