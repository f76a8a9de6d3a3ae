/**
 * The unified input sequence of UniCE (Dong et al. 2023, section 2.2.1): `<s> candidate </s> reference </s>
 * description </s>`. The token budget is shared between the parts, and what was cut is reported; the authors' release
 * cuts the joined sequence at its end, which drops the description first.
 */
import { CodescoreError } from "../errors.ts";
import { MARKS } from "../languages/python/check/marks.ts";
import type { InputFormat, ScoreInput } from "../types.ts";
import { remember } from "../util/remember.ts";
import { makeReader, type Normalise, type ReadProgram } from "./read.ts";
import type { Tokenizer } from "./tokenizer.ts";

export interface EncodeOptions {
  /** Tokens in the sequence at most, separators included. */
  readonly maxLength: number;
  /** Tokens of the description at most; the rest of it is cut. @default maxLength */
  readonly maxDescription?: number;
  readonly normalise: Normalise;
  /** `keep`: a missing reference leaves its separator, so that a token's part can be told from the ids alone. */
  readonly emptyParts: "omit" | "keep";
  /** Gives each of the candidate's tokens its static mark. */
  readonly staticMarks: boolean;
  /** Writes programs with symbols for what the tokenizer drops (`symbols.ts`). @default false */
  readonly symbols?: boolean;
  /** Names of the modules that programs can import. @default those of Python 3.11's standard library */
  readonly modules?: ReadonlySet<string>;
}

export interface Encoded {
  readonly ids: number[];
  /** The static mark of each token (`MARKS`), 0 for none; absent where no token has one. */
  readonly marks?: number[];
  readonly cut: { readonly candidate: number; readonly reference: number; readonly description: number };
}

/** Characters of texts that are remembered together: references and descriptions repeat for every candidate of a problem. */
const REMEMBERED = 2 ** 20;

export type Encoder = (input: ScoreInput, format: InputFormat) => Encoded;

/**
 * Makes the function that turns a row into ids. Programs seen before are not read again.
 * Throws `CodescoreError("environment")` where the Python grammar is needed and cannot be loaded.
 */
export async function makeEncoder(
  tokenizer: Tokenizer,
  {
    maxLength,
    maxDescription = maxLength,
    normalise,
    emptyParts,
    staticMarks,
    symbols = false,
    modules,
  }: EncodeOptions,
): Promise<Encoder> {
  const [start, end] = [tokenizer.role("start"), tokenizer.role("end")];
  const code = remember(await makeReader(tokenizer, { normalise, staticMarks, symbols, modules }), REMEMBERED);
  const prose = remember((text) => tokenizer.encode(text), REMEMBERED);
  return (input, format) => {
    const candidate = code(input.candidate);
    const reference = format === "nl" ? null : code(input.reference ?? "");
    const description = format === "ref" ? null : prose(input.description ?? "");
    const empty = emptyParts === "keep" && reference === null ? [] : null;
    const parts = [candidate.ids, reference?.ids ?? empty, description];
    const most = [maxLength, maxLength, maxDescription];
    const kept = shareBudget(
      parts.flatMap((part, i) => (part === null ? [] : [Math.min(part.length, most[i]!)])),
      maxLength - 1 - parts.filter((part) => part !== null).length,
    );
    const marks = staticMarks ? marksOf(candidate, reference, kept[0]!) : [];
    const ids = [start];
    const cut = parts.map((part) => {
      if (part === null) return 0;
      const length = kept.shift()!;
      for (let k = 0; k < length; k++) ids.push(part[k]!);
      ids.push(end);
      return part.length - length;
    });
    return {
      ids,
      ...(marks.length > 0 && { marks: [0, ...marks, ...new Array<number>(ids.length - 1 - marks.length).fill(0)] }),
      cut: { candidate: cut[0]!, reference: cut[1]!, description: cut[2]! },
    };
  };
}

/**
 * Marks of the candidate's first tokens, none: empty. What the reference takes to be there as well, tests will bring; what tests
 * may call of the reference, the candidate must have something of.
 */
function marksOf(candidate: ReadProgram, reference: ReadProgram | null, length: number): number[] {
  const faults = candidate.marks.filter(({ name }) => name === undefined || !reference?.assumed.has(name));
  const asked = reference?.callable ?? [];
  const lacksAsked = asked.length > 0 && !asked.some((name) => candidate.bound.has(name));
  if (!lacksAsked && faults.every(({ from }) => from >= length)) return [];
  const marks = new Array<number>(length).fill(lacksAsked ? MARKS.otherName : 0);
  for (const { from, to, mark } of faults) marks.fill(mark, from, to);
  return marks;
}

/**
 * How many tokens each part keeps: all, when they fit; else the shorter parts keep all of theirs and the longer ones
 * share what is left evenly.
 */
export function shareBudget(lengths: readonly number[], budget: number): number[] {
  const kept = lengths.map(() => 0);
  let left = Math.max(0, budget);
  const order = lengths.map((_, i) => i).sort((a, b) => lengths[a]! - lengths[b]!);
  order.forEach((index, rank) => {
    kept[index] = Math.min(lengths[index]!, Math.floor(left / (order.length - rank)));
    left -= kept[index]!;
  });
  return kept;
}

/** The richest format a row allows. Throws `CodescoreError("input")` for a row with neither reference nor description. */
export function formatOf({ reference, description }: ScoreInput): InputFormat {
  const has = (text: string | null | undefined): boolean => text !== null && text !== undefined && text.trim() !== "";
  if (has(reference)) return has(description) ? "ref+nl" : "ref";
  if (has(description)) return "nl";
  throw new CodescoreError("input", "expected a reference or a description to score against, got neither");
}
