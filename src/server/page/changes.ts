/** The differences of two programs, as changes from one text to the other for the comparison view. */
import { Change, diff } from "@codemirror/merge";
import type { Text } from "@codemirror/state";
import type { Difference } from "./api.ts";

/**
 * Converts the server's differences, which ignore renamed variables, into changes from `a`, the reference, to `b`, the candidate. A line
 * that only one of them has is placed the same number of code lines after the last difference as in its own program.
 */
export function changesOf(a: Text, b: Text, differences: readonly Difference[]): Change[] {
  const changes: Change[] = [];
  /** The first lines after the last difference, in `a` and `b`. */
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

/** Null if the text has no such line. */
function linesOf(text: Text, { line, text: own }: { line: number; text: string }): Range | null {
  const last = Math.min(text.lines, line + own.split("\n").length - 1);
  return line > text.lines ? null : { first: line, last, from: text.line(line).from, to: text.line(last).to };
}

/** The differences within a pair of statements; the whole statements if their texts are equal (then only renamed variables differ). */
function inside(a: Text, b: Text, ours: Range, theirs: Range): Change[] {
  const found = diff(a.sliceString(ours.from, ours.to), b.sliceString(theirs.from, theirs.to), { scanLimit: 500 });
  if (found.length === 0) return [new Change(ours.from, ours.to, theirs.from, theirs.to)];
  return found.map(
    ({ fromA, toA, fromB, toB }) =>
      new Change(ours.from + fromA, ours.from + toA, theirs.from + fromB, theirs.from + toB),
  );
}

const isCode = (line: string): boolean => /^\s*[^\s#]/.test(line);

/** Number of code lines in [from, to). */
function codeLines(text: Text, from: number, to: number): number {
  let count = 0;
  for (let line = from; line < to; line++) if (isCode(text.line(line).text)) count += 1;
  return count;
}

/** Offset of the line that comes `count` code lines after `line`. */
function behind(text: Text, line: number, count: number): number {
  let left = count;
  for (let at = line; at <= text.lines; at++) {
    if (left === 0) return text.line(at).from;
    if (isCode(text.line(at).text)) left -= 1;
  }
  return text.length;
}
