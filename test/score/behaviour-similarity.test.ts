import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Executor, openExecutor } from "../../src/execute/index.ts";
import { type BehaviourSimilarity, behaviourSimilarity, CodeScorer } from "../../src/score/index.ts";

let executor: Executor;
let scorer: CodeScorer;
let similarity: BehaviourSimilarity;
beforeAll(async () => {
  executor = await openExecutor({ workers: 2 });
  scorer = await CodeScorer.load("tiny");
  similarity = await behaviourSimilarity(scorer, executor, { inputs: 20 });
}, 60_000);
afterAll(async () => {
  await scorer.close();
  await executor.close();
});

const reference =
  "def largest(xs):\n    best = xs[0]\n    for x in xs:\n        if x > best:\n            best = x\n    return best\n";
const rewrite = "def largest(values):\n    return sorted(values)[-1]\n";
/** Two edits, because a single one would be a near miss, which the texts reveal. */
const bug = reference.replace("x > best", "x < best").replace("xs[0]", "xs[-1]");
const pair = (candidate: string, original = reference) => ({ reference: original, candidate });

describe("the similarity `behaviour`", () => {
  it("goes by what both do, where a text looks the same or different", async () => {
    const [alike = 0, other = 1] = await similarity.compare([pair(rewrite), pair(bug)]);
    expect(alike).toBeGreaterThan(0.6);
    expect(other).toBeLessThan(0.4);
    const read = scorer.similarity();
    const [textOfRewrite = 1, textOfBug = 0] = await read.compare([pair(rewrite), pair(bug)]);
    expect(textOfBug).toBeGreaterThan(textOfRewrite);
  });

  it("does not hang on the company of a pair", async () => {
    const together = await similarity.compare([pair(rewrite), pair(bug), pair(reference), pair(bug)]);
    const alone = [rewrite, bug, reference, bug].map(async (code) => (await similarity.compare([pair(code)]))[0]);
    expect(together).toEqual(await Promise.all(alone));
  });

  it("calls the function that it is told to", async () => {
    const helper = `${reference}\ndef unrelated(x):\n    return 1\n`;
    const wrong = helper.replace("x > best", "x < best");
    const [told = 1] = await similarity.compare([{ ...pair(wrong, helper), entryPoint: "largest" }]);
    const [found = 0] = await similarity.compare([{ ...pair(wrong, helper), entryPoint: "unrelated" }]);
    expect(told).toBeLessThan(found);
  });

  it("has no value where nothing could be run, says why, and calls nothing that came back a 0 only where something could", async () => {
    const own = await behaviourSimilarity(scorer, executor, { inputs: 20 });
    const lacking = "import no_such_module\n\ndef f(x):\n    return x\n";
    expect(await own.compare([pair(""), pair("", lacking), pair(lacking), pair("f = 1\n", "x = 1\n")])).toEqual([
      0,
      ...[Number.NaN, Number.NaN, Number.NaN],
    ]);
    expect(own.notes()).toContain(
      "behaviour: 2 programs without a value: not installed: no_such_module (2); use --python ENV/bin/python with an environment that has it",
    );
    expect(own.notes()).toContain("behaviour: 1 program without a value: found no function to call");
    await own.compare([pair("import no_such_package\n\ndef f(x):\n    return x\n")]);
    expect(own.notes()).toContain(
      "behaviour: 3 programs without a value: not installed: no_such_module (2), no_such_package (1); use --python ENV/bin/python with an environment that has them",
    );
  });

  it("names the model, the inputs and the sandbox in its signature", () => {
    expect(similarity.signature).toMatch(
      /^behaviour\|codescore\|model:.*\|run:20@[0-9a-f]{8}\|seed:0\|alone\|python:[\d.]+\|sandbox:\w+$/,
    );
  });
});
