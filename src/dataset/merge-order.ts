/** Yields the rows of shards in the order of the whole run. A sample that several shards have gives one row. */
import { CodescoreError } from "../errors.ts";
import type { LabelledRow } from "../types.ts";
import { counted } from "../util/counted.ts";
import { readExamples } from "./examples.ts";
import { positionsOf, type Run } from "./positions.ts";

export interface ShardRows {
  readonly path: string;
  /** Positions of its rows in the whole run. */
  readonly positions: readonly Run[];
}

/** Opens a file only when its first row is due. If shards are consecutive, one file is open at a time, however many there are. */
export async function* inOrder(files: readonly ShardRows[]): AsyncGenerator<LabelledRow> {
  const first = ({ positions }: ShardRows): number => positions[0]?.start ?? Number.POSITIVE_INFINITY;
  const waiting = files.toSorted((a, b) => first(b) - first(a));
  let heads: Head[] = [];
  for (;;) {
    let next = soonest(heads);
    while (waiting.length > 0 && (next === null || first(waiting.at(-1) as ShardRows) <= (next.position as number))) {
      const head = await Head.open(waiting.pop() as ShardRows);
      if (head.position !== null) heads.push(head);
      next = soonest(heads);
    }
    if (next === null) return;
    const same = heads.filter(({ position }) => position === (next as Head).position);
    yield rowOf(same);
    for (const head of same) await head.advance();
    heads = heads.filter(({ position }) => position !== null);
  }
}

/** The row of a sample. Prefers a row that was judged. Throws `CodescoreError("input")` if two judged rows differ. */
function rowOf(same: readonly Head[]): LabelledRow {
  const judged = same.filter(({ row }) => row?.status !== "infra");
  const [chosen, ...others] = judged.length > 0 ? judged : same.slice(0, 1);
  const { row, path, position } = chosen as Head;
  const text = JSON.stringify(row);
  const other = others.find((head) => JSON.stringify(head.row) !== text);
  if (other === undefined) return row as LabelledRow;
  throw new CodescoreError(
    "input",
    `${path} and ${other.path} give sample ${position} (counted from 0) different labels: remove one of the two files`,
  );
}

function soonest(heads: readonly Head[]): Head | null {
  let next: Head | null = null;
  for (const head of heads) if (next === null || (head.position as number) < (next.position as number)) next = head;
  return next;
}

/** A cursor in one shard: the next row and its position. */
class Head {
  readonly #rows: AsyncGenerator<LabelledRow>;
  readonly #positions: readonly number[];
  readonly path: string;
  #at = -1;
  row: LabelledRow | null = null;

  private constructor({ path, positions }: ShardRows) {
    this.path = path;
    this.#positions = positionsOf(positions);
    this.#rows = readExamples(path);
  }

  static async open(file: ShardRows): Promise<Head> {
    const head = new Head(file);
    await head.advance();
    return head;
  }

  /** Null after the last row. */
  get position(): number | null {
    return this.row === null ? null : (this.#positions[this.#at] as number);
  }

  async advance(): Promise<void> {
    const { done, value } = await this.#rows.next();
    this.row = done ? null : value;
    this.#at += 1;
    const expected = this.#positions.length;
    if (done ? this.#at !== expected : this.#at >= expected) {
      throw new CodescoreError("input", `${this.path}: expected ${counted(expected, "row")}, as its manifest says`);
    }
  }
}
