/** Prints statements without blocks as Python source. */
import { ExpressionPrinter } from "./print-expression.ts";
import type { Field } from "./print-parts.ts";
import type { Term, TermOf } from "./terms.ts";

export class SimplePrinter extends ExpressionPrinter {
  /** Prints a statement that is one word. */
  protected oneWord(type: string, word: string): void {
    this.out.open(type);
    this.out.token(word);
    this.out.close();
  }

  /** Prints a returned value or an iterable. The grammar accepts no `yield` there. */
  protected given(of: Term, field: Field): void {
    if (of.kind === "yield") this.out.ask();
    this.value(of, field);
  }

  /** Prints a statement without blocks. */
  protected simple(of: Term): void {
    const { out } = this;
    switch (of.kind) {
      case "expression": {
        const [value] = of.items;
        out.open("expression_statement");
        if (value.kind === "tuple" && value.items.length > 0)
          this.openTuple(value.items, (item) => this.expression(item));
        else this.value(value);
        out.close();
        return;
      }
      case "assign":
      case "chain":
        out.open("expression_statement");
        this.#assignment(of.items);
        out.close();
        return;
      case "augment":
        out.open("expression_statement");
        out.open("augmented_assignment");
        this.target(of.items[0], "left");
        this.between(`${of.text}=`, "operator");
        this.value(of.items[1], "right");
        out.close();
        out.close();
        return;
      case "annotated": {
        const [target, value] = of.items;
        out.ask(); // a type is kept as written
        this.expression(target);
        out.token(":");
        out.space(" ");
        out.plain(of.text);
        if (value.kind === "nothing") return;
        this.between("=");
        this.value(value);
        return;
      }
      case "return":
        out.open("return_statement");
        out.token("return");
        if (of.items[0].kind !== "nothing") {
          out.space(" ");
          this.given(of.items[0], null);
        }
        out.close();
        return;
      case "raise": {
        const [value, cause] = of.items;
        out.open("raise_statement");
        out.token("raise");
        if (value.kind !== "nothing") {
          out.space(" ");
          this.expression(value);
          if (cause.kind !== "nothing") {
            this.between("from");
            this.expression(cause, "cause");
          }
        }
        out.close();
        return;
      }
      case "assert": {
        const [condition, message] = of.items;
        out.open("assert_statement");
        this.word("assert");
        this.expression(condition);
        if (message.kind !== "nothing") {
          out.token(",");
          out.space(" ");
          this.expression(message);
        }
        out.close();
        return;
      }
      case "delete":
        out.open("delete_statement");
        this.word("del");
        if (of.items.length > 1) out.open("expression_list");
        this.commas(of.items, (item) => this.expression(item));
        if (of.items.length > 1) out.close();
        out.close();
        return;
      case "global":
        out.open(`${of.text}_statement`);
        this.word(of.text);
        this.commas(of.items, (item) => this.expression(item));
        out.close();
        return;
      case "import":
        this.#import(of);
        return;
      case "pass":
      case "break":
      case "continue":
        this.oneWord(`${of.kind}_statement`, of.kind);
        return;
      default:
        out.ask();
        out.plain(of.kind);
    }
  }

  #assignment(items: readonly Term[]): void {
    const { out } = this;
    for (let i = 0; i < items.length - 1; i++) {
      out.open("assignment", i > 0 ? "right" : null);
      this.target(items[i]!, "left");
      this.between("=");
    }
    this.value(items.at(-1)!, "right");
    for (let i = 0; i < items.length - 1; i++) out.close();
  }

  #import({ text, items }: TermOf<"import">): void {
    const { out } = this;
    if (text.startsWith(".") || text === "__future__") out.ask();
    out.open(text === "" ? "import_statement" : "import_from_statement");
    if (text !== "") {
      this.word("from");
      this.#dotted(text, "module_name");
      out.space(" ");
    }
    this.word("import");
    this.commas(items, (item) => {
      const [name, alias] = item.text.split(" as ") as [string, string | undefined];
      if (name === "*") {
        out.open("wildcard_import");
        out.token("*");
        out.close();
      } else if (alias === undefined) this.#dotted(name, "name");
      else {
        out.open("aliased_import", "name");
        this.#dotted(name, "name");
        this.between("as");
        out.leaf("identifier", alias, "alias");
        out.close();
      }
    });
    out.close();
  }

  #dotted(name: string, field: string): void {
    const { out } = this;
    if (name.includes(" ")) out.ask();
    out.open("dotted_name", field);
    for (const [i, part] of name.split(".").entries()) {
      if (i > 0) out.token(".");
      out.leaf("identifier", part);
    }
    out.close();
  }
}
