/** Reads constraints in words: `s consists of lowercase English letters`, `nums is sorted in ascending order`, `a non-empty list of positive integers`. */
import type { PyValue } from "../../types.ts";
import { remember } from "../../util/remember.ts";
import { BOUND, readBounds } from "./bounds.ts";
import { BRACKET_RULES } from "./brackets.ts";
import { CONDITION } from "./chains.ts";
import { LENGTHS } from "./lengths.ts";
import { lettersIn } from "./letters.ts";
import type { Names } from "./names.ts";
import { type Constraint, numberTerm, type Part, partTerm } from "./parts.ts";
import { type Rule, SIGNS } from "./signs.ts";
import { rowsEqual } from "./source.ts";
import type { Statement } from "./statements.ts";
import {
  bare,
  isCollection,
  lettersOf,
  partAfter,
  partsBefore,
  rangeSubjects,
  sortedBy,
  textPart,
} from "./subjects.ts";

const RULES: readonly Rule[] = [
  ...SIGNS,
  ...LENGTHS,
  ...BRACKET_RULES,
  {
    pattern:
      /(?:\bin|\bwithin) (?:the )?(?:inclusive )?range (?:of |from )?[[(]?(-?[\w.^*+-]{1,20})(?: ?, ?| to | and |\.\.\.?)(-?[\w.^*+-]{1,20})|\b(?:is|are|be|integers?|ints?|floats?|numbers?|values?) (?:between|from) (-?[\w.^*+-]{1,20}) (?:and|to) (-?[\w.^*+-]{1,20})/i,
    read: (match, before, _, names) => {
      const [low, high] = [names.term(match[1] ?? match[3]!), names.term((match[2] ?? match[4]!).replace(/\.$/, ""))];
      if (low === null || high === null) return [];
      const subject =
        match[1] === undefined
          ? `${before.trim()} ${/^(?:is|are|be)/.test(match[0]) ? "" : match[0].split(" ")[0]}`
          : before;
      return rangeSubjects(subject, names).flatMap((part): Constraint[] => [
        { kind: "order", left: low, op: "<=", right: partTerm(part) },
        { kind: "order", left: partTerm(part), op: "<=", right: high },
      ]);
    },
  },
  {
    pattern:
      /\b(?:consists?|consisting|composed|comprised|made up)(?: only| solely| entirely| just)? of |\b(?:contains?|containing|has|have|with) (?=only |just |[^.]{1,60} only$)|\b(?:contains?) (?=(?:lower|upper)case |digits|english letters)/i,
    read: (_, before, after, names) => {
      const letters = lettersIn(after.split(/ \(|, (?=which|where|with|return)/)[0]!);
      if (letters === null) return [];
      const parts = /^all (?:the )?(?:strings|words|characters|names)$/i.test(before.trim())
        ? names.sample.map((_, slot): Part => ({ slot, path: [], of: "value" }))
        : partsBefore(before, names);
      return parts.flatMap((part) => lettersOf(part, letters, names));
    },
  },
  {
    // `contains one letter "A" or "B" per point`, `made up of these characters: "S" for the start and "E" for the end`
    pattern: /\b(?:contains?|has|have|of) (?:one|only|just|these|the following) (?:letters?|characters?|symbols?)\b/i,
    read: (_, before, after, names) => {
      const letters = [...after.matchAll(/["'`]([^"'`\n])["'`]/g)].map(([, letter]) => letter);
      const named = partsBefore(before.replace(/ (?:made up|composed|consists?|consisting)$/i, ""), names);
      const only = names.only(["str"]) ?? names.only(["list"]);
      const parts = named.length > 0 || only === null ? named : [only];
      return letters.length < 2 ? [] : parts.flatMap((part) => lettersOf(part, letters.join(""), names));
    },
  },
  {
    pattern:
      /\b(?:is|are)(?: equal to| an?)?(?: either| one of)? (?=['"\d-]|(?:an? )?(?:lower|upper)case |(?:an? )?english |digits?\b)/i,
    read: (_, before, after, names) => {
      const parts = partsBefore(before, names);
      const values = valuesIn(after);
      if (values !== null)
        return parts.flatMap((part): Constraint[] => {
          const texts = values.flatMap((value) => (value.t === "str" ? [value.v] : []));
          const isText = texts.length === values.length && texts.every((text) => [...text].length === 1);
          const isChar = part.path.length > 0 || names.names[part.slot] !== bare(before.trim().split(/\s+/).at(-1)!);
          if (isText && isChar && textPart(part, names) !== null) return lettersOf(part, texts.join(""), names);
          return [{ kind: "values", part, values }];
        });
      const letters = /letters?|digits?|case/i.test(after) ? lettersIn(after) : null;
      return letters === null ? [] : parts.flatMap((part) => lettersOf(part, letters, names));
    },
  },
  {
    pattern:
      /\b(?:is|are|be)(?: already| guaranteed to be)? sorted(?: in)?(?: an?)?( strictly)?(?: (ascending|increasing|non-?decreasing|descending|decreasing|non-?increasing))?(?: order)?(?!\s*(?:and rotated|by|according|based|lexico))|\b(?:is|are) (?:an? )?()(non-decreasing|non-increasing|increasing|decreasing) (?:array|list|sequence)/i,
    read: (match, before, _, names) =>
      partsBefore(before, names).flatMap((part) =>
        sortedBy(part, match[2] ?? match[4] ?? "", Boolean(match[1]), names),
      ),
  },
  {
    // by the first column; `tuples (start, end), sorted by rising start`
    pattern: /\bsorted by (?:(?:rising|increasing|ascending|(falling|decreasing|descending)) )?(\w{1,30})/i,
    read: (match, _, after, names) => {
      const column = names.part(match[2]!);
      if (column?.path.at(-1) !== 0 || column.path.at(-2) !== "*") return [];
      const order = match[1] ?? /desc\w+/i.exec(after)?.[0] ?? "";
      return sortedBy({ ...column, path: column.path.slice(0, -2) }, order, false, names);
    },
  },
  {
    pattern: /\bleading (?:or|and) trailing spaces?\b|\bseparated by (?:exactly )?(?:a single|one|single) spaces?\b/i,
    read: (_, before, __, names) => {
      const named = before
        .split(/\s+/)
        .map((word) => names.part(bare(word)))
        .filter((part) => part !== null);
      const texts = named.map((part) => textPart(part, names)).filter((part) => part !== null);
      const only = names.only(["str"]);
      return (texts.length > 0 ? texts : only === null ? [] : [only]).map(
        (part): Constraint => ({ kind: "spaced", part }),
      );
    },
  },
  { pattern: BOUND, read: (match, before, after, names) => readBounds(match, before, after, names) },
  {
    pattern:
      /\brows (?:all )?(?:of|have|with|are of|are) (?:the |an? )?(?:same|equal) (?:lengths?|sizes?|number)\b|\b(?:is|are|be) rectangular\b|\brectangular (?=matrix|grid|array|list|table|board)|\b(?:matrix|matrices)\b/i,
    read: (_, __, ___, names) => {
      const list = names.only(["list"]);
      return list === null ? [] : rowsEqual(list.slot, names);
    },
  },
  {
    pattern: /\b(?:not|never|no|without)\b[^.]{0,30} leading zero(?:e?s)?\b/i,
    read: (_, before, __, names) => partsBefore(before, names).map((part): Constraint => ({ kind: "unpadded", part })),
  },
  {
    pattern: /\b(?:have|has|are|is) (?:of )?(?:the )?(?:same|equal) length\b/i,
    read: (_, before, __, names) =>
      !/^\s*(?:all|every|each)\b/i.test(before)
        ? []
        : partsBefore(before, names).flatMap((part): Constraint[] => {
            const path = part.path.at(-1) === "*" ? part.path.slice(0, -1) : null;
            if (path === null || part.of === "length") return [];
            const length = (step: "*" | 0): ReturnType<typeof partTerm> =>
              partTerm({ ...part, path: [...path, step], of: "length" });
            return [{ kind: "order", left: length(0), op: "==", right: length("*") }];
          }),
  },
  {
    pattern:
      /\b(?:given|takes?|accepts?|have|from|in)(?: an?| two| the)? (?:\d-indexed |non-empty )?sorted (?=(?:integer )?(?:arrays?|lists?)\b)(?!lists? of lists)/i,
    read: (_, __, after, names) => {
      const order = /descending|non-?increasing/i.exec(after)?.[0] ?? "";
      const both = /^(?:integer )?(?:arrays|lists) (\w{1,30}) and (\w{1,30})/i.exec(after);
      const parts =
        both === null
          ? [partAfter(after.replace(/^integer /i, ""), names)]
          : [names.part(both[1]!), names.part(both[2]!)];
      return parts.flatMap((part) => (part === null ? [] : sortedBy(part, order, false, names)));
    },
  },
  {
    pattern:
      /\b(?:are|is) (?:all )?(?:pairwise )?(?:unique|distinct|different)\b|\b(?:list|sequence|array|tuple) of (?:only |all )?(?:non-?empty,? )?(?:unique|distinct|different)\b|\b(?:contains?|has|have|consists? of|of) (?:only |all )?(?:\w{1,12} )?(?:unique|distinct) (?:\w{1,12} )?(?:integers?|elements?|values?|numbers?|strings?|characters?|words|letters)\b/i,
    read: (match, before, _, names) => {
      const isDeclared = /^(?:list|sequence|array|tuple)/i.test(match[0]);
      if (isDeclared) {
        const own = names.part(bare(/(\S{1,40}) (?:is|are) an? (?:[\w-]{1,12} )?$/i.exec(before)?.[1] ?? ""));
        return own !== null && isCollection(own, names) ? [{ kind: "distinct", part: own }] : [];
      }
      if (/^of/i.test(match[0]) && !/\b(?:given|takes?|accepts?|arrays? \w{1,30}|lists? \w{1,30})\b/i.test(before))
        return [];
      return partsBefore(before, names).flatMap((part): Constraint[] => {
        const isItems =
          part.path.at(-1) === "*" && /\b(?:all|each|every|the|any)\b/i.test(before) && !/\]$/.test(before.trim());
        const list =
          isItems || (/\[\w\]\s*$/.test(before) && part.path.at(-1) === "*" && !isCollection(part, names))
            ? part.path.slice(0, -1)
            : part.path;
        return part.of === "value" && isCollection({ ...part, path: list }, names)
          ? [{ kind: "distinct", part: { ...part, path: list } }]
          : [];
      });
    },
  },
  {
    pattern:
      /\bnon-?empty (?=\w+)|\b(?:is|are|will be) (?:not|never)(?: be)? empty\b|\b(?:is|are) non-?empty\b|\bcontains? at least (?:one|1) /i,
    read: (match, before, after, names) => {
      const isSaid = /\b(?:is|are) an? $/i.test(before); // header is a non-empty list
      const isAfter = /^non/i.test(match[0]) && !isSaid;
      if (isAfter && /\bof $/i.test(before)) return []; // of the items
      const parts = isAfter
        ? [partAfter(after.replace(/^integer /i, ""), names)]
        : partsBefore(before.replace(/ an? $/i, " "), names);
      return parts.flatMap((part): Constraint[] =>
        part === null
          ? []
          : [{ kind: "order", left: numberTerm(1), op: "<=", right: partTerm({ ...part, of: "length" }) }],
      );
    },
  },
  {
    pattern: /\b(?:is|are) (?:always |guaranteed to be |an? )?(even|odd)\b/i,
    read: (match, before, _, names) =>
      partsBefore(before, names).map(
        (part): Constraint => ({ kind: "divisible", part, by: 2, rest: match[1] === "even" ? 0 : 1 }),
      ),
  },
  {
    pattern: /\b(?:is|are) (?:a )?(?:multiples? of|divisible by) (\d{1,6})\b/i,
    read: (match, before, _, names) =>
      partsBefore(before, names).map(
        (part): Constraint => ({ kind: "divisible", part, by: Number(match[1]), rest: 0 }),
      ),
  },
  {
    pattern: /\bbinary (?=strings?\b)/i,
    read: (_, before, after, names) => {
      if (!/\b(?:given|takes?|accepts?|input|an?|the|convert)(?: two)? ?$/i.test(before)) return [];
      const part = partAfter(after, names);
      return part === null ? [] : lettersOf(part, "01", names);
    },
  },
  {
    pattern:
      /\b(?:same|equal|identical) (?:length|size)\b|\blengths? of (?:the )?(?:two|both) \w+ (?:is|are) (?:equal|(?:the )?same)\b/i,
    read: (match, before, after, names) => {
      const named = partsBefore(before.replace(/ (?:have|has|are|is|of)(?: the| of the)? ?$/i, ""), names).filter(
        ({ path }) => path.length === 0,
      );
      const sized = names.sample.flatMap(({ t }, slot): Part[] =>
        t === "list" || t === "str" || t === "tuple" ? [{ slot, path: [], of: "value" }] : [],
      );
      const isTwo = /\b(?:two|both)\b/i.test(`${before} ${match[0]} ${after}`);
      const [a, b] =
        named.length > 1 ? named.toSorted((x, y) => x.slot - y.slot) : isTwo && sized.length === 2 ? sized : [];
      const term = (part: Part): ReturnType<typeof partTerm> => partTerm({ ...part, of: "length" });
      return a === undefined || b === undefined ? [] : [{ kind: "order", left: term(a), op: "==", right: term(b) }];
    },
  },
  {
    pattern: /\b(?:is|are) (?:guaranteed to be )?an? permutation of/i,
    read: (_, before, __, names) =>
      partsBefore(before, names).flatMap((part): Constraint[] =>
        isCollection(part, names) ? [{ kind: "distinct", part }] : [],
      ),
  },
];

/** Maximum number of matches of a rule in a statement. */
const MOST_MATCHES = 4;
/** Maximum total characters of statements whose matches are remembered. */
const REMEMBERED = 2 ** 18;

const PATTERNS = RULES.map(({ pattern }) => new RegExp(pattern.source, `${pattern.flags}g`));

/** For each rule: its matches in a text. They do not depend on names, and descriptions are read several times. */
const matchesIn = remember(
  (text) => PATTERNS.map((pattern) => [...text.matchAll(pattern)].slice(0, MOST_MATCHES)),
  REMEMBERED,
);

/** The constraints that a statement has in words. */
export function readPhrases({ text, isListed }: Statement, names: Names): Constraint[] {
  const matches = matchesIn(text);
  return RULES.flatMap(({ read, isNamed }, i) =>
    matches[i]!.flatMap((match) => {
      const before = text.slice(0, match.index);
      const isAsked =
        isListed || isNamed
          ? /\b(?:if|when|whether|otherwise|unless|could you|what if)\b/i.test(before)
          : CONDITION.test(before);
      return isAsked ? [] : read(match, before, text.slice(match.index + match[0].length), names);
    }),
  );
}

/** `0 or 1`, `'a', 'b', or 'c'`; null if there are other words, or a single value. */
function valuesIn(text: string): PyValue[] | null {
  const words = [...text.matchAll(/'([^'\n]{0,20})'|"([^"\n]{0,20})"|[^\s,]+/g)];
  const values: PyValue[] = [];
  for (const [word, a, b] of words) {
    const quoted = a ?? b;
    if (quoted !== undefined) values.push({ t: "str", v: quoted });
    else if (/^-?\d{1,15}$/.test(word)) values.push({ t: "int", v: BigInt(word) });
    else if (!/^(?:or|and|only|[|/])$/.test(word)) return null;
  }
  return values.length > 1 ? values : null;
}
