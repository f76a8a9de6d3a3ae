/**
 * Labelled rows as Parquet files (https://parquet.apache.org), the format in which the Hugging Face hub serves data sets. Same
 * columns as the Arrow file, compressed with snappy, one row group in memory at a time. `util/parquet.ts` reads them.
 */
import type { SchemaElement } from "hyparquet";
import type { LabelledRow } from "../types.ts";
import { columnNames, columns, type Kind } from "./schema.ts";

const rowsAGroup = 10_000;

const types: Readonly<Record<Kind, Pick<SchemaElement, "type" | "converted_type">>> = {
  dictionary: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  ratio: { type: "DOUBLE" },
  number: { type: "DOUBLE" },
  flag: { type: "INT32" },
  count: { type: "INT32" },
};

const schema: SchemaElement[] = [
  { name: "root", num_children: columnNames.length },
  ...columnNames.map((name) => ({
    name,
    ...types[columns[name].kind],
    repetition_type: columns[name].nullable ? ("OPTIONAL" as const) : ("REQUIRED" as const),
  })),
];

/** Writes directly to `path`. The caller renames the file when it is complete. */
export async function writeParquet(path: string, rows: AsyncIterable<LabelledRow>): Promise<void> {
  const { fileWriter, parquetWriteRows } = await import("hyparquet-writer");
  await parquetWriteRows({
    writer: fileWriter(path),
    rows: rows as AsyncIterable<Record<string, unknown>>,
    columns: columnNames.map((name) => ({ name, nullable: columns[name].nullable })),
    schema,
    rowGroupSize: rowsAGroup,
    createdBy: "codescore",
  });
}
