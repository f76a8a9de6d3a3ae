/** The table of `codescore score` says why a row that ran is unknown. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeScores } from "../../src/cli/score/output.ts";
import { concludedByRun, Summary } from "../../src/score/index.ts";
import type { Behaviour } from "../../src/types.ts";

const RAN: Behaviour = {
  ...{ agree: 1, inputs: 4, examples: null, samples: null, source: "reference", counterexample: null },
};

it.each<[string, Behaviour, string]>([
  [
    "differs only on unusual inputs",
    { ...RAN, agree: 0.5, counterexample: { input: "f(-1)", expected: "1", got: "2", unusual: true } },
    "  answers like the reference on 50% of 4 inputs\n  differs only on unusual inputs: f(-1): expected 1, got 2\n",
  ],
  [
    "agrees with a reference that gives every input the same answer",
    { ...RAN, constant: true },
    "  answers like the reference on 100% of 4 inputs, but the reference gives every input the same answer\n",
  ],
  [
    "passes examples alone",
    { ...RAN, agree: null, examples: { passed: 2, total: 2 }, source: "examples" },
    "  passes 2 of 2 examples, but passes every test only with probability 0.60\n",
  ],
])("because it %s", async (_, behaviour, lines) => {
  const folder = await mkdtemp(join(tmpdir(), "codescore-table-"));
  const score = { score: 0.5, exec: 1, format: "ref", signature: "s", pass: 0.6, behaviour } as const;
  async function* rows() {
    yield { id: "a.py", result: concludedByRun(score) };
  }
  await writeScores(join(folder, "table.txt"), "table", rows(), new Summary());
  expect(await readFile(join(folder, "table.txt"), "utf8")).toBe(
    `a.py  score 0.500  exec 1.000  pass 0.600  unknown\n${lines}`,
  );
  await rm(folder, { recursive: true });
});
