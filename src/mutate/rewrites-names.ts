/** Rewrites that keep behaviour: other names, other comments, no annotations. */

import {
  contains,
  descendants,
  enclosing,
  field,
  type Node,
  ofType,
  type Program,
  parts,
  textOf,
} from "../languages/python/syntax/walk.ts";
import type { Random } from "../util/random.ts";
import {
  type Change,
  type Edit,
  indentOf,
  insert,
  isDocstring,
  linesOf,
  type Operator,
  removal,
  replace,
} from "./edits.ts";
import {
  boundIn,
  freshName,
  isPredefined,
  isVariable,
  outerFunctions,
  parameterNames,
  usesNamesAsText,
} from "./names.ts";

const wishes: Record<string, readonly string[]> = {
  parameter: [
    "values",
    "data",
    "arr",
    "nums",
    "items",
    "a",
    "b",
    "x",
    "y",
    "s",
    "text",
    "arg",
    "given",
    "lst",
    "seq",
    "p",
  ],
  local: [
    "result",
    "res",
    "ans",
    "out",
    "total",
    "acc",
    "tmp",
    "cur",
    "current",
    "val",
    "count",
    "best",
    "i",
    "j",
    "k",
    "m",
    "t",
    "idx",
  ],
};

/** The locals and parameters of an outermost function whose occurrences can all be renamed together. */
function renameable(
  program: Program,
  definition: Node,
  keep: ReadonlySet<string>,
): { name: string; nodes: Node[]; kind: "parameter" | "local" }[] {
  const inside = descendants(definition);
  if (
    inside.some(({ type }) => /^(?:class_definition|global_statement|nonlocal_statement|match_statement)$/.test(type))
  )
    return [];
  const body = field(definition, "body");
  if (!body) return [];
  const own = parameterNames(definition).map((node) => textOf(program, node));
  const keywords = new Set(
    ofType(program, "keyword_argument").map((node) => textOf(program, field(node, "name") ?? node)),
  );
  return [...boundIn(program, definition)].flatMap((name) => {
    if (keep.has(name) || keywords.has(name) || isPredefined(name) || /^_/.test(name)) return [];
    const nodes = inside.filter((node) => node.type === "identifier" && textOf(program, node) === name);
    const variables = nodes.filter(isVariable);
    const odd = nodes.some((node) => !isVariable(node) && node.parent?.type !== "attribute");
    const header = variables.some((node) => !contains(body, node) && !parameterNames(definition).includes(node));
    return odd || header || variables.length === 0
      ? []
      : [{ name, nodes: variables, kind: own.includes(name) ? ("parameter" as const) : ("local" as const) }];
  });
}

const rename: Operator = {
  name: "rename",
  weight: 6,
  find: (program, rng, keep) => {
    if (usesNamesAsText(program)) return [];
    return outerFunctions(program)
      .filter((definition) => !enclosing(definition, "class_definition"))
      .flatMap((definition): Change[] => {
        const names = renameable(program, definition, keep);
        if (names.length === 0) return [];
        const share = rng.pick([0.3, 0.6, 1, 1]);
        const chosen = names.filter(() => rng.chance(share));
        return [renamed(program, chosen.length > 0 ? chosen : [rng.pick(names)], rng)];
      });
  },
};

function renamed(program: Program, names: readonly { nodes: Node[]; kind: string }[], rng: Random): Edit[] {
  const taken = new Set<string>();
  return names.flatMap(({ nodes, kind }) => {
    const fresh = freshName(program, wishes[kind] ?? [], rng, taken);
    taken.add(fresh);
    return nodes.map((node) => replace(node, fresh));
  });
}

const droppedAnnotations: Operator = {
  name: "no-annotations",
  weight: 2,
  find: (program) => {
    const parameters = ofType(program, "typed_parameter", "typed_default_parameter").map((node): Edit | null => {
      const type = field(node, "type");
      const colon = node.children.find((child) => child.type === ":");
      if (!type || !colon) return null;
      return replace({ start: colon.start, end: type.end }, "");
    });
    const returns = ofType(program, "function_definition").map((node): Edit | null => {
      const [list, type] = [field(node, "parameters"), field(node, "return_type")];
      return list && type ? replace({ start: list.end, end: type.end }, "") : null;
    });
    const edits = [...parameters, ...returns].filter((edit) => edit !== null);
    return edits.length > 0 ? [edits] : [];
  },
};

const docstrings = (program: Program): Node[] =>
  outerFunctions(program).flatMap((definition) => {
    const first = parts(field(definition, "body") ?? definition)[0];
    return first && isDocstring(first) ? [first] : [];
  });

const droppedDocstring: Operator = {
  name: "no-docstring",
  weight: 2,
  find: (program) =>
    ofType(program, "identifier").some((node) => textOf(program, node) === "__doc__")
      ? []
      : docstrings(program)
          .map((node) => removal(program, node))
          .filter((change) => change !== null),
};

const remarks = [
  "compute the answer",
  "handle the rest",
  "main part",
  "see the task",
  "TODO: simplify",
  "step by step",
];

const addedComment: Operator = {
  name: "comment",
  weight: 1,
  find: (program, rng) =>
    ofType(program, "return_statement", "for_statement", "if_statement", "while_statement").flatMap((node) => {
      const lines = linesOf(program, node);
      return lines ? [[insert(lines.start, `${indentOf(program, node)}# ${rng.pick(remarks)}\n`)]] : [];
    }),
};

const droppedComments: Operator = {
  name: "no-comments",
  weight: 2,
  find: (program) => {
    const edits = ofType(program, "comment").map((node) => {
      const start = program.code.lastIndexOf("\n", node.start - 1) + 1;
      const alone = program.code.slice(start, node.start).trim() === "";
      if (alone && program.code[node.end] === "\n") return replace({ start, end: node.end + 1 }, "");
      const line = program.code.slice(start, node.start);
      const before = line.length - line.trimEnd().length;
      return replace({ start: node.start - before, end: node.end }, "");
    });
    return edits.length > 0 ? [edits] : [];
  },
};

/** `'a'` as `"a"` and the other way round, for all plain strings of the program at once. */
const otherQuotes: Operator = {
  name: "quotes",
  weight: 1,
  find: (program) => {
    const edits = ofType(program, "string")
      .filter(
        (node) => !node.children.some(({ type }) => type === "interpolation") && !enclosing(node, "interpolation"),
      )
      .flatMap((node) => {
        const [, quote = "", inner = ""] = /^(['"])([^'"\\\n]*)\1$/.exec(textOf(program, node)) ?? [];
        const other = quote === "'" ? '"' : "'";
        return quote === "" ? [] : [replace(node, other + inner + other)];
      });
    return edits.length > 0 ? [edits] : [];
  },
};

/** Two blanks for every four of indentation. */
const narrowIndent: Operator = {
  name: "indent",
  weight: 1,
  find: (program) => {
    const { code } = program;
    if (/^ *\t/m.test(code) || ofType(program, "string").some((node) => textOf(program, node).includes("\n")))
      return [];
    const indents = [...code.matchAll(/^ +(?=\S)/gm)];
    const even = indents.length > 0 && indents.every(([blanks]) => blanks.length % 4 === 0);
    return even
      ? [
          indents.map(({ 0: blanks, index }) =>
            replace({ start: index, end: index + blanks.length }, blanks.slice(blanks.length / 2)),
          ),
        ]
      : [];
  },
};

/** Swaps two neighbouring functions of a module. */
const reorderedFunctions: Operator = {
  name: "reorder-functions",
  weight: 1,
  find: (program) => {
    const all = parts(program.root);
    return all.slice(1).flatMap((second, i): Change[] => {
      const first = all[i] as Node;
      const plain = [first, second].every((node) => node.type === "function_definition" && hasPlainHeader(node));
      const [a, b] = [linesOf(program, first), linesOf(program, second)];
      const name = (node: Node): string => textOf(program, field(node, "name") ?? node);
      if (!plain || !a || !b || name(first) === name(second)) return [];
      return [[replace(first, textOf(program, second)), replace(second, textOf(program, first))]];
    });
  },
};

/** Whether a function has no defaults and no annotations, which could name the other function. */
const hasPlainHeader = (definition: Node): boolean =>
  !field(definition, "return_type") &&
  parts(field(definition, "parameters") ?? definition).every(({ type }) => type === "identifier");

export const nameRewrites: readonly Operator[] = [
  rename,
  droppedAnnotations,
  droppedDocstring,
  addedComment,
  droppedComments,
  otherQuotes,
  narrowIndent,
  reorderedFunctions,
];
