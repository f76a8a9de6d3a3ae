/**
 * Limits a program by counted steps in place of time: passes of loops, and calls of its functions. The same calls then fit the limit on every
 * machine, however fast. The program's text is changed such that each step is counted. A limit of time remains necessary, because a step may
 * take any time (`sum(range(10**9))`).
 */
import type { Answer, Executor } from "../execute/index.ts";
import {
  field,
  loadParser,
  type Node,
  ofType,
  type Parse,
  type Program as Parsed,
  parts,
} from "../languages/python/syntax/walk.ts";
import { applyChange, type Edit, insert } from "../mutate/edits.ts";
import type { ProgramInput } from "../types.ts";
import { oncePer, remember } from "../util/remember.ts";
import { timeFor } from "./packages.ts";

/** Longer programs are not changed. About 300 lines. */
const MOST_NODES = 3000;
/** Maximum total characters of the changed programs that are remembered. */
const REMEMBERED = 2 ** 18;

/** Answers to an input on which a program took too many steps, and to one that was not run after too many of those. */
export const TOO_MANY: Answer = { outcome: "timeout" };
export const NOT_RUN: Answer = { outcome: "timeout" };

export interface TrialLimit {
  /** Maximum steps of a program per input. Null: only its time is limited. */
  readonly steps: number | null;
  /** Maximum CPU seconds per input if steps are not counted. */
  readonly cpuS: number | readonly number[];
  /** After so many inputs with too many steps, the others are not run. @default 1 */
  readonly mostLate?: number;
}

/** `mostLate` of references. One may take too many steps on a small input only, and answer larger ones. */
export const MOST_LATE = 7;

type Program = Parameters<Executor["answers"]>[0];

/** After so many timeouts the other inputs are not run. */
const MOST_TIMEOUTS = 1;
/** Maximum CPU seconds of a call that may take so many steps. The pass of a short loop takes about 1e-7. */
const timeOf = (steps: number): number => Math.min(0.15, 0.01 + 2e-6 * steps);

const [LATE_MESSAGE, NOT_RUN_MESSAGE] = ["codescore: too many steps", "codescore: not run"];

/**
 * Defined before the program. While the program loads, its steps are not limited. After the last step of a call, each further one raises
 * `StopIteration`. The call counts as late, whether the program handles that or not. This text is the same for all programs, so that it is
 * checked and compiled once.
 */
const COUNTER = `
from functools import partial as _codescore_partial
from itertools import repeat as _codescore_repeat
_codescore_step = _codescore_partial(next, _codescore_repeat(True))
_codescore_late = 0
def _codescore_counted(steps, most, function):
    def call(*args, **kwargs):
        global _codescore_step, _codescore_late
        if _codescore_late == most:
            raise TimeoutError("${NOT_RUN_MESSAGE}")
        left = _codescore_repeat(True, steps + 1)
        _codescore_step = _codescore_partial(next, left)
        try:
            return function(*args, **kwargs)
        finally:
            if not next(left, False):
                _codescore_late += 1
                raise TimeoutError("${LATE_MESSAGE}")
    return call
`;

const STEP = "_codescore_step()";

const counting = oncePer((parse: Parse) => remember((code) => ({ text: withSteps(parse(code)) }), REMEMBERED));

function withSteps(program: Parsed): string | null {
  if (program.broken || program.nodes.length > MOST_NODES) return null;
  const bodies = ofType(program, "function_definition", "for_statement", "while_statement").flatMap(
    (node) => stepIn(program, node) ?? [],
  );
  const items = ofType(program, "for_in_clause").map(({ end }) => insert(end, ` if ${STEP}`));
  return applyChange(program.code, [...bodies, ...items]);
}

/** Adds the step before the first statement of a body. */
function stepIn({ code }: Parsed, node: Node): Edit | null {
  const block = field(node, "body");
  const first = block && parts(block)[0];
  if (first === undefined) return null;
  const margin = code.slice(code.lastIndexOf("\n", first.start - 1) + 1, first.start);
  return insert(first.start, margin.trim() === "" ? `${STEP}\n${margin}` : `${STEP}; `);
}

/** Runs a program on inputs, within a limit of steps if they can be counted, otherwise of time. Inputs after a timeout are not run, and count as timeouts. */
export async function answersWithin(
  executor: Executor,
  program: Program,
  inputs: readonly ProgramInput[],
  { steps, cpuS, mostLate = 1 }: TrialLimit,
): Promise<Answer[]> {
  const { code, entryPoint, setup } = program;
  const inTime = (): Promise<Answer[]> => executor.answers(program, inputs, timeFor(code, cpuS), MOST_TIMEOUTS);
  if (steps === null || entryPoint === null) return inTime();
  const { text } = counting(await loadParser())(code);
  if (text === null) return inTime();
  // The called expression is short, because it is compiled with each input.
  const counted = {
    code: `${text}\n_codescore_call = _codescore_counted(${steps}, ${mostLate}, lambda *a, **k: (${entryPoint})(*a, **k))\n`,
    entryPoint: "_codescore_call",
    setup: `${COUNTER}${setup}`,
  };
  const answers = await executor.answers(counted, inputs, timeFor(code, timeOf(steps)), MOST_TIMEOUTS);
  return answers.map((answer) => {
    if (answer.outcome !== "error" || answer.errorType !== "TimeoutError") return answer;
    return answer.message === LATE_MESSAGE ? TOO_MANY : answer.message === NOT_RUN_MESSAGE ? NOT_RUN : answer;
  });
}
