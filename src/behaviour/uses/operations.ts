/** What an operator or a display tells about its parts, and about its result. */
import { enclosing, field, fields, type Node, parts } from "../../languages/python/syntax/walk.ts";
import type { Uses } from "./calls.ts";
import type { Term } from "./term.ts";

/** Maximum number of letters that `in` asks for. */
const MOST_LETTERS = 12;
const NUMERIC = ["-", "/", "//", "**", "%"];

/** `person["dept"] or "unknown"`: the left value may be empty. */
export function alternative(uses: Uses, node: Node): Term | null {
  uses.of(field(node, "right"));
  const left = uses.of(field(node, "left"));
  left?.root.uses.add("truthy");
  return left;
}

/** `day.year`, `(end - start).days` */
export function attribute(uses: Uses, node: Node): Term | null {
  const name = uses.text(field(node, "attribute"));
  let of = field(node, "object");
  while (of?.type === "parenthesized_expression") of = parts(of)[0];
  const isDifference = name === "days" && of?.type === "binary_operator" && uses.text(field(of, "operator")) === "-";
  const dates = isDifference
    ? [field(of!, "left"), field(of!, "right")]
    : /^(?:year|month|day)$/.test(name)
      ? [of]
      : [];
  for (const one of dates) uses.of(one)?.root.uses.add("text").add("date");
  return dates.length > 0 ? uses.terms.make("number") : null;
}

const TIMEDELTA = /^(?:\w+\.)?timedelta\(/;

export function operation(uses: Uses, node: Node): Term | null {
  const operator = uses.text(field(node, "operator"));
  const [left, right] = [uses.of(field(node, "left")), uses.of(field(node, "right"))];
  const both = [left, right];
  if (/^[-+]$/.test(operator) && TIMEDELTA.test(uses.text(field(node, "right")).slice(0, 40))) {
    left?.root.uses.add("text").add("date");
    return left;
  }
  const has = (use: "number" | "text" | "set" | "list"): boolean => both.some((one) => one?.root.uses.has(use));
  if (operator === "%" && left?.root.uses.has("text")) return left;
  if (operator === "*" && (has("list") || has("text"))) {
    for (const one of both)
      if (one && !one.root.uses.has("list") && !one.root.uses.has("text")) one.root.uses.add("number");
    return has("list") ? (left?.root.uses.has("list") ? left : right) : left;
  }
  if ((NUMERIC.includes(operator) || operator === "*" || has("number")) && !has("set") && /^[-+*/%]/.test(operator)) {
    for (const one of both) one?.root.uses.add("number");
    return uses.terms.make("number");
  }
  if (operator === "+") uses.terms.unite(left, right);
  return left ?? right;
}

const LITERAL = /^(?:string|integer|float|true|false|none)$/;

/** A table, whose values are of one kind, or a record such as `{"email": key, "name": name}`. */
export function dictionary(uses: Uses, node: Node): Term {
  const made = uses.terms.make("dict");
  const pairs = parts(node).filter(({ type }) => type === "pair");
  const isRecord = pairs.length > 1 && pairs.some((pair) => !LITERAL.test(field(pair, "value")?.type ?? ""));
  for (const pair of pairs) entry(uses, made, pair, isRecord);
  return made;
}

export function entry(uses: Uses, of: Term, pair: Node | undefined, isRecord: boolean): void {
  const { terms } = uses;
  const [key, value] = pair === undefined ? [] : [field(pair, "key"), field(pair, "value")];
  const name = isRecord ? uses.literalText(key) : null;
  if (name === null) terms.unite(terms.item(of), uses.of(key));
  terms.unite(name === null ? terms.value(of) : terms.field(of, name, false), uses.of(value));
}

/** A list, a set, or a tuple. */
export function collection(uses: Uses, node: Node): Term {
  const { terms } = uses;
  const inside = parts(node);
  if (node.type === "list" || node.type === "set") {
    const made = terms.make(node.type);
    for (const one of inside) terms.unite(terms.item(made), uses.of(one));
    return made;
  }
  const made = terms.make("tuple");
  for (const [i, one] of inside.entries()) terms.unite(terms.position(made, i), uses.of(one));
  return made;
}

/** `a < b`, `x in xs`, `best is None` */
export function comparison(uses: Uses, node: Node): void {
  const operands = parts(node);
  const operators = fields(node, "operators").map((one) => uses.text(one));
  for (const [i, operator] of operators.entries()) {
    const [left, right] = [operands[i], operands[i + 1]];
    if (left === undefined || right === undefined) return;
    if (right.type === "none") {
      if (!startsAsNone(uses, left)) uses.of(left)?.root.tested.add("none");
    } else if (operator === "in" || operator === "not in" || operator === "not") member(uses, left, right);
    else {
      const [a, b] = [uses.of(left), uses.of(right)];
      if (/^[<>]/.test(operator)) for (const one of [a, b]) one?.root.uses.add("ordered");
      uses.terms.unite(a, b);
    }
  }
}

/** `ch in "([{"`, `key in table`. */
export function member(uses: Uses, left: Node, right: Node): void {
  const { terms } = uses;
  const [inside, over] = [uses.of(left), uses.of(right)];
  const letters = inside === null ? null : uses.literalText(right);
  if (letters !== null && letters.length <= MOST_LETTERS)
    for (const v of letters) inside!.root.constants.set(`'${v}'`, { t: "str", v });
  if (inside === null || over === null || right.type === "string") return;
  uses.lookups.ask(over, uses.text(right), uses.text(left));
  const key = uses.literalText(left);
  if (right.type === "tuple") for (const one of over.root.positions) terms.unite(inside, one);
  else if (left.type !== "string") terms.unite(terms.item(over), inside);
  else if (key !== null && over.root.fields.size > 0) terms.field(over, key, true);
}

/** Maximum characters of a function that are looked through. */
const LONGEST_FUNCTION = 10_000;

/** Whether a variable, other than a parameter, is set to None by the program itself: `best is None` then asks nothing of the input. */
export function startsAsNone(uses: Uses, node: Node): boolean {
  const scope = node.type === "identifier" ? enclosing(node, "function_definition") : null;
  if (!scope) return false;
  const name = uses.text(node);
  const isParameter = new RegExp(`\\b${name}\\b`).test(uses.text(field(scope, "parameters")));
  const isSet = new RegExp(`(?<![\\w.])${name}[ \\t]*=[ \\t]*None\\b`);
  return !isParameter && isSet.test(uses.text(scope).slice(0, LONGEST_FUNCTION));
}
