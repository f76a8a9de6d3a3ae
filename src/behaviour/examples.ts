/**
 * Reads the examples in a description: calls with their answers (`>>> f(1)`, `f(1) == 2`, `f(1) -> 2`, `f(1) returns 2`; doctests.ts reads
 * those that print nothing), named arguments (`Input: xs = [1], k = 2` and `Output: 3`; named.ts), and texts that a program reads and prints (samples.ts). Only literals
 * are read; nothing is evaluated.
 */
import escapeRegExp from "escape-string-regexp";
import type { Answer } from "../execute/types.ts";
import { equalValues } from "../execute/value.ts";
import { sameOutput } from "../execute/verdicts.ts";
import { parseLiteral } from "../languages/python/literals/index.ts";
import { BUILTINS } from "../languages/python/syntax/builtins.ts";
import { closingBracket } from "../languages/python/syntax/source.ts";
import { isSilent, promptBlocks } from "./doctests.ts";
import { lastName } from "./entry.ts";
import { namedExamples } from "./named.ts";
import { samples } from "./samples.ts";
import { answerIn, argumentsIn, asSource, printArguments } from "./shown.ts";
import type { CallEntry, Entry, Example } from "./types.ts";

/** Maximum number of characters that are read of a description, and of the arguments of a call. */
const LONGEST = 100_000;
const LONGEST_ARGUMENTS = 5000;
/** Maximum number of calls that are examined, and of examples that are kept. */
const MOST_CALLS = 200;
const MOST = 20;

/**
 * Examples of a description. If it shows two answers to one input, both are dropped. Methods of classes other than `Solution` have no
 * examples, because their objects may have a state. `quiet`: also calls in doctests that print nothing.
 */
export function readExamples(description: string, entry: Entry, { quiet = true } = {}): Example[] {
  if (entry.kind === "call" && (entry.shows === "calls" || /^(?!Solution\b)\w+\(\)\./.test(entry.name))) return [];
  const text = description.slice(0, LONGEST);
  const found =
    entry.kind === "stdin"
      ? samples(text.replace(/\r\n?/g, "\n"))
      : [
          ...calls(asSource(text), entry.name, quiet && entry.shows === undefined),
          ...namedExamples(asSource(text), entry.name, entry.nodes !== undefined),
        ];
  const byInput = new Map<string, Example | null>();
  for (const example of found) {
    const key = JSON.stringify(example.input);
    const known = byInput.get(key);
    if (known === undefined) byInput.set(key, example);
    else if (known?.expected !== example.expected) byInput.set(key, null);
  }
  return [...byInput.values()].filter((example) => example !== null).slice(0, MOST);
}

/** The argument lists of the calls in a description, as literals, with or without answers. */
export function shownCalls(description: string, { name }: CallEntry): string[] {
  const text = asSource(description.slice(0, LONGEST));
  return [...new Set(callsIn(text, name).map(({ args }) => args))].slice(0, MOST);
}

/** Maximum number of function names that are examined in a description. */
const MOST_NAMES = 20;

/** Calls of one function, with their answers if they are shown. Any name counts: the function with the most answers is chosen. */
export function answeredCalls(description: string): { readonly args: string; readonly expected: string | null }[] {
  const text = asSource(description.slice(0, LONGEST));
  const names = [...new Set([...text.matchAll(/(?<![\w.])([a-zA-Z_]\w{0,60})[ \t]*\(/g)].map((match) => match[1]!))];
  const byName = names
    .filter((name) => !BUILTINS.has(name))
    .slice(0, MOST_NAMES)
    .map((name) =>
      callsIn(text, name)
        .slice(0, MOST)
        .map((call) => ({ args: call.args, expected: exampleOf(call)[0]?.expected ?? null })),
    );
  const answers = (own: (typeof byName)[number]): number => own.filter(({ expected }) => expected !== null).length;
  return byName.toSorted((a, b) => answers(b) - answers(a) || b.length - a.length)[0] ?? [];
}

const TOLERANCE = 1e-6;

/** Whether a program gives the example's answer. Floats may differ by 1e-6, or by one unit of the last digit that the example shows. */
export function holds({ input, expected }: Example, answer: Answer): boolean {
  if (answer.outcome !== "ok") return false;
  if ("stdin" in input) return answer.value.t === "str" && sameOutput(answer.value.v, expected);
  const digits = [...expected.matchAll(/\d\.(\d{3,})/g)].map(([, decimals]) => (decimals as string).length);
  const tolerance = Math.max(TOLERANCE, ...digits.map((count) => 10 ** -count));
  return equalValues(answer.value, parseLiteral(expected), tolerance);
}

interface Call {
  readonly args: string;
  /** The text before it on its line, and the text after it. */
  readonly before: string;
  readonly after: string;
  /** The offset of its line. */
  readonly line: number;
}

/** @param areValues whether answers are what calls return, so that a doctest without output gives None */
function calls(text: string, name: string, areValues: boolean): Example[] {
  const answersTo = (called: string): Example[] => {
    const all = callsIn(text, called);
    const answered = all.flatMap(exampleOf);
    return areValues && answered.length > 0 ? [...answered, ...silent(text, all)] : answered;
  };
  const own = answersTo(name);
  if (own.length > 0) return own;
  // A description may use another name for its function.
  const others = [...text.matchAll(/(?:>>>|assert)[ \t]+(\w+)[ \t]*\(/g)].map((match) => match[1] as string);
  const other = others.find((one) => !BUILTINS.has(one));
  return other === undefined ? [] : answersTo(other);
}

/** The calls that print nothing in doctests whose block shows the answer to another call. */
function silent(text: string, all: readonly Call[]): Example[] {
  const quiet = all.filter(isSilent);
  if (quiet.length === 0) return [];
  const blocks = promptBlocks(text);
  const isAnswered = (call: Call): boolean => call.before.includes(">>>") && exampleOf(call).length > 0;
  const shown = new Set(all.filter(isAnswered).map(({ line }) => blocks.get(line)));
  return quiet
    .filter(({ line }) => shown.has(blocks.get(line)))
    .map(({ args }) => ({ input: { args }, expected: "None" }));
}

/** Calls whose arguments are literals. For a method, the object may be any expression. */
function callsIn(text: string, name: string): Call[] {
  const found: Call[] = [];
  const notBefore = name.includes(".") ? "\\w" : "[\\w.]";
  const pattern = new RegExp(`(?<!${notBefore})${escapeRegExp(lastName(name))}[ \\t]*\\(`, "g");
  let looked = 0;
  for (const match of text.matchAll(pattern)) {
    if (++looked > MOST_CALLS) break;
    const start = match.index + match[0].length;
    const window = text.slice(start, start + LONGEST_ARGUMENTS);
    const end = closingBracket(window, 0);
    const args = end === null ? null : argumentsIn(window.slice(0, end).replace(/\n[ \t]*\.{3} ?/g, "\n"));
    if (args === null) continue;
    const at = match.index === 0 ? 0 : text.lastIndexOf("\n", match.index - 1) + 1;
    const line = text.slice(at, match.index);
    if (/\bdef[ \t]+$/.test(line)) continue;
    const after = text.slice(start + end! + 1, start + end! + 1 + LONGEST_ARGUMENTS);
    found.push({ args: printArguments(args), before: line.slice(-LONGEST_ARGUMENTS), after, line: at });
  }
  return found;
}

/** `len(f(1))`, `2 * f(1)` and `not f(1)`: the answer belongs to a larger expression. */
const IN_CALL = /[\w\])](?:\.\w+)?\($/;
const IN_SUM = /[\w)\]'"][ \t]*(?:[-+*/%<^&|]|(?<![->=])>)[ \t]*$|\bnot[ \t]+$/;
const ASSERT_EQUAL = /assert_?equals?\([ \t]*$/i;

function exampleOf({ args, before, after }: Call): Example[] {
  const expected = ASSERT_EQUAL.test(before)
    ? answerIn(/^[ \t]*,[ \t]*/.exec(after) ? after.replace(/^[ \t]*,[ \t]*/, "") : "")
    : IN_CALL.test(before) || (IN_SUM.test(before) && !/^[ \t]*[-+*>|][ \t]*$/.test(before))
      ? null
      : answerAfter(after, before.includes(">>>"));
  return expected === null ? [] : [{ input: { args }, expected }];
}

const SYMBOL = /^[ \t]*(?:={1,3}>?|-{1,5}>|[➞→⇒➡↦⟶⟹]\ufe0f?|\/\/|#|\||:)/;
const WORDS =
  /^[ \t]*(?:,[ \t]*)?(?:(?:which|it|and)[ \t])?(?:(?:should|must|will|would|shall|can)[ \t])?(?:returns?|be|equals?(?:[ \t]to)?|gives?|yields?|produces?|prints?|evaluates?[ \t]to|results?[ \t]in|is(?:[ \t]equal[ \t]to)?|becomes)(?![\w(])/i;
const LABEL =
  /^[ \t]*(?:,[ \t]*)?(?:the[ \t])?(?:expected[ \t])?(?:outputs?|results?|answer|return[ \t]value|value)(?![\w(])/i;
/** Maximum number of tokens between a call and its answer: `// should return: `. */
const MOST_TOKENS = 4;

/** The answer to a call that ends where `text` begins. In a doctest it is on the next line. */
function answerAfter(text: string, isPrompt: boolean): string | null {
  const closed = text.replace(/^[ \t`*)'"]*;?/, "");
  if (isPrompt && /^[ \t]*\n/.test(text)) {
    const next = text.slice(text.indexOf("\n") + 1);
    return answerIn(next.replace(/^[ \t]*(?:[➞→#]+[ \t]*)?/, ""));
  }
  const below =
    /^[ \t]*\n[ \t]*(?=(?:(?:#|\/\/)[ \t]*)?(?:=>|->|[➞→⇒]|(?:expected[ \t])?(?:output|returns?|result)[ \t]?:))/i.exec(
      closed,
    );
  let rest = below ? closed.slice(below[0].length) : closed;
  let tokens = 0;
  for (; tokens < MOST_TOKENS; tokens++) {
    const token = SYMBOL.exec(rest) ?? WORDS.exec(rest) ?? LABEL.exec(rest);
    if (token === null) break;
    rest = rest.slice(token[0].length).replace(/^[ \t`*]+/, "");
  }
  // `>>> f(1) == 2` and then `False`
  const isDenied = isPrompt && /^[^\n]*\n[ \t]*False\b/.test(rest);
  return tokens === 0 || isDenied ? null : answerIn(rest);
}
