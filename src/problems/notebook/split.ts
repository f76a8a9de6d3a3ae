/**
 * Splits of notebooks in ARCADE's form (Yin et al. 2022): JSON with episodes. An episode is a notebook with ordered turns; a turn
 * has an intent, a reference cell and the cells before it. Data files lie beside the split. Field names differ between releases,
 * so they are options. Cells are strings (code), or objects as in .ipynb files, or all of them one text.
 */
import { dirname, join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { loadParser, type Parse } from "../../languages/python/syntax/parse.ts";
import { exists, readJson } from "../../util/files.ts";
import { dataFiles, nameOf } from "./files.ts";
import { cellOf } from "./ipynb.ts";
import { type Cell, type NotebookProblem, turnsOf } from "./turns.ts";

/** The fields of a split, as paths (`intent.value`). */
export interface SplitFields {
  /** In the file: the list of episodes, unless the file itself is that list. */
  readonly episodes: string;
  /** In an episode: its name; its turns; its cells before the first turn; the folder of its files, beside the split. Only the turns are required. */
  readonly name: string;
  readonly turns: string;
  readonly cells: string;
  readonly files: string;
  /** In a turn: what is asked for; the reference cell; the cells since the previous turn; all cells before it. At most one of the last two. */
  readonly intent: string;
  readonly code: string;
  readonly before: string;
  readonly context: string;
}

export const splitFields: SplitFields = {
  episodes: "episodes",
  name: "notebook_name",
  turns: "turns",
  cells: "cells",
  files: "work_dir",
  intent: "intent",
  code: "code",
  before: "cells",
  context: "context",
};

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function at(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split(".")) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found ?? undefined;
}

/**
 * The turns of all episodes. Throws `CodescoreError("input")` naming the episode, the turn and the missing field.
 * @param files the folder that contains the folders of the episodes @default the split's folder
 */
export async function readSplit(
  path: string,
  {
    files = dirname(path),
    fields,
  }: { readonly files?: string | undefined; readonly fields?: Partial<SplitFields> | undefined } = {},
): Promise<NotebookProblem[]> {
  const names = { ...splitFields, ...fields };
  const split = await readJson(path);
  const episodes = Array.isArray(split) ? split : at(split, names.episodes);
  if (!Array.isArray(episodes)) throw lacks(path, "a list of episodes", "episodes", names, split);
  const parse = await loadParser();
  const turns: NotebookProblem[] = [];
  const seen = new Set<string>();
  for (const [i, episode] of episodes.entries()) {
    const where = `${path}, episode ${i + 1}`;
    const found = await episodeTurns(episode, { where, path, files, names, place: i }, parse);
    for (const turn of found) {
      if (seen.has(turn.problem.id)) {
        throw new CodescoreError(
          "input",
          `${where}: expected episodes of different names, got \`${turn.problem.notebook!.name}\` twice`,
        );
      }
      seen.add(turn.problem.id);
    }
    turns.push(...found);
  }
  return turns;
}

interface Place {
  readonly where: string;
  readonly path: string;
  readonly files: string;
  readonly names: SplitFields;
  readonly place: number;
}

async function episodeTurns(
  episode: unknown,
  { where, path, files, names, place }: Place,
  parse: Parse,
): Promise<NotebookProblem[]> {
  const turns = at(episode, names.turns);
  if (!Array.isArray(turns) || turns.length === 0) throw lacks(where, "a list of turns", "turns", names, episode);
  const name = at(episode, names.name) ?? `${nameOf(path)}-${place + 1}`;
  if (typeof name !== "string") throw lacks(where, "text", "name", names, episode);
  const folder = at(episode, names.files) ?? ".";
  if (typeof folder !== "string") throw lacks(where, "a folder", "files", names, episode);
  if (/^[/\\]|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(folder)) {
    throw new CodescoreError(
      "input",
      `${where}: expected \`${names.files}\` to be a folder beside the split, got \`${folder}\``,
    );
  }
  const data = join(files, folder);
  if (!(await exists(data))) {
    throw new CodescoreError(
      "input",
      `${where}: its folder of data files does not exist: ${data}; --files names the folder that contains it`,
    );
  }
  const given = (owner: unknown, field: keyof SplitFields, place: string): Cell[] => {
    const found = at(owner, names[field]) ?? [];
    const cells = typeof found === "string" ? cellsOf(found) : found;
    if (!Array.isArray(cells)) throw lacks(place, "a list of cells, or their text", field, names, owner);
    return cells.flatMap((cell, i) => {
      const { kind, text, where } = cellOf(cell, `${place}, cell ${i + 1} of \`${names[field]}\``);
      return kind === "raw" ? [] : [{ kind, text, where, intent: null, raises: false }];
    });
  };
  const shared = { name: nameOf(name), files: await dataFiles(data, [path]), markdownIsIntent: false };
  let cells = given(episode, "cells", where);
  const whole: NotebookProblem[] = [];
  turns.forEach((turn, i) => {
    const place = `${where}, turn ${i + 1}`;
    const text = at(turn, names.code);
    if (typeof text !== "string") throw lacks(place, "the reference cell's text", "code", names, turn);
    const intent = at(turn, names.intent);
    if (typeof intent !== "string") throw lacks(place, "text", "intent", names, turn);
    const own: Cell = {
      kind: "code",
      text: text.replace(/\r\n?/g, "\n"),
      intent: intent.trim(),
      raises: false,
      where: place,
      id: `${i + 1}`,
    };
    if (at(turn, names.context) === undefined) {
      cells = [...cells, ...given(turn, "before", place), own];
    } else {
      // Later turns may not depend on this cell, so each turn is a separate notebook.
      whole.push(...turnsOf({ ...shared, cells: [...given(turn, "context", place), own] }, parse));
    }
  });
  if (whole.length > 0 && whole.length < turns.length) {
    throw new CodescoreError(
      "input",
      `${where}: expected \`${names.context}\` in every turn or in none, got it in ${whole.length} of ${turns.length}`,
    );
  }
  return whole.length > 0 ? whole : turnsOf({ ...shared, cells }, parse);
}

/** Cells of a text, as `jupyter nbconvert --to script` separates them. Without marks, the text is one cell. */
const cellsOf = (text: string): string[] =>
  text.split(/^# In ?\[[ \d]*\]:[^\n]*$/m).filter((cell) => cell.trim() !== "");

function lacks(
  where: string,
  what: string,
  field: keyof SplitFields,
  names: SplitFields,
  owner: unknown,
): CodescoreError {
  const here = isObject(owner) ? Object.keys(owner).slice(0, 12).join(", ") || "none" : typeof owner;
  return new CodescoreError(
    "input",
    `${where}: expected ${what} in \`${names[field]}\`; fields here: ${here}; use --fields ${field}=NAME for another name`,
  );
}
