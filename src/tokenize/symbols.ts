/**
 * Programs for tokenizers that drop blank space or capitals, as WordPiece and SentencePiece do: what they would lose is
 * written with symbols, tokens that the vocabulary gets beside its own. So are variables, which `lex` has numbered.
 *
 *     def f(x):                 def f ( va ) :
 *         if x is None:    =>   [INDENT] if va is [CAP] none : [INDENT] return 0
 *             return 0          [DEDENT] return va
 *         return x
 *
 * A level of indentation begins or ends with a symbol, which is the new line too. Kinds of blank space other than a line's end
 * are one within a string.
 */
import type { Lexed } from "../languages/python/normalize/lexemes.ts";
import { isRenamed } from "../languages/python/normalize/variables.ts";
import { remember } from "../util/remember.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Each symbol, and the words whose tokens its embedding begins as the mean of. */
const GLOSSES = {
  "[NEWLINE]": "new line",
  "[INDENT]": "begin block",
  "[DEDENT]": "end block",
  "[SPACE]": "space",
  "[CAP]": "capital letter",
  "[UPPER]": "capital letters",
} as const;

/** Variables that are a token each; the rest are written as the tokenizer writes words. */
const VARIABLES = 64;

/** A token for a vocabulary: its text, and words whose tokens it begins as. */
export interface NewToken {
  readonly content: string;
  readonly gloss: string;
  /** Python's `tokenizers` must not find it within a word. */
  readonly isWord: boolean;
}

/** All symbols, in the order of their ids. */
export function symbolTokens(): NewToken[] {
  const variables = Array.from({ length: VARIABLES }, (_, i) => {
    const [high, low] = [Math.floor(i / 26), String.fromCharCode(97 + (i % 26))];
    const letters = high === 0 ? low : `${String.fromCharCode(96 + high)}${low}`;
    return { content: `v${letters}`, gloss: `variable ${[...letters].join(" ")}`, isWord: true };
  });
  const others = Object.entries(GLOSSES).map(([content, gloss]) => ({ content, gloss, isWord: false }));
  return [...others, ...variables];
}

export interface WrittenTokens {
  readonly ids: readonly number[];
  /** Characters of the text up to the end of each token; the tokens of a lexeme share it out. */
  readonly ends: readonly number[];
}

/** Blank space, capitals, and what is neither; each piece takes one step back at most. */
const PIECES = /\s|\p{Lu}+(?!\p{Ll})|\p{Lu}\p{Ll}*|[^\s\p{Lu}]+/gu;
const SPACES = /\s|[^\s]+/gu;

/** Characters of lexemes whose tokens are kept. */
const REMEMBERED = 2 ** 20;

/** Makes the function that writes a program with symbols. Throws `CodescoreError("model")` for a vocabulary without them. */
export function symbolWriter(tokenizer: Tokenizer): (program: Lexed) => WrittenTokens {
  const [newline, indent, dedent, space, cap, upper] = Object.keys(GLOSSES).map((symbol) => tokenizer.special(symbol));
  const variables = new Map(
    symbolTokens().flatMap(({ content, isWord }) => (isWord ? [[content, tokenizer.special(content)] as const] : [])),
  );
  const pieces = tokenizer.lowersCase ? PIECES : SPACES;
  const tokensOf = remember((lexeme: string): number[] => {
    const variable = isRenamed(lexeme) ? variables.get(lexeme) : undefined;
    if (variable !== undefined) return [variable];
    const ids: number[] = [];
    for (const piece of lexeme.match(pieces) ?? []) {
      if (piece.trim() === "") {
        ids.push(piece === "\n" ? newline! : space!);
        continue;
      }
      if (tokenizer.lowersCase && /^\p{Lu}/u.test(piece)) ids.push(/^\p{Lu}{2}/u.test(piece) ? upper! : cap!);
      for (const id of tokenizer.encode(piece)) ids.push(id);
    }
    return ids;
  }, REMEMBERED);
  return ({ text, lexemes }) => {
    const [ids, ends]: [number[], number[]] = [[], []];
    let depth = 0;
    let before = 0;
    for (const { start, end } of lexemes) {
      const gap = text.slice(before, start);
      const isNewLine = before === 0 || gap.startsWith("\n");
      if (isNewLine) {
        const levels = gap.length - (before === 0 ? 1 : 2); // a line has one blank more than its depth
        const steps = Math.abs(levels - depth);
        const symbol = levels > depth ? indent! : levels < depth ? dedent! : newline!;
        const count = steps > 0 ? steps : before === 0 ? 0 : 1;
        for (let i = 0; i < count; i++) {
          ids.push(symbol);
          ends.push(start);
        }
        depth = levels;
      }
      const tokens = tokensOf(text.slice(start, end));
      tokens.forEach((id, i) => {
        ids.push(id);
        ends.push(i === tokens.length - 1 ? end : start + ((end - start) * (i + 1)) / tokens.length);
      });
      before = end;
    }
    return { ids, ends };
  };
}
