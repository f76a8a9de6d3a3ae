/** How the WebAssembly side reads reports that an interruption, which has its own thread, has broken up. */
import { expect, it } from "vitest";

const { readLines } = (await import(new URL("../../../src/execute/wasm/guard.mjs", import.meta.url).href)) as {
  readLines(
    run: object,
    suite: object,
    start: number,
    stop: number,
    limits: object,
    budgets: number[],
    near: number,
  ): object;
};

const lines = ["-1 v 0.001000 null", "0 v 0.010000 1", '1 e 0.200000 ["RecursionError",""]'];
const read = (reports: readonly string[], more: object = {}): object => {
  const run = { lines: reports, late: new Set([1]), how: "done", ...more };
  return readLines(run, { mode: "call" }, 0, 4, { outputBytes: 1000 }, [0.1, 0.1, 0.1, 0.1], 1.5);
};
const whole = { results: ["v 0.010000 1", "t 0.200000 null"], timeouts: 1, load: null };

it("takes a second line of the input that was interrupted for none", () => {
  const late = '1 e 0.000010 ["KeyboardInterrupt",""]';
  const next = "2 v 0.010000 2";
  const results = [...whole.results, "v 0.010000 2"];
  expect(read([...lines, late, next])).toEqual({ ...whole, results, again: false });
  expect(read([...lines, late])).toEqual({ ...whole, again: false });
});

it("goes on where the interruption ended the run after an answer", () => {
  const fault = "Traceback (most recent call last):\nKeyboardInterrupt\n";
  expect(read(lines, { how: "ended", fault })).toEqual({ ...whole, again: true });
  expect(read(lines, { how: "ended", fault: "RuntimeError: unreachable" })).toEqual({ ...whole, again: false });
});

it("still believes nobody who writes among the reports", () => {
  for (const forged of ["3 v 0.010000 2", '0 e 0.1 ["KeyboardInterrupt",""]', "1 v 0.100000 3", "nonsense"]) {
    const { load } = read([...lines, forged]) as { load: string };
    expect(load).toMatch(/MalformedAnswer/);
  }
});
