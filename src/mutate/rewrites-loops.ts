/** Rewrites that keep behaviour: `for` over a range as `while`, comprehensions as loops and loops as comprehensions. */

import {
  descendants,
  enclosing,
  field,
  fields,
  type Node,
  ofType,
  type Program,
  parts,
  textOf,
} from "../languages/python/syntax/walk.ts";
import {
  blockLines,
  blocksOf,
  type Change,
  indentOf,
  indentUnit,
  isIndentable,
  linesOf,
  type Operator,
  ofNeighbours,
  replace,
} from "./edits.ts";
import { freshName, occurrences, usesNamesAsText, variablesIn } from "./names.ts";

const plainFunction = (node: Node): Node | null => {
  const definition = enclosing(node, "function_definition", "class_definition");
  return definition?.type === "function_definition" ? definition : null;
};

/** `for i in range(a, b):` as `while` with a separate counter. Also exact for `continue`, and for `i` after the loop. */
const whileLoop: Operator = {
  name: "while-loop",
  weight: 4,
  find: (program, rng) =>
    ofType(program, "for_statement").flatMap((loop): Change[] => {
      const [target, range, body] = [field(loop, "left"), field(loop, "right"), field(loop, "body")];
      if (
        target?.type !== "identifier" ||
        !range ||
        !body ||
        !plainFunction(loop) ||
        loop.children[0]?.type === "async"
      )
        return [];
      const callee = range.type === "call" ? field(range, "function") : undefined;
      const bounds = parts(field(range, "arguments") ?? range);
      const step = bounds[2] ? textOf(program, bounds[2]) : "1";
      const plain = bounds.every(({ type }) => !/splat|keyword|generator/.test(type));
      if (!callee || textOf(program, callee) !== "range" || !plain || !/^-?[1-9]\d*$/.test(step)) return [];
      const [from, to] =
        bounds.length === 1 ? ["0", bounds[0] as Node] : [textOf(program, bounds[0] as Node), bounds[1] as Node];
      const first = parts(body)[0];
      const [lines, head] = [first && linesOf(program, first), linesOf(program, loop)];
      if (!first || !lines || !head) return [];
      const name = textOf(program, target);
      const counter = freshName(program, ["pos", "cursor", "index", "step", "c", "q"], rng);
      const stop = freshName(program, ["stop", "limit", "end", "upper"], rng, new Set([counter]));
      const [indent, inner] = [indentOf(program, loop), indentOf(program, first)];
      const constant = to.type === "integer";
      const bound = constant ? textOf(program, to) : stop;
      const setup = `${indent}${counter} = ${from}\n${constant ? "" : `${indent}${stop} = ${textOf(program, to)}\n`}`;
      const advance = step.startsWith("-") ? `${counter} -= ${step.slice(1)}` : `${counter} += ${step}`;
      const test = step.startsWith("-") ? ">" : "<";
      const header = `${setup}${indent}while ${counter} ${test} ${bound}:\n${inner}${name} = ${counter}\n${inner}${advance}\n`;
      return [[replace({ start: head.start, end: lines.start }, header)]];
    }),
};

interface Comprehension {
  readonly element: string;
  /** The `for` and `if` clauses as headers of statements. */
  readonly headers: readonly string[];
}

/** The loop of a list comprehension or generator; null if its variables also occur elsewhere in the function, or if it is not simple. */
function readComprehension(program: Program, node: Node): Comprehension | null {
  const definition = plainFunction(node);
  const element = field(node, "body");
  const text = textOf(program, node);
  if (!definition || !element || /\n|\basync\b|:=|\byield\b|\bawait\b/.test(text) || usesNamesAsText(program))
    return null;
  const clauses = parts(node).filter(({ type }) => type === "for_in_clause" || type === "if_clause");
  const owned = clauses.flatMap((clause) => [...variablesIn(program, field(clause, "left") ?? clause)]);
  const bound = clauses
    .filter(({ type }) => type === "for_in_clause")
    .flatMap((clause) => [...variablesIn(program, field(clause, "left") ?? clause)]);
  if (owned.length === 0 || bound.some((name) => occurrences(program, definition, name, node).length > 0)) return null;
  if (descendants(node).some((part) => part !== node && /comprehension$|generator_expression|lambda/.test(part.type)))
    return null;
  return { element: textOf(program, element), headers: clauses.map((clause) => `${textOf(program, clause)}:`) };
}

function loopText(program: Program, { headers }: Comprehension, indent: string, action: string): string {
  const unit = indentUnit(program);
  const lines = [...headers, action].map((line, depth) => `${indent}${unit.repeat(depth)}${line}\n`);
  return lines.join("");
}

const resultNames = ["result", "out", "res", "collected", "found", "ans"];

/** `x = [e for a in xs if c]` and `return [...]` as a loop that appends; `sum(...)` as a loop that adds. */
const comprehensionLoop: Operator = {
  name: "comprehension-to-loop",
  weight: 4,
  find: (program, rng) =>
    ofType(program, "list_comprehension", "generator_expression").flatMap((node): Change[] => {
      const comprehension = readComprehension(program, node);
      const call = node.type === "generator_expression" ? node.parent : null;
      const callee = call?.type === "call" ? field(call, "function") : undefined;
      const adds = callee !== undefined && textOf(program, callee) === "sum";
      if (!comprehension || (node.type === "generator_expression" && !adds)) return [];
      const outer = adds && call ? call : node;
      const { parent } = outer;
      const statement = parent?.type === "assignment" ? parent.parent : parent;
      const lines = statement && linesOf(program, statement);
      if (!parent || !statement || !lines) return [];
      const assigned = parent.type === "assignment" ? field(parent, "left") : undefined;
      const isAssignment =
        assigned?.type === "identifier" &&
        statement.type === "expression_statement" &&
        !field(parent, "type") &&
        !variablesIn(program, outer).has(textOf(program, assigned));
      if (!isAssignment && parent.type !== "return_statement") return [];
      const name = isAssignment && assigned ? textOf(program, assigned) : freshName(program, resultNames, rng);
      const indent = indentOf(program, statement);
      const action = adds ? `${name} += ${comprehension.element}` : `${name}.append(${comprehension.element})`;
      const end = isAssignment ? "" : `${indent}return ${name}\n`;
      const text = `${indent}${name} = ${adds ? "0" : "[]"}\n${loopText(program, comprehension, indent, action)}${end}`;
      return [[replace(lines, text)]];
    }),
};

/** `x = []` followed by a loop that only appends to x, as a comprehension. */
const loopComprehension: Operator = {
  name: "loop-to-comprehension",
  weight: 4,
  find: (program) =>
    ofNeighbours(blocksOf(program), (first, loop): Change[] => {
      const definition = plainFunction(loop);
      const name = /^([A-Za-z_]\w*)\s*=\s*(?:\[\s*\]|list\(\))$/.exec(textOf(program, first))?.[1];
      const [start, lines] = [linesOf(program, first), linesOf(program, loop)];
      if (!definition || !name || !start || !lines || loop.type !== "for_statement" || field(loop, "alternative"))
        return [];
      const read = appended(program, loop, name);
      if (!read || usesNamesAsText(program)) return [];
      const [target, iterable] = [field(loop, "left") as Node, field(loop, "right") as Node];
      const own = variablesIn(program, target);
      const elsewhere = [...own].some((variable) => occurrences(program, definition, variable, loop).length > 0);
      const used = [read.element, ...(read.condition ? [read.condition] : []), iterable].some((part) =>
        variablesIn(program, part).has(name),
      );
      if (elsewhere || used) return [];
      const over =
        iterable.type === "expression_list" || iterable.type === "conditional_expression"
          ? `(${textOf(program, iterable)})`
          : textOf(program, iterable);
      const filter = read.condition ? ` if ${bracketed(program, read.condition)}` : "";
      const text = `${indentOf(program, loop)}${name} = [${bracketed(program, read.element)} for ${textOf(program, target)} in ${over}${filter}]\n`;
      return [[replace({ start: start.start, end: lines.end }, text)]];
    }),
};

/** Conditional expressions, lambdas and bare tuples need brackets inside a comprehension. */
const bracketed = (program: Program, node: Node): string =>
  /^(?:conditional_expression|lambda|expression_list)$/.test(node.type)
    ? `(${textOf(program, node)})`
    : textOf(program, node);

/** The element and the condition, if any, of a loop whose body is `name.append(e)`, perhaps under one `if`. */
function appended(program: Program, loop: Node, name: string): { element: Node; condition: Node | null } | null {
  const only = (node: Node | undefined): Node | null => {
    const inner = node ? parts(node) : [];
    return inner.length === 1 ? (inner[0] as Node) : null;
  };
  let statement = only(field(loop, "body"));
  let condition: Node | null = null;
  if (statement?.type === "if_statement") {
    if (fields(statement, "alternative").length > 0) return null;
    condition = field(statement, "condition") ?? null;
    statement = only(field(statement, "consequence"));
  }
  const call = statement?.type === "expression_statement" ? statement.children[0] : undefined;
  const callee = call?.type === "call" ? field(call, "function") : undefined;
  const list = call && field(call, "arguments");
  const element = list?.type === "argument_list" ? only(list) : null;
  if (!callee || textOf(program, callee) !== `${name}.append` || !element || /splat|keyword/.test(element.type))
    return null;
  const odd = descendants(loop).some(({ type }) => /^(?:yield|await|named_expression|comment)$/.test(type));
  return odd ? null : { element, condition };
}

/** `for x in sorted(...):` as a loop over the indices of a new list. Only `sorted`: nothing in the loop can change its result. */
const indexLoop: Operator = {
  name: "index-loop",
  weight: 2,
  find: (program, rng) =>
    ofType(program, "for_statement").flatMap((loop): Change[] => {
      const [target, over, body] = [field(loop, "left"), field(loop, "right"), field(loop, "body")];
      const first = body && parts(body)[0];
      const [lines, head] = [first && linesOf(program, first), linesOf(program, loop)];
      if (
        !target ||
        over?.type !== "call" ||
        !first ||
        !lines ||
        !head ||
        !plainFunction(loop) ||
        !isIndentable(program, body)
      )
        return [];
      if (textOf(program, field(over, "function") ?? over) !== "sorted" || !blockLines(program, body)) return [];
      const list = freshName(program, ["ordered", "seq", "elements"], rng);
      const index = freshName(program, ["idx", "pos", "n_seen", "at"], rng, new Set([list]));
      const indent = indentOf(program, loop);
      const header = `${indent}${list} = ${textOf(program, over)}\n${indent}for ${index} in range(len(${list})):\n`;
      return [
        [
          replace(
            { start: head.start, end: lines.start },
            `${header}${indentOf(program, first)}${textOf(program, target)} = ${list}[${index}]\n`,
          ),
        ],
      ];
    }),
};

export const loopRewrites: readonly Operator[] = [whileLoop, comprehensionLoop, loopComprehension, indexLoop];
