/** Ratings by people: which programs are drawn, what the forms show, how they are read, and the results. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { parseHTML } from "linkedom";
import { afterAll, describe, expect, it } from "vitest";
import {
  drawSheet,
  evaluate,
  type RatingKey,
  ratingCsv,
  ratingKey,
  ratingPage,
  ratingTables,
  readRatingKey,
  readRatings,
  summarizeRatings,
} from "../../../src/evaluate/index.ts";
import { columnOf, labelledRow, noisyScores, simulatedRows } from "../rows.ts";

const folder = mkdtempSync(join(tmpdir(), "codescore-rating-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const rows = simulatedRows(30, 20, 1).map((row, i) => ({ ...row, candidate: `=cmd(${i})`, made_by: "writer" }));
const { data } = evaluate({
  rows,
  columns: [columnOf("subtle", noisyScores(rows, 0.2, 2)), columnOf("coarse", noisyScores(rows, 2, 3))],
  resamples: 1,
});
const draw = (count: number, seed = 1) => drawSheet({ rows: data.rows, columns: data.columns, count, seed });

describe("a rating sheet", () => {
  it("draws the same programs for a seed, each once, and others for another", () => {
    const ids = (seed: number) => draw(50, seed).items.map(({ row }) => row.sample_id);
    expect(ids(1)).toEqual(ids(1));
    expect(new Set(ids(1)).size).toBe(50);
    expect(ids(2)).not.toEqual(ids(1));
    expect(draw(50, 1).id).not.toBe(draw(50, 2).id);
    expect(draw(9999).items).toHaveLength(600);
  });

  it("spreads them over tasks and over PassRatio", () => {
    const { items } = draw(60);
    const times = (key: (row: (typeof items)[number]["row"]) => unknown): number[] => {
      const found = new Map<unknown, number>();
      for (const { row } of items) found.set(key(row), (found.get(key(row)) ?? 0) + 1);
      return [...found.values()].sort((a, b) => a - b);
    };
    const [fewest, most] = [times((row) => row.task_id)[0]!, times((row) => row.task_id).at(-1)!];
    expect(times((row) => row.task_id)).toHaveLength(30);
    expect(most - fewest).toBeLessThanOrEqual(2);
    expect(times(({ pass_ratio: ratio }) => (ratio === 0 || ratio === 1 ? ratio : ratio <= 0.5 ? 0.5 : 0.75))).toEqual([
      15, 15, 15, 15,
    ]);
  });

  it("gives each program every metric and PassRatio, in an order of its own", () => {
    const { items } = draw(60);
    const orders = items.map(({ scores }) => scores.map(({ metric }) => metric).join());
    for (const { row, scores } of items) {
      expect(scores.map(({ letter }) => letter)).toEqual(["A", "B", "C"]);
      const byName = new Map(scores.map(({ metric, score }) => [metric, score]));
      const at = data.rows.indexOf(row);
      expect(byName.get("PassRatio")).toBe(row.pass_ratio);
      expect(byName.get("coarse")).toBe(data.columns[1]!.scores[at]);
    }
    expect(new Set(orders).size).toBe(6); // all orders of three
  });

  it("refuses scores that raters would know by their range or that are called as the label is", () => {
    const one = (name: string, score: number) => ({ ...data.columns[0]!, name, scores: data.rows.map(() => score) });
    const drawOf = (...columns: ReturnType<typeof one>[]) => drawSheet({ rows: data.rows, columns });
    expect(() => drawOf(one("wide", 1.5))).toThrow("expected scores in [0, 1] on a rating sheet, got 1.5 by `wide`");
    expect(() => drawOf(one("PassRatio", 0.5))).toThrow("give it another name");
    expect(() => drawOf()).toThrow("expected scores to rate, got none");
    expect(() => drawOf(...Array.from({ length: 26 }, (_, i) => one(`m${i}`, 0)))).toThrow("at most 25");
  });
});

describe("the forms", () => {
  const sheet = draw(4);

  it("show the programs and their scores, and neither name nor writer nor task", async () => {
    const { document } = parseHTML(await ratingPage(sheet));
    expect(document.querySelectorAll("fieldset")).toHaveLength(12);
    expect(document.querySelectorAll("input[type=radio]")).toHaveLength(72);
    const legends = [...document.querySelectorAll("legend")].map((legend) => legend.textContent);
    const scores = sheet.items.flatMap(({ scores }) => scores);
    expect(legends).toEqual(scores.map(({ letter, score }) => `Score ${letter}: ${score.toFixed(2)}`));
    const csv = await ratingCsv(sheet);
    for (const text of [document.documentElement.outerHTML, csv]) {
      expect(text).toContain(`=cmd(`);
      for (const secret of ["subtle", "coarse", "PassRatio", "writer", sheet.items[0]!.row.sample_id, "t0#"]) {
        expect(text.includes(secret), secret).toBe(false);
      }
    }
  });

  it("are to be opened in a spreadsheet without running anything", async () => {
    const lines = parse(await ratingCsv(sheet), { columns: true }) as Record<string, string>[];
    expect(lines).toHaveLength(12);
    expect(lines[0]!.candidate).toMatch(/^'=cmd/);
    expect(lines.filter(({ candidate }) => candidate !== "")).toHaveLength(4); // each program once
  });
});

/** The filled forms of a sheet with as many tasks as `good` has ratings, one program each. */
function filled(ratings: Record<string, readonly (readonly [rater: string, ...ratings: (number | "")[]])[]>) {
  const names = Object.keys(ratings);
  const count = ratings[names[0]!]![0]!.length - 1;
  const key: RatingKey = {
    sheet: "s",
    seed: 1,
    metrics: names.map((name) => ({
      name,
      kind: name === "PassRatio" ? "label" : name === "learned" ? "model" : "metric",
      signature: null,
    })),
    items: Array.from({ length: count }, (_, i) => ({
      item: i + 1,
      task_id: `t${i}`,
      sample_id: `t${i}#0`,
      scores: names.map((metric, k) => ({ letter: "ABC"[k]!, metric, score: 0 })),
    })),
  };
  const raters = ratings[names[0]!]!.map(([rater]) => rater);
  const files = raters.map((rater, r) =>
    write(
      `${rater}.csv`,
      [
        "sheet,rater,item,letter,rating",
        ...names.flatMap((name, k) =>
          ratings[name]![r]!.slice(1).map((rating, i) => `s,${rater},${i + 1},${"ABC"[k]},${rating}`),
        ),
      ].join("\n"),
    ),
  );
  return { key, files };
}

describe("ratings", () => {
  it("give means, deviations, exact paired p values and agreement", async () => {
    const { key, files } = filled({
      bleu: [
        ["ann", 1, 2, 1, 0, 2, 1],
        ["bob", 1, 3, 1, 0, 2, 2],
      ],
      learned: [
        ["ann", 3, 4, 3, 2, 4, 3],
        ["bob", 3, 4, 3, 1, 4, ""],
      ],
      PassRatio: [
        ["ann", 5, 4, 5, 5, 4, 5],
        ["bob", 5, 4, 5, 5, 4, 5],
      ],
    });
    const result = summarizeRatings(await readRatings(files, key));
    expect(result.counts).toEqual({ raters: 2, programs: 6, ratings: 35, unrated: 1 });
    const [bleu, learned, label] = result.metrics;
    expect(bleu).toMatchObject({ name: "bleu", ratings: 12, mean: 16 / 12 });
    // statistics.stdev and means of the two raters: 7/6 and 9/6
    expect(bleu!.deviation).toBeCloseTo(0.8876253645985942, 12);
    expect(bleu!.raterDeviation).toBeCloseTo(0.23570226039551587, 12);
    expect(learned).toMatchObject({ ratings: 11, mean: 34 / 11 });
    expect(label!.alpha).toBe(1);
    expect(result.focus).toBe("learned");
    // Pairs of learned and bleu by one person. Only ann has rated the sixth program.
    const [toBleu, toLabel] = result.comparisons;
    expect(toBleu).toMatchObject({ metric: "bleu", tasks: 6, pValue: 2 / 64, adjusted: 2 * (2 / 64) });
    expect(toBleu!.difference).toBeCloseTo((2 + 1.5 + 2 + 1.5 + 2 + 2) / 6, 12);
    // Two differences are 0 and dropped. The other four have the same sign.
    expect(toLabel).toMatchObject({ metric: "PassRatio", tasks: 6, pValue: 2 / 16, adjusted: 2 / 16 });
    const [means, differences] = ratingTables(result);
    expect(means!.table.rows.map((row) => row[0])).toEqual(["bleu", "learned", "PassRatio"]);
    expect(differences!.note).toContain("learned's mean is 131.8% above that of bleu, the best other metric.");
  });

  it("average over the programs of a task before they are tested", async () => {
    const { key, files } = filled({ bleu: [["ann", 1, 1, 1]], learned: [["ann", 2, 3, 2]] });
    const oneTask = { ...key, items: key.items.map((item) => ({ ...item, task_id: "t" })) };
    const { comparisons } = summarizeRatings(await readRatings(files, oneTask));
    expect(comparisons).toEqual([{ metric: "bleu", difference: 1.333333333, tasks: 1, pValue: 1, adjusted: 1 }]);
  });

  const { key } = filled({ bleu: [["ann", 1, 2]], learned: [["ann", 1, 2]] });
  const head = "sheet,rater,item,letter,rating";
  it.each([
    ["another sheet", `${head}\nx,,1,A,3`, "f.csv:2: expected sheet s, as the key says, got `x`"],
    [
      "an unknown score",
      `${head}\ns,,3,A,3`,
      "f.csv:2: expected item and letter of a score in the key, got `3` and `A`",
    ],
    [
      "a rating above 5",
      `${head}\ns,,1,A,3\ns,,1,B,6`,
      "f.csv:3: expected a rating from 0 to 5, a whole number, got `6`",
    ],
    ["half a rating", `${head}\ns,,1,A,2.5`, "f.csv:2: expected a rating from 0 to 5, a whole number, got `2.5`"],
    ["a score twice", `${head}\ns,,1,A,3\ns,,1,A,3`, /f\.csv:3: `f` rates 1A a second time, after .*f\.csv:2$/],
    ["too few cells", `${head}\ns,,1,A`, "f.csv:2: expected 5 cells"],
    ["no rating", `${head}\ns,,1,A,`, "expected ratings, got none"],
    ["no such columns", "a,b\n1,2", "expected the columns sheet, rater, item, letter, rating, got a, b"],
    ["semicolons for commas", `${head.replaceAll(",", ";")}\ns;;1;A;6`, "f.csv:2: expected a rating from 0 to 5"],
    ["many faults", `${head}\n${"s,,1,A,9\n".repeat(8)}`, /f\.csv:2: .*; .*f\.csv:6: .*; and 3 more$/],
  ])("say what is wrong with %s, and where", async (_, text, message) => {
    await expect(readRatings([write("f.csv", text)], key)).rejects.toThrow(message);
  });

  it("are read from the CSV form as a spreadsheet leaves it, the file's name being the rater's", async () => {
    const rowsOfCode = [labelledRow({ pass_ratio: 0, candidate: 'a = "x,\ny"', description: "two\r\nlines" })];
    const { data } = evaluate({ rows: rowsOfCode, columns: [columnOf("m", [0.5])], resamples: 1 });
    const sheet = drawSheet({ rows: data.rows, columns: data.columns });
    const form = parse(await ratingCsv(sheet)) as string[][];
    const csv = form
      .map((cells, i) =>
        cells.map((cell, k) => `"${(i > 0 && k === 4 ? ` ${i} ` : cell).replaceAll('"', '""')}"`).join(","),
      )
      .join("\r\n");
    const { ratings, unrated } = await readRatings([write("Zoë.csv", `\ufeff${csv}\r\n`)], ratingKey(sheet));
    expect(unrated).toBe(0);
    expect(ratings.map(({ rater, rating }) => [rater, rating])).toEqual([
      ["Zoë", 1],
      ["Zoë", 2],
    ]);
  });

  it("need the key, whole", async () => {
    await expect(readRatingKey(write("k.json", "{}"))).rejects.toThrow("expected the key");
    expect(await readRatingKey(write("k2.json", JSON.stringify(key)))).toEqual(key);
  });
});
