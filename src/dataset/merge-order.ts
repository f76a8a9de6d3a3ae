/** Yields the rows of shards in the order of the whole run. A sample that several shards have gives one row. */
import { CodescoreError } from "../errors.ts";
import { counted } from "../util/counted.ts";
import { positionsOf, type Run } from "./positions.ts";

export interface ShardRows {
  readonly path: string;
  /** Positions of its rows in the whole run. */
  readonly positions: readonly Run[];
}

/** How the rows of a shard are read. */
export interface RowKind<Row> {
  readonly read: (path: string) => AsyncGenerator<Row>;
  /** Whether the row counts if another shard has a row of the same sample. */
  readonly isJudged: (row: Row) => boolean;
}

/** Opens a file only when its first row is due. If shards are consecutive, one file is open at a time, however many there are. */
export async function* inOrder<Row>(files: readonly ShardRows[], kind: RowKind<Row>): AsyncGenerator<Row> {
  const first = ({ positions }: ShardRows): number => positions[0]?.start ?? Number.POSITIVE_INFINITY;
  const waiting = files.toSorted((a, b) => first(b) - first(a));
  let heads: Head<Row>[] = [];
  for (;;) {
    let next = soonest(heads);
    while (waiting.length > 0 && (next === null || first(waiting.at(-1) as ShardRows) <= (next.position as number))) {
      const head = await Head.open(waiting.pop() as ShardRows, kind);
      if (head.position !== null) heads.push(head);
      next = soonest(heads);
    }
    if (next === null) return;
    const same = heads.filter(({ position }) => position === (next as Head<Row>).position);
    yield rowOf(same, kind);
    for (const head of same) await head.advance();
    heads = heads.filter(({ position }) => position !== null);
  }
}

/** The row of a sample. Prefers a row that was judged. Throws `CodescoreError("input")` if two judged rows differ. */
function rowOf<Row>(same: readonly Head<Row>[], { isJudged }: RowKind<Row>): Row {
  const judged = same.filter(({ row }) => isJudged(row as Row));
  const [chosen, ...others] = judged.length > 0 ? judged : same.slice(0, 1);
  const { row, path, position } = chosen as Head<Row>;
  const text = JSON.stringify(row);
  const other = others.find((head) => JSON.stringify(head.row) !== text);
  if (other === undefined) return row as Row;
  throw new CodescoreError(
    "input",
    `${path} and ${other.path} give sample ${position} (counted from 0) different labels: remove one of the two files`,
  );
}

function soonest<Row>(heads: readonly Head<Row>[]): Head<Row> | null {
  let next: Head<Row> | null = null;
  for (const head of heads) if (next === null || (head.position as number) < (next.position as number)) next = head;
  return next;
}

/** A cursor in one shard: the next row and its position. */
class Head<Row> {
  readonly #rows: AsyncGenerator<Row>;
  readonly #positions: readonly number[];
  readonly path: string;
  #at = -1;
  row: Row | null = null;

  private constructor({ path, positions }: ShardRows, { read }: RowKind<Row>) {
    this.path = path;
    this.#positions = positionsOf(positions);
    this.#rows = read(path);
  }

  static async open<Row>(file: ShardRows, kind: RowKind<Row>): Promise<Head<Row>> {
    const head = new Head(file, kind);
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
