/**
 * Additions and layout that do not affect behaviour: dead code, docstrings, blanks, blank lines. `makeCandidates` does not
 * use them, so that sets made with a seed stay as they were.
 */

import { enclosing, field, type Node, ofType, type Program, parts, textOf } from "../languages/python/syntax/walk.ts";
import {
  blocksOf,
  type Change,
  type Edit,
  indentOf,
  indentUnit,
  insert,
  isDocstring,
  linesOf,
  type Operator,
  replace,
} from "./edits.ts";
import { freshName, outerFunctions } from "./names.ts";

const unusedNames = ["unused", "debug", "dummy", "extra", "flag"];

/** Statements before which another may be inserted: no docstrings, no imports, nothing directly in a class. */
const places = (program: Program): Node[] =>
  blocksOf(program)
    .flat()
    .filter(
      (node) => !isDocstring(node) && !/import/.test(node.type) && node.parent?.parent?.type !== "class_definition",
    );

/** An assignment that nothing reads, or a branch or loop that is never entered. */
const deadCode: Operator = {
  name: "dead-code",
  weight: 1,
  find: (program, rng) =>
    places(program).map((node): Change => {
      const indent = indentOf(program, node);
      const inner = indent + indentUnit(program);
      const name = freshName(program, unusedNames, rng);
      const text = rng.pick([
        `${indent}${name} = ${rng.pick(["0", "None", "[]"])}\n`,
        `${indent}if False:\n${inner}${name} = 1\n`,
        `${indent}while False:\n${inner}${name} = 1\n`,
      ]);
      return [insert(linesOf(program, node)!.start, text)];
    }),
};

const sentences = ["Return the answer.", "See the task.", "Compute the result from the arguments.", "Solve the task."];

const addedDocstring: Operator = {
  name: "docstring",
  weight: 1,
  find: (program, rng) =>
    ofType(program, "identifier").some((node) => textOf(program, node) === "__doc__")
      ? []
      : outerFunctions(program).flatMap((definition): Change[] => {
          const first = parts(field(definition, "body") ?? definition)[0];
          const lines = first && !isDocstring(first) ? linesOf(program, first) : null;
          if (!first || !lines) return [];
          return [[insert(lines.start, `${indentOf(program, first)}"""${rng.pick(sentences)}"""\n`)]];
        }),
};

const symbols = new Set("+ - * / // % ** == != < > <= >= = += -= *= & | ^ << >>".split(" "));

/** Removes the blanks around operators and after commas, everywhere. */
const tightSpacing: Operator = {
  name: "tight",
  weight: 1,
  find: (program) => {
    const { code } = program;
    const edits = program.nodes.flatMap((node): Edit[] => {
      if (enclosing(node, "string")) return [];
      if (node.type === "," && code[node.end] === " ") return [replace({ start: node.end, end: node.end + 1 }, "")];
      const spaced = code[node.start - 1] === " " && code[node.end] === " ";
      const ends = /\S \S+ \S/.test(code.slice(node.start - 2, node.end + 2)); // not at the indentation of a line
      return symbols.has(node.type) && spaced && ends
        ? [replace({ start: node.start - 1, end: node.end + 1 }, textOf(program, node))]
        : [];
    });
    return edits.length > 0 ? [edits] : [];
  },
};

/** Inserts blank lines before about half of the statements. */
const blankLines: Operator = {
  name: "blank-lines",
  weight: 1,
  find: (program, rng) => {
    const edits = places(program).flatMap((node) =>
      rng.chance(0.5) ? [insert(linesOf(program, node)!.start, "\n")] : [],
    );
    return edits.length > 0 ? [edits] : [];
  },
};

export const layoutRewrites: readonly Operator[] = [deadCode, addedDocstring, tightSpacing, blankLines];
