/**
 * Labelled rows in Arrow IPC files (https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format). Rows are read and written in batches, so
 * memory does not grow with their number. Only the distinct values of the dictionary columns stay in memory.
 * Each dictionary is one batch after all rows, which the file format allows. Delta dictionaries are avoided, because few readers support them.
 */
import { type FileHandle, open } from "node:fs/promises";
import {
  type Data,
  type Dictionary,
  type Field,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  RecordBatchReader,
  type Schema,
  Struct,
  Utf8,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { CodescoreError, messageOf } from "../errors.ts";
import type { LabelledRow } from "../types.ts";
import { unreadable } from "../util/file-errors.ts";
import { arrowSchema, type Column, checkedRow, columnNames, columns } from "./schema.ts";

const rowsABatch = 4096;

/** Writes directly to `path`. The caller renames the file when it is complete. */
export async function writeArrow(path: string, rows: AsyncIterable<LabelledRow>): Promise<void> {
  const file = await open(path, "w");
  try {
    const writer = new DictionariesLastWriter();
    let batch: LabelledRow[] = [];
    for await (const row of rows) {
      if (batch.push(row) < rowsABatch) continue;
      writer.addRows(batch);
      batch = [];
      for (const bytes of writer.take()) await file.appendFile(bytes);
    }
    if (batch.length > 0) writer.addRows(batch);
    writer.close();
    for (const bytes of writer.take()) await file.appendFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

class DictionariesLastWriter extends RecordBatchFileWriter {
  readonly #indices = new Map<Column, Map<string, number>>();
  #bytes: Uint8Array[] = [];

  constructor() {
    super();
    this.reset(undefined, arrowSchema); // writes the schema even if the file gets no rows
  }

  addRows(rows: readonly LabelledRow[]): void {
    const children = arrowSchema.fields.map((field) => this.#column(field, rows));
    const type = new Struct(arrowSchema.fields);
    this.write(new RecordBatch(arrowSchema, makeData({ type, length: rows.length, nullCount: 0, children })));
  }

  /** The bytes written since the last call. */
  take(): Uint8Array[] {
    const bytes = this.#bytes;
    this.#bytes = [];
    return bytes;
  }

  #column(field: Field, rows: readonly LabelledRow[]): Data {
    const name = field.name as Column;
    const values = rows.map((row) => row[name]);
    if (columns[name].kind !== "dictionary") return vectorFromArray(values, field.type).data[0] as Data;
    const index = this.#indexOf(name);
    const keys = values.map((value) => {
      if (value === null) return null;
      const key = index.get(value as string) ?? index.size;
      index.set(value as string, key);
      return key;
    });
    const { nullCount, nullBitmap, values: data } = vectorFromArray(keys, new Int32()).data[0] as Data<Int32>;
    const type = field.type as Dictionary<Utf8, Int32>;
    return makeData({ type, length: rows.length, nullCount, nullBitmap, data, dictionary: noWords });
  }

  #indexOf(name: Column): Map<string, number> {
    const index = this.#indices.get(name) ?? new Map<string, number>();
    this.#indices.set(name, index);
    return index;
  }

  protected override _write(chunk: Parameters<RecordBatchFileWriter["_write"]>[0]): this {
    const view = chunk as ArrayBufferView;
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    if (this._started && bytes.byteLength > 0) {
      this.#bytes.push(bytes);
      this._position += bytes.byteLength;
    }
    return this;
  }

  protected override _writeDictionaries(): this {
    return this;
  }

  protected override _writeFooter(schema: Schema): this {
    for (const { name, type } of schema.fields as Field<Dictionary>[]) {
      if (columns[name as Column].kind !== "dictionary") continue;
      const words = vectorFromArray([...this.#indexOf(name as Column).keys()], new Utf8());
      this._writeDictionaryBatch(words.data[0] as Data, type.id);
    }
    return super._writeFooter(schema);
  }
}

const noWords: Vector<Utf8> = vectorFromArray<Utf8>([], new Utf8());

/** Yields the rows of a file in order. Throws `CodescoreError("input")` if it is not an Arrow file or a column is missing or wrong. */
export async function* readArrow(path: string): AsyncGenerator<LabelledRow> {
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    let number = 0;
    for await (const batch of await openBatches(file, path)) {
      const vectors = columnNames.map((name) => [name, batch.getChild(name)] as const);
      for (let i = 0; i < batch.numRows; i++) {
        number += 1;
        const values = Object.fromEntries(vectors.map(([name, vector]) => [name, plain(vector?.get(i))]));
        yield checkedRow(values, `${path}, row ${number}`);
      }
    }
  } finally {
    await file.close();
  }
}

/** Converts counts that other writers store in 64 bits. */
const plain = (value: unknown): unknown => (typeof value === "bigint" ? Number(value) : value);

async function openBatches(file: FileHandle, path: string): Promise<AsyncIterable<RecordBatch>> {
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(6), 0, 6, 0);
    if (bytesRead < 6 || buffer.toString("latin1") !== "ARROW1") throw new Error("it does not begin with ARROW1");
    return await (await RecordBatchReader.from(file)).open();
  } catch (error) {
    throw new CodescoreError(
      "input",
      `${path}: expected an Arrow IPC file, as \`codescore label\` writes: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
}
