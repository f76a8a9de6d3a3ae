/** The input of `codescore score`: program files, folders of them, or rows of a file. */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { CodescoreError, messageOf } from "../../errors.ts";
import { foreignFile, READS } from "../../languages/index.ts";
import { brokenRow, type InputRow, toInputRow } from "../../score/index.ts";
import { isCsv, readCsv } from "../../util/csv.ts";
import { unreadable } from "../../util/file-errors.ts";
import { type JsonLine, tryJsonLines } from "../../util/jsonl.ts";
import { isParquet, readParquet } from "../../util/parquet.ts";

/** A file whose first lines, this many, are all not rows is a file of another kind. */
export const MOST_BROKEN = 20;
/** So is a file whose first JSON objects, this many, all have no candidate. They are held in memory until one has. */
const MOST_HELD = 1000;

/**
 * The rows of JSON lines, CSV, Parquet, or a labelled Arrow set; `-` is JSON lines on stdin. A row that cannot be read has its error.
 * Throws `CodescoreError("input")` for a file of another kind: none of its lines is a row with a candidate, none of the first 20 is an
 * object, or none of the first 1,000 has a candidate.
 */
export async function* readRows(path: string): AsyncGenerator<InputRow> {
  const name = path === "-" ? "stdin" : path;
  const held: InputRow[] = []; // broken rows, until a valid row shows that this is a file of rows
  let index = 0;
  let isOfRows = false;
  let lacking: string | null = null; // what the first object without a candidate lacks
  for await (const line of linesOf(path)) {
    const isLine = !(line instanceof CodescoreError);
    const row = isLine ? toInputRow(line, index) : brokenRow(index, line.message);
    index += 1;
    isOfRows ||= row.error === undefined;
    if (isOfRows) {
      yield* [...held.splice(0), isLine ? comparable(row, line) : row];
      continue;
    }
    if (isLine) lacking ??= row.error!.message;
    held.push(row);
    // In other formats the columns are the same for all rows: if one lacks a column, all do.
    const most = lacking === null ? MOST_BROKEN : isJson(path) ? MOST_HELD : 1;
    if (held.length >= most) break;
  }
  if (lacking !== null && held.length > 0) {
    throw new CodescoreError("input", `no row has a \`candidate\` (or \`generated_code\`): ${lacking}`);
  }
  if (held.length > 0) throw new CodescoreError("input", held[0]!.error!.message);
  if (index > 0) return;
  throw new CodescoreError(
    "input",
    `${name} is empty: expected rows of {id?, candidate, reference?, description?, task_id?}`,
  );
}

/** The row. One with nothing to compare with says which fields it has, since one of them may be misspelt. */
function comparable(row: InputRow, { value, where }: JsonLine): InputRow {
  const { candidate, reference, description } = row;
  const hasNeither = [reference, description].every((text) => text === null || text === undefined || text === "");
  if (row.error || typeof candidate !== "string" || !hasNeither) return row;
  const fields = Object.keys(value).slice(0, 12).join(", ");
  const message = `${where}: expected a reference or a description to score against, got neither; fields here: ${fields}`;
  return { ...row, error: { code: "input", message } };
}

const isJson = (path: string): boolean => !(isCsv(path) || isParquet(path) || path.endsWith(".arrow"));

function linesOf(path: string): AsyncIterable<JsonLine | CodescoreError> {
  if (isCsv(path)) return readCsv(path);
  if (isParquet(path)) return readParquet(path);
  return path.endsWith(".arrow") ? labelledLines(path) : tryJsonLines(path);
}

async function* labelledLines(path: string): AsyncGenerator<JsonLine> {
  const { readExamples } = await import("../../dataset/index.ts");
  let number = 0;
  for await (const row of readExamples(path)) yield { value: { ...row }, where: `${path}, row ${++number}` };
}

/** A program file, and the name that pairs it with others: its path in its folder without the ending. */
interface Named {
  readonly path: string;
  readonly name: string;
}

interface Files {
  readonly candidates: readonly string[];
  readonly reference?: string;
  readonly description?: string;
}

/**
 * Rows of candidate files and folders. If the reference or description is a folder, each candidate gets the file of the same
 * name, or of the name of the candidate's folder (`task.py` for `task/1.py` and `task/2.py`). A candidate without its pair becomes
 * a row with an error. So does a reference without candidates if a folder of candidates is named. Throws `CodescoreError("usage")` for a path that does not exist.
 */
export async function* readPrograms({ candidates, reference, description }: Files): AsyncGenerator<InputRow> {
  const named = await Promise.all(candidates.map(programsAt));
  const found = named.flatMap(({ files }) => files);
  const references = await openPairs(reference, ".py", readProgram);
  const descriptions = await openPairs(description, "", readText);
  const used = new Set<string>();
  for (const { path, name } of found) {
    const [ours, theirs] = [references.of(name), descriptions.of(name)];
    if (ours !== null) used.add(ours);
    const task = ours ?? theirs ?? name;
    try {
      const [text, ...pair] = await Promise.all([
        readProgram(path),
        ours && readProgram(ours),
        theirs && readText(theirs),
      ]);
      const missing = [references, descriptions].flatMap((pairs) => pairs.missing(name));
      // With a folder for each person, the names of the references are those in the inner folders.
      const inner =
        missing.length > 0 && name.includes("/") ? (references.inner(name) ?? descriptions.inner(name)) : null;
      if (inner !== null) {
        missing.push(
          `${inner} is there, so name folders such as ${dirname(path)} as candidates, not the one around them`,
        );
      }
      if (!pair.some((text) => text?.trim())) missing.push(...emptyFiles(ours, theirs));
      const row = { id: path, candidate: text, reference: pair[0] || null, description: pair[1] || null, task };
      yield {
        ...row,
        where: null,
        ...(missing.length > 0 && { error: { code: "input" as const, message: missing.join("; ") } }),
      };
    } catch (error) {
      yield brokenRow(path, messageOf(error));
    }
  }
  // Who names single files, such as the changed ones, has no candidates for the other references.
  if (!named.some(({ isFolder }) => isFolder)) return;
  for (const path of references.all) {
    if (!used.has(path))
      yield brokenRow(path, `no candidate has the name of this reference in ${candidates.join(", ")}`);
  }
}

/** Error messages for the empty files of a pair. */
const emptyFiles = (reference: string | null, description: string | null): string[] => [
  ...(reference === null ? [] : [`${reference} is empty: expected a correct program in it`]),
  ...(description === null ? [] : [`${description} is empty: expected what the program should do in it`]),
];

/** The Python files of a folder, sorted by name; or the one file. */
async function programsAt(path: string): Promise<{ readonly files: readonly Named[]; readonly isFolder: boolean }> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw noSuchPath(path);
    return null; // reading the file later reports the error
  });
  if (!found?.isDirectory()) return { files: [{ path, name: withoutEnding(basename(path)) }], isFolder: false };
  const files = await filesIn(path, ".py");
  if (files.length > 0) return { files, isFolder: true };
  const others = (await filesIn(path, "")).map((file) => foreignFile(file.path));
  const got = others.find((kind) => kind !== null) ?? "none";
  throw new CodescoreError("input", `expected Python files (.py) in the folder ${path}, got ${got}`);
}

const noSuchPath = (path: string): CodescoreError =>
  new CodescoreError("usage", `cannot read ${path}: no such file or folder`);

async function filesIn(folder: string, ending: string): Promise<Named[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep))
    .filter((parts) => !parts.some((part) => part.startsWith(".")))
    .map((parts) => ({ path: join(folder, ...parts), name: withoutEnding(parts.join("/")) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

const withoutEnding = (name: string): string => name.replace(/\.[^./]+$/, "");

interface Pairs {
  /** The file that belongs to a candidate, or null. */
  of(name: string): string | null;
  /** The error message if there is no such file; empty if none is needed. */
  missing(name: string): string[];
  /** The file that has the last part of a candidate's name. */
  inner(name: string): string | null;
  /** All files that should have candidates. */
  readonly all: readonly string[];
}

/** The files to pair candidates with: one for all, or those of a folder. */
async function openPairs(path: string | undefined, ending: string, read: typeof readText): Promise<Pairs> {
  if (path === undefined) return { of: () => null, missing: () => [], inner: () => null, all: [] };
  const at = await stat(path).catch(() => null);
  if (at === null) throw noSuchPath(path);
  if (!at.isDirectory()) {
    await read(path); // one file for all rows: fail now if it cannot be read
    return { of: () => path, missing: () => [], inner: () => null, all: [] };
  }
  const files = new Map<string, string>();
  const found = await filesIn(path, ending);
  if (found.length === 0) {
    const wanted = ending === "" ? "a text per candidate" : "Python files (.py)";
    throw new CodescoreError("input", `expected ${wanted} in the folder ${path}, got none`);
  }
  for (const { name, path: file } of found) {
    const other = files.get(name);
    if (other !== undefined) throw new CodescoreError("input", `expected one file per name, got ${other} and ${file}`);
    files.set(name, file);
  }
  const of = (name: string): string | null =>
    files.get(name) ?? files.get(name.split("/").slice(0, -1).join("/")) ?? null;
  const missing = (name: string): string[] =>
    of(name) === null ? [`expected a file ${join(path, name)}${ending || ".txt"} to pair it with, got none`] : [];
  const inner = (name: string): string | null => files.get(basename(name)) ?? null;
  return { of, missing, inner, all: [...files.values()] };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

const readText = (path: string): Promise<string> => readUtf8(path, "text");

/** Throws `CodescoreError("input")` if the file's ending or bytes show that it is not Python. */
async function readProgram(path: string): Promise<string> {
  const kind = foreignFile(path);
  if (kind !== null) throw new CodescoreError("input", `${path} is ${kind}; ${READS}`);
  return readUtf8(path, "Python source");
}

async function readUtf8(path: string, expected: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EISDIR"
      ? new CodescoreError("input", `cannot read ${path}: it is a folder`)
      : unreadable(path, error);
  });
  const wrong = `cannot read ${path}: expected ${expected} in UTF-8, got`;
  if (bytes.includes(0)) throw new CodescoreError("input", `${wrong} a binary file (it has NUL bytes)`);
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new CodescoreError("input", `${wrong} another encoding or a binary file`, { cause: error });
  }
}
