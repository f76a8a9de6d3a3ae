/**
 * Reads the statements of a tree-sitter tree as terms: without comments, docstrings and annotations, and with one form for all
 * spellings.
 */
import { field, fields, type Node } from "../../syntax/walk.ts";
import { childrenOf, type Source, Unsupported } from "./nodes.ts";
import { isFormat, readExpression, readParameters } from "./read-expression.ts";
import { block, EMPTY, NOTHING, name, type Term, term } from "./terms.ts";

/**
 * The statements of a module or block.
 * @throws `Unsupported`
 */
export function readBlock(source: Source, node: Node | undefined): Term {
  if (node === undefined) return EMPTY;
  return block(
    childrenOf(node)
      .map((statement) => readStatement(source, statement))
      .filter(({ kind }) => kind !== "nothing"),
  );
}

type Reader = (source: Source, node: Node) => Term;

/** The first expression in a statement, or nothing. */
const only: Reader = (source, node) => {
  const value = childrenOf(node)[0];
  return value === undefined ? NOTHING : readExpression(source, value);
};

const names: Reader = (source, node) =>
  term(
    "global",
    childrenOf(node).map((part) => name(source.renamed(part))),
    node.type === "global_statement" ? "global" : "nonlocal",
  );

const STATEMENTS: Readonly<Record<string, Reader>> = {
  expression_statement: readSimple,
  return_statement: (source, node) => term("return", [only(source, node)]),
  raise_statement(source, node) {
    const cause = field(node, "cause");
    const value = childrenOf(node).find((part) => part !== cause);
    return term("raise", [
      value ? readExpression(source, value) : NOTHING,
      cause ? readExpression(source, cause) : NOTHING,
    ]);
  },
  assert_statement(source, node) {
    const [condition, message] = childrenOf(node).map((part) => readExpression(source, part));
    return term("assert", [condition!, message ?? NOTHING]);
  },
  delete_statement(source, node) {
    const target = only(source, node);
    return term("delete", target.kind === "tuple" ? target.items : [target]);
  },
  pass_statement: () => term("pass", []),
  break_statement: () => term("break", []),
  continue_statement: () => term("continue", []),
  global_statement: names,
  nonlocal_statement: names,
  future_import_statement: (source, node) => term("import", importedNames(source, node), "__future__"),
  import_statement: (source, node) => term("import", importedNames(source, node)),
  import_from_statement: (source, node) =>
    term("import", importedNames(source, node), source.textOf(field(node, "module_name")!).replace(/\s+/g, "")),
  if_statement: readIf,
  elif_clause: readIf,
  while_statement: (source, node) =>
    term("while", [
      readExpression(source, field(node, "condition")!),
      readBlock(source, field(node, "body")),
      readElse(source, node),
    ]),
  for_statement: (source, node) =>
    term(
      "for",
      [
        readExpression(source, field(node, "left")!),
        readExpression(source, field(node, "right")!),
        readBlock(source, field(node, "body")),
        readElse(source, node),
      ],
      isAsync(node),
    ),
  try_statement: readTry,
  with_statement: readWith,
  function_definition: (source, node) => readFunction(source, node, []),
  class_definition: (source, node) => readClass(source, node, []),
  decorated_definition(source, node) {
    const definition = field(node, "definition")!;
    const decorators = childrenOf(node)
      .filter((part) => part !== definition)
      .map((part) => only(source, part));
    return definition.type === "class_definition"
      ? readClass(source, definition, decorators)
      : readFunction(source, definition, decorators);
  },
};

function readStatement(source: Source, node: Node): Term {
  const read = STATEMENTS[node.type];
  if (read === undefined) throw new Unsupported(node.type);
  const statement = read(source, node);
  source.places?.set(statement, node.start);
  return statement;
}

const isAsync = ({ children }: Node): string => (children[0]?.type === "async" ? "async" : "");

function readSimple(source: Source, node: Node): Term {
  const [first, ...more] = childrenOf(node);
  if (first === undefined) throw new Unsupported("empty statement");
  if (more.length > 0 || node.children.at(-1)?.type === ",") {
    return term("expression", [
      term(
        "tuple",
        [first, ...more].map((part) => readExpression(source, part)),
      ),
    ]);
  }
  if (first.type === "assignment") return readAssignment(source, first);
  if (first.type === "augmented_assignment") {
    const [left, right] = [field(first, "left")!, field(first, "right")!];
    const operator = source.textOf(field(first, "operator")!).slice(0, -1);
    return term("augment", [readExpression(source, left), readExpression(source, right)], operator);
  }
  // A docstring, a literal used as a comment, or `...` has no effect. A docstring is the longest text of most programs, so it is not read.
  if (first.type === "string" && !isFormat(source, first)) return NOTHING;
  const value = readExpression(source, first);
  return value.kind === "literal" ? NOTHING : term("expression", [value]);
}

function readAssignment(source: Source, node: Node): Term {
  const type = field(node, "type");
  const target = readExpression(source, field(node, "left")!);
  const right = field(node, "right");
  if (type !== undefined) {
    if (source.keepsAnnotations(node)) {
      const value = right === undefined ? NOTHING : readExpression(source, right);
      return term("annotated", [target, value], source.textOf(type));
    }
    return right === undefined ? NOTHING : term("assign", [target, readExpression(source, right)]);
  }
  if (right === undefined) throw new Unsupported("assignment without a value");
  if (right.type !== "assignment") return term("assign", [target, readExpression(source, right)]);
  const rest = readAssignment(source, right);
  return term("chain", [target, ...rest.items]);
}

/** The imported names, each a literal `a` or `a as b`. */
function importedNames(source: Source, node: Node): Term[] {
  if (node.children.some(({ type }) => type === "wildcard_import")) return [term("literal", [], "*")];
  return node.children
    .filter(({ field }) => field === "name")
    .map((part) => term("literal", [], source.textOf(part).replace(/\s+/g, " ")));
}

const readElse: Reader = (source, node) => {
  const clause = node.children.find(({ type }) => type === "else_clause");
  return clause === undefined ? EMPTY : readBlock(source, field(clause, "body"));
};

function readIf(source: Source, node: Node, clauses = fields(node, "alternative")): Term {
  const [next, ...rest] = clauses;
  let no: Term = EMPTY;
  if (next?.type === "elif_clause") no = block([readIf(source, next, rest)]);
  else if (next !== undefined) no = readBlock(source, field(next, "body"));
  const condition = readExpression(source, field(node, "condition")!);
  return term("if", [condition, readBlock(source, field(node, "consequence")), no]);
}

function readTry(source: Source, node: Node): Term {
  const handlers = node.children.filter(({ type }) => type === "except_clause");
  const last = node.children.find(({ type }) => type === "finally_clause");
  return term("try", [
    readBlock(source, field(node, "body")),
    term(
      "handlers",
      handlers.map((clause) => readHandler(source, clause)),
    ),
    readElse(source, node),
    readBlock(
      source,
      last?.children.find(({ type }) => type === "block"),
    ),
  ]);
}

function readHandler(source: Source, node: Node): Term {
  const value = field(node, "value");
  const [type, alias] = value?.type === "as_pattern" ? childrenOf(value) : [value];
  const star = node.children[1]?.type === "*" ? "*" : "";
  return term(
    "handler",
    [
      type ? readExpression(source, type) : NOTHING,
      alias ? name(source.renamed(alias)) : NOTHING,
      readBlock(
        source,
        node.children.find((part) => part.type === "block"),
      ),
    ],
    star,
  );
}

function readWith(source: Source, node: Node): Term {
  const clause = node.children.find(({ type }) => type === "with_clause");
  const items = (clause === undefined ? [] : childrenOf(clause)).map((item) => {
    const value = field(item, "value")!;
    const [context, alias] = value.type === "as_pattern" ? childrenOf(value) : [value];
    const target = alias === undefined ? NOTHING : readExpression(source, childrenOf(alias)[0]!);
    return term("withitem", [readExpression(source, context!), target]);
  });
  return term("with", [term("withitems", items), readBlock(source, field(node, "body"))], isAsync(node));
}

function readFunction(source: Source, node: Node, decorators: readonly Term[]): Term {
  if (field(node, "type_parameters")) throw new Unsupported("type parameters");
  const parameters = readParameters(source, field(node, "parameters"));
  const head = isAsync(node) === "" ? "def" : "async def";
  return term(
    "function",
    [term("decorators", decorators), parameters, readBlock(source, field(node, "body"))],
    `${head} ${source.textOf(field(node, "name")!)}`,
  );
}

function readClass(source: Source, node: Node, decorators: readonly Term[]): Term {
  if (field(node, "type_parameters")) throw new Unsupported("type parameters");
  const bases = field(node, "superclasses");
  const list = (bases ? childrenOf(bases) : []).map((part) => readExpression(source, part));
  return term(
    "class",
    [term("decorators", decorators), term("arguments", list), readBlock(source, field(node, "body"))],
    source.textOf(field(node, "name")!),
  );
}
