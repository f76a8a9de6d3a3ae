/**
 * None of our regular expressions takes more than linear time on any text, because programs, answers and printed text are hostile. The
 * exceptions below see no such text.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { analyse } from "scslre";
import { parseAst, transformWithEsbuild } from "vite";
import { expect, it } from "vitest";

/** By file: what its quadratic expressions are applied to. */
const TRUSTED: Readonly<Record<string, string>> = {
  "cli/program.ts": "our own help",
  "cli/sanitize.ts": "a path on the command line",
  "cli/rtc/compare.ts": "an argument of the command line",
  "cli/rtc/parsers.ts": "an argument of the command line",
  "languages/registry.ts": "a name of at most 40 characters",
  "metrics/embedding/texts.ts": "a token of a vocabulary",
  "model/hub.ts": "an address on the command line",
  "problems/fetch.ts": "an address on the command line",
  "rtc/llm/openai-call.ts": "an address on the command line",
};

const src = new URL("../src", import.meta.url).pathname;

async function slowOnes(file: string): Promise<string[]> {
  const { code } = await transformWithEsbuild(readFileSync(join(src, file), "utf8"), file, { target: "esnext" });
  const slow: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex && analyse({ source: regex.pattern, flags: regex.flags }).reports.length > 0) slow.push(regex.pattern);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(code));
  return slow;
}

it("regular expressions take linear time", { timeout: 120_000 }, async () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /\.(ts|mjs)$/.test(file));
  const found: Record<string, string[]> = {};
  for (const file of files) {
    const slow = await slowOnes(file);
    if (slow.length > 0) found[file] = slow;
  }
  const unknown = Object.entries(found).filter(([file]) => !(file in TRUSTED));
  expect(Object.fromEntries(unknown)).toEqual({});
  expect(Object.keys(found).sort()).toEqual(Object.keys(TRUSTED).sort());
});

it("a quadratic one is seen", () => {
  expect(analyse({ source: "[ \\t]+$", flags: "gm" }).reports).not.toEqual([]);
});
