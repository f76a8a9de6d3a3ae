/** Changes of whole lines of a text for standard input, such as a log or a list of commands. */
import type { Random } from "../util/random.ts";

/** Whether the number at place `i` counts the tokens of the next line, or the lines that follow. */
export function countsWhatFollows(parts: readonly string[], i: number, end: number): boolean {
  const number = Number(parts[i]);
  const line = parts.findIndex((part, k) => k > i && part.includes("\n"));
  if (line < 0 || line >= end) return false;
  const lines = parts.slice(line, end).reduce((sum, part) => sum + (part.match(/\n/g)?.length ?? 0), 0);
  const next = parts.findIndex((part, k) => k > line && part.includes("\n"));
  return number === lines || number === ((next < 0 ? parts.length : next) - line) / 2;
}

/** The number of tokens at the start of a text that are checked for counts. Counts come first, and checking takes a pass each. */
export const mostCounts = 12;

const longest = 40;
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;

/** A text with a line repeated, removed, moved, or with a word from the same column of another line. Null if its lines may be counted. */
export function varyLines(text: string, rng: Random): string | null {
  const end = text.endsWith("\n") ? "\n" : "";
  const lines = text.slice(0, text.length - end.length).split("\n");
  if (lines.length < 2 || lines.length > longest || isCounted(text, lines)) return null;
  const at = rng.int(0, lines.length - 1);
  const other = rng.int(0, lines.length - 1);
  const changed = rng.pick([
    () => lines.toSpliced(at, 0, lines[other]!),
    () => lines.toSpliced(at, 1),
    () => lines.with(at, lines[other]!).with(other, lines[at]!),
    () => lines.with(at, withWordOf(lines[at]!, lines[other]!, rng)),
    () => lines.toSpliced(other, 0, crossed(lines[at]!, lines[other]!, rng)),
  ])();
  return changed.join("\n") + end;
}

/** Whether a text has at least three lines, all of which begin alike: with a date and a time, or with a word and a number. */
export function hasRows(text: string): boolean {
  const lines = text.trimEnd().split("\n");
  const begins = lines.map((line) =>
    line
      .split(" ", 2)
      .map((word) => word.replace(/\d+/g, "0").replace(/[a-z]+/gi, "a"))
      .join(" "),
  );
  return lines.length > 2 && new Set(begins).size === 1 && / /.test(begins[0]!) && !/^[-0. ]*$/.test(begins[0]!);
}

/** Whether some lines are indented, but not all: then blanks mean something, and a grammar of words would lose them. */
export function hasIndent(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.some((line) => /^[ \t]/.test(line)) && lines.some((line) => /^\S/.test(line));
}

/** Whether a number of the text may say how many lines or words follow, or a line has no other. */
function isCounted(text: string, lines: readonly string[]): boolean {
  const parts = text.trimEnd().split(/(\s+)/);
  const counts = parts
    .slice(0, 2 * mostCounts)
    .some((part, i) => /^\d+$/.test(part) && countsWhatFollows(parts, i, parts.length));
  return counts || lines.every((line) => !/\s/.test(line.trim())) || NUMBER.test(lines[0]!.trim());
}

/** The beginning of one line and the rest of the other. */
function crossed(line: string, other: string, rng: Random): string {
  const [own, others] = [line.split(" "), other.split(" ")];
  const column = rng.int(1, Math.max(1, Math.min(own.length, others.length) - 1));
  return [...own.slice(0, column), ...others.slice(column)].join(" ");
}

/** One word becomes that in the same column of the other line; numbers only become numbers. */
function withWordOf(line: string, other: string, rng: Random): string {
  const [own, others] = [line.split(" "), other.split(" ")];
  const columns = own.flatMap((word, i) =>
    others[i] !== undefined && others[i] !== word && NUMBER.test(word) === NUMBER.test(others[i]) ? [i] : [],
  );
  if (columns.length === 0) return line;
  const column = rng.pick(columns);
  return own.with(column, others[column]!).join(" ");
}
