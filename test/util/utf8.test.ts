/** Bytes that are not UTF-8 are found, with their line, wherever the pieces of a file end. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readProblems } from "../../src/problems/index.ts";
import { readCsv } from "../../src/util/csv.ts";
import { tryJsonLines } from "../../src/util/jsonl.ts";
import { badByte, Utf8Decoder } from "../../src/util/utf8.ts";
import { tempFolder } from "../problems/helpers.ts";

const folder = tempFolder();

function decode(bytes: Uint8Array, size: number): string {
  const decoder = new Utf8Decoder();
  let text = "";
  for (let at = 0; at < bytes.length; at += size) text += decoder.decode(bytes.subarray(at, at + size));
  return text + decoder.end();
}

/** The bytes that a decoded text stands for. */
const encode = (text: string): Buffer =>
  Buffer.concat(
    [...text].map((one) => {
      const code = one.codePointAt(0)!;
      return code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(one);
    }),
  );

describe("decoding in pieces", () => {
  it("gives text as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 5 }), (text, size) => {
        expect(decode(Buffer.from(text), size)).toBe(Buffer.from(text).toString());
        expect(badByte(Buffer.from(text).toString())).toBe(null);
      }),
    );
  });

  it("loses no byte of anything else", () => {
    const byte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0x0a, 0x80, 0xc3, 0xa9, 0xe2, 0xf0, 0xff));
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        fc.array(byte),
        fc.integer({ min: 1, max: 5 }),
        (any, more, size) => {
          const bytes = Buffer.concat([any, Uint8Array.from(more)]);
          expect(encode(decode(bytes, size))).toEqual(bytes);
          expect(decode(bytes, size)).toBe(decode(bytes, bytes.length + 1));
        },
      ),
    );
  });

  it.each([
    ["caf\xe9", 0xe9],
    ["\xff", 0xff],
    ["a\xc3", 0xc3],
    ["\xed\xa0\x80", 0xed], // a surrogate
    ["\xf0\x9f\x98", 0xf0],
    ["\xef\xbf\xbd", null], // U+FFFD itself
  ])("finds the byte in %j", (latin, expected) => {
    for (const size of [1, 2, 9]) expect(badByte(decode(Buffer.from(latin, "latin1"), size))).toBe(expected);
  });
});

describe("a file in another encoding", () => {
  const write = async (name: string, latin: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, Buffer.from(latin, "latin1"));
    return path;
  };
  const BYTE = /got the byte 0xE9; save the file as UTF-8/;

  it("of JSON lines has an error for each such line", async () => {
    const path = await write("rows.jsonl", '{"a": 1}\n{"a": "caf\xe9"}\n{"a": "\\u00e9\xc3\xa9"}\n');
    const rows = [];
    for await (const row of tryJsonLines(path)) rows.push(row instanceof Error ? row.message : row.value);
    expect(rows).toEqual([{ a: 1 }, expect.stringMatching(BYTE), { a: "éé" }]);
    expect(rows[1]).toContain("rows.jsonl:2: ");
  });

  it("of CSV is an error with the line", async () => {
    const path = await write("rows.csv", "a,b\n1,2\n3,caf\xe9\n");
    await expect(Readable.from(readCsv(path)).toArray()).rejects.toThrow(
      /rows\.csv:3: expected text in UTF-8, got the byte 0xE9/,
    );
  });

  it("of problems is an error with the line", async () => {
    const path = await write("problems.jsonl", '{"task_id": "a", "description": "caf\xe9"}');
    await expect(readProblems([path])).rejects.toThrow(/problems\.jsonl:1: .*0xE9/);
  });
});
