/** Stores prepared data in one file, so that a box can train without reading programs. */
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { CodescoreError } from "../../errors.ts";
import type { InputFormat } from "../../types.ts";
import type { Example } from "../examples.ts";

export interface StoredSets {
  /** One list per data file. */
  readonly trainSets: readonly (readonly Example[])[];
  readonly devSet: readonly Example[];
}

/**
 * An example without its tokens. `formats` has the number of tokens and of marks (0 without marks) in each format, or null if it lacks the
 * format.
 */
type Row = readonly [
  sampleId: string,
  taskId: string,
  kind: Example["kind"],
  passRatio: number,
  executable: 0 | 1,
  weight: number,
  formats: readonly (readonly [tokens: number, marks: number] | null)[],
];

interface Head {
  readonly formats: readonly InputFormat[];
  /** Number of examples in each set, dev last. */
  readonly sizes: readonly number[];
  /** Bytes per token id. */
  readonly width: 2 | 4;
  readonly rows: readonly Row[];
}

/**
 * Stores the data as: the head's length in four bytes, the head as JSON, the ids of all examples (each in all its formats) in two or four
 * bytes each, and their marks in one byte each. Compressed with Brotli over a window as large as the data, because the programs of a
 * problem are much alike.
 */
export function storeSets({ trainSets, devSet }: StoredSets, formats: readonly InputFormat[]): Buffer {
  const examples = [...trainSets.flat(), ...devSet];
  const parts = examples.flatMap(({ ids, marks }) =>
    formats.flatMap((format) => (ids[format] ? [{ ids: ids[format], marks: marks?.[format] ?? [] }] : [])),
  );
  const wide = parts.some((part) => part.ids.some((id) => id > 0xffff));
  const tokens = new (wide ? Uint32Array : Uint16Array)(parts.reduce((sum, part) => sum + part.ids.length, 0));
  const marks = new Uint8Array(parts.reduce((sum, part) => sum + part.marks.length, 0));
  let at = { ids: 0, marks: 0 };
  for (const part of parts) {
    tokens.set(part.ids, at.ids);
    marks.set(part.marks, at.marks);
    at = { ids: at.ids + part.ids.length, marks: at.marks + part.marks.length };
  }
  const head: Head = {
    formats,
    sizes: [...trainSets, devSet].map(({ length }) => length),
    width: wide ? 4 : 2,
    rows: examples.map(({ sampleId, taskId, kind, passRatio, executable, weight, ids, marks }) => {
      const lengths = formats.map((f) => (ids[f] ? ([ids[f].length, marks?.[f]?.length ?? 0] as const) : null));
      return [sampleId, taskId, kind, passRatio, executable, weight, lengths];
    }),
  };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const plain = Buffer.concat([length, text, new Uint8Array(tokens.buffer), marks]);
  return brotliCompressSync(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
      [constants.BROTLI_PARAM_LGWIN]: 28,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    },
  });
}

/** Throws `CodescoreError("input")` for bytes that `storeSets` did not write. */
export function readSets(stored: Uint8Array): StoredSets {
  try {
    return parse(brotliDecompressSync(stored, { params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 } }));
  } catch (error) {
    throw new CodescoreError("input", "the pack's examples cannot be read: copy the pack again", { cause: error });
  }
}

function parse(plain: Buffer): StoredSets {
  const textLength = plain.readUInt32LE(0);
  const { formats, sizes, width, rows } = JSON.parse(plain.toString("utf8", 4, 4 + textLength)) as Head;
  const body = plain.subarray(4 + textLength);
  const total = rows.reduce((sum, row) => sum + row[6].reduce((all, lengths) => all + (lengths?.[0] ?? 0), 0), 0);
  const copy = body.buffer.slice(body.byteOffset, body.byteOffset + total * width); // a copy, because its start is aligned
  const tokens = width === 4 ? new Uint32Array(copy) : new Uint16Array(copy);
  const allMarks = body.subarray(total * width);
  const at = { ids: 0, marks: 0 };
  const examples = rows.map(([sampleId, taskId, kind, passRatio, executable, weight, lengths]): Example => {
    const ids: Partial<Record<InputFormat, number[]>> = {};
    const marks: Partial<Record<InputFormat, number[]>> = {};
    formats.forEach((format, i) => {
      const [tokenCount, markCount] = lengths[i] ?? [null, 0];
      if (tokenCount === null) return;
      ids[format] = Array.from(tokens.subarray(at.ids, at.ids + tokenCount));
      if (markCount > 0) marks[format] = Array.from(allMarks.subarray(at.marks, at.marks + markCount));
      at.ids += tokenCount;
      at.marks += markCount;
    });
    const marked = Object.keys(marks).length > 0;
    return { sampleId, taskId, kind, passRatio, executable, weight, ids, ...(marked && { marks }) };
  });
  let first = 0;
  const sets = sizes.map((size) => {
    first += size;
    return examples.slice(first - size, first);
  });
  return { trainSets: sets.slice(0, -1), devSet: sets.at(-1)! };
}
