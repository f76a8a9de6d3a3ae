import { spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readJsonLines, writeJsonLines } from "../../src/util/jsonl.ts";

const folder = mkdtempSync(join(tmpdir(), "codescore-jsonl-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(path: string): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { value } of readJsonLines(path)) values.push(value);
  return values;
}

describe("JSON lines", () => {
  it.each(["rows.jsonl", "rows.jsonl.gz"])("come back as they were written to %s, whatever the text", async (name) => {
    const text = fc.string({ unit: "binary" }).map((s) => s.toWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ text })), async (rows) => {
        const path = join(folder, name);
        await writeJsonLines(path, rows);
        expect(await read(path)).toEqual(rows);
      }),
      { numRuns: 50, examples: [[[{ text: "a\u2028b\u2029c\r\n\ufeff" }]]] },
    );
  });

  it.each<[string, string | Uint8Array]>([
    ["with \\r\\n, blank lines and no line break at the end", '{"a": 1}\r\n\r\n{"a": 2}'],
    ["with a byte order mark", '\ufeff{"a": 1}\n{"a": 2}\n'],
    ["in UTF-16", Buffer.from('\ufeff{"a": 1}\r\n{"a": 2}\n', "utf16le")],
    ["in UTF-16, the other bytes first", Buffer.from('\ufeff{"a": 1}\n{"a": 2}\n', "utf16le").swap16()],
  ])("are read %s", async (_, text) => {
    const path = join(folder, "given.jsonl");
    writeFileSync(path, text);
    expect(await read(path)).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it("are also one array of objects, in a file .json", async () => {
    const path = join(folder, "array.json");
    writeFileSync(path, '[{"a": 1},\n  {"a":\n 2}]\n');
    expect(await read(path)).toEqual([{ a: 1 }, { a: 2 }]);
    writeFileSync(path, '[{"a": 1},\n{"a": 2}');
    await expect(read(path)).rejects.toThrow(/array\.json:2: expected JSON, got the end of the file inside the array/);
    writeFileSync(path, '[{"a": 1},\n17]');
    await expect(read(path)).rejects.toThrow("array.json:2: expected a JSON object, got 17");
  });

  it("span chunks, inside of a character too", async () => {
    const rows = Array.from({ length: 3 }, (_, i) => ({ text: `${"é🙂".repeat(40_000)}${i}` }));
    const path = join(folder, "long.jsonl.gz");
    writeFileSync(path, gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join("")));
    expect(await read(path)).toEqual(rows);
  });

  it.each<[string, RegExp]>([
    ["ARROW1\u0000\u0000\n", /bad\.jsonl: expected JSON lines, got an Arrow file; `codescore datasets export/],
    ["PAR1\n", /bad\.jsonl: expected JSON lines, got a Parquet file/],
    ['{"a": 1}\n{"a":\n', /bad\.jsonl:2: expected one JSON object a line, got \{"a": \(Unexpected end of JSON input\)/],
    ['[{"a": 1}]\n', /got \[\{"a": 1\}\]; write one object a line, or the array into a file ending in \.json$/],
    ['{"a": 1}\n\n[1]\n', /bad\.jsonl:3: expected a JSON object, got \[1\]/],
  ])("that are malformed name file and line: %j", async (text, message) => {
    const path = join(folder, "bad.jsonl");
    writeFileSync(path, text);
    await expect(read(path)).rejects.toThrow(message);
  });

  it("are written through a symlink and into a pipe, neither of which is replaced", async () => {
    const [real, link, pipe] = ["real.jsonl", "link.jsonl", "pipe"].map((name) => join(folder, name));
    writeFileSync(real!, "");
    symlinkSync(real!, link!);
    await writeJsonLines(link!, [{ a: 1 }]);
    expect(lstatSync(link!).isSymbolicLink()).toBe(true);
    expect(await read(real!)).toEqual([{ a: 1 }]);
    if (spawnSync("mkfifo", [pipe!]).status !== 0) return; // this system has no pipes
    const [came] = await Promise.all([read(pipe!), writeJsonLines(pipe!, [{ a: 2 }])]);
    expect(came).toEqual([{ a: 2 }]);
    expect(lstatSync(pipe!).isFIFO()).toBe(true);
  });

  it("are not read from a folder, which an error says", async () => {
    await expect(read(folder)).rejects.toMatchObject({
      code: "input",
      message: `cannot read ${folder}: it is a folder; give the path of a file`,
    });
  });

  it("of a file that is cut off or not there are a clear error", async () => {
    const path = join(folder, "cut.jsonl.gz");
    writeFileSync(path, gzipSync('{"a": 1}\n').subarray(0, 20));
    await expect(read(path)).rejects.toThrow(/cannot read .*cut\.jsonl\.gz/);
    await expect(read(join(folder, "none.jsonl"))).rejects.toThrow(/none\.jsonl: no such file/);
  });
});
