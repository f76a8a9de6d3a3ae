/** Rows on pipes: Arrow in, Arrow out, batch by batch; lines in, lines out. */
import { PassThrough } from "node:stream";
import { type RecordBatch, RecordBatchReader, RecordBatchStreamWriter, tableFromJSON, tableToIPC } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { CodescoreError } from "../../src/errors.ts";
import { answerRows, type InRow, lineOf, type OutRow, type WorkedBatch } from "../../src/util/row-stream.ts";

const columns = { name: "text", size: "number", place: "integer" } as const;

/** One output row for each input row. The card counts the rows of the batch. */
function answer(rows: AsyncIterable<InRow>): WorkedBatch {
  let count = 0;
  async function* out(): AsyncGenerator<OutRow> {
    for await (const row of rows) {
      const line = lineOf(row);
      const name = line instanceof CodescoreError ? line.message : `${line.value.name}`;
      yield { cells: { name, size: name.length / 2, place: count }, line: JSON.stringify({ name, place: count }) };
      count += 1;
    }
  }
  return { rows: out(), card: () => ({ count }) };
}

function started() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const done = answerRows({ input, output, columns, settings: { by: "test" }, answer });
  done.catch(() => {});
  return { input, output, done };
}

const cardOf = (metadata: Map<string, string>): unknown => JSON.parse(metadata.get("codescore") ?? "null");

const shown = (batch: RecordBatch): unknown[] =>
  [...batch].map((row) => Object.fromEntries(Object.entries(row?.toJSON() ?? {}).map(([k, v]) => [k, plain(v)])));
const plain = (value: unknown): unknown => (typeof value === "bigint" ? Number(value) : value);

describe("an Arrow stream", () => {
  it("is answered batch by batch, each before the next one comes", async () => {
    const { input, output, done } = started();
    const writer = new RecordBatchStreamWriter({ autoDestroy: false });
    writer.pipe(input);
    const reader = (async () => (await RecordBatchReader.from(output)).open())();
    const all = ["a", "bcd", "é"];
    const [whole] = tableFromJSON(all.map((name) => ({ name }))).batches;
    for (const [from, to] of [
      [0, 2],
      [2, 3],
      [3, 3],
    ] as const) {
      const names = all.slice(from, to);
      writer.write(whole?.slice(from, to));
      const { value } = (await (await reader).next()) as { value: RecordBatch };
      expect(shown(value)).toEqual(names.map((name, place) => ({ name, size: name.length / 2, place })));
      expect(cardOf(value.metadata)).toEqual({ count: names.length });
      expect(cardOf((await reader).schema.metadata)).toEqual({ by: "test" });
    }
    writer.finish();
    expect(await (await reader).next()).toMatchObject({ done: true });
    expect(await done).toEqual({ count: 0 });
  });

  it("that breaks off is an error, and no set that looks whole", async () => {
    const { input, output, done } = started();
    output.resume();
    input.end(tableToIPC(tableFromJSON([{ name: "a" }, { name: "b" }]), "stream").subarray(0, -60));
    await expect(done).rejects.toThrow(/stdin: expected an Arrow IPC stream, got one that ends or breaks after 0 rows/);
  });

  it.each([
    ["an Arrow file", () => tableToIPC(tableFromJSON([{ name: "a" }]), "file")],
    ["a Parquet file", () => Buffer.from("PAR1....")],
  ])("is not %s", async (what, bytes) => {
    const { input, done } = started();
    input.end(bytes());
    await expect(done).rejects.toThrow(`stdin: expected an Arrow IPC stream or JSON lines, got ${what}`);
  });
});

describe("JSON lines", () => {
  const answered = async (text: string): Promise<unknown[]> => {
    const { input, output, done } = started();
    input.end(text);
    await done;
    output.end();
    const lines = Buffer.concat(await output.toArray()).toString();
    return lines === ""
      ? []
      : lines
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line));
  };

  it("are answered in their places, and what is no object is said there", async () => {
    expect(await answered('\uFEFF{"name":"a"}\n\n[1]\n{"name":"b"}')).toEqual([
      { name: "a", place: 0 },
      { name: "stdin:3: expected a JSON object, got [1]", place: 1 },
      { name: "b", place: 2 },
    ]);
  });

  it("may be none", async () => {
    expect(await answered("")).toEqual([]);
  });
});
