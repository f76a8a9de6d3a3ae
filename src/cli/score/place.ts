/** The line of a file that an annotation is about. */
import escapeRegExp from "escape-string-regexp";
import { candidatesIn } from "../../languages/fences.ts";
import type { Score } from "../../types.ts";

/**
 * The line of the first fault that has one; else that of the function that was called with the wrong answer. From 1; null if there is none.
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
  const line = findings.find((finding) => finding.line !== null)?.line ?? definitionIn(unix.slice(start), behaviour);
  return line === null ? null : line + unix.slice(0, start).split("\n").length - 1;
}

/** The line on which a program defines what a counterexample calls: the last such definition, since it replaces earlier ones. */
function definitionIn(program: string, behaviour: Score["behaviour"]): number | null {
  const name = /^(\w+)\(/.exec(behaviour?.counterexample?.input ?? "")?.[1];
  if (name === undefined) return null;
  const own = escapeRegExp(name);
  const found = [
    ...program.matchAll(new RegExp(`^[ \\t]*(?:(?:async[ \\t]+)?def|class)[ \\t]+${own}\\b|^${own}[ \\t]*=`, "gm")),
  ].at(-1);
  return found === undefined ? null : program.slice(0, found.index).split("\n").length;
}
