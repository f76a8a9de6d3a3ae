/**
 * Jupyter notebooks (nbformat 4). Ignores outputs, because cells run again. If cells are tagged `turn`, these are the turns;
 * otherwise every code cell that does more than import. A cell's intent (what it should do) is `intent` in its metadata,
 * otherwise the markdown directly above it.
 */
import { dirname } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { loadParser } from "../../languages/python/syntax/parse.ts";
import { onlyImports } from "../../languages/python/syntax/source.ts";
import { readJson } from "../../util/files.ts";
import { dataFiles, nameOf } from "./files.ts";
import { type Cell, type NotebookProblem, turnsOf } from "./turns.ts";

const TURN = "turn";
const RAISES = "raises-exception";

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The turns of a notebook. Throws `CodescoreError("input")` if it is not a Python notebook of nbformat 4, or cannot be replayed.
 * @param files the folder with its data files @default the notebook's folder
 */
export async function readIpynb(path: string, files: string = dirname(path)): Promise<NotebookProblem[]> {
  const notebook = await readJson(path);
  if (!isObject(notebook) || typeof notebook.nbformat !== "number") {
    throw new CodescoreError("input", `${path}: expected a Jupyter notebook with \`nbformat\`, got none`);
  }
  if (notebook.nbformat !== 4 || !Array.isArray(notebook.cells)) {
    const got = notebook.nbformat === 4 ? "none" : `nbformat ${notebook.nbformat}`;
    const remedy = "jupyter nbconvert --to notebook --nbformat 4 FILE converts it";
    throw new CodescoreError("input", `${path}: expected nbformat 4 with \`cells\`, got ${got}; ${remedy}`);
  }
  const language = languageOf(notebook.metadata);
  if (language !== "python") {
    throw new CodescoreError("input", `${path}: expected a notebook in Python, got one in ${language}`);
  }
  const raw = notebook.cells.map((cell, i) => cellOf(cell, `${path}, cell ${i + 1}`));
  const annotated = raw.some(({ tags }) => tags.includes(TURN));
  const cells = raw.flatMap(({ kind, text, tags, intent, where }, i): Cell[] => {
    if (kind === "raw") return [];
    const isTurn = kind === "code" && (annotated ? tags.includes(TURN) : doesMore(text));
    const above = intent ?? markdownAbove(raw, i);
    return [{ kind, text, where, intent: isTurn ? above : null, raises: tags.includes(RAISES) }];
  });
  const parse = await loadParser();
  return turnsOf({ name: nameOf(path), cells, files: await dataFiles(files, [path]), markdownIsIntent: true }, parse);
}

function languageOf(metadata: unknown): string {
  const { language_info: info, kernelspec: kernel } = isObject(metadata) ? metadata : {};
  const name = (isObject(info) && info.name) || (isObject(kernel) && kernel.language) || "python";
  return /^i?python3?$/i.test(String(name)) ? "python" : String(name);
}

interface RawCell {
  readonly kind: "markdown" | "code" | "raw";
  readonly text: string;
  readonly tags: readonly unknown[];
  readonly intent: string | null;
  readonly where: string;
}

/** Throws `CodescoreError("input")` if the value is not a cell. Splits (split.ts) have cells of the same form. */
export function cellOf(cell: unknown, where: string): RawCell {
  if (typeof cell === "string") return { kind: "code", text: lines(cell), tags: [], intent: null, where };
  const kind = isObject(cell) ? (cell.cell_type ?? cell.type ?? "code") : null;
  const source = isObject(cell) ? (cell.source ?? cell.text) : null;
  const isText =
    typeof source === "string" || (Array.isArray(source) && source.every((part) => typeof part === "string"));
  if (!isObject(cell) || !isText || (kind !== "markdown" && kind !== "code" && kind !== "raw")) {
    const got = isObject(cell)
      ? `one of type \`${String(kind)}\` with the fields ${Object.keys(cell).slice(0, 8).join(", ")}`
      : typeof cell;
    throw new CodescoreError("input", `${where}: expected a markdown or code cell with \`source\`, got ${got}`);
  }
  const { tags, intent } = isObject(cell.metadata) ? cell.metadata : ({} as Json);
  return {
    kind,
    text: lines(typeof source === "string" ? source : (source as string[]).join("")),
    tags: Array.isArray(tags) ? tags : [],
    intent: typeof intent === "string" ? intent.trim() : null,
    where,
  };
}

const lines = (text: string): string => text.replace(/\r\n?/g, "\n");

/** Whether a cell does more than import. Ignores magics. */
const doesMore = (text: string): boolean => {
  const python = text.replace(/^[ \t]*[%!].*$/gm, "");
  return python.trim() !== "" && !onlyImports(python);
};

/** The markdown between the previous code cell and this one. */
function markdownAbove(cells: readonly RawCell[], place: number): string {
  const found: string[] = [];
  for (let i = place - 1; i >= 0 && cells[i]!.kind !== "code"; i--) {
    if (cells[i]!.kind === "markdown") found.unshift(cells[i]!.text.trim());
  }
  return found.join("\n\n");
}
