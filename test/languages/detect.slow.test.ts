/** On real programs: no Python program is taken for another language, and whole programs of five others are recognized. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { detectLanguage } from "../../src/languages/index.ts";
import { loadParser } from "../../src/languages/python/syntax/parse.ts";
import { readJsonLines } from "../../src/util/jsonl.ts";
import { every } from "../every.ts";

const data = process.env.CODESCORE_DATA ?? "";
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** For larger files, only every n-th row. */
const SAMPLES: readonly (readonly [file: string, each: number])[] =
  data === ""
    ? []
    : [
        ...["he-eval-dev/samples", "he-llm-dev/samples", "codex-peers-dev/rows", "nearmiss-dev/rows"].map(
          (file) => [file, 1] as const,
        ),
        ...readdirSync(join(data, "train"))
          .filter((name) => name.startsWith("samples_"))
          .map((name) => [`train/${name.replace(".jsonl.gz", "")}`, name.startsWith("samples_mas") ? 11 : 2] as const),
      ];

describe.skipIf(data === "")("detection on real data", () => {
  it("takes no broken Python for another language", async () => {
    const parse = await loadParser();
    const prompts = new Map<unknown, string>();
    for await (const { value } of readJsonLines(join(data, "he-eval-dev/problems.jsonl.gz"))) {
      prompts.set(value.task_id, text(value.prompt));
    }
    let broken = 0;
    for (const [file, each] of SAMPLES) {
      let row = 0;
      for await (const { value, where } of readJsonLines(join(data, `${file}.jsonl.gz`))) {
        row += 1;
        if (row % (each * every(4)) !== 0) continue;
        const whole = text(value.candidate ?? value.code);
        const prompt = prompts.get(value.task_id) ?? text(value.prompt);
        const program = whole === "" ? prompt + text(value.completion) : whole;
        if (!parse(program.toWellFormed()).broken) continue;
        broken += 1;
        expect((await detectLanguage(program))?.name ?? null, where).toBeNull();
      }
    }
    expect(broken).toBeGreaterThan(900 / every(4));
  });

  it.each([
    ["js", "JavaScript"],
    ["java", "Java"],
    ["cpp", "C++"],
    ["go", "Go"],
    ["rust", "Rust"],
  ])("finds all of HumanEval-X in %s", async (file, name) => {
    for await (const { value, where } of readJsonLines(join(data, `humaneval-x-dev/${file}.jsonl.gz`))) {
      const program = text(value.declaration) + text(value.canonical_solution);
      expect((await detectLanguage(program))?.name, where).toBe(name);
    }
  });
});
