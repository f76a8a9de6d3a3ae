/** Long texts that would take a careless metric quadratic time, and the check that none does. */
import { setImmediate } from "node:timers/promises";
import { expect } from "vitest";
import { getMetric, scorePairs } from "../../src/metrics/index.ts";

const NAMES = ["exact", "bleu", "bleu-13a", "chrf++", "rouge-l", "meteor", "edit"];

export const hostileTexts = (size: number): readonly (readonly [what: string, text: string])[] => [
  ["blanks and a letter", `${" ".repeat(size)}x`],
  ["short words", "ab c ".repeat(size / 5)],
  ["line ends", "\r\n".repeat(size / 2)],
  ["one identifier", "y".repeat(size)],
  ["brackets", "(".repeat(size)],
  ["lone surrogates", "\ud800 ".repeat(size / 2)],
];

/** Checks that every metric's value for the text and the text plus a letter is in [0, 1] and computed in time. */
export async function expectValues(text: string, limitMs: number): Promise<void> {
  for (const name of NAMES) {
    const metric = getMetric(name);
    await metric.prepare?.();
    const began = process.cpuUsage(); // not wall time, which includes the time of other processes
    const [value] = await scorePairs(metric, [{ candidate: text, reference: `${text}y` }]);
    expect(value! >= 0 && value! <= 1 + 1e-12, `${name}: ${value}`).toBe(true);
    expect(process.cpuUsage(began).user / 1000, name).toBeLessThan(limitMs);
    await setImmediate(); // lets the test runner see that this thread is alive
  }
}
