/**
 * The canonical form of Python programs: programs that do the same in other words get the same text, where this is safe for
 * their behaviour. It is used to compare programs (`metrics/static/rule.ts`), and for models that read canonical input.
 */

import { remember } from "../../../../util/remember.ts";
import { isRefused } from "../../check/refused.ts";
import { usesNamesAsText } from "../../syntax/names.ts";
import { loadParser, type Parse, type Program } from "../../syntax/parse.ts";
import { stripPython } from "../strip.ts";
import { variableNames } from "../variables.ts";
import { Source, Unsupported } from "./nodes.ts";
import { printModule, printTree } from "./print.ts";
import { readBlock } from "./read.ts";
import { rewriteProgram } from "./rewrite.ts";
import { renamedTerms, type Term, unlessTooDeep } from "./terms.ts";

export type { Term };

/** A program as text, and as terms; null if it could not be read as terms. */
export interface Form {
  readonly text: string;
  readonly terms: Term | null;
}

/**
 * Two forms of a program, both without comments, docstrings and annotations, and with variables renamed by order of appearance. The canonical
 * form is made when it is first read.
 */
export interface Forms {
  /** With its statements and expressions unchanged. */
  readonly plain: Form;
  /** The start offset of each statement of the plain form in the source. */
  readonly places: ReadonlyMap<Term, number>;
  readonly canonical: Form;
  /** The tree of the canonical form's text. */
  readonly canonicalTree: () => Program;
}

export type ReadForms = (source: string) => Forms;

/** Total number of characters of the programs whose forms are cached. A scorer's network and its rule both need them. */
const REMEMBERED = 2 ** 16;

let loading: Promise<ReadForms> | undefined;

/**
 * Loads the reader of forms, once.
 * @throws `CodescoreError("environment")` if the grammar cannot be loaded.
 */
export async function loadForms(): Promise<ReadForms> {
  loading ??= loadParser().then((parse) => remember((source) => formsOf(source.toWellFormed(), parse), REMEMBERED));
  return loading;
}

/**
 * Loads the function that brings programs to canonical form: each expression and statement is written in one way
 * (`rewriteProgram`), and variables are renamed by order of appearance (`variableNames`). The result behaves as the source does,
 * with three exceptions: annotations are not evaluated; of two errors another one may be raised; parameters cannot be passed by
 * name from outside. The transformation is idempotent. In programs that do not parse, only comments and names are changed.
 * @throws as `loadForms`.
 */
export async function loadCanonical(): Promise<(source: string) => string> {
  const forms = await loadForms();
  return (source) => forms(source).canonical.text;
}

function formsOf(source: string, parse: Parse): Forms {
  const program = parse(source);
  const places = new Map<Term, number>();
  // Variables are renamed first, because a variable named like a builtin would prevent rewrites of that builtin.
  const terms = termsOf(program, places);
  const plain = { text: terms === null ? brokenForm(source, parse) : printModule(terms), terms };
  let made: Canonical | undefined;
  const canonical = (): Canonical => {
    made ??= (terms !== null && !usesNamesAsText(program) && canonicalOf(terms, parse)) || {
      form: plain,
      tree: () => parse(plain.text),
    };
    return made;
  };
  return {
    plain,
    places,
    get canonical() {
      return canonical().form;
    },
    canonicalTree: () => canonical().tree(),
  };
}

/** A canonical form, and the tree of its text. */
interface Canonical {
  readonly form: Form;
  readonly tree: () => Program;
}

/** Null if the terms are nested too deep for the stack. */
function canonicalOf(terms: Term, parse: Parse): Canonical | null {
  const rewritten = unlessTooDeep(() => {
    const rewritten = rewriteProgram(terms);
    return { terms: rewritten, ...printTree(rewritten) };
  }, null);
  if (rewritten === null) return null;
  const program = rewritten.program ?? parse(rewritten.code);
  const text = renamed(program);
  const tree = (): Program => {
    if (text === program.code) return program;
    const printed = printTree(renamedTerms(rewritten.terms, variableNames(program)));
    return printed.program !== null && printed.code === text ? printed.program : parse(text);
  };
  return { form: { text, terms: termsOf(program) }, tree };
}

/** The terms of a program with variables renamed; null if Python refuses it, or if there are no terms for one of its constructs. */
function termsOf(program: Program, places: Map<Term, number> | null = null): Term | null {
  if (isRefused(program)) return null;
  try {
    return readBlock(new Source(program, variableNames(program), places), program.root);
  } catch (error) {
    if (error instanceof Unsupported || error instanceof RangeError) return null; // a RangeError: nested too deep
    throw error;
  }
}

const MOST_TRIES = 8;

/** Renames until nothing changes. New names can make the parser guess differently what a broken program means. */
function brokenForm(source: string, parse: Parse): string {
  let [before, after] = ["", source];
  for (let tries = 0; before !== after && tries < MOST_TRIES; tries++) {
    [before, after] = [after, renamed(parse(stripPython(after)))];
  }
  return after;
}

/** The whole text. The root node excludes blanks before the first word, which are an error in Python. */
function renamed(program: Program): string {
  const { code, root } = program;
  return code.slice(0, root.start) + new Source(program, variableNames(program)).renamed(root) + code.slice(root.end);
}
