/** Examples in descriptions written by people, checked against the tests and references of the problems. */
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { setupOf } from "../../src/behaviour/entry.ts";
import { holds, readExamples } from "../../src/behaviour/examples.ts";
import type { Entry } from "../../src/behaviour/types.ts";
import { sameOutput } from "../../src/execute/index.ts";
import { streamProblems } from "../../src/problems/index.ts";
import { closeExecutor, executor } from "./run.ts";

const data = process.env.CODESCORE_DATA as string;
afterAll(closeExecutor);

/** The examples of these problems do not show what their functions take or return. */
const NOT_CALLED = /linked list|tree|in[- ]place|implement the|design/i;

/** Counts problems that show an example, those with an example that is read, examples that can be judged, and those that hold. */
async function tally(file: string, shown: RegExp, most = 400) {
  const counts = { shown: 0, read: 0, judged: 0, held: 0 };
  let left = most;
  for await (const { description, entryPoint, references, tests, setup } of streamProblems([
    join(data, `${file}.jsonl.gz`),
  ])) {
    if (left-- === 0) break;
    if (!shown.test(description) || NOT_CALLED.test(description)) continue;
    const entry: Entry = entryPoint === null ? { kind: "stdin" } : { kind: "call", name: entryPoint };
    const examples = readExamples(description, entry);
    counts.shown += 1;
    counts.read += Number(examples.length > 0);
    const [reference] = references;
    if (entry.kind === "call" && reference !== undefined) {
      const program = { code: reference, entryPoint, setup: setup || setupOf(entry) };
      const answers = await (await executor()).answers(
        program,
        examples.map(({ input }) => input),
        2,
      );
      counts.judged += examples.length;
      counts.held += examples.filter((example, i) => holds(example, answers[i]!)).length;
      continue;
    }
    const recorded = new Map(
      tests.flatMap((test) => (test.kind === "stdio" ? [[test.stdin.trim(), test.expected]] : [])),
    );
    for (const { input, expected } of examples) {
      const known = "stdin" in input ? recorded.get(input.stdin.trim()) : undefined;
      if (typeof known !== "string") continue;
      counts.judged += 1;
      counts.held += Number(sameOutput(known, expected));
    }
  }
  return { ...counts, readShare: counts.read / counts.shown, heldShare: counts.held / counts.judged };
}

const HEADINGS = /^[ \t-]*(?:sample |example )?output\b.*$/im;

it.each<[string, RegExp, number, number]>([
  ["train/problems_codecontests", HEADINGS, 1, 0.88],
  ["train/problems_apps", /^-+(?:Example|Sample)/m, 1, 0.85],
  ["train/problems_leetcode_deepseek", /^Output:/m, 0.97, 0.9],
  ["train/problems_doocs", /^Input: \w+ = [^\n]*\nOutput: [[\d"tf]/m, 0.97, 0.86],
  ["he-eval-dev/problems", />>>|➞|==|->|=>/, 0.92, 0.96],
])("%s", { timeout: 600_000 }, async (file, shown, readShare, heldShare) => {
  const found = await tally(file, shown);
  expect(found.readShare).toBeGreaterThanOrEqual(readShare);
  expect(found.heldShare).toBeGreaterThanOrEqual(heldShare);
});
