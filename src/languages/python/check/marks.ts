/** Static marks: the places of a program that show, without running it, that or where it fails. */

import { firstWhere } from "../../../util/search.ts";
import { isVariable } from "../syntax/names.ts";
import type { Node, Program } from "../syntax/parse.ts";
import { type Span, unreachable, unused } from "./dead-code.ts";
import { missingModules, type StaticFaults, staticFaults } from "./faults.ts";

/** The marks that tokens carry; 0 means none. */
export const MARKS = {
  undefinedName: 1,
  afterSyntaxError: 2,
  missingImport: 3,
  unreachable: 4,
  unused: 5,
  otherName: 6,
} as const;

/** The number of values that a mark may have. Some are reserved for later marks. */
export const MARK_VALUES = 8;

export interface Mark {
  /** Offsets in the source. */
  readonly start: number;
  readonly end: number;
  readonly mark: number;
  /** The undefined name, or the missing module. */
  readonly name?: string;
}

/**
 * The marks of a program, ordered by start, without overlaps. Where two compete, the one that makes the program fail wins, then
 * `unreachable`.
 */
export function staticMarks(
  program: Program,
  faults: StaticFaults = staticFaults(program),
  missing: readonly string[] = missingModules(faults),
): Mark[] {
  const { nodes, code } = program;
  if (faults.broken) {
    return [{ start: firstFault(program), end: code.length, mark: MARKS.afterSyntaxError }];
  }
  const marks: Mark[] = [];
  const [names, modules] = [new Set(faults.undefinedNames), new Set(missing)];
  for (const node of names.size + modules.size > 0 ? nodes : []) {
    const { type, start, end, parent } = node;
    if (type === "identifier") {
      const name = code.slice(start, end);
      if (names.has(name) && isVariable(node)) marks.push({ start, end, mark: MARKS.undefinedName, name });
    } else if (type === "dotted_name" && isModule(node, parent)) {
      const name = code.slice(start, end).split(".")[0]!.trim();
      if (modules.has(name)) marks.push({ start, end, mark: MARKS.missingImport, name });
    }
  }
  const dead = unreachable(program).sort((a, b) => a.start - b.start);
  const idle = unused(program).filter(({ start }) => {
    const before = dead[firstWhere(dead.length, (i) => dead[i]!.start > start) - 1];
    return before === undefined || before.end <= start;
  });
  return [
    ...marks,
    ...dead.flatMap((span) => outside(span, marks)).map((span) => ({ ...span, mark: MARKS.unreachable })),
    ...idle.map((span) => ({ ...span, mark: MARKS.unused })),
  ].sort((a, b) => a.start - b.start);
}

/** The parts of a span that lie outside the others. The others are sorted, and none crosses either end of the span. */
function outside({ start, end }: Span, others: readonly Span[]): Span[] {
  const left: Span[] = [];
  for (let i = firstWhere(others.length, (k) => others[k]!.start >= start); i < others.length; i++) {
    const other = others[i]!;
    if (other.start >= end) break;
    if (other.end <= start) continue; // it lies within the previous one
    if (other.start > start) left.push({ start, end: other.start });
    start = other.end;
  }
  return start < end ? [...left, { start, end }] : left;
}

/** Whether a dotted name is a module that is imported, or imported from. */
function isModule({ field }: Node, parent: Node | null): boolean {
  if (field === "module_name") return true;
  return parent?.type === "import_statement" || parent?.parent?.type === "import_statement";
}

/** Where a program that does not compile goes wrong, according to the parser; otherwise its beginning. */
function firstFault({ nodes }: Program): number {
  const faulty = nodes.find(
    ({ type, start, end, children }) => type === "ERROR" || (start === end && children.length === 0),
  );
  return faulty?.start ?? 0;
}
