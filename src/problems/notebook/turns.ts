/** Turns the cells of a notebook into problems: one per turn, with everything that stands before it. Runs nothing. */
import { isVariable, namesOf } from "../../languages/python/syntax/names.ts";
import { descendants, field, type Node, type Parse, parts } from "../../languages/python/syntax/walk.ts";
import type { DataFiles, Problem } from "../../types.ts";
import { pythonOf } from "./magics.ts";

/** A cell as people see it, without outputs. */
export interface NotebookCell {
  readonly kind: "markdown" | "code";
  readonly text: string;
}

/** A cell with its role in the notebook. */
export interface Cell extends NotebookCell {
  /** If the cell is a turn: what it should do, in natural language. Null if it is only context. */
  readonly intent: string | null;
  /** Whether the cell is expected to raise an exception. */
  readonly raises: boolean;
  /** The cell's name in messages. */
  readonly where: string;
  /** Last part of the problem's id, if the cell is a turn. @default its number among the code cells, from 1 */
  readonly id?: string;
}

/** A turn: its problem, and the cells that people and models see before it. */
export interface NotebookProblem {
  readonly problem: Problem;
  readonly context: readonly NotebookCell[];
}

export interface Notebook {
  readonly name: string;
  readonly cells: readonly Cell[];
  readonly files: DataFiles | null;
  /** Whether markdown directly above a cell is the cell's intent. Then it is not part of the cell's context. */
  readonly markdownIsIntent: boolean;
}

/** All turns in order. Throws `CodescoreError("input")` if a cell cannot be replayed. */
export function turnsOf({ name, cells, files, markdownIsIntent }: Notebook, parse: Parse): NotebookProblem[] {
  const code = cells.flatMap((cell) =>
    cell.kind === "code" ? [{ cell, text: pythonOf(cell.text, cell.where, parse) }] : [],
  );
  const programs = code.map(({ text }) => parse(text));
  const imports = programs.flatMap(({ nodes, code }) =>
    nodes.flatMap(({ type, start, end }) =>
      /^import_(?:from_)?statement$/.test(type) ? [code.slice(start, end)] : [],
    ),
  );
  return code.flatMap(({ cell, text }, place): NotebookProblem[] => {
    if (cell.intent === null) return [];
    const problem: Problem = {
      id: `${name}/${cell.id ?? place + 1}`,
      description: cell.intent,
      prompt: "",
      entryPoint: null,
      references: [text],
      tests: [],
      setup: "",
      contract: "",
      source: "notebook",
      notebook: {
        name,
        before: code.slice(0, place).map((before) => before.text),
        raising: code.slice(0, place).flatMap(({ cell: { raises } }, i) => (raises ? [i] : [])),
        needed: namesRead(programs.slice(place + 1)),
        imports: imports.join("\n"),
        files,
      },
    };
    let before = cells.slice(0, cells.indexOf(cell));
    if (markdownIsIntent) while (before.at(-1)?.kind === "markdown") before = before.slice(0, -1);
    const texts = new Map(code.map((each) => [each.cell, each.text]));
    const context = before.map((each): NotebookCell => ({ kind: each.kind, text: texts.get(each) ?? each.text }));
    return [{ problem, context: context.filter(({ text }) => text.trim() !== "") }];
  });
}

/** Variables that cells read before they bind them. If one statement both reads and binds a variable, it counts as read first. */
function namesRead(programs: readonly ReturnType<Parse>[]): string[] {
  const read = new Set<string>();
  const bound = new Set<string>();
  for (const { root, code } of programs) {
    for (const statement of parts(root)) {
      const { binds, changes, uses } = namesOf(statement, code);
      const own = boundFirst(statement, code);
      for (const name of [...uses, ...changes]) if (!bound.has(name) && !own.has(name)) read.add(name);
      for (const name of binds) bound.add(name);
    }
  }
  return [...read].sort();
}

/** Names that an assignment binds, or a loop before its body, without those that it also reads to compute the values. */
function boundFirst(statement: Node, code: string): ReadonlySet<string> {
  const binding = statement.type === "expression_statement" ? parts(statement)[0] : statement;
  const right = binding && field(binding, "right");
  const left = binding && field(binding, "left");
  if (!left || !right || !/^(?:for_statement|assignment)$/.test(binding.type)) return new Set();
  const read = namesOf(right, code).uses;
  const inTarget = new Set(
    [left, ...descendants(left)].filter(isVariable).map(({ start, end }) => code.slice(start, end)),
  );
  return new Set([...namesOf(binding, code).binds].filter((name) => inTarget.has(name) && !read.has(name)));
}
