/** Texts whose brackets match: `given a balanced parentheses string s`, `a string of nested parentheses`. */
import type { Constraint } from "./parts.ts";
import type { Rule } from "./signs.ts";
import { partAfter, textPart } from "./subjects.ts";

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const OPENING = new Map(Object.entries(CLOSING).map(([open, close]) => [close, open]));
const MATCHED = "balanced|well[- ]formed|valid|matched|matching|nested|properly (?:nested|closed)";
const BRACKETS = "(?:parenthes[ei]s|brackets?|braces?)";

export const BRACKET_RULES: readonly Rule[] = [
  {
    pattern: new RegExp(
      `\\b(?:given|input|takes?|accepts?|contain\\w{0,3}|is|of)\\b[^.]{0,40}? (?:${MATCHED}),? (?:\\w{1,20} )?${BRACKETS}\\b|${BRACKETS} (?:is|are)(?: always| guaranteed to be)? (?:${MATCHED})\\b`,
      "i",
    ),
    read: (match, _, after, names): Constraint[] => {
      const only = names.only(["str"]) ?? names.onlyTexts();
      const own = partAfter(`${match[0]} ${after}`.replace(/^.{0,60}(?=string)/i, ""), names) ?? only;
      const part = own === null ? null : textPart(own, names);
      return part === null ? [] : [{ kind: "brackets", part }];
    },
  },
];

/** Whether each bracket of a text has its partner. */
export const hasMatchedBrackets = (text: string): boolean => matched(text) === text;

/** The text without closing brackets that have no partner, and with those that are missing at its end. */
export function matched(text: string): string {
  const open: string[] = [];
  const kept = [...text].filter((c) => {
    if (c in CLOSING) open.push(c);
    else if (OPENING.has(c)) return open.at(-1) === OPENING.get(c) && open.pop() !== undefined;
    return true;
  });
  return (
    kept.join("") +
    open
      .reverse()
      .map((c) => CLOSING[c])
      .join("")
  );
}
