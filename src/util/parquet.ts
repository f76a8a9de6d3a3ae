/**
 * Rows of Parquet files, as the Hugging Face hub serves data sets: snappy, zstd, gzip and brotli; lists and structs
 * as in JSON; one row group in memory at a time. Errors name file and row.
 * Read-only. Bytes of a fixed length are lists of numbers. Other bytes, dates and maps have the form that hyparquet gives them.
 */
import { open } from "node:fs/promises";
import type { AsyncBuffer, SchemaTree } from "hyparquet";
import { CodescoreError } from "../errors.ts";
import type { PyValue } from "../types.ts";
import { unreadable } from "./file-errors.ts";

export interface ParquetRow {
  /** Integers are numbers here. `exact` keeps all digits of integers beyond 2^53. */
  readonly value: Record<string, unknown>;
  /** `file, row N`, rows counted from 1. */
  readonly where: string;
  /** The field with integers and floats distinguished, as in Python's `pyarrow`; null if there is no such field. */
  readonly exact: (name: string) => PyValue | null;
}

export const isParquet = (path: string): boolean => path.endsWith(".parquet");

/** The rows in order. Throws `CodescoreError("usage")` for a missing file, and "input" for a truncated file or another format. */
export async function* readParquet(path: string): AsyncGenerator<ParquetRow> {
  const [{ parquetMetadataAsync, parquetReadObjects, parquetSchema }, { compressors }] = await Promise.all([
    import("hyparquet"),
    import("hyparquet-compressors"),
  ]);
  const handle = await open(path).catch((error: unknown) => fail(path, error));
  try {
    const { size } = await handle.stat();
    if (size === 0) throw new CodescoreError("input", `${path} is empty: expected a Parquet file`);
    const file = asyncBuffer(handle, size);
    const metadata = await parquetMetadataAsync(file).catch((error: unknown) => fail(path, error));
    const columns = new Map(parquetSchema(metadata).children.map((column) => [column.element.name, column]));
    let start = 0;
    for (const group of metadata.row_groups) {
      const end = start + Number(group.num_rows);
      const rows = await parquetReadObjects({ file, metadata, compressors, rowStart: start, rowEnd: end }).catch(
        (error: unknown) => fail(`${path}, rows ${start + 1} to ${end}`, error),
      );
      for (const [i, row] of rows.entries()) {
        yield {
          value: plain(row) as Record<string, unknown>,
          where: `${path}, row ${start + i + 1}`,
          exact: (name) => {
            const column = columns.get(name);
            return column === undefined ? null : pyValueOf(row[name], column);
          },
        };
      }
      start = end;
    }
  } finally {
    await handle.close();
  }
}

/** hyparquet's own buffer opens the file again for every column chunk. */
function asyncBuffer(handle: Awaited<ReturnType<typeof open>>, byteLength: number): AsyncBuffer {
  return {
    byteLength,
    async slice(start, end = byteLength) {
      const bytes = new Uint8Array(Math.max(0, end - start));
      let at = 0;
      while (at < bytes.length) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, start + at);
        if (bytesRead === 0) throw new Error("the file ends too early");
        at += bytesRead;
      }
      return bytes.buffer;
    },
  };
}

function fail(what: string, error: unknown): never {
  throw unreadable(`${what} as Parquet`, error);
}

/** The value as in JSON: numbers for bigints, lists of numbers for bytes, null for undefined. */
function plain(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Uint8Array) return [...value];
  if (isStruct(value)) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
  return value;
}

const isStruct = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function pyValueOf(value: unknown, node: SchemaTree): PyValue {
  if (value === null || value === undefined) return { t: "none" };
  if (typeof value === "boolean") return { t: "bool", v: value };
  if (typeof value === "bigint") return { t: "int", v: value };
  if (typeof value === "string") return { t: "str", v: value };
  if (typeof value === "number") {
    return isFloat(node) ? { t: "float", v: value } : { t: "int", v: BigInt(value) };
  }
  if (value instanceof Uint8Array) return { t: "list", v: [...value].map((byte) => ({ t: "int", v: BigInt(byte) })) };
  if (Array.isArray(value)) return { t: "list", v: value.map((item) => pyValueOf(item, elementOf(node))) };
  if (isStruct(value)) {
    const entries = Object.entries(value).map(([name, item]) => {
      const child = node.children.find(({ element }) => element.name === name);
      return [{ t: "str", v: name }, pyValueOf(item, child ?? node)] as const;
    });
    return { t: "dict", v: entries };
  }
  return { t: "str", v: String(value) };
}

const isFloat = ({ element }: SchemaTree): boolean =>
  element.type === "DOUBLE" || element.type === "FLOAT" || element.logical_type?.type === "FLOAT16";

/** The element type of a list: `list (LIST) { repeated group list { element } }`, or an older form with one level less. */
function elementOf(node: SchemaTree): SchemaTree {
  if (node.element.converted_type !== "LIST" && node.element.logical_type?.type !== "LIST") return node;
  const repeated = node.children[0] ?? node;
  return repeated.children.length === 1 ? (repeated.children[0] as SchemaTree) : repeated;
}
