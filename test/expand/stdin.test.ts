/** Proposed stdin inputs follow the grammar of the given ones. */
import { describe, expect, it } from "vitest";
import { inferGrammar, tokenLines } from "../../src/expand/grammar.ts";
import { Proposer } from "../../src/expand/index.ts";
import { StdinProposer } from "../../src/expand/stdin.ts";
import type { Problem } from "../../src/types.ts";
import { Random } from "../../src/util/random.ts";

const problem: Problem = {
  id: "p",
  description: "",
  prompt: "",
  entryPoint: null,
  references: [],
  tests: [],
  setup: "",
  contract: "",
  source: "test",
};

const propose = (given: string[], count = 100, seed = 1): string[] =>
  new Proposer(
    problem,
    given.map((stdin) => ({ stdin })),
    seed,
  )
    .next(count)
    .map((input) => ("stdin" in input ? input.stdin : ""));

const numbers = (text: string): number[][] => tokenLines(text).map((line) => line.map(Number));

describe("a Proposer of a program that reads stdin", () => {
  it.each<[string, string[], (text: string) => boolean]>([
    ["one line of numbers", ["3 4\n", "10 2\n"], (text) => /^\d+ -?\d+\n$/.test(text)],
    [
      "a count and a list",
      ["3\n1 2 3\n", "5\n4 4 1 2 9\n", "1\n7\n"],
      (text) => {
        const [[n] = [], list = [], ...rest] = numbers(text);
        return list.length === n && rest.length === 0;
      },
    ],
    [
      "a count and so many lines",
      ["2\n1 5\n2 6\n", "3\n4 4\n1 1\n2 3\n"],
      (text) => {
        const [[n] = [], ...rest] = numbers(text);
        return rest.length === n && rest.every((line) => line.length === 2);
      },
    ],
    [
      "cases of two lines",
      ["2\n3 1\n1 2 3\n2 5\n7 8\n", "1\n1 9\n4\n"],
      (text) => {
        const [[t] = [], ...rest] = numbers(text);
        const cases = Array.from({ length: t ?? 0 }, (_, i) => [rest[2 * i], rest[2 * i + 1]]);
        return (
          rest.length === 2 * (t ?? 0) && cases.every(([head, list]) => head?.length === 2 && list?.length === head[0])
        );
      },
    ],
    [
      "cases of different length",
      ["2\n2\n1 2\n2 2\n1\n5 5\n", "1\n3\n7 5\n6 1\n9 4\n"],
      (text) => {
        const [[t] = [], ...rest] = numbers(text);
        let at = 0;
        for (let i = 0; i < (t ?? 0); i++) {
          const [n = -1, ...more] = rest[at] ?? [];
          const pairs = rest.slice(at + 1, at + 1 + n);
          if (n < 0 || more.length > 0 || pairs.length !== n || !pairs.every((pair) => pair.length === 2)) return false;
          at += 1 + n;
        }
        return at === rest.length;
      },
    ],
    [
      "a grid with its sides",
      ["3 2\n..#\n#..\n".replace("3 2", "2 3"), "2 2\n..\n.#\n"],
      (text) => {
        const [head = [], ...rows] = tokenLines(text);
        return (
          rows.length === Number(head[0]) &&
          rows.every(([row, more]) => row?.length === Number(head[1]) && more === undefined && /^[.#]*$/.test(row))
        );
      },
    ],
    [
      "a tree by its edges",
      ["4\n1 2\n2 3\n3 4\n", "3\n1 2\n1 3\n", "5\n1 2\n1 3\n5 4\n2 5\n"],
      (text) => {
        const [[n] = [], ...edges] = numbers(text);
        return (
          edges.length === (n ?? 0) - 1 &&
          edges.every((edge) => edge.length === 2 && edge.every((v) => v >= 1 && v <= (n ?? 0)))
        );
      },
    ],
    [
      "a word with its length",
      ["5\nabcde\n", "3\nxyz\n"],
      (text) => {
        const [head, word] = tokenLines(text);
        return word?.[0]?.length === Number(head?.[0]);
      },
    ],
    [
      "two lists of one length",
      ["3\n1 2 3\n4 5 6\n", "2\n1 2\n9 8\n"],
      (text) => {
        const [[n] = [], a, b, ...rest] = numbers(text);
        return a?.length === n && b?.length === n && rest.length === 0;
      },
    ],
    [
      "permutations",
      ["4\n2 4 1 3\n", "5\n5 1 2 4 3\n"],
      (text) => {
        const [[n] = [], list = []] = numbers(text);
        return list.length === n && [...list].sort((a, b) => a - b).every((v, i) => v === i + 1);
      },
    ],
    ["decimals", ["1.50 2\n", "0.25 3\n"], (text) => /^-?\d+\.\d\d -?\d+\n$/.test(text)],
    [
      "a list before the number that follows it",
      ["1 2 3\n5\n", "4 4\n2\n"],
      (text) => tokenLines(text).length === 2 && tokenLines(text)[1]?.length === 1,
    ],
  ])("keeps %s", (_, given, holds) => {
    expect(given.filter(holds)).toEqual(given);
    const out = propose(given);
    expect(out.length).toBeGreaterThan(60);
    const kept = out.filter(holds).length / out.length;
    expect(kept).toBeGreaterThanOrEqual(0.9);
    expect(new Set(out).size).toBe(out.length);
    expect(out.filter((text) => given.includes(text))).toEqual([]);
    expect(propose(given)).toEqual(out);
  });

  it("reads words where there are no numbers, and keeps the missing last newline", () => {
    const out = propose(["hello world", "a b c"]);
    expect(out.length).toBeGreaterThan(60);
    for (const text of out) expect(text).toMatch(/^\S+(?: \S+)*$/);
  });

  it("changes tokens in place where no grammar explains the inputs", () => {
    // Any number of rows, each with any number of numbers.
    const given = ["3 4\n1\n5 8 8\n\n2\n", "1\n\n7 5\n9 9 2 2\n"];
    expect(inferGrammar(given)).toBeNull();
    const layout = (text: string): string => text.replace(/\d+/g, "9");
    const out = propose(given);
    expect(out.length).toBeGreaterThan(60);
    for (const text of out) expect(given.map(layout)).toContain(layout(text));
    for (const text of out) expect(text).toMatch(/\n(?:1|2)?\n|^1\n/); // single numbers on a line are kept
  });

  it("keeps counts where no grammar explains the inputs", () => {
    // The second number counts the tokens of the next line. Any number of lines of any length come after that.
    const given = ["9 3\n1 2 3\n5 8\n", "7 2\n4 4\n1 1\n6 6 6\n"];
    expect(inferGrammar(given)).toBeNull();
    const out = propose(given);
    expect(out.length).toBeGreaterThan(60);
    for (const text of out) expect(Number(tokenLines(text)[0]![1])).toBe(tokenLines(text)[1]!.length);
    expect(new Set(out.map((text) => tokenLines(text)[0]![0])).size).toBeGreaterThan(2);
  });

  it("proposes nothing where nothing is given", () => {
    expect(propose([])).toEqual([]);
  });
});

it("keeps indented lines, which a grammar of words would lose", () => {
  const text = "2024-03-01T10:00:00 ERROR Disk full\n  on /dev/sda1\n2024-03-01T09:00:00 INFO Started\n";
  const made = new StdinProposer([text], new Random(0)).next(40);
  expect(made.length).toBe(40);
  const indented = made.filter((one) => one.split("\n").some((line) => line.startsWith("  ")));
  expect(indented.length).toBeGreaterThan(20);
  for (const one of made) expect(one).not.toMatch(/^on /m);
  // Dates and times that exist become others that exist, with the T between them.
  for (const stamp of made.flatMap((one) => one.match(/^\d{4}-\S+/gm) ?? []))
    expect(Number.isNaN(Date.parse(`${stamp}Z`)), stamp).toBe(false);
});
