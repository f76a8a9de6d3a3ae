/** Fields of records that the description names, with their types: `dicts with the fields "sku" (str), "qty" (int)`. */
import type { Term, Terms, Use } from "./term.ts";
import { visited } from "./term.ts";

/** Maximum characters of a description that are read, and maximum number of fields of a record. */
const LONGEST = 20_000;
const MOST = 16;
const ABOUT = /\b(?:keys?|fields?|dict\w*|records?)\b/i;
const KEY = /["']([a-zA-Z_]\w{0,30})["'](?: \(([^()\n]{1,80})\)|: ?(["']|-?\d{1,20}(?:\.\d)?))?/g;
const OPTIONAL = /\b(?:optional|missing|absent|if present|if given|maybe|may (?:have|also))\b/i;
const USES: readonly (readonly [RegExp, readonly Use[]])[] = [
  [/\bdate\b/i, ["text", "date"]],
  [/\b(?:int|integer|whole|number)/i, ["number"]],
  [/\bfloat/i, ["float"]],
  [/\bbool/i, ["bool"]],
  [/\b(?:str|string|text)/i, ["text"]],
];

const TYPES: readonly Use[] = ["text", "number", "float", "bool", "ordered", "list", "dict"];

interface Field {
  readonly key: string;
  readonly uses: readonly Use[];
}

/** The fields that sentences name together. A sentence that speaks of missing keys is left out. */
function groupsIn(description: string): Field[][] {
  const sentences = description.slice(0, LONGEST).split(/[.!?](?=\s|$)|\n\s*\n/);
  return sentences.flatMap((sentence) => {
    if (!ABOUT.test(sentence) || OPTIONAL.test(sentence)) return [];
    const fields = [...sentence.matchAll(KEY)].flatMap(([, key, spec, value], i, all): Field[] => {
      const before = sentence.slice(0, all[i]!.index);
      const isInside = before.lastIndexOf("(") > before.lastIndexOf(")"); // "status" ("paid" or "open")
      const uses = value === undefined ? USES.find(([type]) => type.test(spec ?? ""))?.[1] : usesOf(value);
      return isInside ? [] : [{ key: key!, uses: uses ?? [] }];
    });
    return fields.length > 1 ? [fields.slice(0, MOST)] : [];
  });
}

/** Of a value that begins like this. */
const usesOf = (value: string): readonly Use[] =>
  /^["']/.test(value) ? ["text"] : value.includes(".") ? ["float"] : ["number"];

/** The keys of all records. */
export const keysOf = (parameters: readonly Term[]): ReadonlySet<string> =>
  new Set(recordsOf(parameters).flatMap(({ fields }) => [...fields.keys()]));

/** Gives fields their types, and adds those that the code does not read to the records that have another one of the same sentence. */
export function addFields(parameters: readonly Term[], description: string, terms: Terms): void {
  const groups = groupsIn(description);
  if (groups.length === 0) return;
  const records = recordsOf(parameters);
  const read = new Set(records.flatMap(({ fields }) => [...fields.keys()]));
  for (const record of records) {
    const group = groups.find((one) => one.some(({ key }) => record.fields.has(key))) ?? [];
    for (const { key, uses } of group) {
      if (read.has(key) && !record.fields.has(key)) continue; // of another record
      const { root } = terms.field(record, key, false);
      if (!TYPES.some((type) => root.uses.has(type))) for (const use of uses) root.uses.add(use);
    }
  }
}

function recordsOf(parameters: readonly Term[]): Term[] {
  const inside = visited(parameters, ({ item, value, fields, positions }) => [
    item,
    value,
    ...fields.values(),
    ...positions,
  ]);
  return [...new Set([...parameters, ...inside].map(({ root }) => root))].filter(({ fields }) => fields.size > 0);
}
