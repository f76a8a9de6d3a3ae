/** `codescore serve --rtc`: the options of the proxy, and their translation to server options. */
import type { Command } from "commander";
import { CodescoreError } from "../../errors.ts";
import type { SignedSimilarity } from "../../rtc/index.ts";
import type { RtcOptions } from "../../server/index.ts";
import { addMetricOptions, type MetricFlags, metricOptionsOf } from "../options/metrics.ts";
import { integer } from "../options/values.ts";
import { addCallOptions, type CallFlags, defined } from "../rtc/options.ts";
import { names, threshold } from "../rtc/parsers.ts";

export interface RtcFlags extends CallFlags, MetricFlags {
  readonly rtc?: true;
  readonly sims?: readonly string[];
  readonly threshold?: Readonly<Record<string, number>>;
  readonly consistency?: true;
  readonly prompts?: string;
  readonly maxWaiting?: number;
}

/** The default similarity: it works on any text, and needs no model. */
const defaultSim = "chrf";

export const addRtcOptions = (command: Command): Command =>
  addMetricOptions(
    addCallOptions(
      command
        .option("--rtc", "also act as a proxy for a language model (see below)")
        .option("--sims <name>", `with --rtc: the similarity of two responses (default: ${defaultSim})`, names)
        .option(
          "--threshold <sim=value>",
          "with --rtc: a response passes from here on (default: 0.8; exact: 1)",
          threshold,
        )
        .option("--consistency", "with --rtc: put the paper's consistency prompt before every evaluated request")
        .option("--prompts <dir>", "with --rtc: folder with patched-query-back.txt (default: the shipped one)")
        .option(
          "--max-waiting <n>",
          "with --rtc: requests that may wait before others get 429 (default: 100)",
          integer(1),
        ),
      { concurrency: 64, retries: 2 },
    ),
  );

export const rtcHelp = `With --rtc the server is also a base URL for OpenAI's clients:
  http://localhost:8080/v1           passes everything on to OPENAI_BASE_URL (default: https://api.openai.com/v1)
  http://localhost:8080/evaluate/v1  answers only if the response passes the round trip Q -> R -> Q1 -> R1 (Patched RTC),
                                     else with empty content; the score is in the headers x-codescore-rtc-*
The server sends OPENAI_API_KEY, and clients never see it. If it is not set, the server passes on the clients' own keys, unless
--api-key-env asks for one.`;

const rtcOnly = [
  "sims",
  "threshold",
  "consistency",
  "prompts",
  "maxWaiting",
  "concurrency",
  "timeout",
  "retries",
] as const;

/** The one similarity; null without `--rtc`. Throws `CodescoreError("usage")` for flags that contradict each other. */
export async function similarityName(flags: RtcFlags): Promise<string | null> {
  if (!flags.rtc) {
    const odd = rtcOnly.find((name) => flags[name] !== undefined) ?? Object.keys(metricOptionsOf(flags))[0];
    if (odd === undefined) return null;
    throw new CodescoreError("usage", `\`${odd}\` is an option of the round trip: expected --rtc with it`);
  }
  const { sims = [defaultSim], threshold: thresholds = {} } = flags;
  const [name] = sims;
  if (name === undefined || sims.length > 1) {
    throw new CodescoreError("usage", `expected one similarity for --sims, got ${sims.length}: ${sims.join(", ")}`);
  }
  const { similarityNeeds } = await import("../../rtc/index.ts");
  if (similarityNeeds(name).some((need) => need !== "scorer")) {
    throw new CodescoreError("usage", `\`${name}\` runs programs, and the round trip of a chat request runs none`);
  }
  const other = Object.keys(thresholds).find((sim) => sim !== name);
  if (other === undefined) return name;
  throw new CodescoreError("usage", `expected a threshold of ${name}, the similarity of --sims, got one of ${other}`);
}

/** @param codescore the scorer as a similarity, if that one is chosen */
export async function rtcOptionsOf(flags: RtcFlags, name: string, codescore?: SignedSimilarity): Promise<RtcOptions> {
  const { openSimilarity } = await import("../../rtc/index.ts");
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey } = process.env;
  const metrics = { ...metricOptionsOf(flags), progress: false };
  return {
    similarity: openSimilarity(name, { metrics, ...defined({ codescore }) }),
    ...defined({
      baseUrl: baseUrl || undefined,
      apiKey: apiKey || undefined,
      threshold: flags.threshold?.[name],
      consistency: flags.consistency,
      prompts: flags.prompts,
      timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
      retries: flags.retries,
      concurrency: flags.concurrency,
      waiting: flags.maxWaiting,
    }),
  };
}
