/**
 * Positions of a shard's rows in the whole run, as runs of consecutive numbers: `0+5 12+3` means 0 to 4 and 12 to 14.
 * A shard's manifest stores them, so that shards can be joined in the order of one run.
 */

/** Collects positions that are added in rising order. */
export class Positions {
  readonly #runs: [start: number, length: number][] = [];

  add(position: number): void {
    const last = this.#runs.at(-1);
    if (last && last[0] + last[1] === position) last[1] += 1;
    else this.#runs.push([position, 1]);
  }

  /** The runs as text. `runsOf` parses it, and rejects it if the positions were not added in rising order. */
  get text(): string {
    return this.#runs.map(([start, length]) => `${start}+${length}`).join(" ");
  }
}

/** A run of consecutive positions: `length` of them from `start`. */
export interface Run {
  readonly start: number;
  readonly length: number;
}

/** Parses runs. Null if the value is not such a text, or the runs do not rise. */
export function runsOf(text: unknown): Run[] | null {
  if (typeof text !== "string") return null;
  const runs: Run[] = [];
  let end = 0;
  for (const run of text === "" ? [] : text.split(" ")) {
    const [, start, length] = /^(\d+)\+(\d+)$/.exec(run) ?? [];
    if (start === undefined || Number(start) < end) return null;
    end = Number(start) + Number(length);
    runs.push({ start: Number(start), length: Number(length) });
  }
  return runs;
}

/** The positions in these runs, in order. */
export const positionsOf = (runs: readonly Run[]): number[] =>
  runs.flatMap(({ start, length }) => Array.from({ length }, (_, i) => start + i));
