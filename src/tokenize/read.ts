/** A program as a model reads it: its normalised text as tokens, each with its static mark. */
import { loadParser } from "../util/python-syntax.ts";
import { lex } from "./lexemes.ts";
import { type Mark, staticMarks } from "./marks.ts";
import { staticFaults } from "./static.ts";
import { stripPython } from "./strip.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** What happens to a program's text first: nothing; comments and docstrings go; variables are renamed as well (`lex`). */
export type Normalise = "none" | "code" | "names";

export interface ReadProgram {
  readonly ids: readonly number[];
  /** Tokens `from` to before `to` carry a mark; in order, and none twice. */
  readonly marks: readonly {
    readonly from: number;
    readonly to: number;
    readonly mark: number;
    readonly name?: string;
  }[];
  /** Names and modules that it takes to be there: what its harness brings, where it is the reference. */
  readonly assumed: ReadonlySet<string>;
  /** Functions and classes that tests may call, and all names that it binds outside of them; none where it is broken. */
  readonly callable: readonly string[];
  readonly bound: ReadonlySet<string>;
}

/** The text of programs as models read it. Throws `CodescoreError("environment")` as `makeReader` does. */
export async function normaliser(normalise: Normalise): Promise<(source: string) => string> {
  if (normalise === "none") return (source) => source;
  if (normalise === "code") return stripPython;
  const parse = await loadParser();
  return (source) => lex(parse(source.toWellFormed())).text;
}

export type Reader = (source: string) => ReadProgram;

/** Throws `CodescoreError("environment")` where the grammar that it needs cannot be loaded. */
export async function makeReader(tokenizer: Tokenizer, normalise: Normalise, withMarks: boolean): Promise<Reader> {
  if (normalise !== "names" && !withMarks) {
    return (source) => ({
      ids: tokenizer.encode(normalise === "code" ? stripPython(source) : source),
      marks: [],
      assumed: new Set(),
      callable: [],
      bound: new Set(),
    });
  }
  const parse = await loadParser();
  return (source) => {
    const program = parse((normalise === "code" ? stripPython(source) : source).toWellFormed());
    const faults = staticFaults(program);
    const { text, lexemes } = normalise === "names" ? lex(program) : { text: program.code, lexemes: null };
    const ids = tokenizer.encode(text);
    const { callable, bound } = faults;
    const assumed = new Set([...faults.undefinedNames, ...faults.missingModules]);
    if (!withMarks) return { ids, marks: [], assumed, callable, bound };
    const places = staticMarks(program, faults);
    const inText =
      lexemes === null
        ? places
        : places.flatMap((place) => {
            const inside = lexemes.filter(({ source }) => source >= place.start && source < place.end);
            return inside.length === 0 ? [] : [{ ...place, start: inside[0]!.start, end: inside.at(-1)!.end }];
          });
    return { ids, marks: inTokens(inText, text, tokenizer.byteEnds(ids)), assumed, callable, bound };
  };
}

/** @param ends bytes of the text up to each token's end */
function inTokens(marks: readonly Mark[], text: string, ends: readonly number[]): ReadProgram["marks"] {
  const isAscii = ends.at(-1) === text.length;
  const bytesBefore = (offset: number): number => (isAscii ? offset : Buffer.byteLength(text.slice(0, offset)));
  const out: { from: number; to: number; mark: number; name?: string }[] = [];
  let from = 0;
  for (const { start, end, ...mark } of marks) {
    const [first, last] = [bytesBefore(start), bytesBefore(end)];
    while (from < ends.length && ends[from]! <= first) from += 1;
    let to = from;
    while (to < ends.length && (to === from ? first : ends[to - 1]!) < last) to += 1;
    if (to > from) out.push({ from, to, ...mark });
    from = to;
  }
  return out;
}
