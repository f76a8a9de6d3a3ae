/**
 * Runs the commands of the documents unchanged, in a folder with the files that they name. Needs `npm run build`: a shell runs the built
 * command, at least once for each verb. What needs no shell then runs in this process, which takes less than half of the time.
 */
import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type CliResult, codescoreHere } from "../cli/run.ts";
import { NOT_RUN, root, shown, wordsOf } from "./commands.ts";

const runnable = shown.filter(
  ({ command }) => wordsOf(command)[0] === "codescore" && !NOT_RUN.some(([pattern]) => pattern.test(command)),
);

let folder: string;
const at = (name: string): string => join(folder, name);

/** Runs a command in a shell in which `codescore` and `npx codescore` are the built one. */
async function run(command: string): Promise<CliResult> {
  const env = { ...process.env, PATH: `${at("bin")}:${process.env.PATH}`, CODESCORE_CACHE: at("cache") };
  const options = { cwd: folder, env, maxBuffer: 1e8 };
  try {
    return { code: 0, ...(await promisify(execFile)("bash", ["-c", command], options)) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

const started = new Set<string>();

/** The same, where possible without a new process. */
function runAgain(command: string): Promise<CliResult> {
  const [, ...args] = wordsOf(command);
  const isPlain = /^(npx )?codescore [^$&*;<>?\\`|~]*$/.test(command);
  const verb = args.slice(0, /^(cluster|datasets)$/.test(args[0]!) ? 2 : 1).join(" ");
  if (isPlain && started.has(verb)) return codescoreHere(args, { cwd: folder });
  started.add(verb);
  return run(command);
}

async function make(command: string): Promise<void> {
  const { code, stderr } = await run(command);
  if (code !== 0) throw new Error(`${command}: ${stderr}`);
}

const write = async (name: string, text: string | Uint8Array): Promise<void> => {
  await mkdir(dirname(at(name)), { recursive: true });
  await writeFile(at(name), text);
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-docs-"));
  await write("bin/codescore", `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/cli/main.js")}" "$@"\n`);
  await write("bin/npx", '#!/bin/sh\nexec "$@"\n');
  await make(`chmod +x bin/*`);
  vi.stubEnv("CODESCORE_CACHE", at("cache"));
  await symlink(join(root, "examples"), at("examples"));
  await cp(join(root, "datasets/starter"), at("datasets/starter"), { recursive: true });
  // A few problems are enough to show that the commands run.
  const first = (path: string, count: number): Promise<string> =>
    readFile(path, "utf8").then((text) => text.trim().split("\n").slice(0, count).join("\n"));
  for (const name of (await readdir(at("datasets/starter"))).filter((one) => one.endsWith(".jsonl")))
    await write(`datasets/starter/${name}`, `${await first(join(root, "datasets/starter", name), 3)}\n`);
  const few = await first(join(root, "datasets/starter/humaneval-style.jsonl"), 6);
  for (const name of ["problems.jsonl", "mbpp.jsonl", "mbpp-100.jsonl", "data/mbpp.jsonl"])
    await write(name, `${few}\n`);
  for (const name of ["HumanEval.jsonl.gz", "datasets/HumanEval.jsonl.gz"]) await write(name, gzipSync(`${few}\n`));
  // 256 shards need as many programs. Evaluations would only take longer with them.
  await make("codescore mutate --problems problems.jsonl --per-problem 44 --output samples.jsonl");
  await make("codescore mutate --problems problems.jsonl --per-problem 4 --output few-samples.jsonl");
  await make("codescore label --problems problems.jsonl --samples few-samples.jsonl --output test.arrow");
  for (const name of ["programs.jsonl", "programs.arrow"])
    await make(`codescore label --problems problems.jsonl --samples samples.jsonl --output ${name}`);
  for (const name of ["dev.arrow", "few-tests.arrow", "all.arrow", "labels.arrow"])
    await copyFile(at("test.arrow"), at(name));
  const labelled = (await readFile(at("programs.jsonl"), "utf8")).trim().split("\n");
  const pairs = labelled.flatMap((line, i) => {
    if (i % 4 !== 0) return [];
    const { task_id, candidate, reference, pass_ratio } = JSON.parse(line);
    return JSON.stringify({ task_id, candidate, reference, pass_ratio, kind: pass_ratio === 1 ? "right" : "mutant" });
  });
  await write("near-misses.jsonl.gz", gzipSync(`${pairs.join("\n")}\n`));
  const reference = "def f(x):\n    return 2 * x\n";
  await write("task.txt", "Double a number. For example f(2) is 4.\n");
  for (const name of ["samples/a.py", "answers/a.py"]) await write(name, "def f(x):\n    return x + x\n");
  for (const name of ["samples/b.py", "solutions/a.py", "reference.py"]) await write(name, reference);
  await write("tasks/a.txt", "Double a number.\n");
  const id = (JSON.parse(few.split("\n")[0]!) as { task_id: string }).task_id;
  await write(
    "answers.jsonl",
    `${JSON.stringify({ task_id: id, solution: `Here:\n\`\`\`python\n${reference}\`\`\`` })}\n`,
  );
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** A command that several documents show runs once. */
const each = [...new Set(runnable.map(({ command }) => command))].map((command) => {
  const same = runnable.filter((one) => one.command === command);
  return [same.map(({ document }) => document).join(", "), command, same.flatMap(({ output }) => output)] as const;
});

it.each(each)("%s: %s", async (_, command, output) => {
  const { code, stdout, stderr } = await runAgain(command);
  // A score may be below the limit that a command sets.
  expect(command.includes("--fail-under") ? [0, 1] : [0], stderr.slice(-2000)).toContain(code);
  expect(stdout + stderr).not.toBe("");
  expect(stdout.split("\n").map((line) => line.trim())).toEqual(expect.arrayContaining([...output]));
});

it("wrote what the tutorial opens", async () => {
  expect(await readdir(at("runs/tutorial"))).toEqual(
    expect.arrayContaining(["samples.jsonl", "labels.arrow", "report.html"]),
  );
  expect(await readFile(at("runs/tutorial/report.html"), "utf8")).toMatch(
    /ranks [\d,]+ programs as execution does in [\d.]+% of pairs/,
  );
});
