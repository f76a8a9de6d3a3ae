/** Joining the shards of a labelling run: the result has the same bytes as a run without shards, or an error says what is wrong. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { label, mergeShards, type Shard } from "../../src/dataset/index.ts";
import { positionsOf, runsOf } from "../../src/dataset/positions.ts";
import { sha256 } from "../../src/util/files.ts";
import { tempFolder, writeRows } from "../problems/helpers.ts";
import { fakeExecutor } from "./fake.ts";

const names = Array.from({ length: 9 }, (_, i) => `P${i}`);
/** Two of them are also samples, which do not pass. */
const references = ["r", "# 1\n+", "# 3\n+++"];
const problems = [
  writeRows(
    names.map((task_id) => ({ task_id, description: "", entry_point: "f", references, tests: ["assert f()"] })),
  ),
];
/** Tasks in mixed order, one of them unknown, and rewrites, half of which behave differently. */
const sampleRows = Array.from({ length: 120 }, (_, i) => ({
  task_id: i % 17 === 0 ? "unknown" : (names[(i * 7) % 9] as string),
  code: `# ${i}\n${"+".repeat(i % 5)}`,
  model: "m",
  ...(i % 6 === 0 ? { original: i % 12 === 0 ? "++++" : `${"+".repeat(i % 5)}` } : {}),
}));
const samples = [writeRows(sampleRows)];

async function run(name: string, shard: Shard | null, more: { seed?: number } = {}): Promise<string> {
  const out = join(tempFolder(), name);
  await label({ problems, samples, out, executor: fakeExecutor(), shard, ...more });
  return out;
}

const shardsOf = (name: string, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => run(name, { index: i + 1, count })));

const bytes = (path: string): string => sha256(readFileSync(path));

describe("mergeShards", () => {
  it.each([
    ["out.arrow", 1],
    ["out.arrow", 2],
    ["out.arrow", 5],
    ["out.jsonl", 3],
    ["out.parquet", 3],
    ["out.arrow", 30], // some of them empty
  ])("joins the shards of %s out of %i into the bytes of one run, in any order", async (name, count) => {
    const whole = await run(name, null);
    const shards = await shardsOf(name, count);
    const out = join(tempFolder(), name);
    const counts = await mergeShards(out, [...shards].reverse());
    expect(counts.rows).toBeGreaterThan(90);
    expect(bytes(out)).toBe(bytes(whole));
    expect(readFileSync(`${out}.manifest.json`, "utf8")).toBe(readFileSync(`${whole}.manifest.json`, "utf8"));
    const { defects } = JSON.parse(readFileSync(`${out}.manifest.json`, "utf8"));
    expect(defects).toEqual({ "failing-reference": ["P3", "P7"] });
  });

  it("refuses a shard that is missing or there twice, saying which", async () => {
    const [one, two, three] = (await shardsOf("out.jsonl", 3)) as [string, string, string];
    const out = join(tempFolder(), "out.jsonl");
    await expect(mergeShards(out, [one, three])).rejects.toThrow("expected all 3 shards, got 2; missing: 2/3");
    await expect(mergeShards(out, [one, two, three, two])).rejects.toThrow("got shard 2/3 twice");
  });

  it.each<[string, (shard: string) => Promise<string>, RegExp]>([
    [
      "another seed",
      () => run("out.jsonl", { index: 2, count: 2 }, { seed: 7 }),
      /different runs: they differ in seed/,
    ],
    ["another count", () => run("out.jsonl", { index: 2, count: 3 }), /different runs: they differ in shards/],
    ["no shard", () => run("out.jsonl", null), /is not a shard: expected a file of codescore label --shard/],
    [
      "a changed file",
      async (shard) => {
        writeFileSync(shard, readFileSync(shard, "utf8").replace('"pass_ratio":0.25', '"pass_ratio":1'));
        return shard;
      },
      /is not the file that its manifest describes/,
    ],
    [
      "a file without its manifest",
      async (shard) => {
        const copy = join(tempFolder(), basename(shard));
        copyFileSync(shard, copy);
        return copy;
      },
      /expected its manifest beside it/,
    ],
  ])("refuses %s", async (_, spoil, message) => {
    const [one, two] = (await shardsOf("out.jsonl", 2)) as [string, string];
    const out = join(dirname(one), "merged.jsonl");
    await expect(mergeShards(out, [one, await spoil(two)])).rejects.toMatchObject({
      code: "input",
      message: expect.stringMatching(message),
    });
  });
});

it.each([
  ["", []],
  ["0+2 5+1", [0, 1, 5]],
  ["5+1 0+2", null],
  ["0+2 1+1", null],
  ["0-2", null],
  [7, null],
])("positions %j are %j", (text, positions) => {
  const runs = runsOf(text);
  expect(runs && positionsOf(runs)).toEqual(positions);
});

describe("a rewrite", () => {
  it("gets no row where it behaves otherwise than its original, and is counted", async () => {
    const rows = [
      { task_id: "P0", sample_id: "same", code: "+ #", original: "+" },
      { task_id: "P0", sample_id: "other", code: "++", original: "+" },
      { task_id: "P0", sample_id: "mutant", code: "+++" },
    ];
    const out = join(tempFolder(), "out.jsonl");
    const executor = fakeExecutor();
    const result = await label({ problems, samples: [writeRows(rows)], out, executor });
    expect(result).toMatchObject({ rows: 2, changed: 1, executed: 4 });
    const ids = readFileSync(out, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).sample_id as string);
    expect(ids).toEqual(["same", "mutant"]);
    expect(JSON.parse(readFileSync(result.manifest, "utf8"))).toMatchObject({ changed_rewrites: 1 });
  });

  it("is kept while its original could not be judged", async () => {
    const infra = { status: "infra", verdicts: [], passRatio: null, executable: null, reason: "lost" } as const;
    const executor = fakeExecutor({ verdict: (code) => (code === "+" ? infra : {}) });
    const out = join(tempFolder(), "out.jsonl");
    const rows = [{ task_id: "P0", code: "++", original: "+" }];
    expect(await label({ problems, samples: [writeRows(rows)], out, executor })).toMatchObject({ rows: 1, changed: 0 });
  });
});
