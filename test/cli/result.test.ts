import { expect, it, vi } from "vitest";
import { printResult } from "../../src/cli/options/result.ts";

it("prints six digits of a measured figure, and all digits of an integer", () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const terminal = process.stdout.isTTY;
  process.stdout.isTTY = false;
  try {
    printResult({ steps: 12345678, best: { spearman: 0.29083251073270266, tiny: 1.23456789e-9 }, name: "0.29083251" });
  } finally {
    process.stdout.isTTY = terminal;
    vi.restoreAllMocks();
  }
  expect(JSON.parse(written.join(""))).toEqual({
    steps: 12345678,
    best: { spearman: 0.290833, tiny: 1.23457e-9 },
    name: "0.29083251",
  });
});
