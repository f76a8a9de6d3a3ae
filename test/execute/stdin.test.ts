/** The tests of a program that reads standard input: each begins as if the program had never run, though WebAssembly runs many in one interpreter. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import type { TestCase } from "../../src/types.ts";
import { byPython, openShared, problem } from "./open.ts";

const COUNT = 20; // more than share an interpreter
const stdio = (id: string, stdin: string, expected: string): TestCase => ({
  id,
  origin: "given",
  kind: "stdio",
  stdin,
  expected,
});
const task = problem(
  null,
  Array.from({ length: COUNT }, (_, i) => stdio(String(i), `${i}\nmore\n`, `${2 * i}\n`)),
);

/** What each does, and how many of its tests pass. */
const programs: readonly (readonly [string, string, number])[] = [
  ["is right", "print(2 * int(input()))", COUNT],
  ["reads by lines", "import sys\nprint(2 * int(sys.stdin.readline()))\nsys.exit(0)", COUNT],
  ["ends with exit()", "print(2 * int(input()))\nexit()", COUNT],
  ["fails after its output", "print(2 * int(input()))\n1 / 0", 0],
  ["counts its runs", "try:\n    runs += 1\nexcept NameError:\n    runs = 1\nprint(2 * int(input()) * runs)", COUNT],
  [
    "keeps a cache",
    "seen = [0]\ndef f(x, seen=seen):\n    seen.append(x)\n    return seen[1]\nprint(2 * f(int(input())))",
    COUNT,
  ],
  ["does not end its line", "import sys\nsys.stdout.write(str(2 * int(input())))", COUNT],
  [
    "runs out of memory after its output",
    "n = int(input())\nprint(2 * n)\nif n % 2:\n    b = bytearray(1 << 40)",
    COUNT / 2,
  ],
  [
    "leaves its output to a program that runs out of memory",
    "n = int(input())\nprint(2 * n, end='')\nif n % 2:\n    bytearray(1 << 40)",
    COUNT / 2,
  ],
  ["cannot be compiled", "print(2 * int(input())", 0],
  ["is right on odd numbers", "n = int(input())\nwhile n % 2 == 0:\n    raise ValueError\nprint(2 * n)", COUNT / 2],
  ["takes a name of ours", "candidate = _known = flush = 1\nprint(2 * int(input()))", COUNT],
  ["has a class, so it shares with none", "class A:\n    n = int(input())\nprint(2 * A.n)", COUNT],
  [
    "changes the interpreter",
    "import builtins, sys\nn = int(input())\nprint(2 * n)\nsys.stdout.flush()\nbuiltins.print = builtins.input = None\nsys.modules.clear()",
    COUNT,
  ],
];

describe.each(byPython)("on stdin in %s", (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await openShared(sandbox);
  });

  it("no test sees what another test or program left", async () => {
    const right = "print(2 * int(input()))";
    const all = await Promise.all(
      [...programs.map(([, code]) => code), right].map((code) => executor.execute(task, code)),
    );
    const passed = all.map(({ verdicts }) => verdicts.filter(({ outcome }) => outcome === "pass").length);
    const names = [...programs.map(([name]) => name), "comes last"];
    expect(names.map((name, i) => [name, passed[i]])).toEqual([
      ...programs.map(([name, , count]) => [name, count]),
      ["comes last", COUNT],
    ]);
  });
});
