/**
 * Rows on pipes: reads an Arrow IPC stream or JSON lines, and writes the same format (docs/clusters.md, "The worker"). Each input
 * batch gives an output batch with as many rows. JSON lines are a single batch, answered line by line. Columns are texts and
 * numbers, which every engine supports.
 */
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import {
  type DataType,
  Field,
  Float64,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchReader,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { CodescoreError, messageOf } from "../errors.ts";
import { counted } from "./counted.ts";
import { type JsonLine, parseLine } from "./jsonl.ts";
import { linesOf } from "./lines.ts";

/** An input row: a line of text, or the values of its columns. */
export type InRow = { readonly where: string } & (
  | { readonly text: string }
  | { readonly value: Record<string, unknown> }
);

interface RowStream {
  readonly form: "arrow" | "jsonl";
  /** Read on demand, so that each batch is answered before the next one is read. */
  readonly batches: AsyncIterable<AsyncIterable<InRow>>;
}

/** The row as an object, or the error. */
export const lineOf = (row: InRow): JsonLine | CodescoreError => {
  if ("value" in row) return row;
  const value = parseLine(row.text, row.where);
  return value instanceof CodescoreError ? value : { value, where: row.where };
};

/** Detects the format from the first bytes. Throws `CodescoreError("input")` for an Arrow or Parquet file, which is not a stream. */
async function openRows(input: Readable): Promise<RowStream> {
  const first = await firstOf(input);
  const begins = first.toString("latin1");
  if (begins.startsWith("ARROW1") || begins.startsWith("PAR1")) {
    const what = begins.startsWith("PAR1") ? "a Parquet file" : "an Arrow file";
    throw new CodescoreError("input", `stdin: expected an Arrow IPC stream or JSON lines, got ${what}`);
  }
  if (first.length >= 4 && first.readInt32LE(0) === -1) return { form: "arrow", batches: arrowBatches(input) };
  return { form: "jsonl", batches: jsonBatches(input) };
}

/** The first bytes of the input. They are put back. */
async function firstOf(input: Readable): Promise<Buffer> {
  let first: Buffer | null = input.read();
  while (first === null && !input.readableEnded) {
    await Promise.race([once(input, "readable"), once(input, "end")]);
    first = input.read();
    if (first === null && input.readableLength === 0 && input.destroyed) break;
  }
  if (first === null) return Buffer.alloc(0);
  input.unshift(first);
  return first;
}

async function* jsonBatches(input: Readable): AsyncGenerator<AsyncGenerator<InRow>> {
  yield jsonRows(input);
}

async function* jsonRows(input: Readable): AsyncGenerator<InRow> {
  if (input.readableEnded) return;
  let number = 0;
  for await (const line of linesOf(input)) {
    number += 1;
    const text = number === 1 ? line.replace(/^\uFEFF/, "") : line;
    if (text.trim() !== "") yield { text, where: `stdin:${number}` };
  }
}

async function* arrowBatches(input: Readable): AsyncGenerator<AsyncGenerator<InRow>> {
  let number = 0;
  try {
    const reader = await RecordBatchReader.from(input);
    await reader.open();
    for await (const batch of reader) {
      yield arrowRows(batch);
      number += batch.numRows;
    }
  } catch (error) {
    if (error instanceof CodescoreError) throw error;
    const why = `stdin: expected an Arrow IPC stream, got one that ends or breaks after ${counted(number, "row")}`;
    throw new CodescoreError("input", `${why}: ${messageOf(error)}`, { cause: error });
  }
}

async function* arrowRows(batch: RecordBatch): AsyncGenerator<InRow> {
  const columns = batch.schema.fields.map(({ name }) => [name, batch.getChild(name)] as const);
  for (let i = 0; i < batch.numRows; i++) {
    const value = Object.fromEntries(columns.map(([name, column]) => [name, plain(column?.get(i))]));
    yield { value, where: `row ${i + 1} of its batch` }; // the reader of the batch numbers rows in the same way
  }
}

/** Converts Arrow values: 64-bit integers from bigint to number, and lists from vectors to arrays. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "object" && value !== null && "toJSON" in value ? (value.toJSON as () => unknown)() : value;
}

export type OutKind = "text" | "number" | "integer";

/** An output row: its cells for Arrow, and its line for JSON lines. */
export interface OutRow {
  readonly cells: Readonly<Record<string, string | number | null | undefined>>;
  readonly line: string;
}

const TYPES: Readonly<Record<OutKind, () => DataType>> = {
  text: () => new Utf8(),
  number: () => new Float64(),
  integer: () => new Int64(),
};

/** Metadata: texts by name, stored in Arrow schemas and batches. */
type Notes = Readonly<Record<string, string>>;

/** The answer to a batch. */
export interface WorkedBatch {
  readonly rows: AsyncIterable<OutRow>;
  /** Metadata of the batch, available once all rows are read; stored as JSON with the batch. */
  readonly card: () => object;
}

export interface Answering {
  readonly input: Readable;
  readonly output: Writable;
  readonly columns: Readonly<Record<string, OutKind>>;
  /** Metadata that applies to all batches. */
  readonly settings: object;
  readonly answer: (rows: AsyncIterable<InRow>) => WorkedBatch;
}

/** Answers each batch until the input ends. Resolves with the last batch's card; null if there was no batch. */
export async function answerRows({ input, output, columns, settings, answer }: Answering): Promise<object | null> {
  const { form, batches } = await openRows(input);
  const sink = new RowSink(output, form, columns, { codescore: JSON.stringify(settings) });
  await sink.begin();
  let last: object | null = null;
  for await (const batch of batches) {
    const { rows, card } = answer(batch);
    for await (const row of rows) await sink.add(row);
    last = card();
    await sink.endBatch({ codescore: JSON.stringify(last) });
  }
  await sink.end();
  return last;
}

/** Writes rows in the format of the input. */
class RowSink {
  readonly #output: Writable;
  readonly #arrow: { readonly schema: Schema; readonly writer: TakingWriter } | null;
  readonly #columns: Readonly<Record<string, OutKind>>;
  #batch: OutRow[] = [];

  /** @param notes metadata of all rows, stored in the schema; JSON lines have no place for it */
  constructor(output: Writable, form: RowStream["form"], columns: Readonly<Record<string, OutKind>>, notes: Notes) {
    this.#output = output;
    this.#columns = columns;
    if (form === "jsonl") {
      this.#arrow = null;
      return;
    }
    const fields = Object.entries(columns).map(([name, kind]) => new Field(name, TYPES[kind](), true));
    const schema = new Schema(fields, new Map(Object.entries(notes)));
    this.#arrow = { schema, writer: new TakingWriter(schema) };
  }

  /** Writes the schema, so that the reader has it before the first row. */
  async begin(): Promise<void> {
    if (this.#arrow) await this.#put(this.#arrow.writer.take());
  }

  async add(row: OutRow): Promise<void> {
    if (this.#arrow) this.#batch.push(row);
    else await this.#put([`${row.line}\n`]);
  }

  /** Ends a batch, with its metadata. */
  async endBatch(notes: Notes): Promise<void> {
    if (!this.#arrow) return;
    const { schema, writer } = this.#arrow;
    const rows = this.#batch;
    this.#batch = [];
    const children = schema.fields.map(({ name, type }) => {
      const isInteger = this.#columns[name] === "integer";
      const cells = rows.map(({ cells }) => cells[name] ?? null);
      const values = isInteger ? cells.map((cell) => (cell === null ? null : BigInt(cell))) : cells;
      return vectorFromArray(values, type).data[0] ?? makeData({ type, length: 0, nullCount: 0 });
    });
    const data = makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children });
    writer.write(new RecordBatch(schema, data, new Map(Object.entries(notes))));
    await this.#put(writer.take());
  }

  async end(): Promise<void> {
    if (!this.#arrow) return;
    this.#arrow.writer.finish();
    await this.#put(this.#arrow.writer.take());
  }

  async #put(pieces: readonly (string | Uint8Array)[]): Promise<void> {
    for (const piece of pieces) if (!this.#output.write(piece)) await once(this.#output, "drain");
  }
}

/** An Arrow writer whose bytes can be taken as they are produced. */
class TakingWriter extends RecordBatchStreamWriter {
  #bytes: Uint8Array[] = [];

  constructor(schema: Schema) {
    super({ autoDestroy: false });
    this.reset(undefined, schema);
  }

  take(): Uint8Array[] {
    const bytes = this.#bytes;
    this.#bytes = [];
    return bytes;
  }

  protected override _write(chunk: Parameters<RecordBatchStreamWriter["_write"]>[0]): this {
    const view = chunk as ArrayBufferView;
    if (this._started && view.byteLength > 0) {
      this.#bytes.push(new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice());
      this._position += view.byteLength;
    }
    return this;
  }
}
