/**
 * How two programs differ, as edits of their terms: an operator exchanged, a literal changed, a statement left out, ... Programs
 * that differ by few small edits are near misses: written alike, but not the same. Variable names do not count, but a variable
 * used in place of another does.
 */
import { forEach, type Kind, type Term, unlessTooDeep } from "../normalize/canonical/terms.ts";
import { isRenamed } from "../normalize/variables.ts";
import { align } from "./align.ts";

export const EDITS = [
  /** `<` for `<=`, `+` for `-`, `and` for `or`. */
  "comparison",
  "operator",
  "logic",
  /** Another constant; a number that differs by one. */
  "literal",
  "off by one",
  /** A variable used in place of another; another function, method or attribute; an added or missing argument or element of a list. */
  "variable",
  "name",
  "arguments",
  /** `not x` or `-x` for `x`, or the reverse; `x + 1` or `f(x)` for `x`, or the reverse. */
  "negation",
  "sign",
  "wrapped",
  /** Two parts exchanged: `a - b` for `b - a`. */
  "swapped",
  /** An expression or statement of another kind; a statement added or left out. */
  "expression",
  "statement",
  "inserted",
  "deleted",
] as const;
export type Edit = (typeof EDITS)[number];

/** A single edit: the candidate's term and the reference's. The side that has none is null. */
export interface Change {
  readonly edit: Edit;
  readonly ours: Term | null;
  readonly theirs: Term | null;
  /** The innermost statement of the candidate that contains the edit; null at the program's top level. */
  readonly statement: Term | null;
}

export interface Difference {
  /** The number of edits of each kind. */
  readonly edits: Readonly<Record<Edit, number>>;
  /** The edits in program order, except that `variable` edits come last. */
  readonly changes: readonly Change[];
  /** The number of terms that only the candidate has, and that only the reference has. */
  readonly added: number;
  readonly missing: number;
  /** The number of terms of each program. */
  readonly sizes: readonly [candidate: number, reference: number];
}

/** The difference of two programs; null if one has no terms, or is nested too deep for the stack. */
export function differenceOf(candidate: Term | null, reference: Term | null): Difference | null {
  if (candidate === null || reference === null) return null;
  return unlessTooDeep(() => new Comparison().of(candidate, reference), null);
}

/** Kinds whose parts are a list of any length. */
const LISTS: ReadonlySet<Kind> = new Set([
  ...([
    "block",
    "arguments",
    "parameters",
    "tuple",
    "list",
    "set",
    "dict",
    "logic",
    "compare",
    "comprehension",
  ] as const),
  ...(["chain", "fstring", "subscript", "delete", "global", "import", "handlers", "withitems", "decorators"] as const),
]);

const NAMED_BY_TEXT: Partial<Record<Kind, Edit>> = {
  compare: "comparison",
  operation: "operator",
  augment: "operator",
  unary: "operator",
  logic: "logic",
  name: "name",
  attribute: "name",
  keyword: "name",
  import: "name",
};

const STATEMENTS: ReadonlySet<Kind> = new Set([
  ...([
    "expression",
    "assign",
    "chain",
    "augment",
    "annotated",
    "return",
    "raise",
    "assert",
    "delete",
    "global",
  ] as const),
  ...(["pass", "break", "continue", "import", "if", "while", "for", "try", "with", "function", "class"] as const),
]);

interface Measured {
  /** Equal for terms that differ only in their variables. */
  readonly key: string;
  readonly size: number;
}

/** Variables at the same place in both programs. */
interface VariablePair {
  readonly ours: Term;
  readonly theirs: Term;
  readonly statement: Term | null;
}

class Comparison {
  readonly #changes: Change[] = [];
  readonly #measured = new Map<Term, Measured>();
  readonly #keys = new Map<string, string>();
  readonly #variables: VariablePair[] = [];
  /** The statement that is being compared. */
  #statement: Term | null = null;
  #added = 0;
  #missing = 0;

  of(candidate: Term, reference: Term): Difference {
    this.#compare(candidate, reference);
    for (const pair of strangersIn(this.#variables)) this.#changes.push({ edit: "variable", ...pair });
    const edits = Object.fromEntries(EDITS.map((edit) => [edit, 0])) as Record<Edit, number>;
    for (const { edit } of this.#changes) edits[edit] += 1;
    return {
      edits,
      changes: this.#changes,
      added: this.#added,
      missing: this.#missing,
      sizes: [this.#measure(candidate).size, this.#measure(reference).size],
    };
  }

  #measure(of: Term): Measured {
    const known = this.#measured.get(of);
    if (known !== undefined) return known;
    const parts = of.items.map((item) => this.#measure(item));
    const text = isVariable(of) ? "" : of.text;
    // Keys are numbered to keep them short.
    const long = `${of.kind} ${JSON.stringify(text)} ${parts.map(({ key }) => key).join()}`;
    const key = this.#keys.get(long) ?? `${this.#keys.size}`;
    this.#keys.set(long, key);
    const measured = { key, size: 1 + parts.reduce((sum, { size }) => sum + size, 0) };
    this.#measured.set(of, measured);
    return measured;
  }

  #isAlike(a: Term, b: Term): boolean {
    return this.#measure(a).key === this.#measure(b).key;
  }

  /** Records an edit, and counts the terms that only one side has. */
  #change(edit: Edit, ours: Term | null, theirs: Term | null, added = 0, missing = 0): void {
    this.#changes.push({ edit, ours, theirs, statement: this.#statement });
    this.#added += added;
    this.#missing += missing;
  }

  #compare(ours: Term, theirs: Term): void {
    const outside = this.#statement;
    if (STATEMENTS.has(ours.kind)) this.#statement = ours;
    this.#compareInside(ours, theirs);
    this.#statement = outside;
  }

  #compareInside(ours: Term, theirs: Term): void {
    if (this.#isAlike(ours, theirs)) {
      this.#pairVariables(ours, theirs);
    } else if (!this.#compareWrapped(ours, theirs)) {
      if (ours.kind !== theirs.kind) this.#replace(ours, theirs);
      else this.#compareParts(ours, theirs);
    }
  }

  /** Compares two terms of the same kind. */
  #compareParts(ours: Term, theirs: Term): void {
    if (ours.text !== theirs.text) this.#change(textEdit(ours, theirs), ours, theirs);
    const [a, b] = ours.items;
    const [c, d] = theirs.items;
    if (LISTS.has(ours.kind)) {
      this.#compareLists(ours, theirs);
    } else if (ours.items.length !== theirs.items.length) {
      this.#replace(ours, theirs);
    } else if (ours.items.length === 2 && this.#isAlike(a!, d!) && this.#isAlike(b!, c!) && !this.#isAlike(a!, c!)) {
      this.#change("swapped", ours, theirs);
    } else {
      for (const [i, item] of ours.items.entries()) this.#compare(item, theirs.items[i]!);
    }
  }

  /** Whether one term is the other with something around it. If so, records that edit. */
  #compareWrapped(ours: Term, theirs: Term): boolean {
    const [ourSize, theirSize] = [this.#measure(ours).size, this.#measure(theirs).size];
    const [outer, inner] = ourSize > theirSize ? [ours, theirs] : [theirs, ours];
    if (STATEMENTS.has(outer.kind) || outer.kind === "block") return false;
    const parts = outer.kind === "call" ? outer.items[1].items : outer.items;
    const within = parts.find((part) => this.#isAlike(part, inner));
    if (within === undefined) return false;
    const edit = outer.kind === "not" ? "negation" : outer.kind === "unary" && outer.text === "-" ? "sign" : "wrapped";
    this.#change(edit, ours, theirs, Math.max(0, ourSize - theirSize), Math.max(0, theirSize - ourSize));
    if (outer === ours) this.#pairVariables(within, theirs);
    else this.#pairVariables(ours, within);
    return true;
  }

  #replace(ours: Term, theirs: Term): void {
    const isStatement = STATEMENTS.has(ours.kind) || STATEMENTS.has(theirs.kind);
    const [added, missing] = [this.#measure(ours).size, this.#measure(theirs).size];
    this.#change(isStatement ? "statement" : "expression", ours, theirs, added, missing);
  }

  #compareLists(ours: Term, theirs: Term): void {
    const isBlock = ours.kind === "block";
    const canPair = isBlock ? (a: Term, b: Term): boolean => a.kind === b.kind : (): boolean => true;
    for (const pair of align(ours.items, theirs.items, (part) => this.#measure(part).key, canPair)) {
      if (pair.ours === null) {
        this.#change(isBlock ? "deleted" : "arguments", null, pair.theirs, 0, this.#measure(pair.theirs).size);
      } else if (pair.theirs === null) {
        this.#change(isBlock ? "inserted" : "arguments", pair.ours, null, this.#measure(pair.ours).size);
      } else {
        this.#compare(pair.ours, pair.theirs);
      }
    }
  }

  /** Pairs the variables of two terms that differ only in variables. */
  #pairVariables(ours: Term, theirs: Term): void {
    const others: Term[] = [];
    forEach(theirs, (part) => {
      if (isVariable(part)) others.push(part);
    });
    let at = 0;
    const statement = this.#statement;
    forEach(ours, (part) => {
      if (isVariable(part)) this.#variables.push({ ours: part, theirs: others[at++]!, statement });
    });
  }
}

const isVariable = ({ kind, text }: Term): boolean => kind === "name" && isRenamed(text);

function textEdit(ours: Term, theirs: Term): Edit {
  if (ours.kind === "literal") return isOneOff(ours.text, theirs.text) ? "off by one" : "literal";
  return NAMED_BY_TEXT[ours.kind] ?? (STATEMENTS.has(ours.kind) ? "statement" : "expression");
}

const isOneOff = (a: string, b: string): boolean =>
  /^\d{1,15}$/.test(a) && /^\d{1,15}$/.test(b) && Math.abs(Number(a) - Number(b)) === 1;

/**
 * Pairs that contradict the mapping of variables. It maps each candidate variable, one to one, to the reference variable that it
 * is paired with most.
 */
function strangersIn(pairs: readonly VariablePair[]): VariablePair[] {
  const keyOf = ({ ours, theirs }: VariablePair): string => `${ours.text} ${theirs.text}`;
  const votes = new Map<string, { readonly pair: VariablePair; times: number }>();
  for (const pair of pairs) {
    const vote = votes.get(keyOf(pair)) ?? { pair, times: 0 };
    vote.times += 1;
    votes.set(keyOf(pair), vote);
  }
  const [ours, theirs, agreed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { pair } of [...votes.values()].sort((a, b) => b.times - a.times)) {
    if (ours.has(pair.ours.text) || theirs.has(pair.theirs.text)) continue;
    ours.add(pair.ours.text);
    theirs.add(pair.theirs.text);
    agreed.add(keyOf(pair));
  }
  return pairs.filter((pair) => !agreed.has(keyOf(pair)));
}
