/** Changes of whole lines of standard input. */
import { describe, expect, it } from "vitest";
import { hasRows, varyLines } from "../../src/expand/lines.ts";
import { Random } from "../../src/util/random.ts";
import { cpuS } from "../cpu.ts";

const LOG = "2024-05-01 12:30 ERROR disk full\n2024-05-02 12:29 INFO started\n2024-05-03 12:31 INFO stopped\n";

const varied = (text: string, count = 300): string[] => {
  const rng = new Random(1);
  return Array.from({ length: count }, () => varyLines(text, rng)).filter((one) => one !== null);
};

describe("lines", () => {
  it("are repeated, removed, exchanged, and take words of other lines", () => {
    const found = new Set(varied(LOG));
    const [first, second, third] = LOG.trim().split("\n") as [string, string, string];
    expect(found).toContain(`${second}\n${third}\n`);
    expect(found).toContain(`${second}\n${first}\n${third}\n`);
    expect(found).toContain(`${first}\n${first}\n${second}\n${third}\n`);
    expect([...found].some((text) => text.includes("2024-05-02 12:29 ERROR"))).toBe(true);
    for (const text of found) expect(text.endsWith("\n")).toBe(true);
  });

  it.each(["3\na 1\nb 2\nc 3\n", "2 5\n1 2\n3 4\n", "abc\ndef\n", "a 1\n", "5\na b\n"])(
    "of %j may be counted",
    (text) => {
      expect(varied(text)).toEqual([]);
    },
  );

  it("of texts of any size are changed in time", () => {
    const start = cpuS();
    for (const text of [
      "a b\n".repeat(20_000),
      `${"a ".repeat(50_000)}\nb c\n`,
      "\n".repeat(100_000),
      "1 ".repeat(50_000),
    ]) {
      varied(text, 5);
      hasRows(text);
    }
    expect(cpuS() - start).toBeLessThan(3);
  });
});

it.each([
  [LOG, true],
  ["in 5\nout 7\nin 2", true],
  ["3 4\n1 2 3\n4 5 6", false],
  ["bob\n3 4\n5 6", false],
  ["a\nb\nc", false],
  ["in 5\nout 7", false],
])("of %j all lines are rows: %j", (text, expected) => {
  expect(hasRows(text)).toBe(expected);
});
