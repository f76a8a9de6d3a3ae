import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { metricColumn, type RowScorer, readScoreColumns, scorerColumn } from "../../../src/evaluate/index.ts";
import { getMetric } from "../../../src/metrics/index.ts";
import { labelledRow, rowsOf } from "../rows.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-columns-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function scoresFile(name: string, lines: readonly unknown[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return path;
}

const rows = rowsOf([[0, 1], [0.5]]);

describe("a file of scores", () => {
  it("is matched by sample_id, whatever its order", async () => {
    const path = await scoresFile("byid.jsonl", [
      { id: "t1#0", score: 0.3, exec: 0.7, signature: "s1" },
      { id: "t0#1", score: 0.2, exec: 0.8, signature: "s1" },
      { id: "t0#0", error: { code: "input", message: "empty" } },
    ]);
    const [column] = await readScoreColumns([path], rows);
    expect(column).toEqual({
      name: "byid",
      kind: "model",
      signature: "s1",
      scores: [null, 0.2, 0.3],
      exec: [null, 0.8, 0.7],
      msPerPair: null,
    });
  });

  it("is matched line by line when its ids are row numbers, and has a name of its own when given one", async () => {
    const path = await scoresFile("numbers.jsonl", [{ id: 0, score: 0.1 }, { id: "1", score: 0.2 }, { score: 0.3 }]);
    const [column] = await readScoreColumns([`mine=${path}`], rows);
    expect(column).toMatchObject({ name: "mine", scores: [0.1, 0.2, 0.3], exec: null, signature: null });
  });

  it("is matched line by line when sample ids repeat from task to task", async () => {
    const repeating = rows.map((row) => ({ ...row, sample_id: row.sample_id.slice(3) })); // 0, 1, 0
    const path = await scoresFile(
      "repeat.jsonl",
      [0, 1, 0].map((id, i) => ({ id: String(id), score: i / 10 })),
    );
    const [column] = await readScoreColumns([path], repeating);
    expect(column!.scores).toEqual([0, 0.1, 0.2]);
  });

  it("is read from CSV as well", async () => {
    const path = await scoresFile("scores.csv", [
      "id,score,exec,low,high,pass,signature,error",
      "t1#0,0.3,0.7,0.1,0.4,0.2,s1,",
      "t0#1,0.2,0.8,0,1,,s1,",
      "t0#0,,,,,,,empty",
    ]);
    const [column] = await readScoreColumns([path], rows);
    expect(column).toEqual({
      name: "scores",
      kind: "model",
      signature: "s1",
      scores: [null, 0.2, 0.3],
      exec: [null, 0.8, 0.7],
      pass: [null, null, 0.2],
      intervals: [null, { low: 0, high: 1 }, { low: 0.1, high: 0.4 }],
      msPerPair: null,
    });
    const bad = await scoresFile("bad.csv", ["id,score", "t0#0,high"]);
    await expect(readScoreColumns([bad], rows)).rejects.toThrow(
      'bad.csv:2: expected `score`, a number, or `error`; got "high"',
    );
  });

  it("of programs that were run has their intervals and the probability that they pass", async () => {
    const line = (id: string, score: number, more: object) => ({ id, score, exec: 1, low: 0, high: score, ...more });
    const path = await scoresFile("run.jsonl", [
      line("t0#0", 0.1, { pass: 0.05, behaviour: { agree: 0.1, inputs: 40 } }),
      line("t0#1", 0.9, { pass: 0.8 }),
      line("t1#0", 0.5, { behaviour: { agree: null, inputs: 0, reason: "it needs numpy, which is not installed" } }),
    ]);
    const [column] = await readScoreColumns([path], rows);
    expect(column!.pass).toEqual([0.05, 0.8, null]);
    expect(column!.intervals).toEqual([0.1, 0.9, 0.5].map((high) => ({ low: 0, high })));
    const bad = await scoresFile("bad-pass.jsonl", [line("t0#0", 0.1, { pass: "yes" })]);
    await expect(readScoreColumns([bad], rows)).rejects.toThrow(':1: expected `pass` to be a number, got "yes"');
  });

  it.each([
    [
      "a row without a score",
      [
        { id: "t0#0", score: 1 },
        { id: "t0#1", score: 1 },
      ],
      "1 of 3 programs without a score: `t1#0` of t1; score the same data that is evaluated",
    ],
    ["too few lines", [{ score: 1 }, { score: 1 }], "expected 3 scores, one per labelled row, got 2"],
    ["ids of other data", [0, 1, 2].map((i) => ({ id: `x${i}`, score: 1 })), ':1: `id` "x0" is neither the sample_id'],
    ["no score", [{ id: "t0#0", exec: 1 }], ":1: expected `score`, a number, or `error`; got undefined"],
    ["a score in words", [{ score: 1 }, { score: "0.5" }], ':2: expected `score`, a number, or `error`; got "0.5"'],
    ["a line that is not JSON", [{ score: 1 }, "{oops"], ":2: expected one JSON object a line"],
    ["nothing", [], "expected scores, got an empty file"],
  ])("is refused with %s", async (name, lines, message) => {
    const path = await scoresFile(`${name.replaceAll(" ", "-")}.jsonl`, lines);
    await expect(readScoreColumns([path], rows)).rejects.toThrow(message);
  });
});

test("metrics score rows that have a reference, without the shared prompt", async () => {
  const head = 'def f(x):\n    """A long docstring that both sides have."""\n';
  const column = await metricColumn(getMetric("bleu"), [
    labelledRow({ candidate: `${head}    return aa`, reference: `${head}    yield bb` }),
    labelledRow({ reference: null }),
  ]);
  expect(column.scores).toEqual([0, null]);
  expect(column.signature).toBe("bleu|order:4|tok:code|smooth:exp|eff:yes|prompt:cut");
  expect(column.msPerPair).toBeGreaterThan(0);
});

test("a scorer's refusals are null", async () => {
  const scorer: RowScorer = {
    signature: "sig",
    scoreAll: async (inputs) =>
      inputs.map(({ candidate }) =>
        candidate === ""
          ? { error: { code: "input", message: "empty candidate" } }
          : { score: 0.5, exec: 0.9, format: "ref", signature: "sig" },
      ),
  };
  const column = await scorerColumn(scorer, [labelledRow({}), labelledRow({ candidate: "" })]);
  expect(column).toMatchObject({ name: "codescore", signature: "sig", scores: [0.5, null], exec: [0.9, null] });
});

describe("the notes of a scorer's column", () => {
  it("say what was made of rows, and why some have no score", async () => {
    const scorer: RowScorer = {
      signature: "s",
      scoreAll: async (inputs) =>
        inputs.map((_, i) =>
          i === 0
            ? { error: { message: "`candidate` looks like Java" } }
            : { score: 1, exec: 1, format: "ref", signature: "s", notes: ["candidate: taken out of a Markdown fence"] },
        ),
    };
    expect((await scorerColumn(scorer, rows)).notes).toEqual([
      "codescore: 1 row with no score: `candidate` looks like Java",
      "codescore: 2 rows with candidate: taken out of a Markdown fence",
    ]);
  });
});
