/** `codescore serve`: the scorer over HTTP, optionally with a proxy for a language model. */
import { Command } from "commander";
import { CodescoreError } from "../errors.ts";
import type { Precision, ScorerOptions } from "../score/index.ts";
import { counted } from "../util/counted.ts";
import { tuneForReading } from "../util/v8.ts";
import { addScorerOptions } from "./options/scorer.ts";
import { integer } from "./options/values.ts";
import { defined } from "./rtc/options.ts";
import { addRtcOptions, type RtcFlags, rtcHelp, rtcOptionsOf, similarityName } from "./serve/rtc.ts";
import { addServeRunOptions, checkServeRun, openServeRunner, type ServeRunFlags, serveRunHelp } from "./serve/run.ts";

interface Options extends RtcFlags, ServeRunFlags {
  readonly model?: string;
  readonly precision?: Precision;
  readonly device?: string;
  readonly host: string;
  readonly port: number;
  readonly apiKeyEnv?: string;
  readonly threads?: number;
  readonly calibration: boolean;
  readonly coverage?: number;
  readonly abstain?: number;
  readonly stdio?: true;
  readonly queueLimit?: number;
  readonly maxRows?: number;
  readonly rateLimit?: number;
}

export const serveVerb = (): Command =>
  addRtcOptions(addServeRunOptions(addScorerOptions(serverOptions())))
    .addHelpText("after", help)
    .action(serve);

const serverOptions = (): Command =>
  new Command("serve")
    .description("start an HTTP server: POST /v1/score, POST /v1/similarity, and a page at / to score by hand")
    .option(
      "--host <host>",
      "address to listen on. The default can only be reached from this machine; others need --api-key-env",
      "127.0.0.1",
    )
    .option("--port <port>", "port to listen on; 0 chooses a free one", integer(0, 65_535), 8080)
    .option("--api-key-env <name>", "environment variable that holds the key; clients send it as a bearer token")
    .option("--stdio", "use stdin and stdout instead of HTTP, as the Python package does (docs/python.md)")
    .option("--max-rows <n>", "maximum rows per request (default: 1000)", integer(1))
    .option("--queue-limit <n>", "maximum rows in the queue; further requests get 429 (default: 10000)", integer(1))
    .option(
      "--rate-limit <n>",
      "maximum rows and model calls per minute and client address (default: no limit)",
      integer(1),
    );

const help = `
${serveRunHelp}

${rtcHelp}

SIGINT or SIGTERM stops the server after it has answered every request it got; a second signal stops it at once.
/openapi.json describes the API. /metrics has counters for Prometheus.

Examples:
  $ codescore serve
  $ SCORE_KEY=s3cret codescore serve --host 0.0.0.0 --port 80 --api-key-env SCORE_KEY
  $ curl -s localhost:8080/v1/score -H 'Content-Type: application/json' \\
      -d '{"rows": [{"candidate": "def f(x): return x + x", "reference": "def f(x): return 2 * x"}]}'
  $ codescore serve --run
  $ curl -s localhost:8080/v1/score -H 'Content-Type: application/json' \\
      -d '{"rows": [{"candidate": "def f(x): return x + x", "reference": "def f(x): return x * x"}], "run": true}'
  $ OPENAI_API_KEY=sk-... codescore serve --rtc --sims rouge-l --threshold rouge-l=0.6`;

/** Options that only HTTP supports. */
const httpOnly = ["apiKeyEnv", "maxRows", "queueLimit", "rateLimit", "runQueueLimit", "rtc"] as const;

async function serve(options: Options): Promise<void> {
  tuneForReading();
  if (options.stdio) {
    const odd = httpOnly.find((name) => options[name] !== undefined);
    if (odd !== undefined)
      throw new CodescoreError("usage", `\`${odd}\` cannot be used with --stdio: it is an option of the HTTP server`);
    await similarityName(options); // refuses options of --rtc
    checkServeRun(options);
    const { serveStdio } = await import("./serve/stdio.ts");
    return serveStdio(options.model, loadOptions(options), options);
  }
  const { appDefaults, createApp, isLoopback, listen } = await import("../server/index.ts");
  const { openAiDefaults } = await import("../rtc/llm/openai.ts");
  const { host, port, apiKeyEnv, queueLimit, maxRows, rateLimit, inputs, runQueueLimit } = options;
  const apiKey = apiKeyEnv === undefined ? undefined : keyFrom(apiKeyEnv);
  if (apiKey === undefined && !isLoopback(host)) {
    throw new CodescoreError(
      "usage",
      `other machines can reach ${host}: require a key from clients with --api-key-env NAME`,
    );
  }
  const similarity = await similarityName(options);
  const runner = (await openServeRunner(options)) ?? undefined;
  const opened = await openScorer(options, similarity).catch(async (error: unknown) => {
    await runner?.close();
    throw error;
  });
  const { scorer, codescore } = opened;
  try {
    const rtc = similarity === null ? undefined : await rtcOptionsOf(options, similarity, codescore);
    const who = apiKey === undefined ? { localOnly: true } : { apiKey };
    const maxRun = runQueueLimit && Math.min(appDefaults.maxRun, runQueueLimit);
    const limits = { queueLimit, maxRows, rateLimit, runQueueLimit, maxRun, maxInputs: inputs };
    const app = await createApp({ scorer, ...who, ...defined({ rtc, runner, coverage: options.coverage, ...limits }) });
    const server = await listen(app, { host, port });
    process.stderr.write(`listening on ${server.url}; its /healthz has the signature of the scores\n`);
    if (rtc) {
      const { baseUrl = openAiDefaults.baseUrl, similarity } = rtc;
      process.stderr.write(`proxy for ${baseUrl}: /v1, and /evaluate/v1 by ${similarity.signature}\n`);
    }
    if (runner)
      process.stderr.write(`runs candidates on request: sandbox ${runner.sandbox}, Python ${runner.python}\n`);
    const signal = await firstSignal();
    process.stderr.write(`${signal}: finishing the requests that have arrived\n`);
    const { unfinished, unread } = await server.close();
    if (unfinished > 0)
      process.stderr.write(`not answered, because they arrived only in part: ${counted(unfinished, "request")}\n`);
    if (unread > 0) process.stderr.write(`not read to the end by the client: ${counted(unread, "answer")}\n`);
  } finally {
    await Promise.all([scorer.close(), runner?.close()]);
  }
}

const loadOptions = ({ precision, device, threads, calibration, coverage, abstain }: Options): ScorerOptions => ({
  readElsewhere: true, // reads programs in other threads, so that the server keeps answering
  calibration,
  ...defined({ precision, device, threads, coverage, abstain }),
});

/** The scorer. It is loaded on first use if nothing needs it at the start. */
async function openScorer(options: Options, similarity: string | null) {
  const { model } = options;
  const { lazyScorer } = await import("../server/index.ts");
  const load = async () => {
    const { CodeScorer } = await import("../score/index.ts");
    return CodeScorer.load(model, loadOptions(options));
  };
  if (similarity !== null && similarity !== "codescore" && model === undefined) return { scorer: lazyScorer(load) };
  const scorer = await load();
  return { scorer, codescore: { ...scorer.similarity(), signature: scorer.signature } };
}

function keyFrom(name: string): string {
  const key = process.env[name];
  if (key) return key;
  throw new CodescoreError(
    "usage",
    `expected a key in the environment variable ${name}, which is ${key === "" ? "empty" : "not set"}`,
  );
}

/** Resolves at the first signal and removes the handlers, so that a second signal ends the process as usual. */
const firstSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    const signals = ["SIGINT", "SIGTERM"] as const;
    const on = (signal: NodeJS.Signals): void => {
      for (const name of signals) process.off(name, on);
      resolve(signal);
    };
    for (const name of signals) process.on(name, on);
  });
