/**
 * The unified input sequence of UniCE (Dong et al. 2023, section 2.2.1): `<s> candidate </s> reference </s>
 * description </s>`. The token budget is shared between the parts, and what was cut is reported; the authors' release
 * cuts the joined sequence at its end, which drops the description first.
 */
import { CodescoreError } from "../errors.ts";
import type { InputFormat, ScoreInput } from "../types.ts";
import { stripPython } from "./strip.ts";
import type { Tokenizer } from "./tokenizer.ts";

export interface EncodeOptions {
  /** Tokens in the sequence at most, separators included. */
  readonly maxLength: number;
  /** `code` drops comments and docstrings of both programs first. */
  readonly normalise: "none" | "code";
  /** `keep`: a missing reference leaves its separator, so that a token's part can be told from the ids alone. */
  readonly emptyParts: "omit" | "keep";
}

export interface Encoded {
  readonly ids: number[];
  readonly cut: { readonly candidate: number; readonly reference: number; readonly description: number };
}

export type Encoder = (input: ScoreInput, format: InputFormat) => Encoded;

/** Makes the function that turns a row into ids. Programs seen before are not tokenized again. */
export function makeEncoder(tokenizer: Tokenizer, { maxLength, normalise, emptyParts }: EncodeOptions): Encoder {
  const [start, end] = [tokenizer.special("<s>"), tokenizer.special("</s>")];
  const code = remember((text) => tokenizer.encode(normalise === "code" ? stripPython(text) : text));
  const prose = remember((text) => tokenizer.encode(text));
  return (input, format) => {
    const candidate = code(input.candidate);
    const reference = format === "nl" ? null : code(input.reference ?? "");
    const description = format === "ref" ? null : prose(input.description ?? "");
    const empty = emptyParts === "keep" && reference === null ? [] : null;
    const parts = [candidate, reference ?? empty, description];
    const present = parts.filter((part) => part !== null);
    const kept = shareBudget(
      present.map((part) => part.length),
      maxLength - 1 - present.length,
    );
    const ids = [start];
    const cut = parts.map((part) => {
      if (part === null) return 0;
      const length = kept.shift()!;
      for (let k = 0; k < length; k++) ids.push(part[k]!);
      ids.push(end);
      return part.length - length;
    });
    return { ids, cut: { candidate: cut[0]!, reference: cut[1]!, description: cut[2]! } };
  };
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

/** A memo bounded in size: references and descriptions repeat for every candidate of a problem. */
function remember(encode: (text: string) => number[], limit = 4096): (text: string) => number[] {
  const seen = new Map<string, number[]>();
  return (text) => {
    let ids = seen.get(text);
    if (ids === undefined) {
      ids = encode(text);
      if (seen.size >= limit) seen.clear();
      seen.set(text, ids);
    }
    return ids;
  };
}
