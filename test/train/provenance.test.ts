/** The data that a model was trained on, for its model card. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { provenance } from "../../src/train/provenance.ts";
import { rowsOf, scratch } from "./rows.ts";

const [row] = rowsOf(1);
const rows = ["few", "many", "many"].map((source) => ({ ...row!, source }));

it("counts rows by source, after what a checkpoint says of itself, and keeps what is written already", async () => {
  const folder = scratch();
  const fresh = await provenance(rows, null, folder);
  const seen = [
    { name: "many", rows: 2 },
    { name: "few", rows: 1 },
  ];
  expect(JSON.parse(fresh!)).toEqual({ data: seen });

  const init = join(folder, "init");
  mkdirSync(init);
  expect(await provenance(rows, init, folder)).toBe(fresh);
  const old = { name: "old", rows: 5, license: "MIT" };
  writeFileSync(join(init, "training.json"), JSON.stringify({ license: "mit", data: [old] }));
  expect(JSON.parse((await provenance(rows, init, folder))!)).toEqual({ license: "mit", data: [old, ...seen] });

  expect(await provenance(rows, null, init)).toBeNull();
  writeFileSync(join(init, "training.json"), '{"data": 3}');
  await expect(provenance(rows, init, folder)).rejects.toThrow(/training\.json: expected an object with a list `data`/);
});
