/** Conclusions from running a candidate. Separate from conclusion.ts because this file loads the code that runs programs. */
import { shortCounterexample } from "../behaviour/fit.ts";
import { describeBehaviour } from "../behaviour/show.ts";
import type { Score } from "../types.ts";
import { type Concluded, concludeText, EMPTY } from "./conclusion.ts";
import { EMPTY_NOTE, type ScoreResult } from "./rows.ts";

/**
 * Without a reference: the least probability to pass every test (`pass`) at which a program behaves right. Examples alone prove little: of the
 * programs that pass all of them, 108 of 114 above this probability pass every test, 92 of 185 below it (dev problems of train-mix, models/LOG.md).
 */
const LIKELY_RIGHT = 0.75;

/** With a reference and no example: fewer inputs than this show nothing. A reference may answer an empty list alone. */
const FEWEST_INPUTS = 3;

/** The result with the conclusion from its behaviour. A result without a run keeps the conclusion from its text. */
export function concludedByRun(result: ScoreResult): ScoreResult {
  if ("error" in result || result.behaviour === undefined) return result;
  if (result.notes?.includes(EMPTY_NOTE)) {
    const findings = [EMPTY];
    return { ...result, ...concludeText({ score: 0, findings }), findings };
  }
  if (result.behaviour.source === null) {
    const { reason: why } = result.behaviour;
    if (why === undefined || result.reason === undefined) return result;
    return { ...result, reason: result.reason.replace(/^not executed/, () => `not executed (${why})`) };
  }
  const { findings, ...rest } = result;
  const concluded = concludeRun(result);
  // Findings from the text stay if the run agrees, because they name the line.
  return { ...rest, ...concluded, ...(findings && concluded.conclusion === "fails" && { findings }) };
}

function concludeRun({ behaviour, pass }: Score): Concluded {
  const { agree, inputs, examples, counterexample, constant } = behaviour!;
  const reason = describeBehaviour(behaviour!);
  if (counterexample?.unusual) {
    return { conclusion: "unknown", reason: `differs only on unusual inputs: ${shortCounterexample(counterexample)}` };
  }
  if ((agree ?? 1) < 1 || (examples !== null && examples.passed < examples.total)) {
    return { conclusion: "fails", reason: counterexample === null ? reason : shortCounterexample(counterexample) };
  }
  // A program that always returns the same would agree as well.
  if (constant)
    return { conclusion: "unknown", reason: `${reason}, but the reference gives every input the same answer` };
  if (agree !== null && examples === null && inputs < FEWEST_INPUTS)
    return { conclusion: "unknown", reason: `${reason}, which are too few` };
  if (agree !== null) return { conclusion: "behaves-right", reason };
  if (examples === null) return { conclusion: "unknown", reason };
  const probability = pass ?? 0;
  if (probability >= LIKELY_RIGHT) return { conclusion: "behaves-right", reason };
  const little = `but passes every test only with probability ${probability.toFixed(2)}`;
  return { conclusion: "unknown", reason: `${reason}, ${little}` };
}
