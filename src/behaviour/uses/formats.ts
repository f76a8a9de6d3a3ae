/** Formats that a description gives values by name: `start` and `end` are "HH:MM", `updated` is a date as YYYY-MM-DD. */
import { formsIn } from "../constraints/forms.ts";
import { formOf } from "./make.ts";
import { type Term, type Terms, type Use, visited } from "./term.ts";

export type Format = Extract<Use, "date" | "time" | "email">;

const FORMATS: readonly (readonly [Format, RegExp])[] = [
  ["date", /\bYYYY-MM-DD\b|\bISO(?:[ -]8601)?[ -](?:dates?|format)\b|\bdatetime\.dates?\b|\bdate objects?\b/g],
  ["time", /\bHH:MM\b(?!:)/g],
];
const EMAIL = /(?:^|_)e_?mails?$/i;
/** Characters before a format in which its names are looked for, and the end of a sentence. */
const WINDOW = 90;
const END = /[.;!?]\s|\n\s*\n/g;
const MOST_DESCRIPTION = 20_000;

/** In `start and end are "HH:MM"` both names have the format; in `id and day (YYYY-MM-DD)` the last one. */
const OF_ALL = /^[^(]*\b(?:are|both|each)\b[^(]*$/;

/** The formats of names: of the last ones before the format. */
export function formatsIn(description: string, names: readonly string[]): Map<string, Format> {
  const found = new Map<string, Format>(names.filter((name) => EMAIL.test(name)).map((name) => [name, "email"]));
  const known = new Set(names);
  const text = description.slice(0, MOST_DESCRIPTION);
  for (const [format, pattern] of FORMATS) {
    for (const { index } of text.matchAll(pattern)) {
      const before = text.slice(Math.max(0, index - WINDOW), index);
      const sentence = before.slice(([...before.matchAll(END)].at(-1)?.index ?? -1) + 1);
      const words = [...sentence.matchAll(/\w+/g)].filter(([word]) => known.has(word));
      const last = words.at(-1);
      if (last === undefined) continue;
      const isShared = OF_ALL.test(sentence.slice(last.index + last[0].length));
      let from = words.length - 1;
      while (isShared && from > 0 && isJoined(sentence, words[from - 1]!, words[from]!)) from -= 1;
      for (const [word] of words.slice(from)) found.set(word, format);
    }
  }
  return found;
}

const isJoined = (text: string, first: RegExpMatchArray, second: RegExpMatchArray): boolean =>
  /^[\s"'`,]*(?:(?:and|or)[\s"'`]+)?$/.test(text.slice(first.index! + first[0].length, second.index));

/** Gives the terms of parameters, and of the parts of records and rows in them, the formats of their names. */
export function giveFormats(
  parameters: readonly Term[],
  names: readonly string[],
  description: string,
  terms: Terms,
  code: string,
): void {
  const named = reachable(parameters, names);
  const formats = formatsIn(description, [...new Set(named.map(([name]) => name))]);
  const texts = names.filter((_, i) => formOf(parameters[i]!) === "atom" && parameters[i]!.root.uses.has("text"));
  const lists = names.filter(
    (_, i) => formOf(parameters[i]!) === "list" && terms.item(parameters[i]!).root.uses.has("text"),
  );
  const only = texts.length === 1 ? texts[0]! : texts.length === 0 && lists.length === 1 ? lists[0]! : null;
  const examples = formsIn(description, [...new Set(named.map(([name]) => name))], only);
  for (const name of names) if (isDate(name, code)) formats.set(name, "date");
  for (const [name, term] of named) {
    const format = formats.get(name);
    const at = formOf(term) === "list" ? terms.item(term).root : term.root;
    const shown = examples.get(name) ?? [];
    if (shown.length > 0 && formOf(at) === "atom" && !at.uses.has("number")) {
      at.examples.push(...shown);
      at.uses.add("text");
    }
    if (format === undefined) continue;
    const row = formOf(at) === "tuple" ? at : formOf(term) === "tuple" ? term.root : null;
    const parts = row === null ? [at] : partsIn(description, format, row.positions);
    for (const part of parts) if (isOpen(part.root, format)) part.root.uses.add("text").add(format);
  }
}

/** Whether a value may have a format. The difference of two dates looks like one of two numbers. */
function isOpen(term: Term, format: Format): boolean {
  const others: readonly Use[] = format === "date" ? ["bool"] : ["number", "float", "bool"];
  return formOf(term) === "atom" && !others.some((use) => term.uses.has(use));
}

/** The parts of a row that have the format in the description's example of a row: `("HH:MM", "HH:MM")`, `(name, YYYY-MM-DD)`. */
function partsIn(description: string, format: Format, positions: readonly Term[]): Term[] {
  const pattern = FORMATS.find(([own]) => own === format)?.[1];
  if (pattern === undefined) return [];
  for (const [, row] of description.slice(0, MOST_DESCRIPTION).matchAll(/[([]([^()[\]\n]{1,80})[)\]]/g)) {
    const shown = row!.split(",");
    const places = shown.flatMap((part, i) => (part.search(pattern) >= 0 ? [i] : []));
    if (shown.length === positions.length && places.length > 0) return places.map((i) => positions[i]!);
  }
  return [];
}

/** Whether an annotation says that a parameter is a date, or has dates: `start: date`, `holidays: list[datetime.date]`. */
const isDate = (name: string, code: string): boolean =>
  new RegExp(`[(,]\\s{0,20}${name} ?: ?["']?(?:\\w{1,20}\\[)?(?:\\w{1,20}\\.)?date\\b`).test(code);

/** Terms with their names: parameters, parts of records and rows in them. */
function reachable(parameters: readonly Term[], names: readonly string[]): (readonly [string, Term])[] {
  const inside = visited(parameters, ({ item, value, fields, positions }) => [
    item,
    value,
    ...fields.values(),
    ...positions,
  ]);
  return [
    ...parameters.map((term, i) => [names[i]!, term] as const),
    ...inside.flatMap((term) => [
      ...term.fields,
      ...term.positions.map((part, i) => [term.names[i] ?? "", part] as const),
    ]),
  ];
}
