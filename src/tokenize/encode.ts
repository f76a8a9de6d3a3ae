/**
 * The unified input sequence of UniCE (Dong et al. 2023, section 2.2.1): `<s> candidate </s> reference </s> description </s>`.
 * The parts share the token budget, and the result reports what was cut. The authors' release cuts the joined sequence at its end
 * instead, which drops the description first.
 */
import { CodescoreError } from "../errors.ts";
import { MARKS } from "../languages/python/check/marks.ts";
import type { InputFormat, ScoreInput } from "../types.ts";
import { remember } from "../util/remember.ts";
import { makeReader, type Normalise, type ReadProgram } from "./read.ts";
import type { Tokenizer } from "./tokenizer.ts";

export interface EncodeOptions {
  /** Maximum number of tokens in the sequence, including separators. */
  readonly maxLength: number;
  /** Maximum number of tokens of the description. The rest is cut. @default maxLength */
  readonly maxDescription?: number;
  readonly normalise: Normalise;
  /** `keep`: a missing reference keeps its separator, so that the ids alone show which part a token belongs to. */
  readonly emptyParts: "omit" | "keep";
  /** Whether to give each token of the candidate its static mark. */
  readonly staticMarks: boolean;
  /** Whether to write programs with symbols for what the tokenizer drops (`symbols.ts`). @default false */
  readonly symbols?: boolean;
  /** Names of modules that programs can import. @default those of Python 3.11's standard library */
  readonly modules?: ReadonlySet<string>;
}

export interface Encoded {
  readonly ids: number[];
  /** The static mark of each token (`MARKS`), 0 for none. Absent if no token has one. */
  readonly marks?: number[];
  readonly cut: { readonly candidate: number; readonly reference: number; readonly description: number };
}

/** Size of each cache in characters of text. References and descriptions repeat for every candidate of a problem. */
const REMEMBERED = 2 ** 20;

export type Encoder = (input: ScoreInput, format: InputFormat) => Encoded;

/**
 * Creates the function that turns a row into ids. It caches programs that it has read.
 * @throws `CodescoreError("environment")` if the Python grammar is needed and cannot be loaded
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
 * Marks of the candidate's first `length` tokens. Empty if none has a mark. A missing name that the reference assumes too is not
 * marked, because the tests will provide it. If the candidate binds none of the names that tests may call in the reference,
 * `otherName` marks all tokens without another mark.
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

/** Number of tokens that each part keeps. If not all fit, the shorter parts keep all of theirs and the longer ones share the rest equally. */
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

/** The most complete format that a row allows. @throws `CodescoreError("input")` for a row with neither reference nor description */
export function formatOf({ reference, description }: ScoreInput): InputFormat {
  const has = (text: string | null | undefined): boolean => text !== null && text !== undefined && text.trim() !== "";
  if (has(reference)) return has(description) ? "ref+nl" : "ref";
  if (has(description)) return "nl";
  throw new CodescoreError("input", "expected a reference or a description to score against, got neither");
}
