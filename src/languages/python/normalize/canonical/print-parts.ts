/** Printing that expressions and statements share: lists with commas, assignment targets, parameters. */
import { BITS_OR } from "./print-strength.ts";
import type { Output } from "./printed.ts";
import type { Term } from "./terms.ts";

/** A node's role in its parent, as named by the grammar; null if it has none. */
export type Field = string | null;

export abstract class PartPrinter {
  protected readonly out: Output;

  constructor(out: Output) {
    this.out = out;
  }

  /** @param least the lowest strength that needs no brackets */
  protected abstract expression(of: Term, field?: Field, least?: number): void;

  /** Prints an assignment target. */
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
        this.within("tuple_pattern", field, "(", ")", () => this.openTuple(of.items, inner));
        return;
      case "list":
        this.within("list_pattern", field, "[", "]", () => this.commas(of.items, inner));
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

  /** Prints a tuple's parts without brackets. */
  protected openTuple(items: readonly Term[], one: (item: Term) => void): void {
    this.commas(items, one);
    if (items.length === 1) this.out.token(",");
  }

  protected within(type: string, field: Field, open: string, close: string, inside: () => void): void {
    this.out.open(type, field);
    this.out.token(open);
    inside();
    this.out.token(close);
    this.out.close();
  }

  /** Prints a word or sign with a space before and after it. */
  protected between(text: string, field: Field = null): void {
    this.out.space(" ");
    this.out.token(text, field);
    this.out.space(" ");
  }

  /** Prints a word and a space. */
  protected word(text: string, field: Field = null): void {
    this.out.token(text, field);
    this.out.space(" ");
  }

  /** Prints parameters without brackets around them. */
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
