/** The canonical forms of references and of programs by models get the same verdicts as the programs. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Executor, openExecutor } from "../../../../src/execute/index.ts";
import { loadCanonical, staticFaults, variableNames } from "../../../../src/languages/python/index.ts";
import { loadParser } from "../../../../src/languages/python/syntax/parse.ts";
import { assembleProgram, readProblems, readSamples } from "../../../../src/problems/index.ts";
import type { Execution, Problem, TestCase } from "../../../../src/types.ts";
import { Random } from "../../../../src/util/random.ts";
import { every } from "../../../every.ts";
import { all } from "../../../problems/helpers.ts";

const data = process.env.CODESCORE_DATA ?? "";
const starter = fileURLToPath(new URL("../../../../datasets/starter/", import.meta.url));
/** Maximum number of programs of each kind. */
const MOST = every(2) === 1 ? 200 : 50;

interface Case {
  readonly problem: Problem;
  readonly code: string;
}

const textOf = (test: TestCase): string => (test.kind === "call" ? test.args : test.kind === "stdio" ? "" : test.code);

const verdicts = ({ verdicts: list }: Execution): string =>
  list.map(({ testId, outcome }) => `${testId}:${outcome}`).join(" ");

/** The same outcomes, ignoring tests in which one of the two timed out, because timeouts near the limit are random. */
const alike = (a: Execution, b: Execution): boolean =>
  a.verdicts.length === b.verdicts.length &&
  a.verdicts.every(({ outcome }, i) => {
    const pair = [outcome, b.verdicts[i]!.outcome];
    return pair[0] === pair[1] || pair.includes("timeout");
  });

describe("the canonical form", () => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await openExecutor();
  });
  afterAll(() => executor?.close());

  async function check(cases: readonly Case[]): Promise<void> {
    const [parse, canonical] = [await loadParser(), await loadCanonical()];
    // A test with keyword arguments cannot know the names of parameters in the canonical form.
    const isUsable = ({ problem, code }: Case): boolean => {
      const named = problem.tests.flatMap((test) => [...textOf(test).matchAll(/\b([A-Za-z_]\w*)\s*=(?!=)/g)]);
      const asked = new Set(named.map((match) => match[1]!));
      return [...variableNames(parse(code)).keys()].every((name) => !asked.has(name));
    };
    const chosen: Case[] = [];
    for (const one of new Random(3).shuffle(cases)) if (chosen.length < MOST && isUsable(one)) chosen.push(one);
    const differ: string[] = [];
    const compare = async ({ problem, code }: Case): Promise<void> => {
      const form = canonical(code);
      const [before, after] = [await executor.execute(problem, code), await executor.execute(problem, form)];
      if (alike(before, after)) return;
      // Annotations are not evaluated in the canonical form, so names that only they use may be undefined.
      const lacks = staticFaults(parse(code)).undefinedNames.filter((name) => !form.includes(name));
      if (before.firstError === "NameError" && lacks.length > 0) return;
      differ.push(`${problem.id}\n${code}\n-----\n${form}\n${verdicts(before)}\n${verdicts(after)}`);
    };
    const rest = [...chosen];
    const work = async (): Promise<void> => {
      for (let next = rest.pop(); next !== undefined; next = rest.pop()) await compare(next);
    };
    await Promise.all([work(), work(), work(), work()]);
    expect(differ).toEqual([]);
    expect(chosen.length).toBeGreaterThanOrEqual(Math.min(100, MOST));
  }

  const references = (problems: Iterable<Problem>): Case[] =>
    [...problems].flatMap((problem) => problem.references.map((code) => ({ problem, code })));

  it("keeps the verdicts of the starter's references", { timeout: 900_000 }, async () => {
    const files = ["apps-style", "humaneval-style", "mbpp-style"].map((name) => join(starter, `${name}.jsonl`));
    await check(references((await readProblems(files)).values()));
  });

  it.skipIf(data === "").each([
    ["mbpp", "mas_mbpp"],
    ["mbpp", "mbpp_other"],
  ])("keeps those of references and programs of models: %s, %s", { timeout: 1_800_000 }, async (name, samples) => {
    const whole = await readProblems([join(data, "train", `problems_${name}.jsonl.gz`)]);
    const problems = new Map(
      [...whole].map(([id, problem]) => [id, { ...problem, tests: problem.tests.slice(0, 12) }]),
    );
    const programs = await all(readSamples([join(data, "train", `samples_${samples}.jsonl.gz`)]));
    const drawn = new Random(4).shuffle(programs).slice(0, 600);
    const cases = drawn.flatMap((sample): Case[] => {
      const problem = problems.get(sample.taskId);
      return problem === undefined ? [] : [{ problem, code: assembleProgram(problem, sample) }];
    });
    await check([...references(problems.values()).slice(0, 200), ...cases]);
  });
});
