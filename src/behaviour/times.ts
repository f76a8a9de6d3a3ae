/** The times in sequences of calls and in lines, which do not go back if the description says so. */
import type { ProgramInput } from "../types.ts";
import { type Class, type Method, methodsOf } from "./classes.ts";
import { type Call, callsOf, printCalls } from "./constraints/calls.ts";
import type { Task } from "./types.ts";

const ASCENDING =
  /\b(?:non-?decreasing|increasing|chronological|ascending|monotonic|(?:do|does|will|can|may)(?: not|n't) (?:decrease|go back)|never (?:decreas(?:es?|ing)|go(?:es|ing)? (?:back|down)))/i;
const TIME = /^(?:t|ts|now|at|when|today|day|date|hour|minute|second|moment|tick|time\w*|\w*_time)$/;

/** The calls with the numbers of their times in ascending order. */
export function inTime(calls: readonly Call[], methods: readonly Method[]): Call[] {
  const placeOf = ([name]: Call): number => {
    const method = methods.find((one) => name?.t === "str" && one.name === name.v);
    return 1 + (method?.parameters.findIndex((parameter) => TIME.test(parameter.name)) ?? -1);
  };
  const times = calls
    .map((call) => (placeOf(call) > 0 ? call[placeOf(call)] : undefined))
    .filter((value) => value?.t === "int" || value?.t === "float")
    .sort((a, b) => Number(a.v) - Number(b.v));
  let next = 0;
  return calls.map((call) =>
    call.map((value, i) =>
      i > 0 && i === placeOf(call) && (value.t === "int" || value.t === "float") ? times[next++]! : value,
    ),
  );
}

/** Whether a description says that times do not go back. */
export const timesAscend = (description: string): boolean => ASCENDING.test(description);

/** Brings the times of a changed sequence into order again, if the description says so. */
export function timesInOrder({ description }: Task, subject: Class): (input: ProgramInput) => ProgramInput {
  if (!timesAscend(description ?? "")) return (input) => input;
  const methods = methodsOf(subject, description ?? "");
  return (input) => {
    const [maker, ...others] = callsOf(input) ?? [];
    return maker === undefined ? input : { args: printCalls([maker, ...inTime(others, methods)]) };
  };
}

/** The lines in order of the dates or times at their beginnings; otherwise the times in them put in order. */
export function linesInOrder(lines: readonly string[]): string[] {
  if (lines.every((line) => /^\d/.test(line))) return lines.toSorted();
  const times = lines.flatMap((line) => CLOCK.exec(line)?.[0] ?? []).sort();
  return lines.map((line) => (CLOCK.test(line) ? line.replace(CLOCK, times.shift()!) : line));
}
const CLOCK = /\b\d\d:\d\d(?::\d\d)?\b/;
