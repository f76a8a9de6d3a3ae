/**
 * Measures the cost of reading a pair, by stage and in total, and how it scales with threads. Uses CPU time of whole processes, which a busy
 * machine disturbs less than wall time. Run it after `npm run build`; to compare, also on a build of another commit (`--dist`).
 *
 * usage: npx vite-node scripts/bench/reading.ts DATA_FOLDER [--model tiny] [--rows 1540] [--threads 1,2] [--dist dist] [--rounds 3]
 * "cpu" is the time of all threads, including the network's and the compiler's. "main" is the time of the thread that distributes rows. If it
 * reads none itself ("elsewhere"), that is the only serial part: with n threads Amdahl's law allows a speed-up of 1 / (serial + (1 - serial) / n).
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { readRows } from "./he-eval.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: "string", default: "tiny" },
    rows: { type: "string", default: "1540" },
    threads: { type: "string", default: "1,2" },
    dist: { type: "string", multiple: true, default: ["dist"] },
    rounds: { type: "string", default: "3" },
  },
});
const [data] = positionals;
if (!data) throw new Error("usage: reading.ts DATA_FOLDER");

interface Measured {
  /** Milliseconds per pair. */
  readonly cpu: number;
  readonly main: number;
  readonly wall: number;
  readonly mebibytes: number;
}

const programs = (await readRows(join(data, "he-eval-dev"))).slice(0, Number(values.rows));
const place = await mkdtemp(join(tmpdir(), "codescore-bench-"));
const path = join(place, "rows.json");
await writeFile(
  path,
  JSON.stringify(
    programs.map(({ code, problem }) => ({
      candidate: code,
      reference: problem.references[0],
      description: problem.description,
    })),
  ),
);

const rounds = Number(values.rounds);
const settings = values.dist.flatMap((dist) =>
  values.threads
    .split(",")
    .flatMap((threads) =>
      [false, true].map((elsewhere) => ({ dist: resolve(dist), threads: Number(threads), elsewhere })),
    ),
);
const found = new Map<(typeof settings)[number], Measured[]>(settings.map((setting) => [setting, []]));
for (let round = 0; round < rounds; round++) for (const setting of settings) found.get(setting)!.push(measure(setting));
for (const [{ dist, threads, elsewhere }, runs] of found) {
  const median = (key: keyof Measured): number => runs.map((run) => run[key]).sort((a, b) => a - b)[rounds >> 1]!;
  const serial = elsewhere ? ` (${((100 * median("main")) / median("cpu")).toFixed(1)}% serial)` : "";
  console.log(
    `${dist} threads ${threads}${elsewhere ? " elsewhere" : ""}: cpu ${median("cpu").toFixed(2)} ms a pair, main ` +
      `${median("main").toFixed(3)}${serial}, ${(1000 / median("wall")).toFixed(0)} pairs/s, ${median("mebibytes").toFixed(0)} MiB`,
  );
}
await rm(place, { recursive: true });

function measure({ dist, threads, elsewhere }: (typeof settings)[number]): Measured {
  const script = `
    import { readFileSync } from "node:fs";
    import { CodeScorer } from ${JSON.stringify(pathToFileURL(join(dist, "index.js")).href)};
    const rows = JSON.parse(readFileSync(${JSON.stringify(path)}, "utf8"));
    // of the main thread, in hundredths of a second
    const main = () => readFileSync(\`/proc/self/task/\${process.pid}/stat\`, "utf8").split(" ").slice(13, 15).reduce((a, b) => a + 10 * b, 0);
    const options = { threads: ${threads}, readElsewhere: ${elsewhere}, readingThread: ${elsewhere} };
    const scorer = await CodeScorer.load(${JSON.stringify(values.model)}, options);
    const [cpu, own, began] = [process.cpuUsage(), main(), performance.now()];
    await scorer.scoreAll(rows);
    const wall = (performance.now() - began) / rows.length;
    const { user, system } = process.cpuUsage(cpu);
    const mebibytes = process.resourceUsage().maxRSS / 1024;
    console.log(JSON.stringify({ cpu: (user + system) / 1000 / rows.length, main: (main() - own) / rows.length, wall, mebibytes }));
    await scorer.close();`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Measured;
}
