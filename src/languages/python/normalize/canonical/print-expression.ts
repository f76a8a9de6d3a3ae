/** Expressions as Python source, with brackets by the table of the Python Language Reference, 6.17. */
import { printText } from "./print-literal.ts";
import type { Output } from "./printed.ts";
import { isName, type Term } from "./terms.ts";

/** How tightly operators bind; what binds less than its place asks for gets brackets. */
const LAMBDA = 1;
const CONDITIONAL = 2;
const OR = 3;
const AND = 4;
const NOT = 5;
const COMPARE = 6;
const BITS_OR = 7;
const UNARY = 13;
const POWER = 14;
const AWAIT = 15;
const ATOM = 16;

const OPERATIONS: Readonly<Record<string, number>> = {
  "|": 7,
  "^": 8,
  "&": 9,
  "<<": 10,
  ">>": 10,
  "+": 11,
  "-": 11,
  "*": 12,
  "/": 12,
  "//": 12,
  "%": 12,
  "@": 12,
  "**": POWER,
};

function strengthOf(of: Term): number {
  switch (of.kind) {
    case "yield":
    case "walrus":
      return 0;
    case "lambda":
      return LAMBDA;
    case "conditional":
      return CONDITIONAL;
    case "logic":
      return of.text === "or" ? OR : AND;
    case "not":
      return NOT;
    case "compare":
      return COMPARE;
    case "operation":
      return OPERATIONS[of.text]!;
    case "unary":
      return UNARY;
    case "await":
      return AWAIT;
    default:
      return ATOM;
  }
}

type Field = string | null;

/** Words that begin statements of their own in some places; there the parser is asked. */
const SOFT_KEYWORDS: ReadonlySet<string> = new Set(["print", "exec", "match", "case", "type", "async", "await"]);

export class ExpressionPrinter {
  protected readonly out: Output;

  constructor(out: Output) {
    this.out = out;
  }

  /** @param least how tightly it must bind to stand without brackets */
  protected expression(of: Term, field: Field = null, least = LAMBDA): void {
    if (strengthOf(of) >= least) {
      this.#bare(of, field);
      return;
    }
    this.#within("parenthesized_expression", field, "(", ")", () => this.#bare(of, null));
  }

  /** Where a tuple needs no brackets: what is assigned, returned or looped over, a statement of its own. */
  protected value(of: Term, field: Field = null): void {
    if (of.kind === "tuple" && of.items.length > 0) {
      this.out.open("expression_list", field);
      this.openTuple(of.items, (item) => this.expression(item));
      this.out.close();
    } else if (of.kind === "yield") this.#bare(of, field);
    else this.expression(of, field);
  }

  /** What is given a value. */
  protected target(of: Term, field: Field = null): void {
    if (of.kind === "tuple" && of.items.length > 0) {
      this.out.open("pattern_list", field);
      this.openTuple(of.items, (item) => this.#pattern(item, null));
      this.out.close();
    } else this.#pattern(of, field);
  }

  #pattern(of: Term, field: Field): void {
    const inner = (item: Term): void => this.#pattern(item, null);
    switch (of.kind) {
      case "tuple":
        this.#within("tuple_pattern", field, "(", ")", () => this.openTuple(of.items, inner));
        return;
      case "list":
        this.#within("list_pattern", field, "[", "]", () => this.commas(of.items, inner));
        return;
      case "star":
        this.out.open("list_splat_pattern", field);
        this.out.token(of.text);
        this.expression(of.items[0], null, BITS_OR);
        this.out.close();
        return;
      case "name":
      case "attribute":
      case "subscript":
        this.expression(of, field);
        return;
      default:
        this.out.ask();
        this.expression(of, field);
    }
  }

  protected commas(items: readonly Term[], one: (item: Term) => void): void {
    for (let i = 0; i < items.length; i++) {
      if (i > 0) {
        this.out.token(",");
        this.out.space(" ");
      }
      one(items[i]!);
    }
  }

  /** A tuple's parts, without brackets. */
  protected openTuple(items: readonly Term[], one: (item: Term) => void): void {
    this.commas(items, one);
    if (items.length === 1) this.out.token(",");
  }

  #within(type: string, field: Field, open: string, close: string, inside: () => void): void {
    this.out.open(type, field);
    this.out.token(open);
    inside();
    this.out.token(close);
    this.out.close();
  }

  /** A word or sign with a blank before and behind it. */
  protected between(text: string, field: Field = null): void {
    this.out.space(" ");
    this.out.token(text, field);
    this.out.space(" ");
  }

  /** A word, a blank and what follows. */
  protected word(text: string, field: Field = null): void {
    this.out.token(text, field);
    this.out.space(" ");
  }

  #bare(of: Term, field: Field): void {
    const { out } = this;
    switch (of.kind) {
      case "operation":
        this.#operation(of.text, of.items[0], of.items[1], field);
        return;
      case "unary":
        out.open("unary_operator", field);
        out.token(of.text, "operator");
        this.expression(of.items[0], "argument", UNARY);
        out.close();
        return;
      case "not":
        out.open("not_operator", field);
        this.word("not");
        this.expression(of.items[0], "argument", NOT);
        out.close();
        return;
      case "await":
        out.open("await", field);
        this.word("await");
        this.expression(of.items[0], null, ATOM);
        out.close();
        return;
      case "logic":
        this.#logic(of.items, of.text, field);
        return;
      case "compare":
        out.open("comparison_operator", field);
        this.#comparison(of.items, of.text.split(","));
        out.close();
        return;
      case "conditional":
        out.open("conditional_expression", field);
        this.expression(of.items[0], null, OR);
        this.between("if");
        this.expression(of.items[1], null, OR);
        this.between("else");
        this.expression(of.items[2], null, LAMBDA);
        out.close();
        return;
      case "lambda":
        out.open("lambda", field);
        out.token("lambda");
        if (of.items[0].items.length > 0) {
          out.space(" ");
          out.open("lambda_parameters", "parameters");
          this.parameters(of.items[0]);
          out.close();
        }
        out.token(":");
        out.space(" ");
        this.expression(of.items[1], "body");
        out.close();
        return;
      case "walrus":
        out.open("named_expression", field);
        this.expression(of.items[0], "name");
        this.between(":=");
        this.expression(of.items[1], "value");
        out.close();
        return;
      case "yield":
        out.open("yield", field);
        out.token("yield");
        if (of.text !== "") {
          out.space(" ");
          out.token("from");
        }
        if (of.items[0].kind !== "nothing") {
          out.space(" ");
          this.value(of.items[0]);
        }
        out.close();
        return;
      default:
        this.#atom(of, field);
    }
  }

  #operation(operator: string, left: Term, right: Term, field: Field): void {
    const strength = OPERATIONS[operator]!;
    const isPower = operator === "**";
    // The grammar has `^` bind tighter than `&`; in Python it is the other way round.
    if ((operator === "&" || operator === "^") && [left, right].some(({ text }) => text === "&" || text === "^")) {
      this.out.ask();
    }
    this.out.open("binary_operator", field);
    this.expression(left, "left", isPower ? AWAIT : strength);
    this.between(operator, "operator");
    this.expression(right, "right", isPower ? UNARY : strength + 1);
    this.out.close();
  }

  /** For the grammar `a and b and c` is `(a and b) and c`. */
  #logic(items: readonly Term[], operator: string, field: Field): void {
    const least = operator === "or" ? AND : NOT;
    for (let i = items.length - 1; i > 0; i--) {
      this.out.open("boolean_operator", i === items.length - 1 ? field : "left");
    }
    for (let i = 0; i < items.length; i++) {
      if (i > 0) this.between(operator, "operator");
      this.expression(items[i]!, i > 0 ? "right" : items.length === 1 ? field : "left", least);
      if (i > 0) this.out.close();
    }
  }

  #comparison(items: readonly Term[], operators: readonly string[]): void {
    const { out } = this;
    for (let i = 0; i < items.length; i++) {
      if (i > 0) {
        const operator = operators[i - 1]!;
        out.space(" ");
        const [first, second] = operator.split(" ");
        if (second === undefined) out.token(operator, "operators");
        else out.pair(first!, second, "operators");
        out.space(" ");
      }
      this.expression(items[i]!, null, BITS_OR);
    }
  }

  #atom(of: Term, field: Field): void {
    const { out } = this;
    const item = (part: Term): void => this.expression(part);
    switch (of.kind) {
      case "name":
        if (SOFT_KEYWORDS.has(of.text)) out.ask();
        out.leaf("identifier", of.text, field);
        return;
      case "literal":
        printText(out, of.text, field);
        return;
      case "call":
        this.#call(of.items[0], of.items[1].items, field);
        return;
      case "attribute": {
        const [object] = of.items;
        out.open("attribute", field);
        if (object.kind === "literal" && /^\d/.test(object.text)) {
          this.#within("parenthesized_expression", "object", "(", ")", () => this.expression(object));
        } else this.expression(object, "object", ATOM);
        out.token(".");
        out.leaf("identifier", of.text, "attribute");
        out.close();
        return;
      }
      case "subscript": {
        const [object, ...indices] = of.items;
        out.open("subscript", field);
        this.expression(object, "value", ATOM);
        out.token("[");
        this.commas(indices, (index) => this.expression(index, "subscript"));
        out.token("]");
        out.close();
        return;
      }
      case "slice": {
        const [from, to, step] = of.items;
        const bound = (part: Term): void => {
          if (part.kind !== "nothing") this.expression(part);
        };
        out.open("slice", field);
        bound(from);
        out.token(":");
        bound(to);
        if (step.kind !== "nothing") {
          out.token(":");
          bound(step);
        }
        out.close();
        return;
      }
      case "tuple":
        this.#within("tuple", field, "(", ")", () => this.openTuple(of.items, item));
        return;
      case "list":
        this.#within("list", field, "[", "]", () => this.commas(of.items, item));
        return;
      case "set":
        if (of.items.length === 0) out.ask();
        this.#within("set", field, "{", "}", () => this.commas(of.items, item));
        return;
      case "dict":
        this.#within("dictionary", field, "{", "}", () => this.commas(of.items, item));
        return;
      case "pair":
        out.open("pair", field);
        this.expression(of.items[0], "key");
        out.token(":");
        out.space(" ");
        this.expression(of.items[1], "value");
        out.close();
        return;
      case "keyword":
        out.open("keyword_argument", field);
        out.leaf("identifier", of.text, "name");
        out.token("=");
        this.expression(of.items[0], "value");
        out.close();
        return;
      case "star":
        out.open(of.text === "*" ? "list_splat" : "dictionary_splat", field);
        out.token(of.text);
        this.expression(of.items[0], null, BITS_OR);
        out.close();
        return;
      case "comprehension":
        this.#comprehension(of.text, of.items, field);
        return;
      default:
        out.ask();
        out.leaf(of.kind, of.text, field);
    }
  }

  #call(callee: Term, items: readonly Term[], field: Field): void {
    const { out } = this;
    const [only, ...more] = items;
    out.open("call", field);
    if (isName(callee) && CALLED.has(callee.text)) out.leaf("identifier", callee.text, "function");
    else this.expression(callee, "function", ATOM);
    if (only?.kind === "comprehension" && only.text === "generator" && more.length === 0) {
      this.#bare(only, "arguments");
    } else {
      this.#within("argument_list", "arguments", "(", ")", () => this.commas(items, (item) => this.expression(item)));
    }
    out.close();
  }

  #comprehension(kind: string, [element, ...clauses]: readonly [Term, ...Term[]], field: Field): void {
    const { out } = this;
    const [type, open, close] = COMPREHENSIONS[kind]!;
    this.#within(type, field, open, close, () => {
      this.expression(element, "body");
      for (const clause of clauses) {
        out.space(" ");
        if (clause.kind === "ifin") {
          out.open("if_clause");
          this.word("if");
          this.expression(clause.items[0], null, OR);
        } else {
          const [target, over] = clause.items as readonly [Term, Term];
          out.open("for_in_clause");
          if (clause.text === "async") this.word("async");
          this.word("for");
          this.target(target, "left");
          this.between("in");
          this.expression(over, "right", OR);
        }
        out.close();
      }
    });
  }

  /** Without brackets around them. */
  protected parameters({ items }: Term): void {
    const { out } = this;
    this.commas(items, (item) => {
      switch (item.kind) {
        case "default":
          out.open("default_parameter");
          this.expression(item.items[0], "name");
          out.token("=");
          this.expression(item.items[1], "value");
          out.close();
          return;
        case "separator":
          out.open(item.text === "/" ? "positional_separator" : "keyword_separator");
          out.token(item.text);
          out.close();
          return;
        case "star":
          out.open(item.text === "*" ? "list_splat_pattern" : "dictionary_splat_pattern");
          out.token(item.text);
          this.expression(item.items[0], null, BITS_OR);
          out.close();
          return;
        default:
          this.expression(item);
      }
    });
  }
}

/** Soft keywords that are functions: nothing else can be meant by a call of one. */
const CALLED: ReadonlySet<string> = new Set(["print", "exec", "type"]);

const COMPREHENSIONS: Readonly<Record<string, readonly [type: string, open: string, close: string]>> = {
  list: ["list_comprehension", "[", "]"],
  set: ["set_comprehension", "{", "}"],
  dict: ["dictionary_comprehension", "{", "}"],
  generator: ["generator_expression", "(", ")"],
};
