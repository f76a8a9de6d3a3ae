/** Which programs by models a set takes from sample files. */
import { describe, expect, it } from "vitest";
import { type Hint, Pool, type PoolProgram, programKey, readPool } from "../../../src/dataset/build/pool.ts";
import { Random } from "../../../src/util/random.ts";
import { writeRows } from "../../problems/helpers.ts";

const program = (code: string, hint: Hint, taskId = "A"): PoolProgram => ({
  code,
  madeBy: "m",
  origin: `f:${code}`,
  hint,
  key: programKey(taskId, code),
});

const many = (count: number, hint: Hint): PoolProgram[] =>
  Array.from({ length: count }, (_, i) => program(`${hint} = ${i}`, hint));

const poolOf = (programs: readonly PoolProgram[], limit: number): Pool => {
  const pool = new Pool(limit);
  for (const one of programs) pool.add("A", one);
  return pool;
};

describe("Pool", () => {
  it("takes of each hint as many, and fills up with the others", () => {
    const pool = poolOf([...many(500, "one"), ...many(3, "between"), ...many(40, "zero")], 20);
    const taken = pool.take("A").map(({ hint }) => hint);
    const count = (hint: Hint): number => taken.filter((h) => h === hint).length;
    expect([count("between"), count("zero"), count("one"), taken.length]).toEqual([3, 9, 8, 20]);
  });

  it("takes the same whatever the order of rows", () => {
    const programs = [...many(100, "one"), ...many(100, "zero"), ...many(100, "none")];
    const taken = poolOf(programs, 30).take("A");
    expect(poolOf(new Random(1).shuffle(programs), 30).take("A")).toEqual(taken);
    expect(new Set(taken.map(({ key }) => key)).size).toBe(30);
  });

  it("counts programs that differ only in comments, docstrings and blank space as one", () => {
    const texts = [
      'def f(x):\n    """Docs."""\n    return x  # done\n',
      "def f(x):\n    return x",
      "\ndef f(x):\n\n    return x\n\n",
    ];
    const pool = poolOf(
      texts.map((text, i) => program(text, i === 1 ? "one" : "zero")),
      10,
    );
    expect(pool.take("A")).toHaveLength(1);
    expect(poolOf([program("x = 1", "one"), program("x = 2", "one")], 10).take("A")).toHaveLength(2);
  });

  it("has nothing for a task without rows", () => {
    expect(new Pool(3).take("B")).toEqual([]);
  });
});

it("readPool reads the rows of wanted tasks, and says where each was", async () => {
  const path = writeRows([
    { task_id: "A", code: "x", model: "gpt", label: 1.0 },
    { task_id: "B", code: "y", model: "gpt", label: 0 },
    { task_id: "A", solution: "z", label: 0.4 },
    { task_id: "A", code: "w", model: "", label: null },
  ]);
  const pool = await readPool([{ path, name: "some" }], new Set(["A"]), 5);
  expect(pool.rows).toBe(3);
  const taken = pool.take("A").map(({ origin, madeBy, hint }) => [origin, madeBy, hint]);
  expect(taken.sort()).toEqual([
    ["some:1", "gpt", "one"],
    ["some:3", "unknown", "between"],
    ["some:4", "unknown", "none"],
  ]);
  const bad = writeRows([{ task_id: "A", text: "x" }]);
  await expect(readPool([{ path: bad, name: "bad" }], new Set(["A"]), 5)).rejects.toThrow(
    /rows\.jsonl:1: expected a string/,
  );
});
