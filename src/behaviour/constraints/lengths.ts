/** Reads lengths in words: `the length of ops is equal to the length of nums minus one`, `nums has at least two numbers`. */
import { NUMBER_WORDS, numberIn } from "../number-words.ts";
import type { Names } from "./names.ts";
import { type Constraint, numberTerm, type Part, partTerm } from "./parts.ts";
import type { Rule } from "./signs.ts";
import { bare, isCollection, partsBefore } from "./subjects.ts";

const COUNT = `${NUMBER_WORDS.join("|")}|\\d{1,3}`;
const KIND = "(?: (?:list|array|string|sequence|tuple)s?)?";
const LENGTH_OF = `\\b(?:length|size|number) of (?:the |items in |elements in )?(\\w{1,30})${KIND}`;
const ITEMS = /^(?:elements?|items?|numbers?|integers?|ints?|values?|entries|strings?|words?|rows?|tuples?|pairs?)$/i;
const CHARACTERS = /^(?:characters?|letters?|chars?)$/i;

/** Without the capital at the start of a sentence. */
const lower = (text: string): string => text.replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase());

/** `length(a) == length(b) + plus` */
function related(a: string, b: string, plus: number, names: Names): Constraint[] {
  const [left, right] = [names.part(lower(a)) ?? names.part(a), names.part(b)];
  if (left === null || right === null || left.slot === right.slot) return [];
  if (!isCollection(left, names) || !isCollection(right, names)) return [];
  const length = (part: Part): Part => ({ ...part, of: "length" });
  return [{ kind: "order", left: partTerm(length(left)), op: "==", right: { ...partTerm(length(right)), plus } }];
}

export const LENGTHS: readonly Rule[] = [
  {
    pattern: new RegExp(
      `${LENGTH_OF} (?:is|must be|should be|will be|equals)(?: always| exactly)?(?: equal to)? (?:the )?(?:length|size|number) of (?:the |items in |elements in )?(\\w{1,30})${KIND}(?: (minus|plus) (${COUNT}))?\\b`,
      "i",
    ),
    read: ([, a, b, sign, count], _, __, names) =>
      related(a!, b!, (sign === "minus" ? -1 : 1) * (numberIn(count ?? "") ?? 0), names),
  },
  {
    // ops has one fewer item than nums
    pattern: new RegExp(
      `\\b(\\w{1,30})${KIND} (?:has|have|contains?|holds?) (?:always |exactly )?(${COUNT}) (more|fewer|less) (?:\\w{1,20} )?than (?:the )?(\\w{1,30})`,
      "i",
    ),
    read: ([, a, count, more, b], _, __, names) =>
      related(a!, b!, (/^more/i.test(more!) ? 1 : -1) * numberIn(count!)!, names),
  },
  {
    // nums has at least two numbers
    pattern: new RegExp(
      `\\b(?:has|have|contains?|holds?) at (least|most) (${COUNT}) (\\w{1,20})(?=[,.;)]|$| (?:and|or|but|in total)\\b)`,
      "i",
    ),
    read: ([, most, count, noun], before, _, names) =>
      partsBefore(lower(before.replace(/ (?:lists?|arrays?|sequences?) ?$/i, "")), names).flatMap(
        (part): Constraint[] => {
          if (part.of === "length" || !isCollection(part, names)) return [];
          const isText = names.sample[part.slot]?.t === "str" && part.path.length === 0;
          // The operand list has at least two operands.
          const isOwn = bare(noun!).replace(/s$/, "") === names.names[part.slot]?.replace(/s$/, "");
          if (!isOwn && !(isText ? CHARACTERS : ITEMS).test(noun!)) return [];
          const [length, bound] = [partTerm({ ...part, of: "length" }), numberTerm(numberIn(count!)!)];
          return /least/i.test(most!)
            ? [{ kind: "order", left: bound, op: "<=", right: length }]
            : [{ kind: "order", left: length, op: "<=", right: bound }];
        },
      ),
  },
];
