/** Parts of `score` and `expand`: merged, they have the bytes of one run, or an error says what is wrong. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ExpandProblemsResult, expandProblems, type Shard } from "../../src/dataset/index.ts";
import { double, first, given } from "../dataset/doubling.ts";
import { fakeExecutor } from "../dataset/fake.ts";
import { tempFolder, writeRows } from "../problems/helpers.ts";
import { codescoreHere } from "./run.ts";

const ids = Array.from({ length: 7 }, (_, i) => `P/${i}`);
const problemRows = ids.map((task_id, i) => ({
  task_id,
  description: `Add ${i} to a number.`,
  entry_point: "f",
  references: [`def f(x: int) -> int:\n    return x + ${i}\n`],
  tests: [`assert f(1) == ${1 + i}`],
}));
const sampleRows = Array.from({ length: 25 }, (_, n) => ({
  task_id: n === 9 ? "unknown" : (ids[(n * 3) % ids.length] as string),
  solution:
    n % 11 === 5 ? "" : `def f(x):\n    return x ${n % 2 === 0 ? "+" : "-"} ${((n * 3) % ids.length) + (n % 4)}\n`,
}));
const [problems, samples] = [writeRows(problemRows), writeRows(sampleRows)];
/** Rows with their own task or none, and one that is not a row. */
const input = join(tempFolder(), "rows.jsonl");
writeFileSync(
  input,
  [
    ...sampleRows.map(({ task_id, solution }, n) => ({
      candidate: solution,
      reference: `def f(x):\n    return x + ${n % 3}\n`,
      ...(n % 2 === 0 && { task_id }),
    })),
    { solution: "a row without a candidate" },
  ]
    .map((row) => `${JSON.stringify(row)}\n`)
    .join(""),
);

async function done(...words: string[]): Promise<string> {
  const { code, stderr } = await codescoreHere(words);
  expect(code, stderr).toBe(0);
  return stderr;
}

/** Runs a command whole, and in parts which are merged; returns the path of each. */
async function bothWays(words: readonly string[], count: number): Promise<{ whole: string; merged: string }> {
  const folder = tempFolder();
  const [whole, merged] = ["one", "many"].map((name) => join(folder, name, "out.jsonl")) as [string, string];
  await codescoreHere([...words, "--output", whole]);
  const parts: string[] = [];
  for (let i = 1; i <= count; i++) {
    parts.push(join(folder, "parts", `${i}.jsonl`));
    await done(...words, "--output", parts.at(-1) as string, "--shard", `${i}/${count}`);
  }
  await done("datasets", "merge", merged, ...parts.reverse());
  return { whole, merged };
}

const same = ({ whole, merged }: { whole: string; merged: string }, ending = ""): void =>
  expect(readFileSync(`${merged}${ending}`, "utf8")).toBe(readFileSync(`${whole}${ending}`, "utf8"));

describe("score --shard", () => {
  it.each([
    ["rows", ["--input", input], 3],
    ["rows, in more parts than tasks", ["--input", input, "--explain"], 9],
    ["samples", ["--problems", problems, "--samples", samples], 3],
  ])("of %s gives the bytes of one run", { timeout: 120_000 }, async (_, given, count) => {
    const paths = await bothWays(["score", "--model", "tiny", "--threads", "1", ...given], count);
    same(paths);
    expect(readFileSync(paths.whole, "utf8").trim().split("\n").length).toBeGreaterThanOrEqual(25);
  });

  it("runs the samples of a task together", { timeout: 120_000 }, async () => {
    const given = ["--problems", problems, "--samples", samples, "--format", "nl"];
    same(await bothWays(["score", "--run", "--inputs", "5", "--workers", "1", "--threads", "1", ...given], 3));
  });

  it("takes the shards that datasets shard wrote", { timeout: 120_000 }, async () => {
    const folder = tempFolder();
    const known = writeRows(sampleRows.filter(({ task_id }) => task_id !== "unknown"));
    await done("datasets", "shard", "--problems", problems, "--samples", known, "--shards", "3", "--output", folder);
    const whole = join(tempFolder(), "out.jsonl");
    const score = ["score", "--model", "tiny", "--threads", "1", "--problems", problems];
    await codescoreHere([...score, "--samples", known, "--output", whole]);
    const parts = [1, 2, 3].map((i) => join(folder, "scores", `${i}.jsonl`));
    for (const [i, part] of parts.entries())
      await done(...score, "--samples", folder, "--output", part, "--shard", `${i + 1}/3`);
    const merged = join(folder, "merged.jsonl");
    await done("datasets", "merge", merged, ...parts);
    same({ whole, merged });
    const { code, stderr } = await codescoreHere([
      ...score,
      ...["--run", "--samples", folder, "--output", join(folder, "x.jsonl"), "--shard", "1/3"],
    ]);
    expect(stderr).toContain("--run compares the samples of a task, which the shards of");
    expect(code).toBe(2);
  });

  it.each([
    [["--input", input, "--output", "x.jsonl", "--rank"], "--rank cannot be used with --shard"],
    [["--input", input, "--output", "x.jsonl", "--fail-under", "0.5"], "--fail-under cannot be used with --shard"],
    [["--output", "x.jsonl"], "--shard needs a file that every machine reads"],
    [["--input", input], "with --shard expected --output to end in .jsonl, got `-`"],
    [["--input", input, "--output", "x.csv"], "with --shard expected --output to end in .jsonl, got `x.csv`"],
    [["--stdio"], "--stdio cannot be used with --shard"],
  ])("refuses %j", async (more, message) => {
    const { code, stderr } = await codescoreHere(["score", "--shard", "1/2", ...more]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

describe("expand --shard", () => {
  it.each([3, 12])("of %i gives the file, report and manifest of one run", async (count) => {
    const rows = ids.map((task_id, i) => ({
      ...{ task_id, description: "Double it.", entry_point: "f", tests: given },
      references: i % 3 === 0 ? [] : [first],
    }));
    const [written, folder] = [writeRows(rows), tempFolder()];
    const expand = (name: string, shard: Shard | null): Promise<ExpandProblemsResult> =>
      expandProblems({
        ...{ problems: [written], out: join(folder, name, "out.jsonl"), count: 10, shard },
        executor: fakeExecutor({ programs: { [first]: double } }),
      });
    const { out: whole } = await expand("one", null);
    const parts: ExpandProblemsResult[] = [];
    for (let index = 1; index <= count; index++) parts.push(await expand(`${index}`, { index, count }));
    const merged = join(folder, "many", "out.jsonl");
    await done("datasets", "merge", merged, ...parts.map(({ out }) => out).reverse());
    for (const ending of ["", ".report.json", ".manifest.json"]) same({ whole, merged }, ending);
    const { counts } = JSON.parse(readFileSync(`${merged}.manifest.json`, "utf8"));
    expect(counts).toMatchObject({ problems: 7, tests_added: 28, short: 3 });
    expect(parts.some(({ problems: own }) => own === 0)).toBe(count === 12);
  });

  it("refuses a model, whose answers vary", async () => {
    const words = ["expand", "--shard", "1/2", "--problems", problems, "--output", "x.jsonl", "--llm", "m"];
    const { code, stderr } = await codescoreHere(words);
    expect(stderr).toContain("--llm cannot be used with --shard");
    expect(code).toBe(2);
  });
});

describe("datasets merge", () => {
  it("refuses parts that are missing, doubled, changed or of different runs", { timeout: 120_000 }, async () => {
    const folder = tempFolder();
    const part = async (name: string, shard: string, ...more: string[]) => {
      const words = ["score", "--model", "tiny", "--threads", "1", "--input", input, "--shard", shard, ...more];
      await done(...words, "--output", join(folder, name));
      return join(folder, name);
    };
    const [one, two] = [await part("1.jsonl", "1/2"), await part("2.jsonl", "2/2")];
    const other = await part("3.jsonl", "2/2", "--format", "ref");
    const out = join(folder, "out.jsonl");
    const refused = async (message: string, ...shards: string[]) => {
      const { code, stderr } = await codescoreHere(["datasets", "merge", out, ...shards]);
      expect(stderr).toContain(message);
      expect(code).not.toBe(0);
      expect(existsSync(out)).toBe(false);
    };
    await refused("expected all 2 shards, got 1; missing: 2/2", one);
    await refused("got shard 1/2 twice", one, one, two);
    await refused("are from different runs: they differ in signature, format", one, other);
    await refused("--samples is for the shards of label, got those of score", one, two, "--samples", samples);
    await refused("2.jsonl is not the file that its manifest describes", one, changed(two));
  });
});

function changed(path: string): string {
  writeFileSync(path, readFileSync(path, "utf8").replace("score", "scare"));
  return path;
}
