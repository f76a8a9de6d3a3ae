import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  exportSet,
  modulesOf,
  readExamples,
  splitByProblem,
  splitFile,
  splitOf,
  stats,
} from "../../src/dataset/index.ts";
import { all, tempFolder, writeRows } from "../problems/helpers.ts";
import { labelledRow } from "./fake.ts";

const ids = Array.from({ length: 4000 }, (_, i) => `MBPP/${i}`);

describe("splitByProblem", () => {
  it("puts about the shares asked for into dev and test", () => {
    const { train, dev, test } = splitByProblem(ids, { dev: 0.2, test: 0.1 });
    expect(train.length + dev.length + test.length).toBe(ids.length);
    expect(dev.length / ids.length).toBeCloseTo(0.2, 1);
    expect(test.length / ids.length).toBeCloseTo(0.1, 1);
  });

  it("depends on the id and the seed alone", () => {
    // Computed with Python: int(sha256(b"split 0\0MBPP/3").hexdigest()[:12], 16) / 2**48 and so on.
    expect(["MBPP/0", "MBPP/1", "MBPP/2", "MBPP/3"].map((id) => splitOf(id, { dev: 0.3, test: 0.3 }))).toEqual([
      "test",
      "train",
      "train",
      "test",
    ]);
    const other = splitByProblem(ids, { seed: 1 });
    expect(other.test).not.toEqual(splitByProblem(ids).test);
    expect(splitByProblem([...ids].reverse()).test.reverse()).toEqual(splitByProblem(ids).test);
  });

  it("keeps MBPP/N and its rewording MBPPT/N together, and all rows of a problem", () => {
    for (const id of ids.slice(0, 200)) {
      expect(splitOf(id.replace("MBPP", "MBPPT"))).toBe(splitOf(id));
      expect(splitOf(id.replace("MBPP", "Mbpp"))).toBe(splitOf(id)); // as EvalPlus writes it
    }
    const rows = ids.slice(0, 50).flatMap((task_id) => [
      { task_id, n: 1 },
      { task_id, n: 2 },
    ]);
    for (const part of Object.values(splitByProblem(rows))) {
      for (const row of part) expect(part.filter(({ task_id }) => task_id === row.task_id)).toHaveLength(2);
    }
  });

  it.each([{ dev: 0.5, test: 0.5 }, { dev: -0.1 }, { test: Number.NaN }])("refuses the shares %j", (shares) => {
    expect(() => splitOf("A", shares)).toThrow(/shares of at least 0 that sum to less than 1/);
  });
});

it("splitFile writes three sets that together are the set", async () => {
  const rows = ids
    .slice(0, 60)
    .flatMap((task_id) => [labelledRow({ task_id, sample_id: "a" }), labelledRow({ task_id, sample_id: "b" })]);
  const folder = tempFolder();
  const counts = await splitFile(writeRows(rows, "set.jsonl"), folder, { dev: 0.2, test: 0.2, seed: 3 });
  const parts = await Promise.all(
    (["train", "dev", "test"] as const).map((split) => all(readExamples(join(folder, `${split}.arrow`)))),
  );
  expect(parts.map((part) => part.length)).toEqual([counts.train.rows, counts.dev.rows, counts.test.rows]);
  expect(Math.min(...parts.map((part) => part.length))).toBeGreaterThan(0);
  const key = (row: { task_id: string; sample_id: string }) => `${row.task_id} ${row.sample_id}`;
  expect(parts.flat().map(key).sort()).toEqual(rows.map(key).sort());
});

it("splitFile says of each set what executed its programs", async () => {
  const set = writeRows([labelledRow()], "set.jsonl");
  const executor = { sandbox: "none", modules: ["math", "sys"] };
  writeFileSync(`${set}.manifest.json`, JSON.stringify({ executor }));
  const folder = tempFolder();
  await splitFile(set, folder);
  const path = join(folder, "train.arrow");
  expect(JSON.parse(readFileSync(`${path}.manifest.json`, "utf8"))).toMatchObject({ executor });
  const out = join(folder, "train.parquet");
  await exportSet(path, out);
  expect(await modulesOf([out])).toEqual(["math", "sys"]);
});

describe("modulesOf", () => {
  const folder = tempFolder();
  const set = (name: string, card: unknown): string => {
    writeFileSync(join(folder, `${name}.manifest.json`), JSON.stringify(card));
    return join(folder, name);
  };
  const two = set("two", { executor: { modules: ["math", "numpy"] } });
  const other = set("other", { executor: { modules: ["math", "tkinter"] } });
  const old = set("old", { executor: { python: "3.11.7" } });

  it("is what all sets have whose manifests say", async () => {
    expect(await modulesOf([two])).toEqual(["math", "numpy"]);
    expect(await modulesOf([old, two, join(folder, "none"), other])).toEqual(["math"]);
    expect(await modulesOf([old, join(folder, "none")])).toBeNull();
    expect(await modulesOf([])).toBeNull();
  });

  it.each([{ modules: "math" }, { modules: [1] }, { modules: null }])("refuses %j", async (executor) => {
    const wanted =
      "wrong.manifest.json: expected `executor.modules` to be a list of names, as codescore label writes it";
    await expect(modulesOf([set("wrong", { executor })])).rejects.toThrow(wanted);
  });
});

describe("stats", () => {
  it("counts, spreads and measures", async () => {
    const rows = [
      labelledRow({ pass_ratio: 0, executable: 0, made_by: "a", candidate: "x = f(1)" }),
      labelledRow({ pass_ratio: 1, made_by: "a", candidate: "x = 1", description: "Do it." }),
      labelledRow({ pass_ratio: 0.5, made_by: "b", candidate: "é" }),
      labelledRow({
        pass_ratio: null,
        executable: null,
        status: "no_label",
        made_by: "a",
        task_id: "B",
        candidate: "",
      }),
    ];
    expect(await stats(writeRows(rows))).toEqual({
      rows: 4,
      labelled: 3,
      zero: 1 / 3,
      between: 1 / 3,
      one: 1 / 3,
      meanPassRatio: 0.5,
      executable: 2 / 3,
      counts: { rows: 4, labelled: 3, no_label: 1, missing: {}, infra: 0, problems: 2, opaque: 0 },
      histogram: { zero: 1, between: [0, 0, 0, 0, 0, 1, 0, 0, 0, 0], one: 1 },
      lengths: {
        candidate: { mean: 2.5, median: 2, p95: expect.closeTo(5.55) },
        reference: null,
        description: { mean: 3, median: 3, p95: 3 },
      },
      byMaker: [
        { madeBy: "a", rows: 3, labelled: 2, zero: 0.5, between: 0, one: 0.5, meanPassRatio: 0.5, executable: 0.5 },
        { madeBy: "b", rows: 1, labelled: 1, zero: 0, between: 1, one: 0, meanPassRatio: 0.5, executable: 1 },
      ],
    });
  });

  it("has no shares without labels", async () => {
    const rows = [labelledRow({ pass_ratio: null, executable: null, status: "infra" })];
    expect(await stats(writeRows(rows))).toMatchObject({
      labelled: 0,
      zero: null,
      meanPassRatio: null,
      executable: null,
    });
  });
});
