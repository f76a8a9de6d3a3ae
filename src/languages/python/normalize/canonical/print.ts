/** Prints terms as Python source: one statement per line, four spaces per level, brackets only where Python needs them. */
import type { Program } from "../../syntax/parse.ts";
import { SimplePrinter } from "./print-simple.ts";
import { TextOutput, TreeOutput } from "./printed.ts";
import type { Term, TermOf } from "./terms.ts";

const INDENT = "    ";

/**
 * A module's lines, each with its line break.
 * @throws RangeError for terms that are nested too deep for the stack.
 */
export function printModule(module: Term): string {
  const out = new TextOutput();
  new Printer(out).module(module);
  return out.code;
}

/**
 * Prints a module together with its tree, which equals the parser's tree node for node. The tree is null if only the parser can
 * build it, e.g. for f-strings, whose parts terms do not keep.
 */
export function printTree(module: Term): { readonly code: string; readonly program: Program | null } {
  const out = new TreeOutput();
  new Printer(out).module(module);
  return { code: out.code, program: out.program() };
}

class Printer extends SimplePrinter {
  module({ items }: Term): void {
    this.#statements(items, 0);
  }

  #statements(items: readonly Term[], depth: number): void {
    for (let i = 0; i < items.length; i++) {
      if (i > 0) this.#indent(depth);
      this.#statement(items[i]!, depth, null);
      if (isSimple(items[i]!)) this.out.space("\n");
    }
  }

  #indent(depth: number): void {
    if (depth > 0) this.out.space(INDENT.repeat(depth));
  }

  /** Prints the colon and the block after it; `pass` if it is empty. */
  #block(body: Term, depth: number, field: string | null): void {
    const { out } = this;
    out.token(":");
    out.space("\n");
    this.#indent(depth + 1);
    out.open("block", field);
    if (body.items.length > 0) this.#statements(body.items, depth + 1);
    else {
      this.oneWord("pass_statement", "pass");
      out.space("\n");
    }
    out.close();
  }

  #else(body: Term, depth: number): void {
    if (body.items.length > 0) this.#clause("else_clause", "else", body, depth, "alternative", "body");
  }

  #clause(type: string, head: string, body: Term, depth: number, field: string | null, bodyField: string | null): void {
    this.#indent(depth);
    this.out.open(type, field);
    this.out.token(head);
    this.#block(body, depth, bodyField);
    this.out.close();
  }

  #statement(of: Term, depth: number, field: string | null): void {
    const { out } = this;
    switch (of.kind) {
      case "if":
        out.open("if_statement");
        out.token("if");
        this.#branches(of, depth);
        out.close();
        return;
      case "while":
        out.open("while_statement");
        this.word("while");
        this.expression(of.items[0], "condition");
        this.#block(of.items[1], depth, "body");
        this.#else(of.items[2], depth);
        out.close();
        return;
      case "for":
        out.open("for_statement");
        this.#async(of.text);
        this.word("for");
        this.target(of.items[0], "left");
        this.between("in");
        this.given(of.items[1], "right");
        this.#block(of.items[2], depth, "body");
        this.#else(of.items[3], depth);
        out.close();
        return;
      case "try":
        this.#try(of, depth);
        return;
      case "with":
        this.#with(of, depth);
        return;
      case "function":
      case "class":
        this.#definition(of, depth, field);
        return;
      default:
        this.simple(of);
    }
  }

  #async(text: string): void {
    if (text === "async") this.word("async");
  }

  /**
   * Prints an `if` from its condition on. An `if` alone in an `else` becomes an `elif`, which in the tree is a sibling of the
   * earlier clauses.
   */
  #branches(of: TermOf<"if">, depth: number): void {
    const { out } = this;
    for (let at = of; ; ) {
      const [condition, yes, no] = at.items;
      out.space(" ");
      this.expression(condition, "condition");
      this.#block(yes, depth, "consequence");
      if (at !== of) out.close();
      const [only, ...more] = no.items;
      if (only?.kind !== "if" || more.length > 0) {
        this.#else(no, depth);
        return;
      }
      this.#indent(depth);
      out.open("elif_clause", "alternative");
      out.token("elif");
      at = only;
    }
  }

  #try(of: TermOf<"try">, depth: number): void {
    const { out } = this;
    const [body, handlers, otherwise, last] = of.items;
    out.open("try_statement");
    out.token("try");
    this.#block(body, depth, "body");
    for (const handler of handlers.items) {
      const [type, alias, block] = handler.items as readonly [Term, Term, Term];
      if (handler.text !== "") out.ask();
      this.#indent(depth);
      out.open("except_clause");
      out.token(`except${handler.text}`);
      if (type.kind !== "nothing") {
        out.space(" ");
        this.#as(type, alias.kind === "nothing" ? null : () => out.leaf("identifier", alias.text));
      }
      this.#block(block, depth, null);
      out.close();
    }
    if (otherwise.items.length > 0) this.#clause("else_clause", "else", otherwise, depth, null, "body");
    if (last.items.length > 0) this.#clause("finally_clause", "finally", last, depth, null, null);
    out.close();
  }

  /** Prints `value` or `value as target`. */
  #as(value: Term, target: (() => void) | null): void {
    const { out } = this;
    if (target === null) {
      this.expression(value, "value");
      return;
    }
    out.open("as_pattern", "value");
    this.expression(value);
    this.between("as");
    out.open("as_pattern_target", "alias");
    target();
    out.close();
    out.close();
  }

  #with(of: TermOf<"with">, depth: number): void {
    const { out } = this;
    out.open("with_statement");
    this.#async(of.text);
    this.word("with");
    out.open("with_clause");
    this.commas(of.items[0].items, (item) => {
      const [context, target] = item.items as readonly [Term, Term];
      // After an opening bracket the parser may see several items.
      if (!/^(?:call|name|attribute)$/.test(context.kind) || !/^(?:name|nothing)$/.test(target.kind)) out.ask();
      out.open("with_item");
      this.#as(context, target.kind === "nothing" ? null : () => this.expression(target));
      out.close();
    });
    out.close();
    this.#block(of.items[1], depth, "body");
    out.close();
  }

  #definition(of: TermOf<"function"> | TermOf<"class">, depth: number, field: string | null): void {
    const { out } = this;
    const [decorators, list, body] = of.items;
    if (decorators.items.length > 0) {
      out.open("decorated_definition", field);
      for (const decorator of decorators.items) {
        out.open("decorator");
        out.token("@");
        this.expression(decorator);
        out.close();
        out.space("\n");
        this.#indent(depth);
      }
    }
    const role = decorators.items.length > 0 ? "definition" : field;
    if (of.kind === "function") {
      out.open("function_definition", role);
      for (const word of of.text.split(" ").slice(0, -1)) this.word(word);
      out.leaf("identifier", of.text.replace(/^.* /, ""), "name");
      out.open("parameters", "parameters");
      out.token("(");
      this.parameters(list);
      out.token(")");
      out.close();
    } else {
      out.open("class_definition", role);
      this.word("class");
      out.leaf("identifier", of.text, "name");
      if (list.items.length > 0) {
        out.open("argument_list", "superclasses");
        out.token("(");
        this.commas(list.items, (base) => this.expression(base));
        out.token(")");
        out.close();
      }
    }
    this.#block(body, depth, "body");
    out.close();
    if (decorators.items.length > 0) out.close();
  }
}

const COMPOUND: ReadonlySet<string> = new Set(["if", "while", "for", "try", "with", "function", "class"]);

/** Whether a statement has no block. A block ends with its own line break. */
const isSimple = ({ kind }: Term): boolean => !COMPOUND.has(kind);
