/** Outputs for a printer: text alone, or also the tree that the parser would build from the text, which saves parsing it. */
import type { Node, Program } from "../../syntax/parse.ts";

/** A node under construction. */
interface Building extends Node {
  end: number;
  readonly children: Building[];
}

export interface Output {
  /** Starts a grammar node that contains everything written until `close`. */
  open(type: string, field?: string | null): void;
  close(): void;
  /** Writes a keyword, operator or bracket. */
  token(text: string, field?: string | null): void;
  /** Writes an operator of two words. */
  pair(first: string, second: string, field: string): void;
  /** Writes text that belongs to the open node and has no node itself. */
  plain(text: string): void;
  /** Writes a grammar node without children. */
  leaf(type: string, text: string, field?: string | null): void;
  /** Writes white space between tokens. */
  space(text: string): void;
  /** Marks that the parser may read the following in another way than the printer assumes, so that the text must be parsed. */
  ask(): void;
}

export class TextOutput implements Output {
  code = "";
  open(): void {}
  close(): void {}
  token(text: string): void {
    this.code += text;
  }
  leaf(_type: string, text: string): void {
    this.code += text;
  }
  pair(first: string, second: string): void {
    this.code += `${first} ${second}`;
  }
  plain(text: string): void {
    this.code += text;
  }
  space(text: string): void {
    this.code += text;
  }
  ask(): void {}
}

export class TreeOutput implements Output {
  code = "";
  readonly #root: Building = made("module", null, null, 0, true);
  readonly #nodes: Building[] = [this.#root];
  #at: Building = this.#root;
  /** Where the last token ends. */
  #end = 0;
  #isSure = true;

  open(type: string, field: string | null = null): void {
    this.#at = this.#add(made(type, field, this.#at, this.code.length, true));
  }

  close(): void {
    this.#at.end = this.#end;
    this.#at = this.#at.parent as Building;
  }

  token(text: string, field: string | null = null): void {
    this.#leaf(text, text, field, false);
  }

  leaf(type: string, text: string, field: string | null = null): void {
    this.#leaf(type, text, field, true);
  }

  pair(first: string, second: string, field: string): void {
    this.#at = this.#add(made(`${first} ${second}`, field, this.#at, this.code.length, false));
    this.token(first);
    this.space(" ");
    this.token(second);
    this.close();
  }

  plain(text: string): void {
    this.code += text;
    this.#end = this.code.length;
  }

  space(text: string): void {
    this.code += text;
  }

  ask(): void {
    this.#isSure = false;
  }

  /** The finished program; null if the text must be parsed. */
  program(): Program | null {
    if (!this.#isSure) return null;
    this.#root.end = this.code.length;
    return { code: this.code, root: this.#root, nodes: this.#nodes, broken: false };
  }

  #leaf(type: string, text: string, field: string | null, named: boolean): void {
    const node = this.#add(made(type, field, this.#at, this.code.length, named));
    this.code += text;
    this.#end = this.code.length;
    node.end = this.#end;
  }

  #add(node: Building): Building {
    (node.parent as Building).children.push(node);
    this.#nodes.push(node);
    return node;
  }
}

/** A node that has begun; its end is set later. The properties have the same order as in the parser's nodes. */
function made(type: string, field: string | null, parent: Building | null, start: number, named: boolean): Building {
  return { type, field, start, end: start, parent, children: [], named, missing: false };
}
