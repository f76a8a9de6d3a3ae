import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadParser } from "../../src/languages/python/syntax/parse.ts";
import { CodeScorer, explain } from "../../src/score/index.ts";
import { occlude } from "../../src/score/occlude.ts";
import type { Score, ScoreInput } from "../../src/types.ts";
import { makeModel } from "./model.ts";

const PROGRAM = `import os
# a note
@cache
def total(
    xs,
):
    """Adds."""
    result = 0; extra = 1  # twice

    for x in xs:  # each
        # inner note
        if x > 0:
            result += x
        elif x == 0: continue
        else:
            pass
    try:
        print(
            result,
        )
    except ValueError as e:
        raise
    return result

class A(B):
    x = 1
if total([1]): print("one line")
`;

/** For each line: how the program changes without it, as lines with `-` (removed) and `+` (new). */
async function changes(code: string): Promise<Record<number, string[]>> {
  const before = code.split("\n");
  const variants = await occlude(code, 1000);
  return Object.fromEntries(
    variants.map(({ line, code: left }) => {
      const after = left.split("\n");
      let head = 0;
      while (head < before.length && before[head] === after[head]) head += 1;
      let tail = 0;
      while (tail < before.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
      return [
        line,
        [
          ...before.slice(head, before.length - tail).map((text) => `-${text}`),
          ...after.slice(head, after.length - tail).map((text) => `+${text}`),
        ],
      ];
    }),
  );
}

describe("occlude", () => {
  it("takes one statement away at a time", async () => {
    expect(await changes(PROGRAM)).toEqual({
      1: ["-import os"],
      2: ["-# a note"],
      3: ["-@cache"],
      7: ['-    """Adds."""'],
      8: ["-    result = 0; extra = 1  # twice"],
      10: ["-    for x in xs:  # each", "+    if True:  # each"],
      11: ["-        # inner note"],
      12: ["-        if x > 0:", "+        if True:"],
      13: ["-            result += x", "+            pass"],
      14: ["-        elif x == 0: continue"],
      18: ["-        print(", "-            result,", "-        )", "+        pass"],
      21: ["-    except ValueError as e:", "+    except Exception:"],
      22: ["-        raise", "+        pass"],
      23: ["-    return result"],
      26: ["-    x = 1", "+    pass"],
      27: ['-if total([1]): print("one line")'],
    });
  });

  it("leaves programs that still parse", async () => {
    const parse = await loadParser();
    expect(parse(PROGRAM).broken).toBe(false);
    for (const { code, line } of await occlude(PROGRAM, 1000)) expect(parse(code).broken, `line ${line}`).toBe(false);
  });

  it("gives the lines of a statement", async () => {
    const [statement] = (await occlude(PROGRAM, 1000)).filter(({ line }) => line === 18);
    expect(statement!.text).toBe("        print(\n            result,\n        )");
  });

  it.each([
    ["lines of a program that does not parse", "def f(:\n  return 1\n\nx = = 2\n", [1, 2, 4]],
    ["a last line without newline", "x = 1\ny = 2", [1, 2]],
    ["carriage returns", "x = 1\r\ny = 2\r\n", [1, 2]],
    ["a comment alone", "# hi", [1]],
    ["nothing", "\n\n", []],
    ["NUL and lone surrogates", "x = '\0\ud800'\ny = 1\n", [1, 2]],
    ["text too long to parse", `${"x = 1\n".repeat(10_000)}`, [1, 2, 3]],
    ["brackets nested beyond the stack", `x = 1\ny = ${"(".repeat(20_000)}${")".repeat(20_000)}\n`, [1, 2]],
  ])("takes %s", async (_, code, expected) => {
    const found = await occlude(code, 3);
    expect(found.map(({ line }) => line)).toEqual(expected);
    for (const { code: left } of found) expect(left.trim()).not.toBe("");
  });
});

describe("explain", () => {
  let folder: string;
  let scorer: CodeScorer;
  beforeAll(async () => {
    folder = await makeModel();
    scorer = await CodeScorer.load(folder);
  });
  afterAll(async () => {
    await scorer.close();
    await rm(folder, { recursive: true });
  });

  const row: ScoreInput = {
    candidate: "def f(a):\n    b = a + 1\n    return b\n",
    reference: "def f(a):\n    return a\n",
  };

  it("is the score of the whole less the score without the line", async () => {
    const scores = (await scorer.scoreAll([
      row,
      { ...row, candidate: "def f(a):\n    return b\n" },
      { ...row, candidate: "def f(a):\n    b = a + 1\n" },
    ])) as Score[];
    const { lines: effects, findings } = await explain(scorer, row);
    expect(effects).toEqual([
      { line: 2, text: "    b = a + 1", effect: expect.closeTo(scores[0]!.score - scores[1]!.score, 6) },
      { line: 3, text: "    return b", effect: expect.closeTo(scores[0]!.score - scores[2]!.score, 6) },
    ]);
    expect(effects.every(({ effect }) => effect !== 0)).toBe(true);
    expect(findings).toEqual([]);
  });

  it("scores all variants in one call, in the format asked for, as many as the limit says", async () => {
    const calls: [number, string | undefined][] = [];
    const counting = {
      scoreAll: (inputs: readonly ScoreInput[], options: { format?: "auto" | "ref" | "nl" | "ref+nl" } = {}) => {
        calls.push([inputs.length, options.format]);
        return scorer.scoreAll(inputs, options);
      },
    };
    const both = { ...row, description: "The same number." };
    expect((await explain(counting, both, { format: "nl", limit: 1 })).lines).toHaveLength(1);
    expect(calls).toEqual([
      [1, "nl"],
      [1, "nl"],
    ]);
  });

  it("says that an empty answer is empty", async () => {
    const { findings } = await explain(scorer, { ...row, candidate: "  \n" });
    expect(findings).toEqual([{ line: null, what: "the answer is empty", certain: true }]);
  });

  it("measures only the differing lines if a single edit separates the programs", async () => {
    const reference =
      "def f(xs, m):\n    n = 0\n    for x in xs:\n        if x > m:\n            n += 1\n    return n\n";
    const { findings, lines } = await explain(scorer, { candidate: reference.replace(">", "<"), reference });
    expect(findings).toEqual([{ line: 4, what: "`<` here, `>` in the reference; nothing else differs" }]);
    expect(lines.map(({ line }) => line)).toEqual([4]);
  });

  it("passes on of what kind a failure is", async () => {
    const error = { code: "infra", message: "this row cannot be read" } as const;
    const failing = { scoreAll: async (inputs: readonly ScoreInput[]) => inputs.map(() => ({ error })) };
    await expect(explain(failing, row)).rejects.toMatchObject(error);
  });

  it("refuses a row that cannot be scored, with its own message", async () => {
    await expect(explain(scorer, { candidate: "x = 1" })).rejects.toMatchObject({
      code: "input",
      message: expect.stringMatching("expected a reference or a description"),
    });
  });
});
