/** Every problem and sample file of the real data can be read, with the counts in its README. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadSanitizer, readProblems, readSamples, streamProblems } from "../../src/problems/index.ts";
import { all } from "./helpers.ts";

const data = process.env.CODESCORE_DATA ?? "";

describe.skipIf(data === "")("the real data", () => {
  // [file, problems, number of these with tests, test kinds]
  it.each([
    ["he-eval-dev/problems", 78, 78, /^assert$/],
    ["humaneval-public/HumanEval", 78, 78, /^check$/],
    ["humaneval-public/HumanEvalPlus-Mini", 78, 78, /^(call|assert)$/],
    ["train/problems_mbpp", 928, 928, /^assert$/],
    ["train/problems_mbpp_typed", 356, 356, /^assert$/],
    ["train/problems_leetcode", 2355, 2355, /^check$/],
    ["train/problems_leetcode_deepseek", 180, 180, /^assert$/],
    ["train/problems_doocs", 3538, 2968, /^call$/, 999],
    ["train/problems_thealgorithms", 722, 722, /^assert$/],
    ["train/problems_exercism", 140, 140, /^assert$/],
    ["train/problems_mathqa", 1883, 1883, /^assert$/],
    ["train/problems_apps", 131, 72, /^(call|stdio)$/],
    ["train/problems_codecontests", 100, 100, /^stdio$/],
    ["train/problems_xcodeeval", 106, 106, /^stdio$/],
  ] as const)(
    "%s holds %i problems, %i of them with tests",
    async (file, count, withTests, kind, unusable: number = 0) => {
      let left = 0;
      const leaveOut = ({ tests }: { tests: number }) => {
        left += tests;
      };
      const problems = await all(streamProblems([join(data, `${file}.jsonl.gz`)], { leaveOut }));
      expect(left).toBe(unusable);
      expect(problems).toHaveLength(count);
      expect(problems.filter(({ tests }) => tests.length > 0)).toHaveLength(withTests);
      // Not an `expect` for each of the tests, which takes longer than reading them.
      const odd = problems.filter(
        ({ tests }) =>
          tests.some((test) => !kind.test(test.kind)) || new Set(tests.map((test) => test.id)).size < tests.length,
      );
      expect(odd.map(({ id }) => id)).toEqual([]);
      expect(problems.filter(({ description }) => description === "")).toEqual([]);
    },
  );

  it("is described for HumanEval by docstrings, not by prompts", async () => {
    for (const { description, id } of await all(streamProblems([join(data, "he-eval-dev/problems.jsonl.gz")]))) {
      expect(description, id).not.toMatch(/^def |"""/m);
    }
  });

  it("gives EvalPlus inputs as Python has them", async () => {
    const [problem] = await all(streamProblems([join(data, "humaneval-public/HumanEvalPlus-Mini.jsonl.gz")]));
    expect(problem?.tests[0]).toMatchObject({
      id: "base-0",
      args: "[1.0, 2.0, 3.9, 4.0, 5.0, 2.2], 0.3",
      expected: null,
    });
  });

  it("names for every MBPP problem the same function as the collection does", async () => {
    const { calledFunction } = await import("../../src/languages/python/syntax/source.ts");
    const problems = await all(streamProblems([join(data, "train/problems_mbpp.jsonl.gz")]));
    const found = problems.map(({ tests, references }) =>
      calledFunction(
        tests.map((test) => (test.kind === "assert" ? test.code : "")),
        references[0] as string,
      ),
    );
    expect(found.filter((name, i) => name !== problems[i]?.entryPoint)).toEqual([]);
  });

  it("sanitizes programs of 94 models: none that parses is lost, and a third of the others is mended", async () => {
    const problems = await readProblems([join(data, "he-eval-dev/problems.jsonl.gz")]);
    const sanitize = await loadSanitizer();
    const changes = new Map<string, number>();
    let row = 0;
    for await (const sample of readSamples([join(data, "he-llm-dev/samples.jsonl.gz")], problems)) {
      if (row++ % 8 !== 0) continue;
      const { change } = sanitize(sample, problems.get(sample.taskId)!);
      changes.set(change, (changes.get(change) ?? 0) + 1);
    }
    expect(Object.fromEntries(changes)).toEqual({ unchanged: 731, pruned: 63, cut: 31, unmended: 81 });
  });

  it("joins problems that several collections hold", async () => {
    const files = ["leetcode", "leetcode_deepseek"].map((name) => join(data, `train/problems_${name}.jsonl.gz`));
    const joined = await readProblems(files);
    expect(joined.size).toBeLessThan(2355 + 180);
    expect(joined.get("LC/two-sum")).toMatchObject({ entryPoint: "Solution().twoSum", tests: [{ kind: "check" }] });
  });

  it.each([
    ["he-eval-dev/samples", 1540],
    ["he-llm-dev/samples", 7248],
    ["codex-peers-dev/rows", 1520],
    ["train/samples_mas_mbpp", 83510],
    ["train/samples_mbpp_other", 15517],
    ["train/samples_leetcode_copilot", 7061],
    ["train/samples_leetcode_response", 3858],
    ["train/samples_leetcode_reflexion", 332],
    ["train/samples_mas_codecontests", 67247],
    ["train/samples_codecontests_mapcoder", 453],
    ["train/samples_xcodeeval_mapcoder", 1956],
    ["train/samples_apps", 2628],
    ["train/samples_mathqa_mxeval", 1883],
  ])("%s holds %i samples", async (file, count) => {
    let [rows, unknown] = [0, 0];
    for await (const { madeBy } of readSamples([join(data, `${file}.jsonl.gz`)])) {
      rows += 1;
      unknown += Number(madeBy === "unknown");
    }
    expect(rows).toBe(count);
    if (file !== "codex-peers-dev/rows") expect(unknown).toBe(0);
  });
});
