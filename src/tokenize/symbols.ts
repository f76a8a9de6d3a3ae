/**
 * Writes programs for tokenizers that drop white space or capitals, such as WordPiece and SentencePiece. Symbols, i.e. tokens
 * added to the vocabulary, stand for what would be lost. Variables, which `lex` has numbered, are symbols too.
 *
 *     def f(x):                 def f ( va ) :
 *         if x is None:    =>   [INDENT] if va is [CAP] none : [INDENT] return 0
 *             return 0          [DEDENT] return va
 *         return x
 *
 * One symbol per level begins or ends an indentation. It also stands for the line break. Within a string, any white space except
 * a line break becomes the same symbol.
 */
import type { Lexed } from "../languages/python/normalize/lexemes.ts";
import { isRenamed } from "../languages/python/normalize/variables.ts";
import { remember } from "../util/remember.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Each symbol with its gloss. The symbol's embedding starts as the mean of the gloss's tokens. */
const GLOSSES = {
  "[NEWLINE]": "new line",
  "[INDENT]": "begin block",
  "[DEDENT]": "end block",
  "[SPACE]": "space",
  "[CAP]": "capital letter",
  "[UPPER]": "capital letters",
} as const;

/** Number of variables with their own token. The tokenizer writes further variables as ordinary words. */
const VARIABLES = 64;

/** A token to add to a vocabulary: its text, and words from whose tokens its embedding starts. */
export interface NewToken {
  readonly content: string;
  readonly gloss: string;
  /** Whether Python's `tokenizers` may match it only as a whole word. */
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
  /** Characters of the text up to the end of each token. The tokens of one lexeme divide its length equally. */
  readonly ends: readonly number[];
}

/** White space, capitals, and everything else. Each piece backtracks at most one step. */
const PIECES = /\s|\p{Lu}+(?!\p{Ll})|\p{Lu}\p{Ll}*|[^\s\p{Lu}]+/gu;
const SPACES = /\s|[^\s]+/gu;

/** Size of the cache of lexemes, in characters. */
const REMEMBERED = 2 ** 20;

/** Creates the function that writes a program with symbols. @throws `CodescoreError("model")` for a vocabulary without them */
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
        const levels = gap.length - (before === 0 ? 1 : 2); // a line starts with one blank more than its depth
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
