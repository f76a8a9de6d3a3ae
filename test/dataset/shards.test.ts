/** Samples cut into shards, and shards written by engines. Joined, they have the same bytes as one run, even if rows were labelled twice. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LabelWorker, label, mergeShards, writeExamples, writeShards } from "../../src/dataset/index.ts";
import type { LabelledRow } from "../../src/types.ts";
import { sha256 } from "../../src/util/files.ts";
import type { InRow } from "../../src/util/row-stream.ts";
import { tempFolder, writeRows } from "../problems/helpers.ts";
import { fakeExecutor } from "./fake.ts";

const names = Array.from({ length: 9 }, (_, i) => `P${i}`);
const problems = [
  writeRows(
    names.map((task_id) => ({
      task_id,
      description: "",
      prompt: "# given\n",
      entry_point: "f",
      references: ["r"],
      tests: ["assert f()"],
    })),
  ),
];
/** Samples without ids. Some continue a prompt, and some are in a fence (which the manifest notes). */
const sampleRows = Array.from({ length: 100 }, (_, i) => ({
  task_id: i % 17 === 0 ? "unknown" : (names[(i * 7) % 9] as string),
  [i % 3 === 0 ? "completion" : "solution"]:
    i % 10 === 1 ? "Here:\n```python\ndef f():\n    return 1 + 1\n```\n" : `# ${i}\n${"+".repeat(i % 5)}`,
  model: i % 2 === 0 ? "m" : "n",
  temperature: 0.5,
  ...(i % 6 === 0 ? { original: i % 12 === 0 ? "++++" : `${"+".repeat(i % 5)}` } : {}),
}));
const samples = [writeRows(sampleRows)];

const read = (path: string): string => readFileSync(path, "utf8");

async function wholeRun(name: string): Promise<string> {
  const out = join(tempFolder(), name);
  await label({ problems, samples, out, executor: fakeExecutor() });
  return out;
}

const cut = (count: number) => writeShards({ problems, samples, count, out: join(tempFolder(), "shards") });

describe("writeShards", () => {
  it.each([1, 7])("into %i files: their labels, joined, are those of one run", async (count) => {
    const whole = await wholeRun("out.arrow");
    const { folder } = await cut(count);
    const folderOf = tempFolder();
    const parts = Array.from({ length: count }, (_, i) => join(folderOf, `${i}.arrow`));
    for (const [i, out] of parts.entries()) {
      await label({ problems, samples: [folder], out, executor: fakeExecutor(), shard: { index: i + 1, count } });
    }
    const out = join(tempFolder(), "out.arrow");
    await mergeShards(out, parts.toReversed());
    expect(sha256(readFileSync(out))).toBe(sha256(readFileSync(whole)));
    expect(read(`${out}.manifest.json`)).toBe(read(`${whole}.manifest.json`));
  });

  it("makes files of like sizes, and says so", async () => {
    const { folder, samples: all } = await cut(7);
    const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    expect(files[0]).toBe("00001-of-00007.jsonl");
    const rows = files.map((name) => read(join(folder, name)).trim().split("\n").length);
    expect(rows).toEqual([14, 14, 14, 15, 14, 14, 15]);
    expect(all).toBe(100);
  });

  it.each<[string, { index: number; count: number } | null, string]>([
    ["the whole", null, "is divided into 7 shards: expected --shard i/7, got none"],
    ["another cut", { index: 1, count: 8 }, "is divided into 7 shards: expected --shard i/7, got 1/8"],
  ])("does not give %s", async (_, shard, message) => {
    const { folder } = await cut(7);
    const out = join(tempFolder(), "out.jsonl");
    await expect(label({ problems, samples: [folder], out, executor: fakeExecutor(), shard })).rejects.toThrow(message);
  });

  it("wants a sample a shard, and a card that is one", async () => {
    await expect(cut(101)).rejects.toThrow("expected at least 101 samples for 101 shards, got 100");
    const { folder } = await cut(2);
    writeFileSync(join(folder, "shards.json"), "{}");
    const shard = { index: 1, count: 2 };
    await expect(
      label({ problems, samples: [folder], out: join(folder, "o.jsonl"), executor: fakeExecutor(), shard }),
    ).rejects.toThrow("expected `count`, `samples` and `sources`");
  });
});

/** Stores a worker's answers for the rows of some shards, like an engine. */
async function stored(folder: string, name: string, rows: readonly object[]): Promise<string> {
  const worker = await LabelWorker.open({ problems, executor: fakeExecutor() });
  async function* given(): AsyncGenerator<InRow> {
    for (const [i, value] of rows.entries()) yield { where: `row ${i}`, value: { ...value } };
  }
  const { rows: found, card } = worker.batch(given());
  const lines: LabelledRow[] = [];
  for await (const { line } of found) {
    const { position: _, ...row } = JSON.parse(line);
    if (row.error === undefined) lines.push(row);
  }
  const path = join(folder, name);
  async function* all(): AsyncGenerator<LabelledRow> {
    yield* lines;
  }
  await writeExamples(path, all());
  const manifest = { ...worker.settings, sha256: sha256(readFileSync(path)), ...card() };
  writeFileSync(`${path}.manifest.json`, JSON.stringify(manifest));
  return path;
}

describe("an engine's shards", () => {
  async function rowsOf(): Promise<{ folder: string; rows: Record<string, unknown>[] }> {
    const { folder } = await cut(1);
    const lines = read(join(folder, "00001-of-00001.jsonl")).trim().split("\n");
    return { folder, rows: lines.map((line) => JSON.parse(line)) };
  }

  it("are the bytes of one run, though some were labelled twice and cut otherwise", async () => {
    const whole = await wholeRun("out.jsonl");
    const { folder, rows } = await rowsOf();
    const at = tempFolder();
    const parts = await Promise.all(
      [
        [60, 100],
        [0, 30],
        [25, 61],
        [0, 30],
      ].map(([a, b], i) => stored(at, `${i}.jsonl`, rows.slice(a, b))),
    );
    const out = join(tempFolder(), "out.jsonl");
    const counts = await mergeShards(out, parts, { samples: [folder] });
    expect(read(out)).toBe(read(whole));
    const [manifest, expected] = [out, whole].map((path) => JSON.parse(read(`${path}.manifest.json`)));
    expect(counts).toEqual({ ...expected.counts, leftOut: [] });
    expect(manifest).toEqual(expected);
    expect(expected).toMatchObject({ changed_rewrites: expect.any(Number), notes: expect.any(Object) });
    await mergeShards(out, [parts[1], parts[2], parts[0]] as string[], { samples });
    expect(read(out)).toBe(read(whole));
  });

  it.each<[string, readonly (readonly [number, number])[], string]>([
    [
      "a gap",
      [
        [0, 40],
        [41, 100],
      ],
      "no shard has sample 40 of 100 (counted from 0)",
    ],
    ["no end", [[0, 90]], "no shard has samples 90 to 99 of 100 (counted from 0)"],
  ])("with %s are refused", async (_, ranges, message) => {
    const { folder, rows } = await rowsOf();
    const at = tempFolder();
    const parts = await Promise.all(ranges.map(([a, b], i) => stored(at, `${i}.jsonl`, rows.slice(a, b))));
    await expect(mergeShards(join(at, "o.jsonl"), parts, { samples: [folder] })).rejects.toThrow(message);
    await expect(mergeShards(join(at, "o.jsonl"), parts)).rejects.toThrow("expected --samples PATH");
  });

  it("that contradict each other, or hold rows that could not be read, are refused", async () => {
    const { folder, rows } = await rowsOf();
    const at = tempFolder();
    const other = rows.slice(0, 50).map((row, i) => (i === 7 ? { ...row, made_by: "other" } : row));
    const parts = [await stored(at, "0.jsonl", rows), await stored(at, "1.jsonl", other)];
    await expect(mergeShards(join(at, "o.jsonl"), parts, { samples: [folder] })).rejects.toThrow(
      /[01].jsonl and .*[01].jsonl give sample 7 \(counted from 0\) different labels/,
    );
    const faulty = await stored(at, "2.jsonl", [{ ...rows[0], solution: 1, completion: undefined }, ...rows.slice(1)]);
    await expect(mergeShards(join(at, "o.jsonl"), [faulty], { samples: [folder] })).rejects.toThrow(
      "1 of its samples have no label; the first: row 0",
    );
  });

  it("are joined without the rows that have no label, where that is asked for", async () => {
    const { folder, rows } = await rowsOf();
    const at = tempFolder();
    const broken = (row: Record<string, unknown>) => ({ ...row, solution: 1, completion: undefined });
    const parts = [
      await stored(at, "0.jsonl", [broken(rows[0]!), broken(rows[1]!), ...rows.slice(2)]),
      await stored(at, "1.jsonl", rows.slice(1, 2)), // a second attempt could read it
    ];
    const out = join(at, "o.jsonl");
    const whole = await wholeRun("out.jsonl");
    const { leftOut } = await mergeShards(out, parts, { samples: [folder], leaveOut: true });
    expect(leftOut).toEqual([0]);
    expect(read(out)).toBe(read(whole).split("\n").slice(1).join("\n"));
    const [manifest, expected] = [out, whole].map((path) => JSON.parse(read(`${path}.manifest.json`)));
    expect(manifest).toMatchObject({ left_out: [0], changed_rewrites: expected.changed_rewrites });
  });

  it("give the row that was judged where another attempt could not judge it", async () => {
    const { folder, rows } = await rowsOf();
    const at = tempFolder();
    const parts = [await stored(at, "0.jsonl", rows), await stored(at, "1.jsonl", rows)];
    const lines = read(parts[0]!).trim().split("\n");
    const lost = { ...JSON.parse(lines[3]!), status: "infra", pass_ratio: null, executable: null };
    writeFileSync(parts[0]!, `${lines.with(3, JSON.stringify(lost)).join("\n")}\n`);
    const card = JSON.parse(read(`${parts[0]}.manifest.json`));
    writeFileSync(`${parts[0]}.manifest.json`, JSON.stringify({ ...card, sha256: sha256(readFileSync(parts[0]!)) }));
    const out = join(at, "o.jsonl");
    for (const order of [parts, parts.toReversed()]) {
      await mergeShards(out, order, { samples: [folder] });
      expect(read(out)).toBe(read(await wholeRun("out.jsonl")));
    }
  });
});
