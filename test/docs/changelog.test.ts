/** CHANGELOG.md has the form of Keep a Changelog, with one line for each change. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./commands.ts";

const LONGEST = 150;
const lines = readFileSync(join(root, "CHANGELOG.md"), "utf8").trimEnd().split("\n");
const [first, ...others] = lines.flatMap((line, at) => (line.startsWith("## ") ? [at] : []));

it("begins with the unreleased changes, then has versions with their dates", () => {
  expect(lines[0]).toBe("# Changelog");
  expect(lines[first!]).toBe("## [Unreleased]");
  expect(others.length).toBeGreaterThan(0);
  for (const at of others) expect(lines[at]).toMatch(/^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
});

it("sorts changes by Added, Changed and so on, each kind once in a version", () => {
  const seen = new Set<string>();
  let version = "";
  for (const line of lines) {
    if (line.startsWith("## ")) version = line;
    if (!line.startsWith("### ")) continue;
    expect(line).toMatch(/^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/);
    expect(seen).not.toContain(version + line);
    seen.add(version + line);
  }
  expect(seen.size).toBeGreaterThan(2);
});

it("has one line for each change", () => {
  const changes = lines.slice(first! + 1).filter((line) => line !== "" && !line.startsWith("#"));
  expect(changes.length).toBeGreaterThan(100);
  expect(changes.filter((line) => !/^([A-Z]|- \*\*| {2}- \S)/.test(line))).toEqual([]);
  expect(changes.filter((line) => line.length > LONGEST)).toEqual([]);
});

it("says how it is, without the figures that were before", () => {
  expect(
    lines.filter((line) => /\b(in place|instead) of (\d|\.\d)|\bIt took \d|\bfrom \d+ to \d+ seconds/.test(line)),
  ).toEqual([]);
});
