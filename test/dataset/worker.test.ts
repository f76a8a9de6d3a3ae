/** A shard's worker gives the same rows as one run, with the same bytes regardless of what it did before. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LabelWorker, label } from "../../src/dataset/index.ts";
import type { Executor } from "../../src/execute/index.ts";
import type { InRow, WorkedBatch } from "../../src/util/row-stream.ts";
import { tempFolder, writeRows } from "../problems/helpers.ts";
import { fakeExecutor } from "./fake.ts";

const names = Array.from({ length: 9 }, (_, i) => `P${i}`);
const problems = [
  writeRows(
    names.map((task_id) => ({ task_id, description: "", entry_point: "f", references: ["r"], tests: ["assert f()"] })),
  ),
];
const samples = Array.from({ length: 120 }, (_, i) => ({
  task_id: i % 17 === 0 ? "unknown" : (names[(i * 7) % 9] as string),
  sample_id: `s${i}`,
  code: `# ${i}\n${"+".repeat(i % 5)}`,
  ...(i % 6 === 0 ? { original: i % 12 === 0 ? "++++" : `${"+".repeat(i % 5)}` } : {}),
}));

const opened = (executor: Executor = fakeExecutor()): Promise<LabelWorker> => LabelWorker.open({ problems, executor });

async function* rowsOf(values: readonly object[], from = 0): AsyncGenerator<InRow> {
  for (const [i, value] of values.entries()) yield { where: `row ${i + 1}`, value: { ...value, position: from + i } };
}

async function linesOf({ rows, card }: WorkedBatch): Promise<{ lines: string[]; card: Record<string, unknown> }> {
  const lines: string[] = [];
  for await (const { line } of rows) lines.push(line);
  return { lines, card: card() as Record<string, unknown> };
}

describe("LabelWorker", () => {
  it("says of each sample what one run says, in their order, with its place", async () => {
    const out = join(tempFolder(), "out.jsonl");
    await label({
      problems,
      samples: [writeRows(samples)],
      out,
      executor: fakeExecutor({ delay: (code) => code.length % 3 }),
    });
    const { lines, card } = await linesOf((await opened()).batch(rowsOf(samples)));
    expect(lines).toHaveLength(120);
    const rows = lines.map((line) => JSON.parse(line));
    expect(rows.map(({ position }) => position)).toEqual(samples.map((_, i) => i));
    const labelled = rows
      .filter(({ error }) => error === undefined)
      .map(({ position: _, ...row }) => JSON.stringify(row));
    expect(`${labelled.join("\n")}\n`).toBe(readFileSync(out, "utf8"));
    const changed = rows.filter(({ error }) => error?.code === "changed");
    const manifest = JSON.parse(readFileSync(`${out}.manifest.json`, "utf8"));
    expect(changed).toHaveLength(manifest.changed_rewrites);
    expect(card).toMatchObject({
      shard: { seen: "0+120", faults: 0 },
      changed_rewrites: manifest.changed_rewrites,
      counts: manifest.counts,
      pass_ratio: manifest.pass_ratio,
      defects: manifest.defects,
    });
  });

  it("says the same of a batch whatever came before it", async () => {
    const halves = [rowsOf(samples.slice(0, 60)), rowsOf(samples.slice(60), 60)] as const;
    const worker = await opened();
    const first = [await linesOf(worker.batch(halves[0])), await linesOf(worker.batch(halves[1]))];
    const other = await opened();
    const second = await linesOf(other.batch(rowsOf(samples.slice(60), 60)));
    expect(second).toEqual(first[1]);
    expect(await linesOf(other.batch(rowsOf(samples.slice(0, 60))))).toEqual(first[0]);
  });

  it("names a sample that has no name by what is in it", async () => {
    const nameless = [
      { task_id: "P1", code: "+" },
      { task_id: "P1", code: "++" },
    ];
    const { lines } = await linesOf((await opened()).batch(rowsOf(nameless)));
    const ids = lines.map((line) => JSON.parse(line).sample_id);
    const again = await linesOf((await opened()).batch(rowsOf([...nameless].reverse())));
    expect(again.lines.map((line) => JSON.parse(line).sample_id).reverse()).toEqual(ids);
    expect(new Set(ids).size).toBe(2);
  });

  it("answers what it cannot read, and what breaks, in its place", async () => {
    const executor = fakeExecutor();
    const execute = executor.execute;
    executor.execute = async (problem, code) => {
      if (code === "poison") throw new RangeError("Maximum call stack size exceeded");
      return execute(problem, code);
    };
    const rows = [
      { task_id: "P1", code: 1 },
      { task_id: "P1", code: "poison" },
      { code: "+" },
      { task_id: "P1", code: "++", position: "3" },
      { task_id: "P2", sample_id: "good", code: "++" },
    ];
    async function* given(): AsyncGenerator<InRow> {
      yield { where: "row 0", text: "{" };
      for (const [i, value] of rows.entries()) yield { where: `row ${i + 1}`, value: { ...value } };
    }
    const { lines, card } = await linesOf((await opened(executor)).batch(given()));
    expect(
      lines.map((line) => JSON.parse(line)).map(({ error, sample_id }) => error?.message.slice(0, 45) ?? sample_id),
    ).toEqual([
      "row 0: expected one JSON object a line, got {",
      "row 1: expected `code` to be a string, got nu",
      "Maximum call stack size exceeded",
      "row 3: expected `task_id` to be a name or a n",
      "row 4: expected `position` to count samples f",
      "good",
    ]);
    expect(card.shard).toMatchObject({ faults: 5, first_fault: expect.stringContaining("row 0: expected one JSON") });
  });

  it("forgets, so that it may run for ever", async () => {
    const executor = fakeExecutor();
    const worker = await opened(executor);
    const same = Array.from({ length: 3 }, () => ({ task_id: "P1", code: "+" }));
    await linesOf(worker.batch(rowsOf(same)));
    expect(executor.executed).toHaveLength(1);
    const others = Array.from({ length: 10_001 }, (_, i) => ({ task_id: "P1", code: `# ${i}` }));
    await linesOf(worker.batch(rowsOf(others)));
    await linesOf(worker.batch(rowsOf(same)));
    expect(executor.executed).toHaveLength(10_003);
  });
});
