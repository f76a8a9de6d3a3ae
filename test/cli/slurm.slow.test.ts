/** `codescore cluster slurm` on a real Slurm of one node, which slurm.sh starts. A process is killed half-way. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tempFolder, writeRows } from "../problems/helpers.ts";
import { codescore } from "./run.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const script = join(root, "test", "cli", "slurm.sh");
const PATH = [process.env.PATH, "/usr/sbin", "/sbin"].join(delimiter);

/** Why there is no Slurm; null if there is one. */
function whyNot(): string | null {
  if (process.getuid?.() !== 0) return "slurmd needs root, to start jobs of other users";
  const lacking = ["slurmctld", "slurmd", "sbatch", "munged"].filter((name) =>
    PATH.split(delimiter).every((folder) => !existsSync(join(folder, name))),
  );
  return lacking.length === 0
    ? null
    : `not installed: ${lacking.join(", ")} (Debian: slurmctld slurmd slurm-client munge)`;
}

const reason = whyNot();
if (reason !== null) process.stderr.write(`the tests on Slurm are skipped: ${reason}\n`);

const slurm = tempFolder();
const ids = Array.from({ length: 12 }, (_, i) => `P/${i}`);
const problems = writeRows(
  ids.map((task_id, i) => ({
    task_id,
    description: `Add ${i} to a number.`,
    entry_point: "f",
    references: [`def f(x: int) -> int:\n    return x + ${i}\n`],
    tests: [1, 2, 7].map((x) => `assert f(${x}) == ${x + i}`),
  })),
);

/** All differ. Some are wrong, some end their process, one never ends, and the slow ones leave time to kill the process that labels them. */
function program(n: number, k: number): string {
  if (n === 201) return `    while True: x = ${n}\n`;
  if (n % 60 === 17) return `    import os\n    os.kill(os.getppid(), 9)\n    os._exit(${n % 7})\n`;
  if (n % 8 === 3) return `    import time\n    time.sleep(0.1)\n    return x + ${k} + ${n} - ${n}\n`;
  return n % 3 === 0 ? `    return x - ${n}\n` : `    y = ${n}\n    return x + ${k} + y - ${n}\n`;
}

const SAMPLES = 360;
const samples = writeRows(
  Array.from({ length: SAMPLES }, (_, n) => {
    const k = (n * 7919) % ids.length;
    return { task_id: ids[k], solution: `def f(x):\n${program(n, k)}` };
  }),
);

async function done(...words: readonly string[]): Promise<void> {
  const { code, stderr } = await codescore(words);
  expect(code, stderr).toBe(0);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs the written submit.sh with a `codescore` that is the built command. */
function submit(folder: string): void {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const entry = join(root, "dist", "cli", "main.js");
  writeFileSync(join(bin, "codescore"), `#!/bin/bash\nexec '${process.execPath}' '${entry}' "$@"\n`);
  chmodSync(join(bin, "codescore"), 0o755);
  const env = { ...process.env, PATH: `${bin}${delimiter}${PATH}`, SLURM_CONF: join(slurm, "slurm.conf") };
  const { status, stderr } = spawnSync("sh", [join(folder, "submit.sh")], { env, encoding: "utf8" });
  expect(status, stderr).toBe(0);
}

/** The processes that label a shard of the folder which is begun and not done. */
function labelling(folder: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    let words: string[] = [];
    try {
      words = readFileSync(join("/proc", name, "cmdline"), "utf8").split("\0");
    } catch {} // it has ended
    const out = words[words.indexOf("--output") + 1] ?? "";
    if (!words.includes("label") || !out.startsWith(join(folder, "labels"))) return [];
    const journal = `${out}.journal.jsonl`;
    return existsSync(journal) && statSync(journal).size > 0 && !existsSync(out) ? [Number(name)] : [];
  });
}

const logs = (folder: string): string =>
  ["1", "2", "merge"]
    .map((name) => join(folder, "logs", `${name}.log`))
    .filter(existsSync)
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");

async function joined(folder: string, path: string): Promise<void> {
  await expect.poll(() => existsSync(path), { timeout: 240_000, interval: 200, message: logs(folder) }).toBe(true);
}

describe.skipIf(reason !== null)("on Slurm", () => {
  beforeAll(async () => {
    const ports = [`${await freePort()}`, `${await freePort()}`];
    const { status, stdout, stderr } = spawnSync("bash", [script, "start", slurm, ...ports], { encoding: "utf8" });
    expect(status, stdout + stderr).toBe(0);
  });
  afterAll(() => {
    spawnSync("bash", [script, "stop", slurm]);
  });

  it("labels as one process does, though one is killed half-way", { timeout: 400_000 }, async () => {
    const folder = tempFolder();
    const shards = join(folder, "samples");
    const whole = join(folder, "one", "labels.arrow");
    await done("label", "--problems", problems, "--samples", samples, "--output", whole, "--workers", "1");
    await done("datasets", "shard", "--problems", problems, "--samples", samples, "--shards", "6", "--output", shards);
    const words = ["cluster", "slurm", "--problems", problems, "--samples", shards, "--output", folder];
    await done(...words, "--tasks", "2", "--memory", "1G");
    submit(folder);
    // Half-way: some shards are done, and another is begun.
    let killed: number | undefined;
    const isHalfWay = (): boolean => {
      const ended = readdirSync(join(folder, "labels")).filter((name) => name.endsWith(".manifest.json"));
      if (ended.length >= 2) killed = labelling(folder)[0];
      if (killed !== undefined) process.kill(killed, "SIGKILL");
      return killed !== undefined;
    };
    await expect.poll(isHalfWay, { timeout: 200_000, interval: 10 }).toBe(true);
    const merged = join(folder, "labels.arrow");
    await joined(folder, `${merged}.manifest.json`);
    expect(logs(folder).match(/attempt \d+ failed/g)).toEqual(["attempt 1 failed"]);
    for (const ending of ["", ".manifest.json"])
      expect(readFileSync(`${merged}${ending}`).equals(readFileSync(`${whole}${ending}`)), ending).toBe(true);
    expect(JSON.parse(readFileSync(`${merged}.manifest.json`, "utf8")).counts.rows).toBe(SAMPLES);
  });

  it.each([
    ["expand", "expanded.jsonl", ["--problems", problems], ["--count", "6"], ["", ".report.json", ".manifest.json"]],
    ["score", "scores.jsonl", ["--problems", problems, "--samples", samples], ["--model", "tiny"], [""]],
  ])("%s gives what one process gives", { timeout: 400_000 }, async (step, name, given, options, endings) => {
    const folder = tempFolder();
    const whole = join(folder, "one", name);
    await done(step, ...given, ...options, "--output", whole);
    const words = ["cluster", "slurm", "--step", step, ...given, "--shards", "3", "--tasks", "2", "--output", folder];
    await done(...words, "--memory", "1G", "--", ...options);
    submit(folder);
    const merged = join(folder, name);
    await joined(folder, `${merged}${endings.at(-1)}`);
    for (const ending of endings)
      expect(readFileSync(`${merged}${ending}`).equals(readFileSync(`${whole}${ending}`)), ending).toBe(true);
  });
});
