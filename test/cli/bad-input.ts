/** Mistakes of people and programs, as tables for bad-input.test.ts: rows, odd texts, lines, calls and files. */
import { mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteFile } from "hyparquet-writer";

const HUGE = "x = 1\n".repeat(1_700_000); // 10 MB

/** Rows that cannot be scored, with their error messages. */
export const ROWS: readonly (readonly [name: string, row: unknown, message: RegExp])[] = [
  ["no candidate", { reference: "y" }, /`candidate`/],
  ["a null candidate", { candidate: null, reference: "y" }, /`candidate` to be a string, got null/],
  ["a number for a candidate", { candidate: 5, reference: "y" }, /`candidate` to be a string, got number/],
  ["a boolean for a candidate", { candidate: true, reference: "y" }, /`candidate` to be a string, got boolean/],
  ["a list for a candidate", { candidate: ["x"], reference: "y" }, /`candidate` to be a string, got array/],
  ["an object for a candidate", { candidate: { code: "x" }, reference: "y" }, /`candidate` to be a string, got object/],
  ["nested lists for a candidate", { candidate: nested(500), reference: "y" }, /`candidate` to be a string, got array/],
  ["another language for a candidate", { candidate: "int main() { return 0; }", reference: "y" }, /looks like C\+\+/],
  ["the name of another language", { candidate: "x", reference: "y", language: "java" }, /`language` is Java/],
  ["neither reference nor description", { candidate: "x" }, /a reference or a description to score against/],
  ["both of them null", { candidate: "x", reference: null, description: null }, /a reference or a description/],
  ["both of them empty", { candidate: "x", reference: "", description: "" }, /a reference or a description/],
  ["both of them white space", { candidate: "x", reference: " ", description: "\n" }, /a reference or a description/],
  ["a number for a reference", { candidate: "x", reference: 0 }, /`reference` to be a string, got number/],
  ["a list for a reference", { candidate: "x", reference: ["y"] }, /`reference` to be a string, got array/],
  ["an object for a reference", { candidate: "x", reference: {} }, /`reference` to be a string, got object/],
  ["a number for a description", { candidate: "x", description: 1 }, /`description` to be a string, got number/],
  ["false for a description", { candidate: "x", description: false }, /`description` to be a string, got boolean/],
  [
    "an object for a description",
    { candidate: "x", description: { a: 1 } },
    /`description` to be a string, got object/,
  ],
  ["10 MB of candidate", { candidate: HUGE, reference: "y" }, /at most 200,000 characters in `candidate`, got 1020/],
  ["10 MB of reference", { candidate: "x", reference: HUGE }, /at most 200,000 characters in `reference`/],
  ["10 MB of description", { candidate: "x", description: HUGE }, /at most 200,000 characters in `description`/],
];

function nested(depth: number): unknown[] {
  let list: unknown[] = [];
  for (let i = 0; i < depth; i++) list = [list];
  return list;
}

/** Texts that Python rejects, or that are unusual. A metric scores all of them, except extremely deep nesting. */
export const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ["NUL bytes", "x = 1\0\0\ny = 2"],
  ["lone surrogates", "x = '\ud800' + '\udfff'"],
  ["a byte order mark before the program", "\ufeffx = 1\n"],
  ["CRLF", "def f(a):\r\n    return a\r\n"],
  ["carriage returns alone", "def f(a):\r    return a\r"],
  ["control characters", Array.from({ length: 32 }, (_, i) => String.fromCharCode(i)).join("")],
  ["bytes read as text", String.fromCharCode(...Array.from({ length: 2000 }, (_, i) => (i * 7919) % 256))],
  ["separators of lines that Python does not know", "x = 1\u2028y = 2\u2029z = 3\u0085"],
  ["special tokens", "<s></s><pad><mask><unk>"],
  ["brackets 2,000 deep", `${"(".repeat(2000)}${")".repeat(2000)}`],
  ["brackets that never close", "[".repeat(5000)],
  ["blocks 200 deep", Array.from({ length: 200 }, (_, i) => `${" ".repeat(i)}if x:\n`).join("")],
  ["one name of 200,000 characters", "x".repeat(200_000)],
  ["a sum of 20,000 terms", `${"a+".repeat(19_999)}a`],
  ["200,000 spaces before a name", `${" ".repeat(199_999)}x`],
  ["a string that never ends", 'x = """never closed\n'],
  ["prose", "Sure! Here is the function that you asked for:"],
  ["emoji and right-to-left marks", "\u202ex = '\u{1f600}\u{1f468}\u200d\u{1f469}'"],
  ["combining characters by the thousand", `x${"\u0301".repeat(5000)}`],
];

/** Lines that are not rows, placed between good ones. */
export const LINES: readonly (readonly [name: string, line: string, message: RegExp])[] = [
  ["a line cut off", '{"candidate": "x = 1", "refer', /expected one JSON object a line/],
  ["a list", "[1, 2]", /expected a JSON object, got \[1, 2\]/],
  ["a text", '"x = 1"', /expected a JSON object/],
  ["a number", "17", /expected a JSON object, got 17/],
  ["null", "null", /expected a JSON object, got null/],
  ["Python's repr", "{'candidate': 'x'}", /expected one JSON object a line/],
  ["NaN", '{"candidate": NaN}', /expected one JSON object a line/],
  ["two objects", '{"candidate": "x"}{"candidate": "y"}', /expected one JSON object a line/],
  ["lists 100,000 deep", "[".repeat(100_000), /expected one JSON object a line/],
];

/** Calls that fail as a whole: arguments after `codescore score --model MODEL`, run in a folder that `prepare` fills. */
export const CALLS: readonly {
  readonly name: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly code: 1 | 2;
  readonly message: RegExp;
}[] = [
  { name: "an unknown option", args: ["--modle", "x"], code: 2, message: /unknown option '--modle'/ },
  { name: "an unknown format", args: ["--format", "all", "a.py"], code: 2, message: /Allowed choices are auto, ref/ },
  { name: "an unknown form of output", args: ["--as", "xml", "a.py"], code: 2, message: /choices are table, jsonl/ },
  { name: "an unknown precision", args: ["--precision", "int3"], code: 2, message: /choices are auto, fp32, fp16/ },
  { name: "a limit out of range", args: ["--fail-under", "80", "a.py"], code: 2, message: /number from 0 to 1/ },
  { name: "no threads", args: ["--threads", "0", "a.py"], code: 2, message: /an integer of at least 1/ },
  { name: "files and rows at once", args: ["--input", "x.jsonl", "a.py"], code: 2, message: /not both/ },
  {
    name: "rows given as candidates",
    args: ["good.csv"],
    code: 2,
    message: /as --input good\.csv, samples as --problems/,
  },
  {
    name: "an output of another kind",
    args: ["--reference", "a.py", "a.py", "--output", "scores.xlsx"],
    code: 2,
    message:
      /expected --output to end in \.jsonl, \.json, \.csv or \.txt, got `scores\.xlsx`; or name the format with --as/,
  },
  { name: "a reference beside rows", args: ["--reference", "a.py"], code: 2, message: /rows have their own/ },
  {
    name: "an output that is a folder",
    args: ["--input", "good.csv", "--output", "pairs"],
    code: 2,
    message: /a folder/,
  },
  {
    name: "a device that is not there",
    args: ["--device", "tpu", "--reference", "a.py", "a.py"],
    code: 1,
    message: /no device `tpu`/,
  },
  { name: "empty stdin", args: [], code: 2, message: /stdin is empty/ },
  { name: "blank lines on stdin", args: [], stdin: "\n \n\r\n", code: 2, message: /stdin is empty/ },
  {
    name: "a program on stdin",
    args: [],
    stdin: "def f():\n",
    code: 2,
    message: /stdin:1: expected one JSON object a/,
  },
  {
    name: "binary stdin",
    args: [],
    stdin: "\0\x01\x02\xff\n\0",
    code: 2,
    message: /stdin:1: expected one JSON object/,
  },
  { name: "a missing input", args: ["--input", "no.jsonl"], code: 2, message: /read no\.jsonl: no such file/ },
  { name: "a missing CSV", args: ["--input", "no.csv"], code: 2, message: /cannot read no\.csv: no such file/ },
  { name: "a missing Parquet", args: ["--input", "no.parquet"], code: 2, message: /no\.parquet as Parquet: no such/ },
  {
    name: "a folder as input",
    args: ["--input", "pairs"],
    code: 2,
    message: /cannot read pairs: it is a folder; give the path of a file/,
  },
  {
    name: "a cut-off gzip",
    args: ["--input", "cut.jsonl.gz"],
    code: 2,
    message: /cut\.jsonl\.gz: unexpected end of file: the gzip file is cut off; copy or download it again/,
  },
  {
    name: "gzip that is none",
    args: ["--input", "plain.jsonl.gz"],
    code: 2,
    message: /plain\.jsonl\.gz: incorrect header check: expected gzip, because its name ends in \.gz; rename it/,
  },
  { name: "a cut-off Parquet", args: ["--input", "cut.parquet"], code: 2, message: /cannot read cut\.parquet/ },
  {
    name: "an empty Parquet",
    args: ["--input", "empty.parquet"],
    code: 2,
    message: /^codescore: empty\.parquet is empty: expected a Parquet file/,
  },
  { name: "Parquet that is none", args: ["--input", "text.parquet"], code: 2, message: /cannot read text\.parquet/ },
  {
    name: "Parquet of other columns",
    args: ["--input", "other.parquet"],
    code: 2,
    message: /1: expected a field `candidate`, got the fields a, b/,
  },
  { name: "an empty CSV", args: ["--input", "empty.csv"], code: 2, message: /empty\.csv is empty/ },
  { name: "CSV of names alone", args: ["--input", "names.csv"], code: 2, message: /names\.csv is empty/ },
  {
    name: "CSV of other columns",
    args: ["--input", "other.csv"],
    code: 2,
    message: /other\.csv:2: expected a field `candidate`/,
  },
  {
    name: "CSV with a name twice",
    args: ["--input", "twice.csv"],
    code: 2,
    message: /twice\.csv:1: .*`reference` twice/,
  },
  {
    name: "CSV with an open quote",
    args: ["--input", "open.csv"],
    code: 2,
    message: /open\.csv:\d+: this is not CSV: Quote Not Closed/,
  },
  {
    name: "CSV that is binary",
    args: ["--input", "binary.csv"],
    code: 2,
    message: /binary\.csv:1: this is not CSV: .{160}\.\.\.$/m,
  },
  { name: "CSV with a torn quote", args: ["--input", "torn.csv"], code: 2, message: /torn\.csv:2: this is not CSV/ },
  { name: "a missing reference", args: ["--reference", "no.py", "a.py"], code: 2, message: /cannot read no\.py/ },
  {
    name: "a missing candidate",
    args: ["--reference", "a.py", "a.py", "no.py"],
    code: 2,
    message: /cannot read no\.py: no such file or folder/,
  },
  {
    name: "missing problems",
    args: ["--problems", "no.jsonl", "--samples", "plain.jsonl.gz"],
    code: 2,
    message: /read no\.jsonl: no such file/,
  },
  {
    name: "missing samples",
    args: ["--problems", "problems.jsonl", "--samples", "no.jsonl"],
    code: 2,
    message: /cannot read no\.jsonl: no such file/,
  },
  {
    name: "a reference of no text",
    args: ["--reference", "latin.py", "a.py"],
    code: 2,
    message: /latin\.py: expected Python source in UTF-8/,
  },
  { name: "a missing description", args: ["--description", "no.txt", "a.py"], code: 2, message: /cannot read no\.txt/ },
  {
    name: "a folder without programs",
    args: ["--reference", "a.py", "pairs/none"],
    code: 2,
    message: /files \(\.py\) in the folder/,
  },
  {
    name: "a folder without references",
    args: ["--reference", "pairs/none", "a.py"],
    code: 2,
    message: /expected Python files \(\.py\) in the folder pairs\/none, got none/,
  },
  {
    name: "a folder without descriptions",
    args: ["--description", "pairs/none", "a.py"],
    code: 2,
    message: /expected a text per candidate in the folder pairs\/none, got none/,
  },
];

/** Creates the files that `CALLS` names. */
export async function prepare(folder: string): Promise<void> {
  const write = (name: string, data: string | Uint8Array): Promise<void> => writeFile(join(folder, name), data);
  await mkdir(join(folder, "pairs", "none"), { recursive: true });
  await write("a.py", "x = 1\n");
  await write("problems.jsonl", `${JSON.stringify({ task_id: "t", description: "Adds." })}\n`);
  await write("latin.py", Buffer.from("x = 'caf\xe9'\n", "latin1"));
  await write("good.csv", "candidate,reference\nx = 1,x = 2\n");
  const rows = `${JSON.stringify({ candidate: "x = 1", reference: "x = 2" })}\n`.repeat(2000);
  await write("cut.jsonl.gz", gzipSync(rows).subarray(0, 60));
  await write("plain.jsonl.gz", rows);
  const strings = (name: string) => ({ name, data: ["x = 1", "x = 2"], type: "STRING" as const });
  parquetWriteFile({ filename: join(folder, "cut.parquet"), columnData: [strings("candidate"), strings("reference")] });
  await truncate(join(folder, "cut.parquet"), 80);
  parquetWriteFile({ filename: join(folder, "other.parquet"), columnData: [strings("a"), strings("b")] });
  await write("text.parquet", "candidate,reference\n");
  await write("empty.csv", "");
  await write("empty.parquet", "");
  await write("binary.csv", `\0${"\x02".repeat(5000)}"\n`);
  await write("names.csv", "candidate,reference\n");
  await write("other.csv", "code,gold\nx,y\n");
  await write("twice.csv", "candidate,reference,reference\nx,y,z\n");
  await write("open.csv", 'candidate,reference\nx = 1,"x = 2\nx,y\n');
  await write("torn.csv", 'candidate,reference\nx = 1,"x" = 2\n');
}
