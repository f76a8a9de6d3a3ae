/** Prints the result of a run as JSON on stdout, for programs. On a terminal people read the summary on stderr, so there is no JSON. */
export function printResult(result: object): void {
  if (process.stdout.isTTY !== true) process.stdout.write(`${JSON.stringify(result, rounded, 2)}\n`);
}

/** Six digits: a measured figure has no more, and people read the JSON too. Integers keep all of theirs. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
