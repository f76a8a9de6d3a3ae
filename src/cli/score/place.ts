/** The line of a file that an annotation is about. */
import escapeRegExp from "escape-string-regexp";
import { candidatesIn } from "../../languages/fences.ts";
import type { Counterexample, Score } from "../../types.ts";

/**
 * The line of the first fault that has one; else that of the function that was called with the wrong answer; else, for a program that reads
 * standard input, that of its only output, or of its first statement. From 1; null if there is neither a fault nor a wrong answer.
 * @param text the file, from which the program may be taken
 */
export function lineIn(text: string, { findings = [], notes = [], behaviour }: Score): number | null {
  const isFenced = notes.some((note) => /^candidate: .*fence/.test(note));
  const programs = isFenced ? candidatesIn(text) : [text];
  const unix = text.replace(/\r\n?/g, "\n");
  const [program] = programs;
  const start = isFenced ? unix.indexOf(program!) : 0;
  // Lines are the program's. It is unknown which of several blocks it is.
  if (programs.length !== 1 || start < 0) return null;
  const line = findings.find((finding) => finding.line !== null)?.line ?? wrongIn(unix.slice(start), behaviour);
  return line === null ? null : line + unix.slice(0, start).split("\n").length - 1;
}

function wrongIn(program: string, behaviour: Score["behaviour"]): number | null {
  const counterexample = behaviour?.counterexample ?? null;
  return counterexample === null ? null : (definitionIn(program, counterexample) ?? outputIn(program));
}

/** The line on which a program defines what a counterexample calls: the last such definition, since it replaces earlier ones. */
function definitionIn(program: string, { input }: Counterexample): number | null {
  const name = /^(\w+)\(/.exec(input)?.[1];
  if (name === undefined) return null;
  const own = escapeRegExp(name);
  const found = [
    ...program.matchAll(new RegExp(`^[ \\t]*(?:(?:async[ \\t]+)?def|class)[ \\t]+${own}\\b|^${own}[ \\t]*=`, "gm")),
  ].at(-1);
  return found === undefined ? null : program.slice(0, found.index).split("\n").length;
}

/** The line of the only output. With several it is unknown which one is wrong, so it is that of the first statement: the program as a whole. */
function outputIn(program: string): number | null {
  const lines = program.split("\n").map((line) => line.replace(/^\s*#.*/, "").trim());
  const outputs = [...lines.keys()].filter((i) => /\b(?:print|stdout\.write)\(/.test(lines[i]!));
  const at = outputs.length === 1 ? outputs[0]! : lines.findIndex((line) => line !== "");
  return at < 0 ? null : at + 1;
}
