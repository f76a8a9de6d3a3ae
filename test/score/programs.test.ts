/** What is scored if the texts of a row are not plain Python programs. */
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CodeScorer, explain, joinConsensus, Summary, toScoreRow } from "../../src/score/index.ts";
import { BROKEN_PYTHON, OTHERS } from "../languages/programs.ts";
import { makeModel } from "./model.ts";

const REFERENCE = "def add(a, b):\n    return a + b";
const FENCED = `Sure:\n\`\`\`python\n${REFERENCE}\n\`\`\`\n`;
const NOTE = "taken out of a Markdown fence";

let folder: string;
let scorer: CodeScorer;
beforeAll(async () => {
  folder = await makeModel();
  scorer = await CodeScorer.load(folder, { threads: 1 });
});
afterAll(async () => {
  await scorer.close();
  await rm(folder, { recursive: true });
});

const score = async (candidate: string, reference: string | null = REFERENCE, description: string | null = null) =>
  (await scorer.scoreAll([{ candidate, reference, description }]))[0]!;

describe("a row", () => {
  it.each(Object.entries(OTHERS))("of %s is an error that names it", async (name, code) => {
    const message = `looks like ${name}; codescore reads Python only`;
    expect(await score(code)).toEqual({ error: { code: "input", message: `\`candidate\` ${message}` } });
    expect(await score(REFERENCE, code)).toEqual({ error: { code: "input", message: `\`reference\` ${message}` } });
  });

  it("that says of what language it is, is an error where that is not Python", async () => {
    const rows = ["java", "C++17", "python", "Python 3.11", "en", null].map((language) => ({
      ...toScoreRow({ value: { candidate: REFERENCE, reference: REFERENCE, lang: language }, where: "x:1" }, 0),
    }));
    const results = await scorer.scoreAll(rows);
    expect(results.map((result) => ("error" in result ? result.error.message : null))).toEqual([
      "the row's `language` is Java; codescore reads Python only",
      "the row's `language` is C++; codescore reads Python only",
      ...[null, null, null, null],
    ]);
  });

  it("with a program in a fence scores as the program does, with a note of it", async () => {
    const plain = await score(REFERENCE);
    expect(plain).not.toHaveProperty("notes");
    expect(await score(FENCED)).toEqual({ ...plain, notes: [`candidate: ${NOTE}`] });
    expect(await score(FENCED, FENCED)).toEqual({ ...plain, notes: [`candidate: ${NOTE}`, `reference: ${NOTE}`] });
  });

  it("of prose keeps its score, with a note of it", async () => {
    const found = await score("I am sorry, but I cannot write this function.");
    expect(found).toMatchObject({ score: expect.any(Number), notes: ["candidate: no program, only prose"] });
  });

  it.each(Object.entries(BROKEN_PYTHON))("of Python %s is scored without a note", async (_, code) => {
    const found = await score(code);
    expect(found).toHaveProperty("score");
    expect(found).not.toHaveProperty("notes");
  });

  it("scored by its description may have a reference of any language", async () => {
    const row = { candidate: REFERENCE, reference: OTHERS.Java, description: "Adds." };
    expect((await scorer.scoreAll([row], { format: "nl" }))[0]).toMatchObject({ format: "nl" });
  });

  it("with a prompt and its body in a fence is put together", async () => {
    const prompt = "def add(a, b):\n";
    const value = { prompt, candidate: "```python\n    return a + b\n```", reference: REFERENCE };
    const [found] = await scorer.scoreAll([toScoreRow({ value, where: "x:1" }, 0)]);
    expect(found).toEqual({ ...(await score(REFERENCE)), notes: [`candidate: ${NOTE}`] });
  });
});

describe("what goes by the program of a row", () => {
  it("explains the lines of the program in the fence", async () => {
    const row = { candidate: FENCED, reference: REFERENCE };
    expect(await explain(scorer, row)).toEqual(await explain(scorer, { ...row, candidate: REFERENCE }));
  });

  it("agrees with others by the program in the fence", async () => {
    const rows = await Promise.all(
      [REFERENCE, FENCED].map(async (candidate) => ({
        task: "t",
        candidate,
        result: await score(candidate, null, "Adds."),
      })),
    );
    expect((await joinConsensus(rows)).map((result) => "consensus" in result && result.consensus)).toEqual([1, 1]);
  });

  it("is counted by the similarity, and by the summary at the end", async () => {
    const similarity = scorer.similarity();
    await similarity.compare([{ candidate: FENCED, reference: REFERENCE }]);
    expect(similarity.notes()).toEqual([`codescore: 1 pair with candidate: ${NOTE}`]);
    const summary = new Summary();
    for (const candidate of [REFERENCE, FENCED, FENCED]) summary.add(await score(candidate));
    expect(summary.toString()).toBe(`3 ref; 3 unknown; 2 with candidate: ${NOTE}`);
  });
});
