/**
 * Finds which values a reference compares: its comparisons are replaced by calls that record their operands. One run then shows, for each
 * comparison and input, whether both operands were equal, or the closest two that were not (branch distance, Korel 1990).
 */
import type { Executor } from "../execute/index.ts";
import { parseLiteral, printLiteral } from "../languages/python/literals/index.ts";
import { fields, loadParser, type Node, ofType, type Program, parts, textOf } from "../languages/python/syntax/walk.ts";
import { applyChange, type Edit, insert, replace } from "../mutate/edits.ts";
import type { ProgramInput, PyValue } from "../types.ts";
import { calledBy, setupOf } from "./entry.ts";
import { answersWithin, MOST_LATE, type TrialLimit } from "./steps.ts";
import type { Entry } from "./types.ts";

/** Limits of a reference: comparisons that are recorded, and syntax nodes (about 300 lines). */
const MOST_COMPARISONS = 40;
const MOST_NODES = 3000;

/** How two operands relate. */
export type Sign = "<" | "=" | ">";

export interface Comparison {
  readonly signs: readonly Sign[];
  /** The closest operands that differ; null if all were equal. */
  readonly closest: readonly [PyValue, PyValue] | null;
}

/** What one run compared, by the place of the comparison in the program. */
export type Compared = ReadonlyMap<number, Comparison>;

const NAMES: Readonly<Record<string, string>> = {
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  "==": "eq",
  "!=": "ne",
};

/** Of the comparisons that one place makes on one input, the first so many are recorded. A loop may make millions. */
const MOST_RECORDED = 100;

const DATES = `
    elif type(a) is type(b) and hasattr(a, "isoformat"):
        a, b, distance = a.isoformat(), b.isoformat(), 1`;

/**
 * The functions that record: numbers, short texts, and, with `hasDates`, dates and times as text. Anything else is compared without being
 * recorded. Without dates a program that may share its process still may (shareable.py).
 */
export const recorder = (hasDates: boolean): string => `
_codescore_found = {}
def _codescore_record(place, a, b):
    found = _codescore_found.setdefault(place, [set(), None, 0, ${MOST_RECORDED}])
    if not found[3]:
        return
    if type(a) in (int, float) and type(b) in (int, float):
        distance = abs(a - b)
    elif type(a) is str and type(b) is str and len(a) + len(b) <= 100:
        distance = 1${hasDates ? DATES : ""}
    else:
        return
    found[3] -= 1
    found[0].add("=" if a == b else "<" if a < b else ">")
    if a != b and (found[1] is None or distance < found[2]):
        found[1:3] = (a, b), distance
${Object.entries(NAMES)
  .map(
    ([op, name]) => `def _codescore_${name}(place, a, b):\n    _codescore_record(place, a, b)\n    return a ${op} b\n`,
  )
  .join("")}
def _codescore_all():
    return [(place, "".join(signs), *(pair or ())) for place, (signs, pair, *_) in _codescore_found.items() if signs]
def _codescore_compared(function, args, kwargs):
    _codescore_found.clear()
    try:
        function(*args, **kwargs)
    except Exception:
        pass
    return _codescore_all()
`;

interface Recording {
  readonly code: string;
  /** The places of `<`, `<=`, `>` and `>=`. */
  readonly orders: ReadonlySet<number>;
}

/** The program with recorded comparisons; null if it has none, is too long, or does not parse. */
export async function recording(code: string): Promise<Recording | null> {
  const program = (await loadParser())(code);
  if (program.broken || program.nodes.length > MOST_NODES) return null;
  const edits = ofType(program, "comparison_operator")
    .slice(0, MOST_COMPARISONS)
    .flatMap((node, place) => editsOf(program, node, 2 * place));
  if (edits.length === 0) return null;
  const recorded = applyChange(code, edits);
  const orders = [...recorded.matchAll(/\b_codescore_(?:lt|le|gt|ge)\((\d+), /g)].map(([, place]) => Number(place));
  return { code: recorded, orders: new Set(orders) };
}

/** `a < b` becomes `_codescore_lt(4, a, b)`. In `0 <= i < n` the middle is repeated, so it has to be a name or a number. */
function editsOf(program: Program, node: Node, place: number): Edit[] {
  const operators = fields(node, "operators");
  const operands = parts(node).filter((part) => !operators.includes(part));
  const names = operators.map((operator) => NAMES[textOf(program, operator)]);
  const [left, middle, right] = operands;
  if (names.includes(undefined) || operands.length !== operators.length + 1 || isInText(node)) return [];
  const open = (i: number): string => `_codescore_${names[i]}(${place + i}, `;
  if (right === undefined)
    return [insert(left!.start, open(0)), between(left!, middle!, ", "), insert(middle!.end, ")")];
  if (operands.length > 3 || !/^(?:identifier|integer|float)$/.test(middle!.type)) return [];
  return [
    insert(left!.start, `(${open(0)}`),
    between(left!, middle!, ", "),
    between(middle!, right, `) and ${open(1)}${textOf(program, middle!)}, `),
    insert(right.end, "))"),
  ];
}

const between = (left: Node, right: Node, text: string): Edit => replace({ start: left.end, end: right.start }, text);

function isInText(node: Node): boolean {
  for (let at = node.parent; at; at = at.parent) if (at.type === "string") return true;
  return false;
}

/** A program that runs another one as `__main__` and prints what that compared in place of what it prints. */
const asMain = (code: string): string => `import io, sys
${recorder(true)}
def _codescore_main():
    printed, sys.stdout = sys.stdout, io.StringIO()
    try:
        exec(compile(${printLiteral({ t: "str", v: code })}, "<program>", "exec"), {**globals(), "__name__": "__main__"})
    except BaseException:
        pass
    printed.write(repr(_codescore_all()))
_codescore_main()
`;

export interface Comparing {
  readonly orders: Recording["orders"];
  readonly run: (inputs: readonly ProgramInput[]) => Promise<Compared[]>;
}

/** Runs a reference on inputs. Null if it has no comparisons that can be recorded. `limit`: per input. */
export async function recordComparisons(
  reference: string,
  entry: Entry,
  executor: Executor,
  limit: TrialLimit,
): Promise<Comparing | null> {
  const recorded = await recording(reference);
  if (recorded === null) return null;
  const { code, orders } = recorded;
  const called = calledBy(entry);
  const program =
    called === null
      ? { code: asMain(code), entryPoint: null, setup: "" }
      : {
          code,
          entryPoint: `lambda *a, **k: _codescore_compared(${called}, a, k)`,
          setup: `${setupOf(entry)}${recorder(/date|time/.test(reference))}`,
        };
  const run = async (inputs: readonly ProgramInput[]): Promise<Compared[]> => {
    const answers = await answersWithin(executor, program, inputs, { ...limit, mostLate: MOST_LATE });
    return answers.map((answer) => (answer.outcome === "ok" ? read(answer.value) : new Map()));
  };
  return { orders, run };
}

function read(value: PyValue): Compared {
  const list = value.t === "str" ? parsed(value.v) : value;
  const found = new Map<number, Comparison>();
  for (const one of list?.t === "list" ? list.v : []) {
    if (one.t !== "tuple" || one.v[0]?.t !== "int" || one.v[1]?.t !== "str") continue;
    const [place, signs, a, b] = one.v as [{ v: bigint }, { v: string }, ...PyValue[]];
    found.set(Number(place.v), {
      signs: [...signs.v] as Sign[],
      closest: a === undefined || b === undefined ? null : [a, b],
    });
  }
  return found;
}

function parsed(text: string): PyValue | null {
  try {
    return parseLiteral(text);
  } catch {
    return null; // not what was printed
  }
}
