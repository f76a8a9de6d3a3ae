/**
 * The lines on which a candidate and its reference differ, regardless of variable names. First, statements are compared with all variables
 * replaced by one name. Lines that agree then vote on which variables correspond. Finally, statements are compared with variables renamed
 * accordingly.
 */
import { diffArrays } from "diff";
import { isRenamed, lex } from "../languages/python/index.ts";
import type { Program } from "../languages/python/syntax/parse.ts";
import { firstWhere } from "../util/search.ts";

/** A statement, or the head of a compound statement, as written in its program. */
export interface SourceLine {
  /** Number of its first line, from 1. */
  readonly line: number;
  /** Its lines, joined by `\n`. */
  readonly text: string;
}

/** A pair of differing lines. A side is null if that program has no such line. */
export interface Difference {
  readonly candidate: SourceLine | null;
  readonly reference: SourceLine | null;
}

/** Programs with more statements, or more edits between them, are not compared: they have little in common. */
const MOST = { lines: 1000, edits: 400 } as const;

interface Statement extends SourceLine {
  readonly words: readonly string[];
}

/** In program order. Empty if the programs are equal apart from names, or too large or too different to compare. */
export function differencesOf(candidate: Program, reference: Program): Difference[] {
  const [ours, theirs] = [statementsOf(candidate), statementsOf(reference)];
  if (Math.max(ours.length, theirs.length) > MOST.lines) return [];
  const nameless = aligned(ours.map(withoutNames), theirs.map(withoutNames));
  if (nameless === null) return [];
  const names = namesVotedFor(ours, theirs, nameless);
  const renamed = ours.map(({ words }) =>
    words.map((word) => (isRenamed(word) ? (names.get(word) ?? `?${word}`) : word)),
  );
  const pairs = aligned(
    renamed.map((words) => words.join(" ")),
    theirs.map(({ words }) => words.join(" ")),
  );
  const shown = (statement: Statement | undefined): SourceLine | null =>
    statement === undefined ? null : { line: statement.line, text: statement.text };
  const differences = (pairs ?? [])
    .filter(([, , isEqual]) => !isEqual)
    .map(([i, k]) => ({
      candidate: i === null ? null : shown(ours[i]),
      reference: k === null ? null : shown(theirs[k]),
    }));
  // `def f(x): return x` is two statements in one line.
  return differences.filter((one, at) => at === 0 || !isSamePlace(one, differences[at - 1]!));
}

const isSamePlace = (one: Difference, other: Difference): boolean =>
  one.candidate?.line === other.candidate?.line && one.reference?.line === other.reference?.line;

const withoutNames = ({ words }: Statement): string => words.map((word) => (isRenamed(word) ? "_" : word)).join(" ");

type Pair = readonly [ours: number | null, theirs: number | null, isEqual: boolean];

/** Pairs of corresponding indices in both lists. Null if the lists differ too much to compare. */
function aligned(ours: string[], theirs: string[]): Pair[] | null {
  const changes = diffArrays(ours, theirs, { maxEditLength: MOST.edits });
  if (changes === undefined) return null;
  const pairs: Pair[] = [];
  let [i, k] = [0, 0];
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at]!;
    if (!change.removed && !change.added) {
      for (let n = 0; n < change.count; n++) pairs.push([i++, k++, true]);
      continue;
    }
    const next = changes[at + 1];
    const isBoth = next !== undefined && (change.removed ? next.added : next.removed);
    const count = (side: "removed" | "added"): number => (change[side] ? change.count : isBoth ? next.count : 0);
    const [left, right] = [count("removed"), count("added")];
    for (let n = 0; n < Math.max(left, right); n++) pairs.push([n < left ? i++ : null, n < right ? k++ : null, false]);
    if (isBoth) at += 1;
  }
  return pairs;
}

/**
 * Maps each variable of the candidate to at most one of the reference, one to one. Parameters are matched first, by position. Lines that
 * agree vote next. Lines that are only paired by position vote last, for variables still unmatched, because those votes are guesses.
 */
function namesVotedFor(
  ours: readonly Statement[],
  theirs: readonly Statement[],
  pairs: readonly Pair[],
): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const isHead = (i: number | null): boolean => i !== null && ours[i]!.words.includes("def");
  const rounds = [
    pairs.filter(([i, , isEqual]) => isEqual && isHead(i)),
    pairs.filter(([i, , isEqual]) => isEqual && !isHead(i)),
    pairs.filter(([, , isEqual]) => !isEqual),
  ];
  for (const round of rounds) {
    const votes = new Map<string, number>();
    for (const [i, k] of round) {
      if (i === null || k === null) continue;
      ours[i]!.words.forEach((word, at) => {
        const their = theirs[k]!.words[at] ?? "";
        const pair = JSON.stringify([word, their]);
        if (isRenamed(word) && isRenamed(their)) votes.set(pair, (votes.get(pair) ?? 0) + 1);
      });
    }
    for (const [pair] of [...votes].sort(([, a], [, b]) => b - a)) {
      const [our, their] = JSON.parse(pair) as [string, string];
      if (names.has(our) || taken.has(their)) continue;
      names.set(our, their);
      taken.add(their);
    }
  }
  return names;
}

/** Statements as models read them: without comments, docstrings and annotations, with variables renamed. */
function statementsOf(program: Program): Statement[] {
  const { code } = program;
  const { text, lexemes } = lex(program);
  const lines = code.split("\n");
  let offset = 0;
  const ends = lines.map((line) => (offset += line.length + 1)); // offset just after each line's newline
  const found: { first: number; last: number; words: string[] }[] = [];
  let end = 0;
  for (const { source, start, end: next } of lexemes) {
    const at = firstWhere(ends.length, (line) => ends[line]! > source) + 1;
    const before = found.at(-1);
    const word = text.slice(start, next);
    if (before === undefined || text.slice(end, start).includes("\n")) {
      const depth = /^ *$/.test(text.slice(text.lastIndexOf("\n", start - 1) + 1, start)) ? columnOf(text, start) : 0;
      found.push({ first: at, last: at, words: [" ".repeat(depth), word] });
    } else {
      before.last = Math.max(before.last, at);
      before.words.push(word);
    }
    end = next;
  }
  return found.map(({ first, last, words }) => ({ line: first, text: lines.slice(first - 1, last).join("\n"), words }));
}

const columnOf = (text: string, at: number): number => at - text.lastIndexOf("\n", at - 1) - 1;
