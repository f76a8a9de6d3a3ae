/** Lines of characters that a description lists: `each having three characters X, O or .`, `rows of "#" and "."`. */
import { numberIn } from "../number-words.ts";

const MARK = "[\"'`]?([^\\s\\w,;\"'`]|[A-Z0-9])[\"'`]?";
const LIST = new RegExp(
  `\\b(?:(\\w{1,10}) )?(?:characters?|letters?|symbols?|cells?|fields?|rows?|lines?)(?: (?:each|is|are|either|of|from|made|up|only|contain\\w{0,3}|with|being)){0,4}:? ${MARK}(?:(?:, (?:and |or )?| and | or |/)${MARK}){1,3}`,
  "i",
);

export interface SaidLetters {
  readonly letters: readonly string[];
  /** The number of characters of a line; null if it is not said. */
  readonly count: number | null;
}

/** The characters of lines; null if the description lists none. */
export function saidLetters(description: string): SaidLetters | null {
  const found = LIST.exec(description);
  if (found === null) return null;
  const [text, word] = found;
  const letters = [...text.matchAll(new RegExp(`(?<=[\\s"'\`/])${MARK}(?=[\\s,"'\`/.;]|$)`, "g"))].map(
    ([, letter]) => letter!,
  );
  return letters.length < 2 ? null : { letters: [...new Set(letters)], count: numberIn(word ?? "") };
}
