/** What an operator or a display tells about its parts, and about its result. */
import { field, type Node, parts } from "../../languages/python/syntax/walk.ts";
import type { Uses } from "./calls.ts";
import type { Term } from "./term.ts";

const NUMERIC = ["-", "/", "//", "**", "%"];

/** `person["dept"] or "unknown"`: the left value may be empty. */
export function alternative(uses: Uses, node: Node): Term | null {
  uses.of(field(node, "right"));
  const left = uses.of(field(node, "left"));
  left?.root.uses.add("truthy");
  return left;
}

export function operation(uses: Uses, node: Node): Term | null {
  const operator = uses.text(field(node, "operator"));
  const [left, right] = [uses.of(field(node, "left")), uses.of(field(node, "right"))];
  const both = [left, right];
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
