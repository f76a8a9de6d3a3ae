/**
 * Runs the commands of the documents unchanged, in a folder with the files that they name. Needs `npm run build`: a shell runs the built
 * command, at least once for each verb. What needs no shell then runs in this process, which takes less than half of the time.
 */
import { copyFile, cp, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { isRunWhole, root, shown } from "./commands.ts";
import { type Folder, firstLines, openFolder } from "./folder.ts";

const runnable = shown.filter(({ command }) => isRunWhole(command));

let folder: Folder;
const at = (name: string): string => folder.at(name);

/** Exchanges two files. */
async function exchange(a: string, b: string): Promise<void> {
  await rename(at(a), at("other"));
  await rename(at(b), at(a));
  await rename(at("other"), at(b));
}

beforeAll(async () => {
  folder = await openFolder();
  const { make, write } = folder;
  await cp(join(root, "datasets/starter"), at("datasets/starter"), { recursive: true });
  // A few problems are enough to show that the commands run.
  for (const name of (await readdir(at("datasets/starter"))).filter((one) => one.endsWith(".jsonl")))
    await write(
      `datasets/starter/${name}`,
      `${await firstLines(`datasets/starter/${name}`, name === "humaneval-style.jsonl" ? 3 : 1)}\n`,
    );
  const few = await firstLines("datasets/starter/humaneval-style.jsonl", 3);
  for (const name of ["problems.jsonl", "mbpp.jsonl", "mbpp-100.jsonl", "data/mbpp.jsonl"])
    await write(name, `${few}\n`);
  for (const name of ["HumanEval.jsonl.gz", "datasets/HumanEval.jsonl.gz"]) await write(name, gzipSync(`${few}\n`));
  // An estimate from a tenth wants one of each problem.
  await make("codescore mutate --problems problems.jsonl --per-problem 12 --output mutants.jsonl");
  const mutants = (await readFile(at("mutants.jsonl"), "utf8")).trim().split("\n");
  // 256 shards need as many programs.
  const many = Array.from({ length: 256 }, (_, i) => ({
    ...JSON.parse(mutants[i % mutants.length]!),
    sample_id: `s${i}`,
  }));
  for (const [name, chosen] of [
    ["many.jsonl", many],
    ["samples.jsonl", many.slice(0, mutants.length)],
    ["few.jsonl", many.slice(0, mutants.length).filter((_, i) => i % 2 === 0)],
    ["gpt.jsonl", many.slice(0, mutants.length).filter((_, i) => i % 3 === 1)],
    ["llama.jsonl", many.slice(0, mutants.length).filter((_, i) => i % 3 === 2)],
  ] as const)
    await write(name, `${chosen.map((row) => JSON.stringify(row)).join("\n")}\n`);
  for (const name of ["gpt", "llama"])
    await make(`codescore score --problems problems.jsonl --samples ${name}.jsonl --output ${name}-scores.jsonl`);
  await make("codescore mutate --problems problems.jsonl --per-problem 4 --output few-samples.jsonl");
  await make("codescore label --problems problems.jsonl --samples few-samples.jsonl --output test.arrow");
  for (const name of ["programs.jsonl", "programs.arrow"])
    await make(`codescore label --problems problems.jsonl --samples samples.jsonl --output ${name}`);
  for (const name of ["dev.arrow", "few-tests.arrow", "all.arrow", "labels.arrow"])
    await copyFile(at("test.arrow"), at(name));
  const labelled = (await readFile(at("programs.jsonl"), "utf8")).trim().split("\n");
  const pairs = labelled.map((line) => {
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
  await folder.remove();
});

/** A command that several documents show runs once. */
const each = [...new Set(runnable.map(({ command }) => command))].map((command) => {
  const same = runnable.filter((one) => one.command === command);
  return [same.map(({ document }) => document).join(", "), command, same.flatMap(({ output }) => output)] as const;
});

it.each(each)("%s: %s", async (_, command, output) => {
  const isCut = command.includes("datasets shard");
  if (isCut) await exchange("samples.jsonl", "many.jsonl");
  const { code, stdout, stderr } = await folder.runAgain(command);
  if (isCut) await exchange("samples.jsonl", "many.jsonl");
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
