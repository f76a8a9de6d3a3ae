/**
 * The canonical form of Python programs: what says the same in other words becomes the same text, as far as that can be had
 * without risk to what a program does. Used to compare programs (`metrics/static/rule.ts`) and where a model reads canonical input.
 */

import { remember } from "../../../../util/remember.ts";
import { isRefused } from "../../check/faults.ts";
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

/** A program as text, and as terms where it could be read as such. */
export interface Form {
  readonly text: string;
  readonly terms: Term | null;
}

/** Both without comments, docstrings and annotations, and with variables renamed by order of appearance. */
export interface Forms {
  /** Its statements and expressions as they are. */
  readonly plain: Form;
  readonly canonical: Form;
  /** The tree of the canonical form's text. */
  readonly canonicalTree: () => Program;
}

export type ReadForms = (source: string) => Forms;

/** Characters of programs whose forms are kept: a scorer's network and its rule both ask for them. */
const REMEMBERED = 2 ** 16;

let loading: Promise<ReadForms> | undefined;

/** Throws `CodescoreError("environment")` where the grammar cannot be loaded. */
export async function loadForms(): Promise<ReadForms> {
  loading ??= loadParser().then((parse) => remember((source) => formsOf(source.toWellFormed(), parse), REMEMBERED));
  return loading;
}

/**
 * The canonical form of programs: each expression and statement written in one way (`rewriteProgram`), variables renamed by
 * order of appearance (`variableNames`). It behaves as the source does, but that annotations are not evaluated, that where two
 * things raise the other's error may be seen, and that parameters cannot be passed by name from outside. Its canonical form is
 * itself. Of what does not parse, comments and names alone are changed. Throws as `loadForms`.
 */
export async function loadCanonical(): Promise<(source: string) => string> {
  const forms = await loadForms();
  return (source) => forms(source).canonical.text;
}

function formsOf(source: string, parse: Parse): Forms {
  const program = parse(source);
  // Renamed first, for what is called like a builtin keeps rewrites from knowing the builtin.
  const terms = termsOf(program);
  const alone = (form: Form): Forms => ({ plain: form, canonical: form, canonicalTree: () => parse(form.text) });
  if (terms === null) return alone({ text: brokenForm(source, parse), terms: null });
  const plain = { text: printModule(terms), terms };
  if (usesNamesAsText(program)) return alone(plain);
  const rewritten = unlessTooDeep(() => {
    const rewritten = rewriteProgram(terms);
    return { terms: rewritten, ...printTree(rewritten) };
  }, null);
  if (rewritten === null) return alone(plain);
  const canonical = rewritten.program ?? parse(rewritten.code);
  const text = renamed(canonical);
  const canonicalTree = (): Program => {
    if (text === canonical.code) return canonical;
    const printed = printTree(renamedTerms(rewritten.terms, variableNames(canonical)));
    return printed.program !== null && printed.code === text ? printed.program : parse(text);
  };
  return { plain, canonical: { text, terms: termsOf(canonical) }, canonicalTree };
}

/** The terms of a program's plain form, and of each of its statements the offset at which it begins. */
export function placedTerms(program: Program): { terms: Term | null; places: ReadonlyMap<Term, number> } {
  const places = new Map<Term, number>();
  return { terms: termsOf(program, places), places };
}

/** With variables renamed; null for programs that Python refuses, or that terms have no words for. */
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

/** Renamed until that changes nothing: other names can make the parser guess otherwise what a broken program was to be. */
function brokenForm(source: string, parse: Parse): string {
  let [before, after] = ["", source];
  for (let tries = 0; before !== after && tries < MOST_TRIES; tries++) {
    [before, after] = [after, renamed(parse(stripPython(after)))];
  }
  return after;
}

/** The whole text: the root does not have the blanks before the first word, and for Python they are a fault. */
function renamed(program: Program): string {
  const { code, root } = program;
  return code.slice(0, root.start) + new Source(program, variableNames(program)).renamed(root) + code.slice(root.end);
}
