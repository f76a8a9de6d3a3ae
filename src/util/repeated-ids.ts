/** Finds rows that have the id of an earlier one, as when a file is given or joined twice: whoever joins by id mixes them up. */

export interface Named {
  /** Null where ids hold over all tasks. */
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

  /** The same items, each counted as it passes. */
  async *over<T>(items: AsyncIterable<T>, name: (item: T) => Named): AsyncGenerator<T> {
    for await (const item of items) {
      this.add(name(item));
      yield item;
    }
  }

  /** What to say of them; null where no id comes twice. */
  get warning(): string | null {
    if (this.#first === null) return null;
    const { task, id } = this.#first;
    const rows = this.#count === 1 ? "1 row has" : `${this.#count} rows have`;
    const example = `${JSON.stringify(id)}${task === null ? "" : ` of ${task}`}`;
    return `warning: ${rows} the id of an earlier row, such as ${example}; expected one row an id: give each file once, and each row an id of its own`;
  }
}
