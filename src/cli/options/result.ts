/** Prints the result of a run as JSON on stdout, for programs. On a terminal people read the summary on stderr, so there is no JSON. */
export function printResult(result: object): void {
  if (process.stdout.isTTY !== true) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
}
