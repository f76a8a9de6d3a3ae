/** Access to a tree-sitter tree, for the readers of terms. */
import { isVariable } from "../../syntax/names.ts";
import { field, type Node, type Program, parts } from "../../syntax/walk.ts";
import type { Term } from "./terms.ts";

/** A construct without a kind of term. */
export class Unsupported extends Error {}

export class Source {
  readonly #code: string;
  readonly #names: ReadonlyMap<string, string>;
  /** The start offsets of statements; null if they are not needed. */
  readonly places: Map<Term, number> | null;

  /** @param names the new names of variables */
  constructor({ code }: Program, names: ReadonlyMap<string, string>, places: Map<Term, number> | null = null) {
    this.#code = code;
    this.#names = names;
    this.places = places;
  }

  /** The source text of a node. */
  textOf({ start, end }: Node): string {
    return this.#code.slice(start, end);
  }

  /** The source text of a node, with its variables renamed. */
  renamed(node: Node): string {
    if (node.type === "identifier") return this.#newName(node) ?? this.textOf(node);
    if (this.#names.size === 0) return this.textOf(node);
    let [text, at] = ["", node.start];
    const visit = (part: Node): void => {
      const name = part.type === "identifier" ? this.#newName(part) : undefined;
      if (name !== undefined) {
        text += this.#code.slice(at, part.start) + name;
        at = part.end;
      }
      for (const child of part.children) visit(child);
    };
    visit(node);
    return text + this.#code.slice(at, node.end);
  }

  #newName(identifier: Node): string | undefined {
    return isVariable(identifier) ? this.#names.get(this.textOf(identifier)) : undefined;
  }

  /** Whether a node is in the body of a class that uses its annotations, as a dataclass does: one with a decorator or a base. */
  keepsAnnotations(node: Node): boolean {
    for (let at = node.parent; at !== null; at = at.parent) {
      if (at.type === "function_definition") return false;
      if (at.type === "class_definition") {
        return at.parent?.type === "decorated_definition" || field(at, "superclasses") !== undefined;
      }
    }
    return false;
  }
}

/** The parts of a node, without line continuations: the grammar has nodes for those, but terms do not. */
export const childrenOf = (node: Node): Node[] => parts(node).filter(({ type }) => type !== "line_continuation");
