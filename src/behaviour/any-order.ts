/**
 * Tasks that accept the items of an answer in any order ("return the answer in any order"). Their lists are compared as multisets;
 * otherwise a correct program would fail on most inputs. Items of nested lists keep their order.
 */
import type { Answer } from "../execute/index.ts";
import { equalityKey, parseLiteral, printLiteral } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";
import type { Example } from "./types.ts";

const SAID = /\bin any order\b|\border (?:of [\w ]{1,40} )?(?:does not|doesn't) matter\b/gi;
/** The sentence up to the phrase must be about the answer, because an input may come in any order, too. */
const OF_ANSWER = /\b(?:return(?:s|ed)?|outputs?|answers?|results?)\b/i;
/** How far before the phrase its sentence may begin, in characters. */
const SENTENCE = 160;
/** Maximum length of an answer, in characters. Inputs with longer answers are not used. */
export const LONGEST_ANSWER = 20_000;

/** Whether a description accepts the answer's items in any order. */
export function isInAnyOrder(description: string | null): boolean {
  return [...(description ?? "").matchAll(SAID)].some(({ index, 0: said }) => {
    const before = description!.slice(Math.max(0, index - SENTENCE), index + said.length);
    return OF_ANSWER.test(before.slice(Math.max(before.lastIndexOf("."), before.lastIndexOf("\n")) + 1));
  });
}

/** Sorts the items of an answer that is a list. Other answers stay unchanged. */
export function ordered(answer: Answer): Answer {
  if (answer.outcome !== "ok" || answer.value.t !== "list" || answer.text.length > LONGEST_ANSWER) return answer;
  const [tag, items] = JSON.parse(answer.text) as [string, unknown[]];
  const texts = items.map((item) => JSON.stringify(item)).sort();
  return { ...answer, value: orderedValue(answer.value), text: `[${JSON.stringify(tag)},[${texts.join()}]]` };
}

/** An example with its answer sorted in the same way. */
export const orderedExample = ({ input, expected }: Example): Example => ({
  input,
  expected: "stdin" in input ? expected : printLiteral(orderedValue(parseLiteral(expected))),
});

function orderedValue(value: PyValue): PyValue {
  if (value.t !== "list") return value;
  const keyed = value.v.map((item) => ({ item, key: equalityKey(item) }));
  return { t: "list", v: keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item) };
}
