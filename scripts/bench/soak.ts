/**
 * Sends many requests of every kind to `codescore serve`, and prints the memory of its process after every twentieth of them.
 * Every program is new, with one of four lengths. Run `npm run build` first.
 *
 * usage: npx vite-node scripts/bench/soak.ts [--requests 100000] [--connections 16] [--model tiny] [--threads N] [--limit 1.15]
 * `--limit`: exits with 1 if the memory at the end is more than that many times the memory after the first tenth, or if a
 * request got an unexpected status.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Client, startServer } from "./client.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    connections: { type: "string", default: "16" },
    model: { type: "string", default: "tiny" },
    threads: { type: "string" },
    limit: { type: "string", default: "0" },
  },
});
const [requests, connections] = [Number(values.requests), Number(values.connections)];

/** A program that was not sent before. */
function program(n: number): string {
  const [lines, of] = [[1, 4, 12, 40][n % 4]!, n % 7];
  const body = Array.from(
    { length: lines },
    (_, i) => `    total_${n % 97} = max(total_${n % 97}, xs[${i}] * ${n + i})\n`,
  );
  return `def f${of}(xs, k=${n}):\n    total_${n % 97} = 0\n${body.join("")}    return total_${n % 97}\n`;
}

/** The n-th request, and its expected status. */
function request(n: number): readonly [path: string, body: object, status: string] {
  const [candidate, reference, description] = [program(n), program(n + 1e6), `Does ${n} things.`];
  if (n % 500 === 499) {
    const rows = [0, 1, 2, 3].map((i) => ({ candidate: program(n + i * 2e6), description }));
    return ["/v1/score", { rows, consensus: true }, "200"];
  }
  if (n % 500 === 249) return ["/v1/score", { rows: [{ candidate: program(4 * n), reference }], explain: true }, "200"];
  if (n % 50 === 7) return ["/v1/score", { rows: [{ candidate: "if (a) { b(); }", reference, unknown: n }] }, "200"];
  if (n % 50 === 8) return ["/v1/score", { rows: n }, "400"];
  if (n % 50 === 9) return [`/v1/${n}`, {}, "404"];
  if (n % 10 === 0) return ["/v1/similarity", { candidate, reference }, "200"];
  if (n % 10 === 1) return ["/v1/score", { rows: [{ candidate, description }] }, "200"];
  return ["/v1/score", { rows: [{ id: n, candidate, reference, description }] }, "200"];
}

const { port, child } = await startServer([
  ...["--model", values.model],
  ...(values.threads === undefined ? [] : ["--threads", values.threads]),
]);

/** Resident memory of the server process, in MB. */
const resident = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) / 1024;

const began = performance.now();
const levels: number[] = [];
let [sent, done, wrong] = [0, 0, 0];
const every = Math.max(1, Math.floor(requests / 20));
console.log(`${resident().toFixed(0)} MB before the first request`);
const loop = async (): Promise<void> => {
  const client = new Client(port);
  while (sent < requests) {
    const [path, body, status] = request(sent++);
    const answer = await client.ask(path, body);
    if (answer.toString("latin1", 9, 12) !== status) wrong += 1;
    if (answer.length === 0) break;
    if (++done % every !== 0) continue;
    levels.push(resident());
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(`${levels.at(-1)!.toFixed(0)} MB after ${done} requests and ${seconds} s`);
  }
  client.close();
};
await Promise.all(Array.from({ length: connections }, loop));
const ended = new Promise((resolve) => child.once("exit", resolve));
child.kill("SIGTERM");
await ended;

const [early, late] = [Math.max(...levels.slice(1, 3)), Math.max(...levels.slice(-2))];
console.log(`${done} requests, ${wrong} answered otherwise than expected`);
console.log(
  `memory at the end ${(late / early).toFixed(2)} times that after a tenth (${late.toFixed(0)} and ${early.toFixed(0)} MB)`,
);
if (wrong > 0 || done < requests || (values.limit !== "0" && late / early > Number(values.limit))) process.exitCode = 1;
