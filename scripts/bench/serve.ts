/**
 * Loads `codescore serve` with closed loops over kept-alive connections, and compares it with the library on the same rows in the same run.
 * Prints rows per second of both, the server's share of the library's rate, latencies, errors, and the CPU time of the clients, which
 * run on the same machine. Run `npm run build` first, on an idle machine.
 *
 * usage: npx vite-node scripts/bench/serve.ts --input ROWS.jsonl [--model DIR] [--precision int8] [--threads 2]
 *          [--connections 64] [--seconds 60] [--rows 1] [--limit 1]
 * `--rows`: rows per request. Every candidate gets a distinct comment, so that none is tokenized already.
 * `--limit 0.85`: exits with 1 if the server's share is lower or a request failed.
 */
import { parseArgs } from "node:util";
import { CodeScorer, type Precision, toScoreRow } from "../../src/score/index.ts";
import type { ScoreInput } from "../../src/types.ts";
import { readJsonLines } from "../../src/util/jsonl.ts";
import { Random } from "../../src/util/random.ts";
import { Client, startServer } from "./client.ts";

const { values } = parseArgs({
  options: {
    input: { type: "string" },
    model: { type: "string" },
    precision: { type: "string" },
    threads: { type: "string" },
    connections: { type: "string", default: "64" },
    seconds: { type: "string", default: "60" },
    rows: { type: "string", default: "1" },
    limit: { type: "string", default: "0" },
  },
});
if (values.input === undefined) throw new Error("expected --input ROWS.jsonl");
const [connections, seconds, perRequest] = [values.connections, values.seconds, values.rows].map(Number) as [
  number,
  number,
  number,
];

const rows: ScoreInput[] = [];
for await (const line of readJsonLines(values.input)) rows.push(toScoreRow(line, rows.length));
new Random(1).shuffle(rows);

let sent = 0;
/** An endless stream of rows, shared by all loops. Each candidate is new. */
function next(): ScoreInput {
  const { candidate, reference = null, description = null } = rows[sent % rows.length]!;
  return { candidate: `${candidate}\n# ${sent++}\n`, reference, description };
}

/** Rows per second of the library, measured for `time` seconds. */
async function library(time: number): Promise<number> {
  const threads = values.threads === undefined ? {} : { threads: Number(values.threads) };
  const precision = values.precision === undefined ? {} : { precision: values.precision as Precision };
  const scorer = await CodeScorer.load(values.model, { ...threads, ...precision });
  await scorer.scoreAll(rows.slice(0, 64));
  const began = performance.now();
  function* stream(): Generator<ScoreInput> {
    while (performance.now() - began < 1000 * time) yield next();
  }
  let count = 0;
  for await (const { result } of scorer.score(stream())) {
    if ("error" in result) throw new Error(result.error.message);
    count += 1;
  }
  const rate = (1000 * count) / (performance.now() - began);
  await scorer.close();
  return rate;
}

interface Load {
  readonly rate: number;
  readonly requests: number;
  readonly errors: number;
  /** Milliseconds, ascending. */
  readonly latencies: number[];
  readonly clientCpu: number;
}

async function load(port: number, time: number): Promise<Load> {
  const latencies: number[] = [];
  const count = { rows: 0, errors: 0 };
  const began = performance.now();
  const cpu = process.cpuUsage();
  const loop = async (): Promise<void> => {
    const client = new Client(port);
    while (performance.now() - began < 1000 * time) {
      const asked = performance.now();
      const answer = await client.ask("/v1/score", { rows: Array.from({ length: perRequest }, next) });
      latencies.push(performance.now() - asked);
      const good = answer.toString("latin1", 9, 12) === "200" && !answer.includes('"error"');
      if (good) count.rows += perRequest;
      else count.errors += 1;
      if (answer.length === 0) break;
    }
    client.close();
  };
  await Promise.all(Array.from({ length: connections }, loop));
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  return {
    rate: (1000 * count.rows) / wall,
    requests: latencies.length,
    errors: count.errors,
    latencies: latencies.sort((a, b) => a - b),
    clientCpu: (user + system) / 1000 / wall,
  };
}

const before = await library(seconds / 3);
const options = (["model", "precision", "threads"] as const).flatMap((name) =>
  values[name] === undefined ? [] : [`--${name}`, values[name]],
);
const { port, child } = await startServer(options);
await load(port, Math.min(3, seconds / 3)); // warm
const { rate, requests, errors, latencies, clientCpu } = await load(port, seconds);
const ended = new Promise((resolve) => child.once("exit", resolve));
child.kill("SIGTERM");
await ended;
const after = await library(seconds / 3);

const share = rate / ((before + after) / 2);
const at = (quantile: number): string => latencies[Math.floor(quantile * (latencies.length - 1))]!.toFixed(0);
console.log(`library  ${before.toFixed(1)} rows/s before, ${after.toFixed(1)} after`);
console.log(
  `server   ${rate.toFixed(1)} rows/s, ${(100 * share).toFixed(1)}% of the library's; ` +
    `${connections} connections, ${perRequest} rows a request, ${seconds} s`,
);
console.log(`latency  p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
console.log(`requests ${requests}, errors ${errors}; the clients took ${(100 * clientCpu).toFixed(0)}% of a core`);
if (errors > 0 || share < Number(values.limit)) process.exitCode = 1;
