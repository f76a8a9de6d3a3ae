/** The starter problems in datasets/starter: their format and counts. scripts/check-starter.py checks the programs. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { readJsonLines } from "../src/util/jsonl.ts";

const STYLES = ["mbpp", "humaneval", "apps"] as const;
type Style = (typeof STYLES)[number];
type Row = Record<string, unknown>;

const FIELDS: Record<Style, readonly string[]> = {
  mbpp: ["task_id", "source", "text", "code", "test_list", "test_setup_code", "challenge_test_list", "references"],
  humaneval: ["task_id", "source", "prompt", "entry_point", "canonical_solution", "test", "references"],
  apps: ["problem_id", "source", "question", "solutions", "input_output", "difficulty", "url", "starter_code"],
};

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const text = (row: Row, field: string): string => {
  const value = row[field];
  expect(value, field).toBeTypeOf("string");
  return value as string;
};

const texts = (value: unknown): string[] => {
  expect(Array.isArray(value) && value.every((item) => typeof item === "string")).toBe(true);
  return value as string[];
};

const idOf = (row: Row): string => text(row, "task_id" in row ? "task_id" : "problem_id");

const solutionsOf: Record<Style, (row: Row) => string[]> = {
  mbpp: (row) => [text(row, "code"), ...texts(row.references)],
  humaneval: (row) => [text(row, "prompt") + text(row, "canonical_solution"), ...texts(row.references)],
  apps: (row) => texts(JSON.parse(text(row, "solutions"))),
};

const rows = new Map<Style, Row[]>();

beforeAll(async () => {
  for (const style of STYLES) {
    const read: Row[] = [];
    for await (const { value } of readJsonLines(pathOf(`../datasets/starter/${style}-style.jsonl`))) read.push(value);
    rows.set(style, read);
  }
});

describe("the starter problems", () => {
  it("are at least 60, with at least 20 in each style", () => {
    const counts = STYLES.map((style) => rows.get(style)!.length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(20);
    expect(counts.reduce((a, b) => a + b)).toBeGreaterThanOrEqual(60);
  });

  it("have unique ids", () => {
    const ids = [...rows.values()].flat().map(idOf);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^Starter\/[mha]\d\d$/.test(id))).toEqual([]);
  });

  it.each(STYLES)("in %s style have exactly the fields of their format", (style) => {
    for (const row of rows.get(style)!) expect(Object.keys(row), idOf(row)).toEqual(FIELDS[style]);
  });

  it.each(STYLES)("in %s style have one to three solutions, no two with the same text", (style) => {
    for (const row of rows.get(style)!) {
      const solutions = solutionsOf[style](row).map((solution) => solution.trim());
      expect(solutions.length, idOf(row)).toBeGreaterThanOrEqual(1);
      expect(solutions.length, idOf(row)).toBeLessThanOrEqual(3);
      expect(new Set(solutions).size, idOf(row)).toBe(solutions.length);
      expect(solutions, idOf(row)).not.toContain("");
    }
  });

  it("in mbpp style name the tested function in the description, and test it with asserts", () => {
    for (const row of rows.get("mbpp")!) {
      const name = /^def (\w+)\(/m.exec(text(row, "text").replace(/^Write a function (\w+)\(/, "def $1("))?.[1];
      const tests = texts(row.test_list);
      expect(name, idOf(row)).toBeDefined();
      expect(text(row, "code"), idOf(row)).toContain(`def ${name}(`);
      expect(tests.length, idOf(row)).toBeGreaterThanOrEqual(3);
      for (const test of tests) expect(test.startsWith(`assert ${name}(`), `${idOf(row)}: ${test}`).toBe(true);
    }
  });

  it("in humaneval style end the prompt with a docstring that has two examples or more", () => {
    for (const row of rows.get("humaneval")!) {
      const prompt = text(row, "prompt");
      expect(prompt, idOf(row)).toContain(`def ${text(row, "entry_point")}(`);
      expect(prompt.endsWith('    """\n'), idOf(row)).toBe(true);
      expect(prompt.split(">>> ").length - 1, idOf(row)).toBeGreaterThanOrEqual(2);
      expect(text(row, "canonical_solution").startsWith("    "), idOf(row)).toBe(true);
      expect(text(row, "test").match(/^ {4}assert candidate\(/gm)?.length, idOf(row)).toBeGreaterThanOrEqual(3);
    }
  });

  it("in apps style have the three sections, and three to six inputs with an output each", () => {
    for (const row of rows.get("apps")!) {
      for (const section of ["Input", "Output", "Example"]) {
        expect(text(row, "question"), idOf(row)).toContain(`-----${section}-----`);
      }
      const { inputs, outputs } = JSON.parse(text(row, "input_output")) as Record<string, unknown>;
      expect(texts(inputs).length, idOf(row)).toBe(texts(outputs).length);
      expect(texts(inputs).length, idOf(row)).toBeGreaterThanOrEqual(3);
      expect(texts(inputs).length, idOf(row)).toBeLessThanOrEqual(6);
    }
  });

  it("pass their own tests with every solution (scripts/check-starter.py)", ({ skip }) => {
    if (spawnSync("python3", ["--version"]).status !== 0) skip("there is no python3 on this machine");
    const check = spawnSync("python3", [pathOf("../scripts/check-starter.py")], { encoding: "utf8" });
    expect(check.stderr).toBe("");
    expect(check.status).toBe(0);
    const solutions = STYLES.flatMap((style) => rows.get(style)!.flatMap(solutionsOf[style]));
    expect(check.stdout).toMatch(new RegExp(`^all +\\d+ +${solutions.length} +\\d+ +${solutions.length}$`, "m"));
  });
});
