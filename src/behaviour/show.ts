/** Formats counterexamples for people: `is_prime(9): expected False, got True`. */
import { type Answer, showLibrary } from "../execute/index.ts";
import { parseLiteral, printLiteral, showLiteral } from "../languages/python/literals/index.ts";
import type { Behaviour, Counterexample, ProgramInput, PyValue } from "../types.ts";
import { counted } from "../util/counted.ts";
import { lastName } from "./entry.ts";
import type { Entry } from "./types.ts";

/** Maximum number of characters of an input or answer. What shows them to people cuts them further (fit.ts). */
const LONGEST = 2000;
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;
/** The same without line ends and tabs, which are part of an input text. */
const CONTROLS_OF_LINES = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;

export function showInput(input: ProgramInput, entry: Entry): string {
  if ("stdin" in input) return short(input.stdin.trimEnd(), CONTROLS_OF_LINES);
  if (entry.kind === "stdin") return short(input.args);
  if (entry.shows === "calls") return short(showCalls(input.args));
  return short(`${lastName(entry.name)}(${entry.shows === "dated" ? withDates(input.args) : input.args})`);
}

/** Formats `'2024-03-01'` as `date(2024, 3, 1)`. */
const withDates = (args: string): string =>
  args.replace(/(["'])(\d{4})-(\d\d)-(\d\d)\1/g, (_, __, ...ymd) => `date(${ymd.slice(0, 3).map(Number).join(", ")})`);

/** Formats `[('Stack',), ('push', 3)]` as `Stack(); push(3)`, and calls of what is made as `f = adder(2); f(3)`. */
function showCalls(args: string): string {
  const calls = parseLiteral(args);
  if (calls.t !== "list") return args;
  const isCalled = args.includes("('__call__',");
  const shown = calls.v.map((call, i) => {
    const [name, ...given] = call.t === "tuple" ? call.v : [];
    const own = name?.t === "str" ? (name.v === "__call__" ? "f" : name.v) : "";
    if (own === "__getattribute__" && given[0]?.t === "str") return `.${given[0].v}`;
    return `${isCalled && i === 0 ? "f = " : ""}${own}(${given.map(printLiteral).join(", ")})`;
  });
  return shown.join("; ");
}

export function showAnswer(answer: Answer): string {
  if (answer.outcome === "timeout") return "no answer in time";
  if (answer.outcome === "memory") return "out of memory";
  if (answer.outcome === "error")
    return short(answer.message === "" ? answer.errorType : `${answer.errorType}: ${answer.message}`);
  return answer.outcome === "ok" ? showValue(answer.value) : "";
}

/** Formats a value as a literal. Objects show their attributes or items, otherwise their `repr`. */
export const showValue = (value: PyValue, most = LONGEST): string => short(literal(value), CONTROLS, most);

const literal = (value: PyValue): string =>
  showLiteral(value, ({ type, form }) => {
    if (form === "") return `<${type}>`;
    return showLibrary(type, form, literal) ?? (/^[{[]/.test(form) ? `${type}(${form})` : form);
  });

const CALL = /^(?:f = )?[A-Za-z_]\w{0,80}\(/;

/** A call as it is, a text for standard input in quotes. A quoted text stays as it is. */
export const quotedInput = (input: string): string =>
  CALL.test(input) || input.startsWith('"') ? input : JSON.stringify(input);

export const showCounterexample = ({ input, expected, got, afterOtherCalls }: Counterexample): string =>
  `${quotedInput(input)}: expected ${expected}, got ${got}${afterOtherCalls ? " (after other calls)" : ""}`;

/** Shortens a text and replaces characters that could control a terminal. */
function short(text: string, controls = CONTROLS, most = LONGEST): string {
  const clean = text.slice(0, most + 1).replace(controls, "\ufffd");
  return clean.length > most ? `${clean.slice(0, most - 1).toWellFormed()}…` : clean.toWellFormed();
}

/** A summary of the behaviour in one line. */
export function describeBehaviour({ agree, inputs, examples, samples, reason }: Behaviour): string {
  if (reason !== undefined) return `not run: ${reason.replace(CONTROLS, " ")}`;
  const parts = [
    agree === null ? "" : `answers like the reference on ${percent(agree)} of ${counted(inputs, "input")}`,
    examples === null ? "" : `passes ${examples.passed} of ${counted(examples.total, "example")}`,
    samples === null ? "" : `${percent(samples)} of the other candidates' answers agree`,
  ].filter(Boolean);
  return parts.join(", ") || `ran on ${counted(inputs, "input")}`;
}

/** Rounds down, so that only 1 is 100%. */
const percent = (share: number): string => `${Math.floor(100 * share)}%`;
