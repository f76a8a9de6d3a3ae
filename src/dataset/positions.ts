/**
 * Where the rows of a shard stand among those of the whole run, as runs of neighbours: `0+5 12+3` is 0 to 4 and 12 to 14.
 * Kept in a shard's manifest, so that shards can be joined in the order of one run.
 */

/** Collects rising positions. */
export class Positions {
  readonly #runs: [start: number, length: number][] = [];

  add(position: number): void {
    const last = this.#runs.at(-1);
    if (last && last[0] + last[1] === position) last[1] += 1;
    else this.#runs.push([position, 1]);
  }

  /** As `runsOf` takes it; what did not rise it refuses. */
  get text(): string {
    return this.#runs.map(([start, length]) => `${start}+${length}`).join(" ");
  }
}

/** Neighbours: `length` of them from `start` on. */
export interface Run {
  readonly start: number;
  readonly length: number;
}

/** The runs of a text; null when it is no such text, or they do not rise. */
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

/** The positions of runs, in order. */
export const positionsOf = (runs: readonly Run[]): number[] =>
  runs.flatMap(({ start, length }) => Array.from({ length }, (_, i) => start + i));
