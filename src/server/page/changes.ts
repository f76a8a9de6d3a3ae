/** Where two programs differ, as the comparison wants it: changes from one text to the other. */
import { Change, diff } from "@codemirror/merge";
import type { Text } from "@codemirror/state";
import type { Difference } from "./api.ts";

/**
 * The server's differences, which know of renamed variables, as changes from `a`, the reference, to `b`. A line that only one of them has
 * stands as many lines of code behind the last difference as in its own program.
 */
export function changesOf(a: Text, b: Text, differences: readonly Difference[]): Change[] {
  const changes: Change[] = [];
  /** Where the last difference ended: the first line behind it in each. */
  let [lineA, lineB] = [1, 1];
  for (const { candidate, reference } of differences) {
    const rangeB = candidate && linesOf(b, candidate);
    const rangeA = reference && linesOf(a, reference);
    const ends = changes.at(-1);
    if (rangeA && rangeB) {
      if (ends !== undefined && (rangeA.from < ends.toA || rangeB.from < ends.toB)) continue;
      changes.push(...inside(a, b, rangeA, rangeB));
    } else if (rangeB !== null) {
      const at = behind(a, lineA, codeLines(b, lineB, rangeB.first));
      if (ends !== undefined && (at < ends.toA || rangeB.from < ends.toB)) continue;
      changes.push(new Change(at, at, rangeB.from, Math.min(rangeB.to + 1, b.length)));
    } else if (rangeA !== null) {
      const at = behind(b, lineB, codeLines(a, lineA, rangeA.first));
      if (ends !== undefined && (rangeA.from < ends.toA || at < ends.toB)) continue;
      changes.push(new Change(rangeA.from, Math.min(rangeA.to + 1, a.length), at, at));
    }
    const last = changes.at(-1);
    if (last === undefined) continue;
    lineA = rangeA ? rangeA.last + 1 : a.lineAt(last.toA).number;
    lineB = rangeB ? rangeB.last + 1 : b.lineAt(last.toB).number;
  }
  return changes;
}

interface Range {
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
}

/** Null where the text has no such line. */
function linesOf(text: Text, { line, text: own }: { line: number; text: string }): Range | null {
  const last = Math.min(text.lines, line + own.split("\n").length - 1);
  return line > text.lines ? null : { first: line, last, from: text.line(line).from, to: text.line(last).to };
}

/** What differs inside a pair of lines; all of them where their texts are the same but for what variables stand for. */
function inside(a: Text, b: Text, ours: Range, theirs: Range): Change[] {
  const found = diff(a.sliceString(ours.from, ours.to), b.sliceString(theirs.from, theirs.to), { scanLimit: 500 });
  if (found.length === 0) return [new Change(ours.from, ours.to, theirs.from, theirs.to)];
  return found.map(
    ({ fromA, toA, fromB, toB }) =>
      new Change(ours.from + fromA, ours.from + toA, theirs.from + fromB, theirs.from + toB),
  );
}

const isCode = (line: string): boolean => /^\s*[^\s#]/.test(line);

/** Lines of code from one line up to another. */
function codeLines(text: Text, from: number, to: number): number {
  let count = 0;
  for (let line = from; line < to; line++) if (isCode(text.line(line).text)) count += 1;
  return count;
}

/** Where the line begins that is `count` lines of code behind a line. */
function behind(text: Text, line: number, count: number): number {
  let left = count;
  for (let at = line; at <= text.lines; at++) {
    if (left === 0) return text.line(at).from;
    if (isCode(text.line(at).text)) left -= 1;
  }
  return text.length;
}
