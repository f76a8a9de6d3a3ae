/** Rewrites of branches, jumps and plain assignments. Each is one step on a block's statements, starting at index `i`. */
import { asBoolean, both, isNegative, negate } from "./expressions.ts";
import { isBoolean, isConstant, isPure } from "./purity.ts";
import type { Scope } from "./scope.ts";
import { termFlow } from "./term-flow.ts";
import { block, count, EMPTY, isLiteral, isName, mentions, NOTHING, same, some, type Term, term } from "./terms.ts";

/** Where a block is in its program. */
export interface Place {
  readonly scope: Scope;
  /** What follows its end: the next round of a loop, the end of the function, or something else (null). */
  readonly end: "loop" | "function" | null;
  /** Whether exceptions may be caught, and the variables read afterwards. */
  readonly inTry: boolean;
}

/** Returns the statements that replace those of the block from `i` on; null if the rule does not apply. */
export type Rule = (items: readonly Term[], i: number, place: Place) => readonly Term[] | null;

const isEmpty = (of: Term): boolean => of.items.length === 0;

const branch = (condition: Term, yes: Term, no: Term = EMPTY): Term => term("if", [condition, yes, no]);

/** `if c: return a else: B` as `if c: return a`, B. */
const flatElse: Rule = (items, i, { scope: { meanings } }) => {
  const at = items[i];
  if (at?.kind !== "if") return null;
  const [condition, yes, no] = at.items;
  if (isEmpty(no) || isEmpty(yes)) return null;
  if (!termFlow.completes(yes)) return [branch(condition, yes), ...no.items, ...items.slice(i + 1)];
  return !termFlow.completes(no)
    ? [branch(negate(condition, meanings, true), no), ...yes.items, ...items.slice(i + 1)]
    : null;
};

const emptyBranch: Rule = (items, i, { scope: { meanings } }) => {
  const at = items[i];
  if (at?.kind !== "if" || !isEmpty(at.items[1])) return null;
  const [condition, , no] = at.items;
  if (!isEmpty(no)) return [branch(negate(condition, meanings, true), no), ...items.slice(i + 1)];
  return isConstant(condition) ? items.slice(i + 1) : [term("expression", [condition]), ...items.slice(i + 1)];
};

/** `if a: if b: X` as `if a and b: X`. */
const nestedIf: Rule = (items, i) => {
  const at = items[i];
  if (at?.kind !== "if" || !isEmpty(at.items[2])) return null;
  const [inner, ...more] = at.items[1].items;
  if (inner?.kind !== "if" || more.length > 0 || !isEmpty(inner.items[2])) return null;
  return [branch(both(at.items[0], inner.items[0]), inner.items[1]), ...items.slice(i + 1)];
};

/** Puts the branch with the simpler condition first. */
const turnedIf: Rule = (items, i, { scope: { meanings } }) => {
  const [at, next] = [items[i], items[i + 1]];
  if (at?.kind !== "if" || !isNegative(at.items[0]) || isEmpty(at.items[1])) return null;
  const [condition, yes, no] = at.items;
  const other = negate(condition, meanings, true);
  if (!isEmpty(no)) return [branch(other, no, yes), ...items.slice(i + 1)];
  const isPair =
    yes.items.length === 1 && yes.items[0]!.kind === "return" && next?.kind === "return" && items.length <= i + 2;
  return isPair ? [branch(other, block([next])), yes.items[0]!] : null;
};

const returned = (of: Term | undefined): Term | null => {
  const only = of?.kind === "block" ? (of.items.length === 1 ? of.items[0] : undefined) : of;
  return only?.kind === "return" ? only.items[0] : null;
};

/** `if c: return True`, `return False` as `return c`; with two conditions as `return c or d`. */
const booleanReturn: Rule = (items, i, { scope: { meanings } }) => {
  const [at, next] = [items[i], items[i + 1]];
  if (at?.kind !== "if" || !isEmpty(at.items[2])) return null;
  const [first, second] = [returned(at.items[1]), returned(next)];
  if (first === null || second === null) return null;
  const [condition] = at.items;
  let value: Term | null = null;
  if (isLiteral(first, "True")) {
    if (isLiteral(second, "False")) value = asBoolean(condition, meanings);
    else if (isBoolean(condition, meanings) && isBoolean(second, meanings)) value = logic("or", condition, second);
  } else if (isLiteral(first, "False")) {
    if (isLiteral(second, "True")) value = negate(condition, meanings);
    else if (isBoolean(second, meanings)) value = logic("and", negate(condition, meanings), second);
  }
  return value === null ? null : [term("return", [value]), ...items.slice(i + 2)];
};

const logic = (text: "and" | "or", a: Term, b: Term): Term =>
  term(
    "logic",
    [a, b].flatMap((item) => (item.kind === "logic" && item.text === text ? item.items : [item])),
    text,
  );

/** `return a if c else b` as `if c: return a`, `return b`. */
const spelledReturn: Rule = (items, i) => {
  const at = items[i];
  if (at?.kind !== "return" || at.items[0].kind !== "conditional") return null;
  const [yes, condition, no] = at.items[0].items;
  return [branch(condition, block([term("return", [yes])])), term("return", [no]), ...items.slice(i + 1)];
};

/** `if c: x = a else: x = b` as `x = a if c else b`; the same for `x.f(a)`. */
const joinedBranches: Rule = (items, i) => {
  const at = items[i];
  if (at?.kind !== "if") return null;
  const [condition, { items: yes }, { items: no }] = at.items;
  const [a, b] = [yes[0], no[0]];
  if (yes.length !== 1 || no.length !== 1 || a === undefined || b === undefined) return null;
  const choice = (one: Term, other: Term): Term => term("conditional", [one, condition, other]);
  if (a.kind === "assign" && b.kind === "assign" && isName(a.items[0]) && same(a.items[0], b.items[0])) {
    return [term("assign", [a.items[0], choice(a.items[1], b.items[1])]), ...items.slice(i + 1)];
  }
  const [callA, callB] = [a.kind === "expression" ? a.items[0] : a, b.kind === "expression" ? b.items[0] : b];
  if (callA.kind !== "call" || callB.kind !== "call" || !same(callA.items[0], callB.items[0])) return null;
  const [callee] = callA.items;
  const [one, other] = [callA.items[1].items, callB.items[1].items];
  const isPlain = [...one, ...other].every(({ kind }) => !/^(?:star|keyword|comprehension)$/.test(kind));
  if (callee.kind !== "attribute" || !isName(callee.items[0]) || one.length !== 1 || other.length !== 1 || !isPlain)
    return null;
  return [
    term("expression", [term("call", [callee, term("arguments", [choice(one[0]!, other[0]!)])])]),
    ...items.slice(i + 1),
  ];
};

/** Turns the rest of a loop's body after `if c: A, continue` into the `else` of that `if`. */
const guardedRound: Rule = (items, i, { end, scope: { meanings } }) => {
  const at = items[i];
  if (end !== "loop" || at?.kind !== "if" || !isEmpty(at.items[2]) || at.items[1].items.at(-1)?.kind !== "continue")
    return null;
  const before = at.items[1].items.slice(0, -1);
  const [condition] = at.items;
  if (before.length > 0) return [branch(condition, block(before), block(items.slice(i + 1)))];
  return [branch(negate(condition, meanings, true), block(items.slice(i + 1)))];
};

/** Removes `continue` at the end of a loop's body, and `return` at the end of a function. */
const lastJump: Rule = (items, i, { end }) => {
  const at = items[i];
  if (i !== items.length - 1 || end === null || at === undefined) return null;
  if (at.kind === "continue") return end === "loop" ? [] : null;
  const isBare = at.kind === "return" && (at.items[0].kind === "nothing" || isLiteral(at.items[0], "None"));
  return isBare && end === "function" ? [] : null;
};

/** `return None` as `return`. */
const bareReturn: Rule = (items, i) => {
  const at = items[i];
  return at?.kind === "return" && isLiteral(at.items[0], "None")
    ? [term("return", [NOTHING]), ...items.slice(i + 1)]
    : null;
};

/** Removes statements after a jump, if they bind nothing and contain no `yield`. */
const deadCode: Rule = (items, i, { scope: { kind } }) => {
  const at = items[i];
  if (at === undefined || items.length <= i + 1 || termFlow.completes(at) || kind !== "function") return null;
  const matters =
    /^(?:assign|chain|augment|annotated|for|forin|walrus|with|try|function|class|import|yield|global|delete)$/;
  return items.slice(i + 1).some((statement) => some(statement, (part) => matters.test(part.kind))) ? null : [at];
};

const pass: Rule = (items, i) => (items[i]?.kind === "pass" ? items.slice(i + 1) : null);

/** Moves the `else` of a loop without `break` behind the loop. */
const loopElse: Rule = (items, i) => {
  const at = items[i];
  if (at?.kind === "for" && !isEmpty(at.items[3]) && !termFlow.breaks(at.items[2])) {
    const [target, over, body, otherwise] = at.items;
    return [term("for", [target, over, body, EMPTY], at.text), ...otherwise.items, ...items.slice(i + 1)];
  }
  if (at?.kind !== "while" || isEmpty(at.items[2]) || termFlow.breaks(at.items[1])) return null;
  const [condition, body, otherwise] = at.items;
  return [term("while", [condition, body, EMPTY]), ...otherwise.items, ...items.slice(i + 1)];
};

/** `while True: if c: break, ...` as `while not c: ...`. */
const loopCondition: Rule = (items, i, { scope: { meanings } }) => {
  const at = items[i];
  if (at?.kind !== "while" || !isLiteral(at.items[0], "True") || !isEmpty(at.items[2])) return null;
  const [first, ...body] = at.items[1].items;
  if (first?.kind !== "if" || !isEmpty(first.items[2]) || first.items[1].items.length !== 1) return null;
  if (first.items[1].items[0]!.kind !== "break") return null;
  return [term("while", [negate(first.items[0], meanings, true), block(body), EMPTY]), ...items.slice(i + 1)];
};

/** `a, b = 0, c` as `a = 0`, `b = c`, and `a = b = 0` likewise. */
const splitAssignment: Rule = (items, i, { inTry, scope: { meanings, kind } }) => {
  const at = items[i];
  if (inTry || kind === "class") return null;
  if (at?.kind === "chain") {
    const value = at.items.at(-1)!;
    const targets = at.items.slice(0, -1);
    if (value.kind !== "literal" || !targets.every((target) => isName(target))) return null;
    return [...targets.map((target) => term("assign", [target, value])), ...items.slice(i + 1)];
  }
  if (at?.kind !== "assign") return null;
  const [target, value] = at.items;
  if (target.kind !== "tuple" || value.kind !== "tuple" || target.items.length !== value.items.length) return null;
  if (
    !target.items.every((part) => isName(part)) ||
    !value.items.every((part) => part.kind !== "star" && isPure(part, meanings))
  )
    return null;
  const names = target.items.map(({ text }) => text);
  if (new Set(names).size < names.length || names.some((name) => mentions(value, name))) return null;
  return [...target.items.map((part, k) => term("assign", [part, value.items[k]!])), ...items.slice(i + 1)];
};

/** `x = x + 1` as `x += 1`, if `+=` does not change `x` in place. */
const shortAssignment: Rule = (items, i, { scope }) => {
  const at = items[i];
  if (at?.kind !== "assign" || at.items[1].kind !== "operation") return null;
  const [target, value] = at.items;
  const [left, right] = value.items as readonly [Term, Term];
  const isNumber = (of: Term): boolean => of.kind === "literal" && /^\d/.test(of.text);
  const short = (other: Term): readonly Term[] => [term("augment", [target, other], value.text), ...items.slice(i + 1)];
  if (same(target, left) && isSimple(target)) {
    const byKind = value.text === "+" || value.text === "-";
    if (byKind && (isNumber(right) || (right.kind === "literal" && value.text === "+"))) return short(right);
    if (isName(target) && startsAsScalar(scope, target.text) !== null) return short(right);
  }
  const turns = value.text === "+" || value.text === "*";
  if (
    turns &&
    isName(target) &&
    same(target, right) &&
    startsAsScalar(scope, target.text) === "number" &&
    !mentions(left, target.text)
  ) {
    return short(left);
  }
  return null;
};

/** Whether the term is a name, or an element of one at a fixed index. */
const isSimple = (of: Term): boolean =>
  isName(of) ||
  (of.kind === "subscript" && isName(of.items[0]) && of.items.every((item) => isName(item) || item.kind === "literal"));

/**
 * The type of the literals that plain assignments give to a name, ignoring assignments that compute with its own value. Null if
 * not all are numbers or all texts.
 */
function startsAsScalar({ values }: Scope, name: string): "number" | "text" | null {
  const starts = (values.get(name) ?? []).filter((value) => !(value.kind === "operation" && count(value, name) > 0));
  const all = (pattern: RegExp): boolean =>
    starts.length > 0 && starts.every((value) => value.kind === "literal" && pattern.test(value.text));
  if (all(/^\d/)) return "number";
  return all(/^['"]/) ? "text" : null;
}

export const flowRules: readonly Rule[] = [
  pass,
  deadCode,
  flatElse,
  emptyBranch,
  nestedIf,
  booleanReturn,
  spelledReturn,
  joinedBranches,
  guardedRound,
  lastJump,
  bareReturn,
  loopElse,
  loopCondition,
  turnedIf,
  splitAssignment,
  shortAssignment,
];
