/** The summary of `codescore label` names the problems that it warns of. */
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { opaqueLines } from "../../src/cli/options/status.ts";
import { label } from "../../src/dataset/index.ts";
import { openExecutor } from "../../src/execute/index.ts";
import { tempFolder, writeRows } from "../problems/helpers.ts";

const folder = tempFolder();
const executor = await openExecutor({ sandbox: "wasm", workers: 1 });
afterAll(() => executor.close());

it("names the tests that could not be isolated, once a problem, whatever ran them", async () => {
  const reference = "class A:\n    def __init__(self, n): self.n = n\ndef f(n): return A(n)\n";
  const plain = "def f(n): return n\n";
  const problem = (task_id: string, test: string, code = reference) => ({
    ...{ task_id, prompt: "", canonical_solution: code, entry_point: "f" },
    test: `def check(candidate):\n${test}`,
  });
  const whole = "    a = candidate(1)\n    a.n += 1\n    assert a.n == 2\n";
  const problems = [problem("T/1", whole), problem("T/2", "    assert candidate(3) == 3\n", plain)];
  const given = {
    problems: [writeRows(problems)],
    samples: [
      writeRows(
        [reference, `${reference}\n# another\n`].flatMap((code) => problems.map(({ task_id }) => ({ task_id, code }))),
      ),
    ],
  };
  const { opaque, opaqueTests } = await label({ ...given, out: join(folder, "out.jsonl"), executor });
  expect(opaque).toBe(2);
  expect(opaqueLines(opaqueTests)).toEqual([
    expect.stringMatching(
      /^1 test of 1 problem could not be isolated from the programs, which could cheat them \(column n_opaque\): T\/1 \(\S+\)$/,
    ),
  ]);
});

it("has no such line without such tests, and cuts a long list", () => {
  expect(opaqueLines(new Map())).toEqual([]);
  const many = new Map(Array.from({ length: 7 }, (_, i) => [`T/${i}`, { count: i + 1, first: "check/0" }] as const));
  expect(opaqueLines(many)).toEqual([
    expect.stringMatching(
      /^28 tests of 7 problems .*: T\/0 \(check\/0\), T\/1 \(check\/0 and 1 more\), .* and 2 more$/,
    ),
  ]);
});
