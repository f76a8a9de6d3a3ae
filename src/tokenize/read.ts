/** A program as a model reads it: its normalised text as tokens, with their static marks. */

import { CodescoreError } from "../errors.ts";
import { missingModules, staticFaults } from "../languages/python/check/faults.ts";
import { staticMarks } from "../languages/python/check/marks.ts";
import { loadCanonical, loadForms } from "../languages/python/normalize/canonical/index.ts";
import { lex } from "../languages/python/normalize/lexemes.ts";
import { stripPython } from "../languages/python/normalize/strip.ts";
import { loadParser, type Program } from "../languages/python/syntax/parse.ts";
import { marksInText, marksInTokens, type TokenMark } from "./placed-marks.ts";
import { symbolWriter } from "./symbols.ts";
import type { Tokenizer } from "./tokenizer.ts";

/**
 * How a program's text is normalised. `none`: unchanged. `code`: without comments and docstrings. `names`: also with renamed
 * variables (`lex`). `canonical`: like `names`, from the canonical form (`loadCanonical`).
 */
export const NORMALISE = ["none", "code", "names", "canonical"] as const;
export type Normalise = (typeof NORMALISE)[number];

export interface ReadProgram {
  readonly ids: readonly number[];
  /** In order and without overlaps. */
  readonly marks: readonly TokenMark[];
  /** Undefined names and missing modules that the program uses. If it is the reference, its test harness provides them. */
  readonly assumed: ReadonlySet<string>;
  /** Functions and classes that tests may call, and all names bound outside of them. Empty if the program does not parse. */
  readonly callable: readonly string[];
  readonly bound: ReadonlySet<string>;
}

/** The function that gives a program's text as models read it. @throws `CodescoreError("environment")` as `makeReader` */
export async function normaliser(normalise: Normalise): Promise<(source: string) => string> {
  if (normalise === "none") return (source) => source;
  if (normalise === "code") return stripPython;
  const parse = await loadParser();
  const names = (source: string): string => lex(parse(source.toWellFormed())).text;
  if (normalise === "names") return names;
  const canonical = await loadCanonical();
  return (source) => names(canonical(source));
}

export type Reader = (source: string) => ReadProgram;

export interface ReaderOptions {
  readonly normalise: Normalise;
  /** Whether to find the marks of tokens. */
  readonly staticMarks: boolean;
  /** Whether to write programs with symbols (`symbols.ts`). For `names` and `canonical`. */
  readonly symbols: boolean;
  /** Modules that programs can import. @default those of Python 3.11's standard library */
  readonly modules?: ReadonlySet<string> | undefined;
}

/**
 * Creates the function that reads a program.
 * @throws `CodescoreError("environment")` if a required grammar cannot be loaded, `CodescoreError("model")` if the tokenizer
 * would lose lines and indentation
 */
export async function makeReader(tokenizer: Tokenizer, options: ReaderOptions): Promise<Reader> {
  const { normalise, staticMarks: withMarks, symbols, modules } = options;
  if (!tokenizer.keepsText && !symbols) {
    throw new CodescoreError(
      "model",
      "the model's tokenizer drops blank space, so it needs `symbols` true and `normalise` names or canonical under `codescore` in config.json; `codescore import` sets them",
    );
  }
  const write = symbols ? symbolWriter(tokenizer) : null;
  const isText = normalise === "none" || normalise === "code";
  if (isText && !withMarks) {
    return (source) => ({
      ids: tokenizer.encode(normalise === "code" ? stripPython(source) : source),
      marks: [],
      assumed: new Set(),
      callable: [],
      bound: new Set(),
    });
  }
  const treeOf = await loadTree(normalise);
  return (source) => {
    const program = treeOf(source);
    const faults = staticFaults(program);
    const lexed = isText ? null : lex(program);
    const text = lexed?.text ?? program.code;
    const written = lexed === null ? undefined : write?.(lexed);
    const ids = written?.ids ?? tokenizer.encode(text);
    const { callable, bound } = faults;
    const missing = missingModules(faults, modules);
    const assumed = new Set([...faults.undefinedNames, ...missing]);
    if (!withMarks) return { ids, marks: [], assumed, callable, bound };
    const places = staticMarks(program, faults, missing);
    const inText = lexed === null ? places : marksInText(places, lexed.lexemes);
    const marks =
      written === undefined
        ? marksInTokens(inText, text, tokenizer.byteEnds(ids))
        : marksInTokens(inText, text, written.ends, "characters");
    return { ids, marks, assumed, callable, bound };
  };
}

/** The function that parses what a model reads of a program. */
async function loadTree(normalise: Normalise): Promise<(source: string) => Program> {
  if (normalise === "canonical") {
    const forms = await loadForms();
    return (source) => forms(source).canonicalTree();
  }
  const parse = await loadParser();
  return (source) => parse((normalise === "code" ? stripPython(source) : source).toWellFormed());
}
