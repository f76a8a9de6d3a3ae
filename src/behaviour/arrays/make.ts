/** Makes arrays and data frames: of the shape that code and description show, with the columns that the code reads. */
import escapeRegExp from "escape-string-regexp";
import { literalPrefix } from "../../languages/python/literals/index.ts";
import type { PyValue } from "../../types.ts";
import type { Random } from "../../util/random.ts";
import { dateOf } from "../dates.ts";

type Values = "int" | "float" | "text" | "date" | "bool";

export interface Column {
  readonly name: string;
  readonly values: Values;
  /** Texts of which the column consists; empty if any will do. */
  readonly texts: readonly string[];
}

/** Maximum number of characters of a literal that is read, of literals, and of columns. */
const LONGEST = 2000;
const MOST_SHOWN = 8;
const MOST_COLUMNS = 12;
/** Rows of a frame, and items of an array. */
const [FEWEST, MOST] = [1, 8];

/** 2024-01-01, in days since 1970. */
const FIRST_DAY = 19_723;

const DATES = /date|time|day$/i;
const TEXTS =
  /name|text|title|categor|group|city|country|letter|colou?r|species|type|gender|label|state|department|product|animal|review|article|description|team|region|status|class|^id$|email|url|word|author|genre|brand/i;
const WORDS = ["red", "blue", "green", "Ann", "Bob", "the red fox"];

/** The columns that literals in a text and the code show: `pd.DataFrame({'A': [1, 2]})`, `df['age']`. Three columns of numbers if none is shown. */
export function columnsOf(name: string, code: string, text: string): Column[] {
  const shown = literalsAfter(text, /\bDataFrame\(\s{0,40}(?=\{)/g).flatMap((value) =>
    value.t === "dict" ? value.v : [],
  );
  const found = new Map<string, Column>();
  for (const [key, column] of shown) {
    if (key.t === "str" && column.t === "list" && !found.has(key.v)) found.set(key.v, columnOf(key.v, column.v, code));
  }
  const own = escapeRegExp(name);
  const key = String.raw`['"]([^'"\n]{1,40})['"]`;
  const made = new Set([...code.matchAll(new RegExp(`\\w\\[${key}\\][ \\t]*=(?!=)`, "g"))].map(([, one]) => one!));
  const read = [
    ...code.matchAll(new RegExp(`(?<!\\w)${own}\\[${key}\\]`, "g")),
    ...[...code.matchAll(new RegExp(`(?<!\\w)${own}\\[\\[((?:${key}[, ]{0,3}){1,9})\\]\\]`, "g"))].flatMap(
      ([, all]) => [...all!.matchAll(new RegExp(key, "g"))],
    ),
    ...code.matchAll(new RegExp(`\\.groupby\\([^()\\n]{1,80}\\)\\[\\[?${key}`, "g")),
    ...code.matchAll(new RegExp(`\\.(?:groupby|set_index|drop|sort_values)\\(\\[?(?:columns=|by=)?${key}`, "g")),
  ].map(([, one]) => one!);
  const described = [...text.matchAll(/\bcolumns?\b([^.\n]{1,120})/gi)].flatMap(([, rest]) =>
    [...rest!.matchAll(new RegExp(key, "g"))].map(([, one]) => one!),
  );
  for (const one of [...read, ...described]) {
    if (found.has(one) || (made.has(one) && !described.includes(one))) continue;
    found.set(one, columnOf(one, [], code));
  }
  const columns = [...found.values()].slice(0, MOST_COLUMNS);
  return columns.length > 0 ? columns : ["A", "B", "C"].map((one) => ({ name: one, values: "int", texts: [] }));
}

function columnOf(name: string, shown: readonly PyValue[], code: string): Column {
  const texts = shown.flatMap((value) => (value.t === "str" ? [value.v] : []));
  const isDate = texts.length > 0 ? texts.every((one) => /^\d{4}-\d\d-\d\d$/.test(one)) : DATES.test(name);
  const own = escapeRegExp(name);
  const isText = new RegExp(`\\[['"]${own}['"]\\](?:\\.str\\b| ?== ?['"])`).test(code) || TEXTS.test(name);
  if (shown.some(({ t }) => t === "bool")) return { name, values: "bool", texts: [] };
  if (shown.some(({ t }) => t === "float")) return { name, values: "float", texts: [] };
  if (shown.some(({ t }) => t === "int")) return { name, values: "int", texts: [] };
  return { name, values: isDate ? "date" : texts.length > 0 || isText ? "text" : "int", texts: isDate ? [] : texts };
}

/** The literals that follow a pattern in a text. */
const literalsAfter = (text: string, pattern: RegExp): PyValue[] =>
  [...text.matchAll(pattern)].slice(0, MOST_SHOWN).flatMap((match) => {
    const start = match.index + match[0].length;
    return literalPrefix(text.slice(start, start + LONGEST))?.value ?? [];
  });

/** The form of an array: how many columns it has; null if it has one dimension. */
export function widthOf(name: string, code: string, text: string): number | null {
  const shown = literalsAfter(text, /\b(?:np|numpy)\.array\(\s{0,40}(?=\[)/g)[0];
  if (shown?.t === "list") {
    const [first] = shown.v;
    return first?.t === "list" ? first.v.length : null;
  }
  const own = escapeRegExp(name);
  const isMatrix =
    /\b2-?d\b|\bmatri(?:x|ces)\b/i.test(text) ||
    new RegExp(`(?<!\\w)${own}\\.shape\\[1\\]|(?<!\\w)${own}\\[:, ?|\\baxis ?= ?1\\b`).test(code) ||
    /^(?:matrix|X)$/.test(name);
  return isMatrix ? 3 : null;
}

/** How the numbers of one input are made. Negative ones and zeros are rare, because a task may exclude them. */
export interface Numbers {
  readonly largest: number;
  readonly areSigned: boolean;
}

export const numbersOf = (rng: Random): Numbers => ({ largest: rng.pick([5, 20, 100]), areSigned: rng.chance(0.25) });

const rowsOf = (rng: Random): number => (rng.chance(0.2) ? rng.int(FEWEST, 2) : rng.int(3, MOST));

export function frame(columns: readonly Column[], numbers: Numbers, rng: Random): PyValue {
  const rows = rowsOf(rng);
  return {
    t: "dict",
    v: columns.map((column) => [
      { t: "str", v: column.name },
      { t: "list", v: Array.from({ length: rows }, () => cell(column, numbers, rng)) },
    ]),
  };
}

export function array(width: number | null, numbers: Numbers, rng: Random): PyValue {
  const values = rng.pick(["int", "float"] as const);
  const row = (length: number): PyValue => ({
    t: "list",
    v: Array.from({ length }, () => cell({ name: "", values, texts: [] }, numbers, rng)),
  });
  const rows = rowsOf(rng);
  return width === null ? row(rows) : { t: "list", v: Array.from({ length: rows }, () => row(width)) };
}

function cell({ values, texts }: Column, { largest, areSigned }: Numbers, rng: Random): PyValue {
  switch (values) {
    case "bool":
      return { t: "bool", v: rng.chance(0.5) };
    case "text":
      return { t: "str", v: rng.pick(texts.length > 0 ? texts : WORDS) };
    case "date":
      return { t: "str", v: dateOf(FIRST_DAY + rng.int(0, 60))! };
    case "int":
      return { t: "int", v: BigInt(rng.int(areSigned ? -largest : 1, largest)) };
    case "float":
      return { t: "float", v: rng.int(areSigned ? -10 * largest : 1, 10 * largest) / 10 };
  }
}
