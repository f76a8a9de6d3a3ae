/**
 * The line grammar of stdin inputs, inferred from the given ones: lines of numbers and words, lists whose length an
 * earlier number gives, blocks of lines counted by an earlier number, words whose length it gives, numbers that stay
 * below it, cases of different length (`n`, then n lines, again and again). The grammar must explain every given input to its
 * last line; otherwise there is none. With few inputs it may take a coincidence for a count.
 */
import { inferText, type Span, span, type TextShape } from "./shape.ts";

/** A count: the value of the field with index `field` among those read so far, plus `offset` (a tree of n nodes has n - 1 edges). */
export interface Count {
  readonly field: number;
  readonly offset: number;
}

export type FieldShape =
  | {
      readonly t: "int";
      readonly min: number;
      readonly max: number;
      /** The earlier field that the value never exceeds, but sometimes reaches. */
      readonly below: Count | null;
    }
  | { readonly t: "float"; readonly min: number; readonly max: number; readonly decimals: number }
  | { readonly t: "word"; readonly text: TextShape; readonly length: Count | null };

export type Element =
  | { readonly kind: "line"; readonly fields: readonly FieldShape[] }
  | {
      readonly kind: "list";
      readonly count: Count | null;
      readonly lengths: Span;
      readonly item: FieldShape;
      readonly order: "up" | "down" | "permutation" | "distinct" | null;
    }
  | { readonly kind: "block"; readonly count: Count | null; readonly lengths: Span; readonly body: Grammar };

export type Grammar = readonly Element[];

/** One input during inference: the lines not yet explained, and the numbers read so far. */
export interface Reading {
  readonly lines: readonly (readonly string[])[];
  readonly fields: readonly number[];
}

/** Maximum number of fields considered as counts. This keeps the search small. */
const mostFields = 12;
const mostSteps = 4000;

export function inferGrammar(texts: readonly string[]): Grammar | null {
  const readings = texts.map((text) => ({ lines: tokenLines(text), fields: [] }));
  if (readings.length === 0) return null;
  return infer(readings, { left: mostSteps, open: false }, 0) ?? infer(readings, { left: mostSteps, open: true }, 0);
}

interface Steps {
  left: number;
  /** Blocks without a count are allowed. Only tried if there is no other explanation. */
  readonly open: boolean;
}

export const tokenLines = (text: string): string[][] =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.trim().split(/\s+/).filter(Boolean));

function infer(all: readonly Reading[], steps: Steps, depth: number): Grammar | null {
  if (all.every(({ lines }) => lines.length === 0)) return [];
  if (steps.left-- <= 0) return null;
  const options = [
    ...countedBlocks(all, steps, depth),
    ...lines(all, steps, depth),
    () => openBlock(all, steps, depth),
  ];
  for (const option of options) {
    const found = option();
    if (found) return found;
  }
  return null;
}

type Option = () => Grammar | null;

/** The values of a count in every input; null if one is negative, or if all are too small to be evidence. */
function countValues(all: readonly Reading[], { field, offset }: Count): number[] | null {
  const values = all.map(({ fields }) => (fields[field] ?? Number.NaN) + offset);
  const sound = values.every((n) => Number.isInteger(n) && n >= 0) && values.some((n) => n >= 2);
  return sound && (offset === 0 || new Set(values).size > 1) ? values : null;
}

function counts(all: readonly Reading[]): { count: Count; values: number[] }[] {
  const known = Math.min(mostFields, ...all.map(({ fields }) => fields.length));
  return [0, -1, 1].flatMap((offset) =>
    Array.from({ length: known }, (_, i) => ({ field: known - 1 - i, offset })).flatMap((count) => {
      const values = countValues(all, count);
      return values ? [{ count, values }] : [];
    }),
  );
}

/** The number of lines of a repetition of a block, given its first line. */
type Height = (first: readonly string[]) => number;

const fixedHeights: readonly Height[] = [1, 2, 3].map((n) => () => n);
/** The first line, and as many more as its first or second token says: cases of different length. */
const countedHeights: readonly Height[] = [0, 1].map((i) => (first) => 1 + Number(first[i] ?? Number.NaN));

function countedBlocks(all: readonly Reading[], steps: Steps, depth: number): Option[] {
  if (depth > 2) return [];
  const options = counts(all).flatMap(({ count, values }) =>
    [...fixedHeights, ...countedHeights].flatMap((height) => {
      const cuts = cutAll(all, values, height);
      if (!cuts) return [];
      const whole = cuts.every(({ rest }) => rest.length === 0);
      const option: Option = () => block(all, { count, values }, cuts, steps, depth);
      return whole || fixedHeights.includes(height) ? [{ whole, option }] : [];
    }),
  );
  return options.sort((a, b) => Number(b.whole) - Number(a.whole)).map(({ option }) => option);
}

/** The lines of one input, split into repetitions of a block and the lines after it. */
interface Cut {
  readonly parts: readonly Reading["lines"][];
  readonly rest: Reading["lines"];
}

/** Null if some input has too few lines. */
function cutAll(all: readonly Reading[], values: readonly number[], height: Height): Cut[] | null {
  const out: Cut[] = [];
  for (const [i, { lines }] of all.entries()) {
    const parts: Reading["lines"][] = [];
    let at = 0;
    while (parts.length < (values[i] as number)) {
      const end = at + height(lines[at] ?? []);
      if (!Number.isInteger(end) || end <= at || end > lines.length) return null;
      parts.push(lines.slice(at, end));
      at = end;
    }
    out.push({ parts, rest: lines.slice(at) });
  }
  return out;
}

function block(
  all: readonly Reading[],
  { count, values }: { count: Count | null; values: readonly number[] },
  cuts: readonly Cut[],
  steps: Steps,
  depth: number,
): Grammar | null {
  const fieldsOf = (i: number): readonly number[] => (all[i] as Reading).fields;
  const body = infer(
    cuts.flatMap(({ parts }, i) => parts.map((lines) => ({ lines, fields: fieldsOf(i) }))),
    steps,
    depth + 1,
  );
  if (!body) return null;
  const after = infer(
    cuts.map(({ rest }, i) => ({ lines: rest, fields: fieldsOf(i) })),
    steps,
    depth,
  );
  return after && [{ kind: "block", count, lengths: span(values), body }, ...after];
}

/** Lines of one kind up to the end, which no field counts. Lists of numbers do not qualify, because their lengths show no common kind. */
function openBlock(all: readonly Reading[], steps: Steps, depth: number): Grammar | null {
  const values = all.map(({ lines }) => lines.length);
  if (!steps.open || depth > 0 || new Set(values).size < 2 || Math.min(...values) === 0) return null;
  const cuts = cutAll(all, values, () => 1);
  const found = cuts && block(all, { count: null, values }, cuts, steps, depth);
  const body = found?.[0]?.kind === "block" ? found[0].body : [];
  return body.some((element) => element.kind === "list" && element.item.t !== "word") ? null : found;
}

function lines(all: readonly Reading[], steps: Steps, depth: number): Option[] {
  const first = all.map((reading) => reading.lines[0]);
  if (!first.every((line) => line !== undefined)) return [];
  const lengths = first.map((line) => line.length);
  const fixed = lengths.every((n) => n === lengths[0]);
  const rest = (newFields: (i: number) => readonly number[]): Grammar | null =>
    infer(
      all.map(({ lines, fields }, i) => ({ lines: lines.slice(1), fields: [...fields, ...newFields(i)] })),
      steps,
      depth,
    );
  const list = (count: Count | null): Grammar | null => {
    const tokens = first.flatMap((line, i) => line.map((text) => ({ text, from: all[i] as Reading })));
    const after = tokens.length === 0 ? null : rest(() => []);
    if (!after) return null;
    return [{ kind: "list", count, lengths: span(lengths), item: inferField(tokens), order: orderOf(first) }, ...after];
  };
  const options: Option[] = counts(all)
    .filter(({ values }) => values.every((n, i) => n === lengths[i]))
    .map(
      ({ count }) =>
        () =>
          list(count),
    );
  if (!fixed) return [...options, () => list(null)];
  const line: Option = () => {
    const columns = Array.from({ length: lengths[0] as number }, (_, k) =>
      inferField(first.map((tokens, i) => ({ text: tokens[k] as string, from: all[i] as Reading }))),
    );
    const numbers = (i: number): number[] =>
      columns.flatMap((field, k) => (field.t === "int" ? [Number(first[i]?.[k])] : []));
    const after = rest(numbers);
    return after && [{ kind: "line", fields: columns }, ...after];
  };
  return [...options, line];
}

interface Token {
  readonly text: string;
  readonly from: Reading;
}

const integer = /^[+-]?(?:0|[1-9]\d{0,14})$/;
const decimal = /^[+-]?\d+\.\d+$/;

function inferField(tokens: readonly Token[]): FieldShape {
  const texts = tokens.map(({ text }) => text);
  if (texts.every((text) => integer.test(text))) {
    const values = texts.map(Number);
    return { t: "int", ...span(values), below: upperBound(tokens, values) };
  }
  if (texts.every((text) => integer.test(text) || decimal.test(text))) {
    const decimals = Math.max(...texts.map((text) => /\.(\d+)/.exec(text)?.[1]?.length ?? 0));
    return { t: "float", ...span(texts.map(Number)), decimals };
  }
  return {
    t: "word",
    text: inferText(texts),
    length: equalCount(
      tokens,
      texts.map((text) => [...text].length),
    ),
  };
}

const earlier = (tokens: readonly Token[]): number[] =>
  Array.from({ length: Math.min(mostFields, ...tokens.map(({ from }) => from.fields.length)) }, (_, i) => i).reverse();

/** An earlier field that no value exceeds and some value reaches, if there are many values or the field varies. */
function upperBound(tokens: readonly Token[], values: readonly number[]): Count | null {
  if (values.length < 2 || values.some((v) => v < 0)) return null;
  const field = earlier(tokens).find((i) => {
    const bounds = tokens.map(({ from }) => from.fields[i] as number);
    const reached = values.some((v, k) => v === bounds[k] && v > 1);
    return reached && values.every((v, k) => v <= (bounds[k] as number)) && new Set(bounds).size + values.length > 4;
  });
  return field === undefined ? null : { field, offset: 0 };
}

function equalCount(tokens: readonly Token[], lengths: readonly number[]): Count | null {
  const field = earlier(tokens).find((i) => tokens.every(({ from }, k) => from.fields[i] === lengths[k]));
  return field !== undefined && lengths.some((n) => n > 1) ? { field, offset: 0 } : null;
}

function orderOf(lines: readonly (readonly string[])[]): "up" | "down" | "permutation" | "distinct" | null {
  if (!lines.flat().every((text) => integer.test(text) || decimal.test(text))) return null;
  const lists = lines.map((line) => line.map(Number));
  if (!lists.some((list) => list.length > 3)) return null;
  const all = (holds: (list: number[]) => boolean): boolean => lists.every(holds);
  const steps = (list: number[]): number[] => list.slice(1).map((v, i) => v - (list[i] as number));
  if (all((list) => steps(list).every((step) => step >= 0))) return "up";
  if (all((list) => steps(list).every((step) => step <= 0))) return "down";
  const distinct = all((list) => new Set(list).size === list.length);
  if (distinct && all((list) => Math.min(...list) === 1 && Math.max(...list) === list.length)) return "permutation";
  return distinct ? "distinct" : null;
}
