/**
 * Reads how a program uses its parameters: `for name, price in items`, `item["qty"]`, `unit == "kg"`, `graph.get(node, [])`. Each expression
 * gets a term; expressions that must have values of one kind get the same. The order of statements is ignored.
 */
import { parseLiteral, printLiteral } from "../../languages/python/literals/index.ts";
import {
  enclosing,
  field,
  fields,
  type Node,
  type Program,
  parts,
  textOf,
} from "../../languages/python/syntax/walk.ts";
import { calls } from "./calls.ts";
import { Lookups } from "./lookups.ts";
import { alternative, attribute, collection, comparison, dictionary, entry, operation } from "./operations.ts";
import { type Term, Terms, textsOf } from "./term.ts";

/** Maximum number of nodes of a program that is read, and of nested expressions. */
const MOST_NODES = 6000;
const DEEPEST = 60;
/** Maximum characters of a literal. Longer texts are messages. */
const LONGEST = 40;
const LONGEST_FUNCTION = 10_000;
/** Maximum number of parts of a text that are told apart by their indices. */
const MOST_PLACES = 8;

const COMPREHENSIONS = ["list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"];

export class Uses {
  readonly terms = new Terms();
  readonly program: Program;
  readonly #known = new Map<Node, Term | null>();
  readonly #names = new Map<string, Term>();
  readonly #functions = new Map<string, Node>();
  readonly #assigned = new Map<string, boolean>();
  readonly #results = new Map<Node, Term>();
  #depth = 0;

  /** The text that the program reads from standard input. */
  readonly stdin = this.terms.make("text");
  readonly lookups = new Lookups();
  /** The calls that read one line of it, with their results. */
  readonly reads = new Map<Node, Term>();

  constructor(program: Program) {
    this.program = program;
    if (program.nodes.length > MOST_NODES) return;
    for (const node of program.nodes)
      if (node.type === "function_definition") this.#functions.set(this.text(field(node, "name")), node);
    for (const node of program.nodes) this.#statement(node);
    for (const node of program.nodes) this.of(node);
    this.terms.settlePlaces();
  }

  /** The term of a parameter of a function; null if there is none. */
  parameter(name: string, parameter: string): Term | null {
    const definition = this.#functions.get(name);
    return definition === undefined ? null : this.#variable(parameter, definition);
  }

  /** Parameters of a function by position, with the function. */
  definition(name: string): { readonly parameters: readonly string[]; readonly result: Term } | null {
    const found = this.#functions.get(name);
    return found === undefined ? null : { parameters: this.#parameters(found), result: this.#result(found) };
  }

  text(node: Node | undefined): string {
    return node === undefined ? "" : textOf(this.program, node);
  }

  literalText(node: Node | undefined): string | null {
    if (node?.type !== "string") return null;
    const value = this.#literal(node)?.constants.values().next().value;
    return value?.t === "str" ? value.v : null;
  }

  standardInput(method: string): Term {
    if (method === "read") return this.stdin;
    const parts = this.terms.collection(this.terms.make("text"));
    parts.uses.add("parts");
    this.stdin.root.split ??= { separator: "\n", parts };
    return this.stdin.root.split.parts;
  }

  line(call: Node): Term {
    const line = this.terms.make("text");
    this.reads.set(call, line);
    return line;
  }

  /** The parameters of a lambda, by position. */
  lambdaParameters(node: Node): Term[] {
    return this.#parameters(node).map((name) => this.#variable(name, node));
  }

  /** The term of an expression; null for anything else. */
  of(node: Node | undefined): Term | null {
    if (node === undefined || this.#depth > DEEPEST) return null;
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    this.#known.set(node, null);
    this.#depth += 1;
    const made = this.#expression(node);
    this.#depth -= 1;
    this.#known.set(node, made);
    return made;
  }

  bind(target: Node | undefined, value: Term | null): void {
    if (target === undefined || value === null) return;
    if (/^(?:pattern_list|tuple_pattern|list_pattern|tuple|list|expression_list)$/.test(target.type)) {
      const targets = parts(target);
      if (targets.some(({ type }) => type === "list_splat_pattern")) return;
      const names = value.root.names;
      if (names.length === 0) names.push(...targets.map((one) => this.text(one)));
      for (const [i, one] of targets.entries()) this.bind(one, this.terms.position(value, i));
    } else this.terms.unite(this.of(target), value);
  }

  #parameters(definition: Node): string[] {
    const list = field(definition, "parameters");
    const names = list === undefined ? [] : parts(list).map((part) => this.text(part));
    return names.map((name) => /^\*{0,2}(\w+)/.exec(name)?.[1] ?? "").filter((name) => name !== "self");
  }

  /** The variable of a name: of the function, lambda or comprehension around it that binds it. */
  #variable(name: string, at: Node): Term {
    let scope: Node | null = at;
    let outermost = at;
    for (; scope; scope = scope.parent) {
      if (scope.type === "function_definition" || scope.type === "lambda") {
        outermost = scope;
        if (this.#parameters(scope).includes(name)) break;
      } else if (COMPREHENSIONS.includes(scope.type)) {
        const targets = scope.children.filter(({ type }) => type === "for_in_clause").map((one) => field(one, "left"));
        if (targets.some((one) => new RegExp(`\\b${name}\\b`).test(this.text(one)))) break;
      }
    }
    const holder = scope ?? (outermost.type === "function_definition" ? outermost : null);
    const isGlobal = scope === null && !this.#assigns(outermost, name);
    const key = isGlobal || holder === null ? name : `${holder.start}:${name}`;
    const known = this.#names.get(key) ?? this.terms.make();
    this.#names.set(key, known);
    return known;
  }

  /** Whether a function assigns a name; otherwise the name is global. */
  #assigns(scope: Node, name: string): boolean {
    if (scope.type !== "function_definition") return false;
    const key = `${scope.start}:${name}`;
    const known =
      this.#assigned.get(key) ??
      new RegExp(`(?<![\\w.])${name}\\b[^\\n=]{0,80}(?:=(?!=)|\\bin\\b)`).test(
        this.text(scope).slice(0, LONGEST_FUNCTION),
      );
    this.#assigned.set(key, known);
    return known;
  }

  #result(definition: Node): Term {
    const known = this.#results.get(definition) ?? this.terms.make();
    this.#results.set(definition, known);
    return known;
  }

  #statement(node: Node): void {
    const { terms } = this;
    switch (node.type) {
      case "assignment":
        this.bind(field(node, "left"), this.of(field(node, "right")));
        return;
      case "augmented_assignment": {
        const [left, right] = [this.of(field(node, "left")), this.of(field(node, "right"))];
        if (/^[-*/%]|^\+=$/.test(this.text(field(node, "operator")))) terms.unite(left, right);
        return;
      }
      case "for_statement":
      case "for_in_clause": {
        const right = field(node, "right");
        const over = this.of(right);
        if (over === null) return;
        if (right?.type === "tuple") for (const one of over.root.positions) terms.unite(terms.item(over), one);
        if (right?.type === "tuple" || right?.type === "list") terms.item(over).root.uses.add("listed");
        this.bind(field(node, "left"), terms.item(over));
        return;
      }
      case "return_statement": {
        const inside = enclosing(node, "function_definition");
        if (inside) terms.unite(this.#result(inside), this.of(parts(node)[0]));
      }
    }
  }

  #expression(node: Node): Term | null {
    const { terms } = this;
    const inner = (name: string): Term | null => this.of(field(node, name));
    switch (node.type) {
      case "identifier":
        return this.#variable(this.text(node), node);
      case "attribute":
        return this.text(node) === "sys.stdin" ? this.standardInput("readlines") : attribute(this, node);
      case "string":
      case "integer":
      case "float":
        return this.#literal(node);
      case "parenthesized_expression":
        return this.of(parts(node)[0]);
      case "named_expression":
        this.bind(field(node, "name"), inner("value"));
        return inner("value");
      case "unary_operator": {
        const value = inner("argument");
        if (this.text(node).startsWith("-")) value?.root.uses.add("number");
        return value;
      }
      case "boolean_operator":
        return alternative(this, node);
      case "conditional_expression": {
        const [then, , other] = parts(node);
        terms.unite(this.of(then), this.of(other));
        return this.of(then);
      }
      case "binary_operator":
        return operation(this, node);
      case "comparison_operator":
        comparison(this, node);
        return terms.make("bool");
      case "call":
        return calls(this, node);
      case "subscript":
        return this.#subscript(node);
      case "list":
      case "set":
      case "tuple":
      case "expression_list":
        return collection(this, node);
      case "dictionary":
        return dictionary(this, node);
      case "list_comprehension":
      case "generator_expression":
      case "set_comprehension":
        return terms.collection(inner("body"), node.type === "set_comprehension" ? "set" : "list");
      case "dictionary_comprehension": {
        const made = terms.make("dict");
        entry(this, made, field(node, "body"), false);
        return made;
      }
      default:
        return null;
    }
  }

  #literal(node: Node): Term | null {
    const source = this.text(node);
    const made = this.terms.make(node.type === "string" ? "text" : "number");
    if (source.length > LONGEST) return made;
    try {
      const value = parseLiteral(source);
      if (value.t === "str" || value.t === "int") made.constants.set(printLiteral(value), value);
      return value.t === "bytes" ? null : made;
    } catch {
      return made; // an f-string
    }
  }

  #subscript(node: Node): Term | null {
    const { terms } = this;
    const over = this.of(field(node, "value"));
    const [index] = fields(node, "subscript");
    if (over === null || index === undefined) return null;
    if (index.type !== "integer") over.root.uses.add("indexed");
    if (index.type !== "slice") this.lookups.take(over, this.text(field(node, "value")), this.text(index));
    if (index.type === "slice") return over;
    const place = index.type === "integer" ? Number(this.text(index)) : -1;
    if (place >= 0 && place < MOST_PLACES)
      return over.root.uses.has("parts") ? terms.position(over, place) : terms.place(over, place);
    if (index.type === "string") {
      const key = this.literalText(index);
      return key === null ? null : terms.field(over, key, false);
    }
    const at = this.of(index);
    const isListed = index.type === "identifier" && at !== null && at.root.uses.has("listed");
    const [first] = isListed ? textsOf(at.root).map((key) => terms.field(over, key, false)) : [];
    if (first !== undefined) return first;
    if (index.type === "identifier" && at && !at.root.uses.has("number") && over.root.uses.has("dict"))
      terms.unite(terms.item(over), at);
    return terms.value(over);
  }
}
