/** What a printer writes on: text alone, or the tree that the parser makes of that text as well, so that it need not be parsed. */
import type { Node, Program } from "../../syntax/parse.ts";

/** A node as it is built. */
interface Building extends Node {
  end: number;
  readonly children: Building[];
}

export interface Output {
  /** A node of the grammar that holds what is written until `close`. */
  open(type: string, field?: string | null): void;
  close(): void;
  /** A keyword, operator or bracket. */
  token(text: string, field?: string | null): void;
  /** An operator of two words. */
  pair(first: string, second: string, field: string): void;
  /** Text of the node that is open, which is no node of its own. */
  plain(text: string): void;
  /** A node of the grammar without parts. */
  leaf(type: string, text: string, field?: string | null): void;
  /** Between tokens: white space. */
  space(text: string): void;
  /** What follows the parser may read in another way than a table of the grammar tells. */
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

  /** null where the parser has to be asked. */
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

/** One that has begun: its end comes later. In the order of fields that the parser's nodes have. */
function made(type: string, field: string | null, parent: Building | null, start: number, named: boolean): Building {
  return { type, field, start, end: start, parent, children: [], named, missing: false };
}
