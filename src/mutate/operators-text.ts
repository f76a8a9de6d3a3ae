/** Damages the text itself, like an answer that was cut off or mistyped. The result need not parse. */

import { ofType, type Program } from "../languages/python/syntax/walk.ts";
import { type Change, type Operator, replace } from "./edits.ts";

/** Cuts the text at the end of a line or inside one, in its last two thirds. */
const truncatedBody: Operator = {
  name: "truncated-body",
  weight: 3,
  find: ({ code }, rng) => {
    const ends = [...code.matchAll(/\n/g)]
      .map(({ index }) => index)
      .filter((at) => at > code.length / 3 && at < code.length - 1);
    const inside = Array.from({ length: 4 }, () => rng.int(Math.floor(code.length / 3), code.length - 2));
    return [...ends, ...inside].map((at) => [replace({ start: at, end: code.length }, "\n")]);
  },
};

const punctuation = new Set([":", "(", ")", "[", "]", ",", "=", "{", "}"]);

const brokenSyntax: Operator = {
  name: "broken-syntax",
  weight: 1,
  find: (program) => [...droppedPunctuation(program), ...brokenIndentation(program)],
};

const droppedPunctuation = (program: Program): Change[] =>
  program.nodes.filter(({ type }) => punctuation.has(type)).map((node) => [replace(node, "")]);

/** Moves the first line of a block one blank too far to the right. */
const brokenIndentation = (program: Program): Change[] =>
  ofType(program, "block").map((node) => [replace({ start: node.start, end: node.start }, " ")]);

export const textOperators: readonly Operator[] = [truncatedBody, brokenSyntax];
