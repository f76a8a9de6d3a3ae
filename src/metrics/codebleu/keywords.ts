/**
 * The words that weigh five times as much as others in the weighted n-gram match. They are those of codebleu 0.7.0
 * (`keywords/*.txt`), oddities included. codebleu has no TypeScript, which here has JavaScript's words and its own.
 */
import type { Language } from "../types.ts";

const JAVASCRIPT =
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function " +
  "if implements import in instanceof interface let new null package private protected public return super switch static this " +
  "throw try True typeof var void while with yield Text Builder onClick";

const WORDS: Readonly<Record<Language, string>> = {
  python:
    "False None True and as assert async await break class continue def del elif else except finally for from global if import " +
    "in is lambda nonlocal not or pass raise return try while with yield match case type",
  javascript: JAVASCRIPT,
  typescript:
    `${JAVASCRIPT} abstract any as asserts async bigint boolean declare from get infer is keyof module namespace never number ` +
    "object of override readonly require satisfies set string symbol true type undefined unique unknown",
  java:
    "abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally " +
    "float for goto if implements import instanceof int interface long native new package private protected public return short " +
    "static strictfp super switch synchronized this throw throws transient try void volatile while",
  cpp:
    "auto const double float int short struct unsigned break continue else for long signed switch void case default enum goto " +
    "register sizeof typedef volatile char do extern if return static union while asm dynamic_cast namespace reinterpret_cast " +
    "bool explicit new static_cast typeid catch false try operator template typename class friend private this using const_cast " +
    "inline public throw virtual delete mutable protected true wchar_t and bitand compl not_eq or_eq xor_eq and_eq bitor not or " +
    "xor cin endl INT_MIN iomanip main npos std cout include INT_MAX iostream MAX_RAND NULL string",
  go:
    "break default func interface select case defer go map struct chan else goto package switch const fallthrough if range type " +
    "continue for import return var false true",
};

export const keywordsOf = (language: Language): ReadonlySet<string> => new Set(WORDS[language].split(" "));
