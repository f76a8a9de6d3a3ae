/** Reads the expressions of a tree-sitter tree as terms. */
import { field, fields, type Node } from "../../syntax/walk.ts";
import { readLiteral } from "./literals.ts";
import { childrenOf, type Source, Unsupported } from "./nodes.ts";
import { literal, NOTHING, name, type Term, type TermOf, term } from "./terms.ts";

type Reader = (source: Source, node: Node) => Term;

const all = (source: Source, nodes: readonly Node[]): Term[] => nodes.map((node) => readExpression(source, node));

const sequence =
  (kind: "tuple" | "list" | "set" | "dict"): Reader =>
  (source, node) =>
    term(kind, all(source, childrenOf(node)));

const star =
  (text: string): Reader =>
  (source, node) =>
    term("star", [only(source, node)], text);

const only: Reader = (source, node) => {
  const [inner, ...more] = childrenOf(node);
  if (inner === undefined || more.length > 0) throw new Unsupported(node.type);
  return readExpression(source, inner);
};

const comprehension =
  (text: string): Reader =>
  (source, node) => {
    const clauses = childrenOf(node)
      .slice(1)
      .map((clause) => readClause(source, clause));
    const [first, ...more] = clauses;
    if (first === undefined) throw new Unsupported(node.type);
    return term("comprehension", [readExpression(source, field(node, "body")!), first, ...more], text);
  };

const EXPRESSIONS: Readonly<Record<string, Reader>> = {
  identifier: (source, node) => name(source.renamed(node)),
  true: () => literal("True"),
  false: () => literal("False"),
  none: () => literal("None"),
  ellipsis: () => literal("..."),
  integer: readLiteral,
  float: readLiteral,
  string: readString,
  concatenated_string: readString,
  parenthesized_expression: only,
  expression_list: sequence("tuple"),
  pattern_list: sequence("tuple"),
  tuple: sequence("tuple"),
  tuple_pattern: sequence("tuple"),
  list: sequence("list"),
  list_pattern: sequence("list"),
  set: sequence("set"),
  dictionary: sequence("dict"),
  pair: (source, node) => term("pair", both(source, node, "key", "value")),
  list_splat: star("*"),
  list_splat_pattern: star("*"),
  parenthesized_list_splat: only,
  dictionary_splat: star("**"),
  list_comprehension: comprehension("list"),
  set_comprehension: comprehension("set"),
  dictionary_comprehension: comprehension("dict"),
  generator_expression: comprehension("generator"),
  unary_operator: (source, node) => term("unary", [value(source, node, "argument")], text(source, node, "operator")),
  not_operator: (source, node) => term("not", [value(source, node, "argument")]),
  binary_operator: readOperation,
  boolean_operator: (source, node) =>
    term("logic", both(source, node, "left", "right"), text(source, node, "operator")),
  comparison_operator(source, node) {
    const [first, second, ...more] = all(
      source,
      childrenOf(node).filter(({ field }) => field !== "operators"),
    );
    const operators = fields(node, "operators");
    const words = operators.map((part) => source.textOf(part).replace(/\s+/g, " "));
    if (first === undefined || second === undefined || words.includes("<>")) throw new Unsupported(node.type);
    return term("compare", [first, second, ...more], words.join(","));
  },
  conditional_expression(source, node) {
    const [yes, condition, no] = all(source, childrenOf(node));
    return term("conditional", [yes!, condition!, no!]);
  },
  lambda: (source, node) =>
    term("lambda", [readParameters(source, field(node, "parameters")), value(source, node, "body")]),
  call(source, node) {
    const list = field(node, "arguments")!;
    const items = list.type === "argument_list" ? childrenOf(list) : [list];
    return term("call", [value(source, node, "function"), term("arguments", all(source, items))]);
  },
  keyword_argument: (source, node) => term("keyword", [value(source, node, "value")], text(source, node, "name")),
  attribute: (source, node) => term("attribute", [value(source, node, "object")], text(source, node, "attribute")),
  subscript(source, node) {
    const indices = all(source, fields(node, "subscript"));
    const isTuple = indices.length === 1 && node.children.at(-2)?.type === ",";
    return term("subscript", [value(source, node, "value"), ...(isTuple ? [term("tuple", indices)] : indices)]);
  },
  slice: readSlice,
  named_expression: (source, node) => term("walrus", both(source, node, "name", "value")),
  await: (source, node) => term("await", [only(source, node)]),
  yield: (source, node) =>
    term(
      "yield",
      [childrenOf(node).length === 0 ? NOTHING : only(source, node)],
      node.children[1]?.type === "from" ? "from" : "",
    ),
};

export function readExpression(source: Source, node: Node): Term {
  const read = EXPRESSIONS[node.type];
  if (read === undefined) throw new Unsupported(node.type);
  return read(source, node);
}

function value(source: Source, node: Node, role: string): Term {
  const part = field(node, role);
  if (part === undefined) throw new Unsupported(node.type);
  return readExpression(source, part);
}

const both = (source: Source, node: Node, first: string, second: string): [Term, Term] => [
  value(source, node, first),
  value(source, node, second),
];

const text = (source: Source, node: Node, role: string): string => source.textOf(field(node, role)!);

function readOperation(source: Source, node: Node): Term {
  const operator = text(source, node, "operator");
  if (operator === "&" || operator === "^") return readBits(source, node);
  return term("operation", both(source, node, "left", "right"), operator);
}

/** Regroups `^` and `&`: in the grammar `^` binds tighter than `&`, but in Python `&` binds tighter. */
function readBits(source: Source, node: Node): Term {
  const groups: Term[][] = [[]];
  const visit = (part: Node): void => {
    const operator = part.type === "binary_operator" ? text(source, part, "operator") : "";
    if (operator !== "&" && operator !== "^") {
      groups.at(-1)!.push(readExpression(source, part));
      return;
    }
    visit(field(part, "left")!);
    if (operator === "^") groups.push([]);
    visit(field(part, "right")!);
  };
  visit(node);
  const fold = (items: readonly Term[], operator: string): Term =>
    items.reduce((left, right) => term("operation", [left, right], operator));
  return fold(
    groups.map((group) => fold(group, "&")),
    "^",
  );
}

function readSlice(source: Source, node: Node): Term {
  const bounds: [Term, Term, Term] = [NOTHING, NOTHING, NOTHING];
  let at = 0;
  for (const part of node.children) {
    if (part.type === ":") at += 1;
    else if (part.named && part.type !== "comment") bounds[at] = readExpression(source, part);
  }
  return term("slice", bounds);
}

function readClause(source: Source, node: Node): Term {
  if (node.type === "if_clause") return term("ifin", [only(source, node)]);
  if (node.type !== "for_in_clause" || fields(node, "right").length !== 1) {
    throw new Unsupported(node.type);
  }
  return term("forin", both(source, node, "left", "right"), node.children[0]?.type === "async" ? "async" : "");
}

/** Whether a string is an f-string. Only these have expressions in them. */
export const isFormat = (source: Source, string: Node): boolean => /^\w*f/i.test(source.textOf(string));

/** F-strings keep their text; the expressions in them are their parts. */
function readString(source: Source, node: Node): Term {
  const pieces = node.type === "string" ? [node] : childrenOf(node);
  if (!pieces.some((piece) => isFormat(source, piece))) return readLiteral(source, node);
  const inside: Term[] = [];
  const visit = (part: Node): void => {
    if (part.field === "expression") inside.push(readExpression(source, part));
    else part.children.forEach(visit);
  };
  pieces.forEach(visit);
  const words = pieces.map((piece) => source.renamed(piece).replace(/^(\w*)"([^"'\\\n]*)"$/, "$1'$2'"));
  return term("fstring", inside, words.join(" "));
}

/** The parameters of a function, without annotations. */
export function readParameters(source: Source, node: Node | undefined): TermOf<"parameters"> {
  return term(
    "parameters",
    (node ? childrenOf(node) : []).map((part) => readParameter(source, part)),
  );
}

function readParameter(source: Source, node: Node): Term {
  switch (node.type) {
    case "identifier":
      return name(source.renamed(node));
    case "typed_parameter":
      return readParameter(source, childrenOf(node)[0]!);
    case "default_parameter":
    case "typed_default_parameter":
      return term("default", both(source, node, "name", "value"));
    case "list_splat_pattern":
    case "dictionary_splat_pattern":
      return term("star", [only(source, node)], node.type === "list_splat_pattern" ? "*" : "**");
    case "keyword_separator":
    case "positional_separator":
      return term("separator", [], source.textOf(node));
    default:
      throw new Unsupported(node.type);
  }
}
