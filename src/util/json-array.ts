/** Splits a file that is one JSON array into the texts of its items, line by line. Neither the file nor the array is ever completely in memory. */
import { CodescoreError } from "../errors.ts";

interface Item {
  readonly text: string;
  /** `file:line` where the item begins. */
  readonly where: string;
}

export class ArraySplitter {
  readonly #path: string;
  /** Number of open brackets: 1 between items, 0 before and after the array. */
  #depth = 0;
  #inString = false;
  #pieces: string[] = [];
  #line = 0;
  #begin = 0;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Yields the items that end in this line. Looks only at brackets, commas and strings. The caller parses the items. */
  *add(line: string, number: number): Generator<Item> {
    const text = `${line}\n`;
    let from = 0;
    const signs = /["[\]{},]|\\./gs;
    for (let match = signs.exec(text); match !== null; match = signs.exec(text)) {
      const sign = match[0];
      const at = match.index;
      if (this.#inString) {
        if (sign === '"') this.#inString = false;
      } else if (sign === '"') {
        this.#inString = true;
      } else if (sign === "[" || sign === "{") {
        this.#depth += 1;
        if (this.#depth === 1) {
          from = at + 1;
          this.#begin ||= number;
        }
      } else if (sign === "]" || sign === "}") {
        this.#depth -= 1;
        if (this.#depth === 0) {
          yield* this.#item(text.slice(from, at), number);
          this.#closed = true;
          from = at + 1;
        }
      } else if (sign === "," && this.#depth === 1) {
        yield* this.#item(text.slice(from, at), number);
        from = at + 1;
      }
    }
    this.#keep(text.slice(from), number);
    if (this.#closed && this.#pieces.some((piece) => piece.trim() !== "")) {
      throw new CodescoreError("input", `${this.#path}:${number}: expected nothing after the end of the array`);
    }
  }

  /** Throws `CodescoreError("input")` if the array is not closed yet. */
  end(number: number): void {
    if (this.#closed) return;
    throw new CodescoreError(
      "input",
      `${this.#path}:${number}: expected JSON, got the end of the file inside the array that begins in line ${this.#begin}`,
    );
  }

  #keep(piece: string, number: number): void {
    if (this.#pieces.length === 0) {
      if (piece.trim() === "") return;
      this.#line = number;
    }
    this.#pieces.push(piece);
  }

  *#item(last: string, number: number): Generator<Item> {
    this.#keep(last, number);
    const text = this.#pieces.join("").trim();
    this.#pieces = [];
    if (text !== "") yield { text, where: `${this.#path}:${this.#line}` };
  }
}
