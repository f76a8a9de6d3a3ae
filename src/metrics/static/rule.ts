/**
 * A rule without a network: the similarity of a candidate and its reference, times the static gate, times a factor for what is
 * seen of the candidate's answers. The similarity is the mean of chrF, the recalls of words and of subtrees, and the agreement
 * in operators and in literals. It is computed for the plain forms and for the canonical forms (`normalize/canonical/`), and the
 * greater value counts. A learned metric must beat this rule.
 */
import {
  type Form,
  type Forms,
  loadForms,
  missingAttributes,
  type ReadForms,
  type ReturnsOf,
  returnsOf,
  typeErrorsOf,
  type Wanted as WantedArguments,
  wantedBy,
} from "../../languages/python/index.ts";
import { loadParser } from "../../languages/python/syntax/parse.ts";
import { remember } from "../../util/remember.ts";
import type { CharacterNgrams } from "../text/character-ngrams.ts";
import { chrfOf, chrfReference } from "../text/chrf.ts";
import { tokenizeCode } from "../text/tokens.ts";
import { gate, loadGate } from "./gate.ts";
import { nearMissFactor, nearMissOf } from "./near-miss.ts";
import { compareReturns, LACKING, typeErrorFactor } from "./returns.ts";
import { agreement, type Bag, bagOf, operations, recall, Subtrees, tellingLiterals } from "./structure.ts";

/** What a reference is compared by. */
export interface Reference {
  readonly forms: Forms;
  readonly plain: Wanted;
  readonly canonical: Wanted;
  readonly answers: ReturnsOf;
  /** Attributes that it reads of its objects but does not define; only its context can. */
  readonly attributes: ReadonlySet<string>;
  /** What it says about its functions' arguments. */
  readonly arguments: WantedArguments;
}

interface Wanted {
  readonly characters: CharacterNgrams;
  readonly words: Bag;
  /** Null for a program without terms. */
  readonly structure: Structure | null;
}

interface Structure {
  readonly trees: Subtrees;
  readonly operations: Bag;
  readonly literals: Bag;
}

/** Total number of characters of the references that are cached. They repeat for every candidate of a problem. */
const REFERENCES = 2 ** 16;
/** Total number of characters of the candidates that are cached, each with its last result. */
const CANDIDATES = 2 ** 20;

let read: ReadForms | undefined;
let readOnce: ((reference: string) => Reference) | undefined;

/**
 * Must be awaited once before `rule`.
 * @throws `CodescoreError("environment")` if the grammar cannot be loaded.
 */
export async function loadRule(): Promise<void> {
  await loadGate();
  if (read !== undefined) return;
  const [forms, parse] = await Promise.all([loadForms(), loadParser()]);
  readOnce = remember((reference) => {
    const ofReference = forms(reference);
    const { plain, canonical } = ofReference;
    return {
      forms: ofReference,
      plain: wanted(plain),
      canonical: wanted(canonical),
      answers: returnsOf(plain.terms),
      attributes: missingAttributes(plain.terms),
      arguments: wantedBy(parse(reference.toWellFormed()), forms),
    };
  }, REFERENCES);
  read = forms;
}

/** Reads a reference, once for all its candidates. `loadRule()` must be awaited first. */
export function readReference(reference: string): Reference {
  if (readOnce === undefined) throw new Error("call loadRule() before readReference()");
  return readOnce(reference);
}

/** The rule's score, and the factor in it for what is seen of the candidate's answers. That factor is 1 if the gate is 0. */
export interface Ruled {
  readonly rule: number;
  readonly answers: number;
  /** The candidate reads an attribute that nothing gives its object, or has a static type error. */
  readonly raises: boolean;
  /** One of the findings (findings.ts) is certain, or the gate is 0. */
  readonly fails: boolean;
  /** The gate is 0, so nothing else was examined. */
  readonly refused: boolean;
}

interface Last {
  reference: string | null;
  modules: Modules;
  ruled: Ruled;
}

const REFUSED: Ruled = { rule: 0, answers: 1, raises: false, fails: true, refused: true };

/** A candidate's last result, and the reference it was for. */
const lastOf = remember((): Last => ({ reference: null, modules: undefined, ruled: REFUSED }), CANDIDATES);

/** The modules that programs can import @default the standard library of Python 3.11 */
type Modules = ReadonlySet<string> | undefined;

/** Both numbers are in [0, 1]; the rule is 0 if the gate is. */
export function ruled(candidate: string, reference: string, modules?: Modules): Ruled {
  if (read === undefined) throw new Error("call loadRule() before rule()");
  const last = lastOf(candidate);
  if (last.reference !== reference || last.modules !== modules) {
    last.ruled =
      gate(candidate, reference, modules) === 0 ? REFUSED : compare(read(candidate), readReference(reference));
    last.reference = reference;
    last.modules = modules;
  }
  return last.ruled;
}

/** The rule's score, in [0, 1]. */
export const rule = (candidate: string, reference: string, modules?: Modules): number =>
  ruled(candidate, reference, modules).rule;

function compare(ours: Forms, theirs: Reference): Ruled {
  const seen = see(ours, theirs);
  const answers = seen.answers * nearMissFactor(nearMissOf(ours, theirs.forms));
  const similarity = Math.max(alike(ours.plain, theirs.plain), alike(ours.canonical, theirs.canonical));
  return { ...seen, rule: similarity * answers, answers, refused: false };
}

type Seen = Pick<Ruled, "answers" | "raises" | "fails">;

function see({ plain: { terms } }: Forms, theirs: Reference): Seen {
  const lacks = [...missingAttributes(terms)].some((name) => !theirs.attributes.has(name));
  const typeErrors = typeErrorsOf(terms, theirs.arguments);
  const returns = compareReturns(returnsOf(terms), theirs.answers);
  return {
    answers: returns * (lacks ? LACKING : 1) * typeErrorFactor(typeErrors),
    raises: lacks || typeErrors.length > 0,
    fails: returns === 0 || lacks || typeErrors.some(({ level }) => level === "always"),
  };
}

/** Minimum factor beside a stub. A description may show calls of another function, so a contradiction is not a certain failure. */
const STUB_LEAST = 0.05;

/**
 * What is seen of a candidate without a reference.
 * @param candidate a program that the gate lets through
 * @param stub a stub of the requested function (score/stub.ts); "" if there is none
 */
export function seenBesideStub(candidate: string, stub: string, modules?: Modules): Seen {
  if (read === undefined) throw new Error("call loadRule() before seenBesideStub()");
  const seen = see(read(candidate), readReference(stub));
  const isLacking = stub !== "" && gate(candidate, stub, modules) === 0;
  return { ...seen, answers: isLacking ? STUB_LEAST : Math.max(STUB_LEAST, seen.answers) };
}

/** The similarity of two forms. If one of the programs has no terms, only characters and words count. */
function alike(ours: Form, { characters, words, structure }: Wanted): number {
  const values = [chrfOf(ours.text, characters) / 100, recall(bagOf(tokenizeCode(ours.text)), words)];
  if (ours.terms !== null && structure !== null) {
    values.push(
      structure.trees.recall(ours.terms),
      agreement(operations(ours.terms), structure.operations),
      agreement(tellingLiterals(ours.terms), structure.literals),
    );
  }
  const known = values.filter((value) => value !== null);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

const wanted = ({ text, terms }: Form): Wanted => ({
  characters: chrfReference(text),
  words: bagOf(tokenizeCode(text)),
  structure: terms && { trees: new Subtrees(terms), operations: operations(terms), literals: tellingLiterals(terms) },
});
