/** `codescore serve`: the scorer over HTTP. */
import { Command } from "commander";
import { CodescoreError } from "../errors.ts";
import { integer } from "./options.ts";

interface Options {
  readonly model?: string;
  readonly host: string;
  readonly port: number;
  readonly apiKeyEnv?: string;
  readonly threads?: number;
  readonly queueLimit?: number;
  readonly maxRows?: number;
}

export const serveVerb = (): Command =>
  new Command("serve")
    .description("answer over HTTP: POST /v1/score, POST /v1/similarity, and a page at / to score by hand")
    .option("--model <dir>", "model folder (default: the shipped model)")
    .option("--host <host>", "address to listen on; only this machine reaches the default", "127.0.0.1")
    .option("--port <port>", "0 takes any that is free", integer(0), 8080)
    .option("--api-key-env <name>", "environment variable with the key that clients must send as bearer token")
    .option("--threads <n>", "threads (default: the number of cores)", integer(1))
    .option("--max-rows <n>", "rows of one request (default: 1000)", integer(1))
    .option("--queue-limit <n>", "rows that may wait before requests get 429 (default: 10000)", integer(1))
    .addHelpText(
      "after",
      `
SIGINT or SIGTERM ends it once every request that has begun is answered; a second one ends it at once.

Examples:
  $ codescore serve
  $ SCORE_KEY=s3cret codescore serve --host 0.0.0.0 --port 80 --api-key-env SCORE_KEY
  $ curl -s localhost:8080/v1/score -H 'Content-Type: application/json' \\
      -d '{"rows": [{"candidate": "def f(x): return x + x", "reference": "def f(x): return 2 * x"}]}'`,
    )
    .action(run);

async function run({ model, host, port, apiKeyEnv, threads, maxRows, queueLimit }: Options): Promise<void> {
  const { createApp, listen } = await import("../server/index.ts");
  const { CodeScorer } = await import("../score/index.ts");
  const apiKey = apiKeyEnv === undefined ? undefined : keyFrom(apiKeyEnv);
  const scorer = await CodeScorer.load(model, threads === undefined ? {} : { threads });
  try {
    const app = await createApp({
      scorer,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(maxRows === undefined ? {} : { maxRows }),
      ...(queueLimit === undefined ? {} : { queueLimit }),
    });
    const server = await listen(app, { host, port });
    process.stderr.write(`listening on ${server.url}; ${scorer.signature}\n`);
    if (apiKey === undefined && !/^(127\.|localhost$|::1$)/.test(host)) {
      process.stderr.write("warning: other machines can reach this server and no key is asked for (--api-key-env)\n");
    }
    const signal = await firstSignal();
    process.stderr.write(`${signal}: answering what has begun\n`);
    await server.close();
  } finally {
    await scorer.close();
  }
}

function keyFrom(name: string): string {
  const key = process.env[name];
  if (key) return key;
  throw new CodescoreError(
    "usage",
    `expected a key in the environment variable ${name}, which is ${key === "" ? "empty" : "not set"}`,
  );
}

/** Resolves once; the handlers are gone then, so that a second signal ends the process as usual. */
const firstSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    const signals = ["SIGINT", "SIGTERM"] as const;
    const on = (signal: NodeJS.Signals): void => {
      for (const name of signals) process.off(name, on);
      resolve(signal);
    };
    for (const name of signals) process.on(name, on);
  });
