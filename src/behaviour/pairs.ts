/** Reads examples without a call: `so that {"db": {"port": 1}} becomes {"db.port": 1}`, `"ab" -> "ba"`. */
import { itemsOf } from "../expand/index.ts";
import { literalPrefix, printLiteral } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";
import { answerIn, asSource } from "./shown.ts";
import type { Example } from "./types.ts";

const JOINED = /[ \t`]{0,4}(?<![\w=<>-])(?:becomes|turns into|is turned into|gives|yields|returns|->|=>|→)[ \t`]{1,4}/g;
/** Maximum characters before the joining word in which the input may begin, of joining words, and of examples. */
const LONGEST = 300;
const MOST_JOINED = 60;
const MOST = 10;

/** Examples of a function of one argument. A reference has to confirm them: the literals may mean anything else. */
export function pairExamples(description: string): Example[] {
  const text = asSource(description.slice(0, 20_000));
  return [...text.matchAll(JOINED)]
    .slice(0, MOST_JOINED)
    .flatMap(({ 0: joined, index }): Example[] => {
      const input = literalBefore(text, index);
      const expected = input === null ? null : answerIn(text.slice(index + joined.length));
      return input === null || expected === null ? [] : [{ input: { args: input }, expected }];
    })
    .slice(0, MOST);
}

/** Words before an answer. */
const ANSWER =
  /(?:\b(?:returns?|gives?|becomes|into|is|outputs?|results?|answer|prints?|yields?)|[-=]>|→)[^\w\n]{0,3}$/i;

/**
 * Lists and dictionaries of texts, rows or records in a description, as arguments of a function of one argument: those like the first one that
 * follow no word such as "returns". Values of other kinds are found by trial.
 */
export function literalArguments(description: string): string[] {
  const text = asSource(description.slice(0, 20_000));
  const found: PyValue[] = [];
  let end = 0;
  for (const { index } of [...text.matchAll(/[[{](?=[[({"'\d])/g)].slice(0, MOST_JOINED)) {
    if (index < end || /\w/.test(text[index - 1] ?? "")) continue;
    const literal = literalPrefix(text.slice(index, index + LONGEST));
    if (literal === null) continue;
    end = index + literal.end;
    const isAnswer = ANSWER.test(text.slice(Math.max(0, index - 20), index));
    if (!isAnswer) found.push(literal.value);
  }
  const kindOf = (value: PyValue): string =>
    `${value.t} ${"v" in value && Array.isArray(value.v) ? itemType(value) : ""}`;
  const [first] = found;
  if (first === undefined || /^\w+ (?:int|float|bool)?$/.test(kindOf(first))) return [];
  const alike = found.filter((value) => kindOf(value) === kindOf(first));
  return [...new Set(alike.map(printLiteral))].slice(0, MOST);
}

const itemType = (value: PyValue): string => (value.t === "dict" ? "entries" : (itemsOf(value)[0]?.t ?? ""));

/** The longest list, dictionary or text that ends at a place. */
function literalBefore(text: string, end: number): string | null {
  const line = text.lastIndexOf("\n", end - 1) + 1;
  for (let start = Math.max(line, end - LONGEST); start < end; start++) {
    if (!/["'[{(]/.test(text[start]!) || /\w/.test(text[start - 1] ?? "")) continue;
    const found = literalPrefix(text.slice(start, end));
    if (found !== null && found.end === end - start) return printLiteral(found.value);
  }
  return null;
}
