/**
 * Turns IPython cells into Python. Removes commands that do not change the state of Python. Keeps the statement of commands that
 * time it. Refuses all other commands, because a replay without them would differ. Runs nothing.
 */
import { CodescoreError } from "../../errors.ts";
import type { Parse } from "../../languages/python/syntax/parse.ts";

/** Line magics that change no variables and files. */
const IDLE = new Set("matplotlib config load_ext reload_ext autoreload pip conda timeit who whos history".split(" "));
/** Line magics that run the statement after them. */
const RUNNING = new Set(["time", "prun"]);
/** Cell magics that run the lines after them unchanged. */
const TRANSPARENT = new Set(["time", "capture", "prun"]);
/** Cell magics that only show something or run separately. */
const APART = new Set("html latex markdown javascript js svg timeit".split(" "));
/** Shell commands that only show or install something. */
const SHOWING = new Set("pip pip3 conda ls head tail cat wc pwd echo date nvidia-smi".split(" "));

/** Converts a cell to Python. `where` names the cell in errors. Throws `CodescoreError("input")` with the line that cannot be replayed. */
export function pythonOf(text: string, where: string, parse: Parse): string {
  if (!parse(text).broken) return text;
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const [, magic] = /^%%(\w+)/.exec(lines[first] ?? "") ?? [];
  if (magic !== undefined) {
    if (APART.has(magic)) return "";
    if (!TRANSPARENT.has(magic)) throw refused(where, first, lines[first]!, "this cell magic");
    lines.splice(first, 1);
  }
  const kept = lines.map((line, i) => withoutMagic(line, where, magic === undefined ? i : i + 1)).join("\n");
  if (parse(kept).broken) {
    throw new CodescoreError("input", `${where}: expected Python, got a cell that does not parse: ${start(kept)}`);
  }
  return kept;
}

function withoutMagic(line: string, where: string, number: number): string {
  const command = line.trimStart();
  const indent = line.slice(0, line.length - command.length);
  const [, mark, rest = ""] = /^([%!])(.*)$/.exec(command) ?? [];
  if (mark === undefined) {
    if (/^\?{0,2}[\w.]+\?{1,2}$/.test(command.trimEnd()) || /^\?{1,2}[\w.]+$/.test(command.trimEnd()))
      return `${indent}pass`;
    if (/^[\w, ]+=[ \t]*[%!]/.test(command)) throw refused(where, number, command, "the output of a command");
    return line;
  }
  const [, name = ""] = /^!?[ \t]*([\w-]+)/.exec(rest) ?? [];
  if (mark === "%") {
    if (RUNNING.has(name)) return indent + rest.slice(name.length).trimStart();
    if (IDLE.has(name)) return `${indent}pass`;
    throw refused(where, number, command, "this magic");
  }
  if (SHOWING.has(name)) return `${indent}pass`;
  throw refused(where, number, command, "a shell command");
}

const start = (text: string): string => {
  const line = text.trim().split("\n", 1)[0]!;
  return `\`${line.length > 60 ? `${line.slice(0, 60)}...` : line}\``;
};

const refused = (where: string, number: number, line: string, what: string): CodescoreError =>
  new CodescoreError(
    "input",
    `${where}, line ${number + 1}: expected Python, got ${start(line)}: ${what} cannot be replayed; write the cell without it`,
  );
