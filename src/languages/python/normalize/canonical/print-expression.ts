/** Prints expressions as Python source, with brackets only where Python needs them. */
import { printText } from "./print-literal.ts";
import { type Field, PartPrinter } from "./print-parts.ts";
import { AND, ATOM, AWAIT, BITS_OR, LAMBDA, NOT, OPERATIONS, OR, strengthOf, UNARY } from "./print-strength.ts";
import { isName, type Term } from "./terms.ts";

/** Words that start a statement in some contexts. If one occurs, the text must be parsed. */
const SOFT_KEYWORDS: ReadonlySet<string> = new Set(["print", "exec", "match", "case", "type", "async", "await"]);

export class ExpressionPrinter extends PartPrinter {
  /** @param least the lowest strength that needs no brackets */
  protected expression(of: Term, field: Field = null, least = LAMBDA): void {
    if (strengthOf(of) >= least) {
      this.#bare(of, field);
      return;
    }
    this.within("parenthesized_expression", field, "(", ")", () => this.#bare(of, null));
  }

  /** Prints a value where a tuple needs no brackets: assigned, returned or iterated over, or a statement by itself. */
  protected value(of: Term, field: Field = null): void {
    if (of.kind === "tuple" && of.items.length > 0) {
      this.out.open("expression_list", field);
      this.openTuple(of.items, (item) => this.expression(item));
      this.out.close();
    } else if (of.kind === "yield") this.#bare(of, field);
    else this.expression(of, field);
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
    // In the grammar `^` binds tighter than `&`, but in Python `&` binds tighter.
    if ((operator === "&" || operator === "^") && [left, right].some(({ text }) => text === "&" || text === "^")) {
      this.out.ask();
    }
    this.out.open("binary_operator", field);
    this.expression(left, "left", isPower ? AWAIT : strength);
    this.between(operator, "operator");
    this.expression(right, "right", isPower ? UNARY : strength + 1);
    this.out.close();
  }

  /** In the grammar `a and b and c` is `(a and b) and c`. */
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
          this.within("parenthesized_expression", "object", "(", ")", () => this.expression(object));
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
        this.within("tuple", field, "(", ")", () => this.openTuple(of.items, item));
        return;
      case "list":
        this.within("list", field, "[", "]", () => this.commas(of.items, item));
        return;
      case "set":
        if (of.items.length === 0) out.ask();
        this.within("set", field, "{", "}", () => this.commas(of.items, item));
        return;
      case "dict":
        this.within("dictionary", field, "{", "}", () => this.commas(of.items, item));
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
      this.within("argument_list", "arguments", "(", ")", () => this.commas(items, (item) => this.expression(item)));
    }
    out.close();
  }

  #comprehension(kind: string, [element, ...clauses]: readonly [Term, ...Term[]], field: Field): void {
    const { out } = this;
    const [type, open, close] = COMPREHENSIONS[kind]!;
    this.within(type, field, open, close, () => {
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
}

/** Soft keywords that are also functions. A call of one is unambiguous. */
const CALLED: ReadonlySet<string> = new Set(["print", "exec", "type"]);

const COMPREHENSIONS: Readonly<Record<string, readonly [type: string, open: string, close: string]>> = {
  list: ["list_comprehension", "[", "]"],
  set: ["set_comprehension", "{", "}"],
  dict: ["dictionary_comprehension", "{", "}"],
  generator: ["generator_expression", "(", ")"],
};
