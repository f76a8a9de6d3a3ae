/** Packages that are released together have the same version. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./commands.ts";

const read = (name: string): string => readFileSync(join(root, name), "utf8");
const { version } = JSON.parse(read("package.json")) as { version: string };

it("is the one of the npm package, its lock file, the Python package and the changelog", () => {
  const lock = JSON.parse(read("package-lock.json")) as { version: string; packages: { "": { version: string } } };
  expect([lock.version, lock.packages[""].version]).toEqual([version, version]);
  expect(/^version = "(.*)"$/m.exec(read("python/pyproject.toml"))?.[1]).toBe(version);
  expect(/^__version__ = "(.*)"$/m.exec(read("python/src/codescore/__init__.py"))?.[1]).toBe(version);
  const released = [...read("CHANGELOG.md").matchAll(/^## \[(.*?)\](?: - (\d{4}-\d\d-\d\d))?$/gm)];
  expect(released[0]![1]).toBe("Unreleased");
  expect(released[1]!.slice(1)).toEqual([version, expect.stringMatching(/^\d{4}-/)]);
});
