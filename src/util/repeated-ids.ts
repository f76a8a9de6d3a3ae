/** Finds rows that repeat an earlier id, for example because a file is given twice. Joining by id would mix them up. */

export interface Named {
  /** Null if ids are unique over all tasks. */
  readonly task: string | null;
  readonly id: unknown;
}

export class RepeatedIds {
  readonly #seen = new Set<string>();
  #count = 0;
  #first: Named | null = null;

  add(named: Named): void {
    const key = JSON.stringify([named.task, named.id]);
    if (this.#seen.has(key)) {
      this.#count += 1;
      this.#first ??= named;
    }
    this.#seen.add(key);
  }

  /** Yields the same items, and counts each. */
  async *over<T>(items: AsyncIterable<T>, name: (item: T) => Named): AsyncGenerator<T> {
    for await (const item of items) {
      this.add(name(item));
      yield item;
    }
  }

  /** A warning; null if no id is repeated. */
  get warning(): string | null {
    if (this.#first === null) return null;
    const { task, id } = this.#first;
    const rows = this.#count === 1 ? "1 row has" : `${this.#count} rows have`;
    const example = `${JSON.stringify(id)}${task === null ? "" : ` of ${task}`}`;
    return `warning: ${rows} the id of an earlier row, such as ${example}; expected unique ids: give each file once, and each row its own id`;
  }
}
