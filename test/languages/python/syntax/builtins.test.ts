/** The table of builtins, compared with Python's. */
import { execFileSync, spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import {
  BUILTINS,
  CONSUMING_FUNCTIONS,
  LAZY_FUNCTIONS,
  STEADY_FUNCTIONS,
} from "../../../../src/languages/python/syntax/builtins.ts";

const FUNCTIONS = [STEADY_FUNCTIONS, CONSUMING_FUNCTIONS, LAZY_FUNCTIONS];
const hasPython = spawnSync("python3", ["--version"]).status === 0;

const ask = (expression: string, before = ""): string[] => {
  const script = `import json, builtins\n${before}\nprint(json.dumps(${expression}))`;
  return JSON.parse(execFileSync("python3", ["-c", script], { encoding: "utf8" }));
};

it("says one thing of each function", () => {
  const names = FUNCTIONS.flatMap((functions) => [...functions]);
  expect(names.filter((name) => !BUILTINS.has(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

it.skipIf(!hasPython)("has what Python has", () => {
  const there = ask("[name for name in dir(builtins) if name.isidentifier() and name != '_']");
  // Later versions have more exceptions.
  expect(there.filter((name) => !BUILTINS.has(name) && !/Error$|Warning$/.test(name))).toEqual([]);
});

/** Functions that have consumed part of an iterator of pairs when they return. */
const USING = `
def uses(name):
    given = iter([(1, 2), (3, 4)])
    first = {"map": [str], "filter": [None]}.get(name, [])
    try:
        getattr(builtins, name)(*first, given)
    except TypeError:
        pass
    return len(list(given)) < 2
`;

it.skipIf(!hasPython)("knows which functions use up an iterator when they are called", () => {
  const using = (names: ReadonlySet<string>): string[] =>
    ask(`[name for name in ${JSON.stringify([...names])} if uses(name)]`, USING);
  expect(using(CONSUMING_FUNCTIONS)).toEqual([...CONSUMING_FUNCTIONS]);
  expect(using(STEADY_FUNCTIONS)).toEqual([]);
  expect(using(LAZY_FUNCTIONS)).toEqual([]);
});
