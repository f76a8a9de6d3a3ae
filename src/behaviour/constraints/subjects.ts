/** Which parts of the arguments a phrase speaks of: `All the values of nums`, `s and t`, `the string`. */
import type { PyValue } from "../../types.ts";
import type { Names } from "./names.ts";
import { ADJECTIVE } from "./nouns.ts";
import { at, type Constraint, type Part } from "./parts.ts";

const KINDS: readonly (readonly [RegExp, readonly PyValue["t"][]])[] = [
  [/^(?:lists?|arrays?|sequences?|tuples?|vectors?)$/i, ["list", "tuple"]],
  [/^(?:strings?|texts?|sentences?)$/i, ["str"]],
  [/^(?:integers?|numbers?)$/i, ["int"]],
];
const ARTICLE = /^(?:the|given|input|an?|array|list|string|integer|number|your|this|two|both|matrix|grid)$/i;
const ITEMS =
  /^(?:elements?|values?|integers?|numbers?|characters?|strings?|words?|letters?|entries|items|points?|pairs?|digits?|records?|rows?|lines?|dicts?)$/i;
const AUXILIARY = /^(?:which|that|will|can|must|may|only|also|always|should|does|do|is|are)$/i;
const LENGTH = /^(?:lengths?|size)$/i;

export const bare = (word: string): string => word.replace(/^["'(]{1,4}|["',:)]{1,4}$/g, "");

const CALL = /\b\w{1,40}\(([\w, ]{1,80})\)(?=,?\s*$)/;

/** The parts named by the last words of a text: `All the values of nums`, `s and t`, `the string`. */
export function partsBefore(text: string, names: Names): Part[] {
  // Meter(rate, limit), both positive
  const words = text.replace(CALL, "$1").trim().split(/\s+/);
  const found: Part[] = [];
  let i = words.length - 1;
  while (i > 0 && AUXILIARY.test(words[i]!)) i -= 1;
  // a list of numbers
  const list = ITEMS.test(words[i]!) && words[i - 1] === "of" ? partOf(bare(words[i - 2] ?? ""), names) : null;
  if (list !== null) return [{ ...list, path: [...list.path, "*"] }];
  // base numbers, the qty values
  if (i > 0 && ITEMS.test(words[i]!) && names.names.includes(bare(words[i - 1]!))) i -= 1;
  for (; i >= 0; i--) {
    // name is a string, qty is
    const part = found.length === 0 ? partOf(bare(words[i]!), names) : names.part(bare(words[i]!));
    if (part === null) break;
    found.push(part);
    const before = words[i - 1] ?? "";
    if (/^(?:and|or)$/.test(before)) i -= 1;
    else if (!before.endsWith(",")) {
      i -= 1;
      break;
    }
  }
  while (i >= 0 && ARTICLE.test(words[i]!)) i -= 1;
  if (!/^(?:of|in)$/.test(words[i] ?? "")) return found;
  if (LENGTH.test(words[i - 1] ?? "")) return found.map((part) => ({ ...part, of: "length" }));
  return ITEMS.test(words[i - 1] ?? "") ? found.map((part) => ({ ...part, path: [...part.path, "*"] })) : [];
}

function partOf(word: string, names: Names): Part | null {
  const types = KINDS.find(([pattern]) => pattern.test(word))?.[1];
  return names.part(word) ?? (types === undefined ? null : names.only(types));
}

/** The first part that a text names after a phrase: `sorted array nums`. */
export function partAfter(text: string, names: Names): Part | null {
  const words = text.trim().split(/\s+/).slice(0, 3).map(bare);
  const kind = words.findIndex((word) => KINDS.some(([pattern]) => pattern.test(word)));
  const own = words.slice(kind + 1, kind + 2).map((word) => names.part(word))[0];
  return own ?? (kind < 0 ? null : partOf(words[kind]!, names));
}

const VERB = new RegExp(
  ` (?:(?:will|must|should|can) )?(?:(?:is|are|be|lies?)(?: all| always)?|(?:is|are|be) an? ${ADJECTIVE}{0,3}(?:ints?|integers?|floats?|numbers?))\\s*$`,
  "i",
);

/** What a range bounds: numbers; of a list of numbers its items. */
export const rangeSubjects = (before: string, names: Names): Part[] =>
  numberParts(partsBefore(before.replace(VERB, ""), names), names);

/** The parts that are numbers, or the numbers in lists of numbers, and in lists of rows of numbers. */
export const numberParts = (parts: readonly Part[], names: Names): Part[] =>
  parts.flatMap((part): Part[] => {
    const items: Part = { ...part, path: [...part.path, "*"] };
    const inner: Part = { ...part, path: [...items.path, "*"] };
    const all = part.of === "length" ? [part] : [part, items, inner];
    return all.filter((one) => one.of === "length" || isType(one, names, ["int", "float"])).slice(0, 1);
  });

const isType = ({ slot, path }: Part, names: Names, types: readonly PyValue["t"][]): boolean => {
  const [found] = at(names.sample[slot], path);
  return found !== undefined && types.includes(found.t);
};

export const isCollection = (part: Part, names: Names): boolean => isType(part, names, ["list", "tuple", "str"]);

/** The part that is a text: the part itself, the text of which it is a character, or the texts in it. */
export function textPart(part: Part, names: Names): Part | null {
  const items: Part = { ...part, path: [...part.path, "*"] };
  const above: Part = { ...part, path: part.path.slice(0, -1) };
  return (
    [part, items, { ...items, path: [...items.path, "*" as const] }, ...(part.path.length > 0 ? [above] : [])].find(
      (one) => isType(one, names, ["str"]),
    ) ?? null
  );
}

export function lettersOf(part: Part, letters: string, names: Names): Constraint[] {
  const own = textPart(part, names);
  return own === null ? [] : [{ kind: "letters", part: { ...own, of: "value" }, letters }];
}

export function sortedBy(part: Part, order: string, strict: boolean, names: Names): Constraint[] {
  if (!isType(part, names, ["list", "tuple"])) return [];
  const sign = /^(?:desc|decr|fall|non-?incr)/i.test(order) ? -1 : 1;
  return [{ kind: "sorted", part, sign, strict }];
}
