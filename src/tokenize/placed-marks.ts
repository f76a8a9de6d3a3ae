/** Maps static marks from the source to the tokens of a program's text. Each step takes linear time. */

import type { Mark } from "../languages/python/check/marks.ts";
import type { Lexeme } from "../languages/python/normalize/lexemes.ts";

/** The tokens from `from` up to, but not including, `to` have a mark. */
export interface TokenMark {
  readonly from: number;
  readonly to: number;
  readonly mark: number;
  readonly name?: string;
}

/**
 * Marks with offsets in the text instead of the source. A mark covers the text from the first to the last lexeme that begins
 * within it in the source. The text does not always keep the order of the source: the `pass` of a block that the parser found
 * empty counts as being at the start of the source.
 * @param marks ordered by start; the mark of a name may lie inside that of its module
 */
export function marksInText(marks: readonly Mark[], lexemes: readonly Lexeme[]): Mark[] {
  const bySource = lexemes.map((_, i) => i).sort((a, b) => lexemes[a]!.source - lexemes[b]!.source || a - b);
  const out: Mark[] = [];
  let next = 0;
  for (const mark of marks) {
    while (next < bySource.length && lexemes[bySource[next]!]!.source < mark.start) next += 1;
    let [first, last] = [lexemes.length, -1];
    for (let k = next; k < bySource.length && lexemes[bySource[k]!]!.source < mark.end; k++) {
      first = Math.min(first, bySource[k]!);
      last = Math.max(last, bySource[k]!);
    }
    if (last >= 0) out.push({ ...mark, start: lexemes[first]!.start, end: lexemes[last]!.end });
  }
  return out;
}

/**
 * Marks with token indices instead of offsets in the text.
 * @param ends for each token: the bytes (or characters) of the text up to its end
 */
export function marksInTokens(
  marks: readonly Mark[],
  text: string,
  ends: readonly number[],
  unit: "bytes" | "characters" = "bytes",
): TokenMark[] {
  if (marks.length === 0) return [];
  const bytes = unit === "characters" || ends.at(-1) === text.length ? null : bytesBefore(text);
  const out: TokenMark[] = [];
  let from = 0;
  for (const { start, end, ...mark } of marks) {
    const [first, last] = bytes === null ? [start, end] : [bytes[start]!, bytes[end]!];
    while (from < ends.length && ends[from]! <= first) from += 1;
    let to = from;
    while (to < ends.length && (to === from ? first : ends[to - 1]!) < last) to += 1;
    if (to > from) out.push({ from, to, ...mark });
    from = to;
  }
  return out;
}

/** Number of UTF-8 bytes before each offset of a text without lone surrogates. The first half of a surrogate pair counts 3 of its 4 bytes. */
function bytesBefore(text: string): Uint32Array {
  const bytes = new Uint32Array(text.length + 1);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const isSecondHalf = (unit & 0xfc00) === 0xdc00;
    bytes[i + 1] = bytes[i]! + (unit < 0x80 || isSecondHalf ? 1 : unit < 0x800 ? 2 : 3);
  }
  return bytes;
}
