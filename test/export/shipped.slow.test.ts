/**
 * The shipped 8-bit form compared with single precision, on every third program of he-eval-dev, for the network alone. CODESCORE_EVERY=1
 * uses all programs.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportOnnx } from "../../src/export/index.ts";
import { CodeScorer, type Precision } from "../../src/score/index.ts";
import { spearman } from "../../src/statistics/index.ts";
import type { Score } from "../../src/types.ts";
import { packageRoot } from "../../src/util/files.ts";
import { heEvalRows } from "../evaluate/he-eval-rows.ts";
import { every } from "../every.ts";

const data = process.env.CODESCORE_DATA;
const EVERY = every(3);

describe.skipIf(data === undefined)("the 8-bit form of codescore-small", () => {
  const shipped = join(packageRoot, "models", "codescore-small");
  it("ranks as single precision does, and as well", { timeout: 600_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "codescore-single-"));
    await cp(shipped, folder, { recursive: true });
    const config = JSON.parse(await readFile(join(shipped, "config.json"), "utf8"));
    Object.assign(config.codescore, { rule: 0, trees: 0 });
    await writeFile(join(folder, "config.json"), JSON.stringify(config));
    await exportOnnx(folder, { forms: ["fp32"] });
    const rows = (await heEvalRows(data!)).filter((_, i) => i % EVERY === 0);
    const scores = async (precision: Precision): Promise<number[]> => {
      const scorer = await CodeScorer.load(folder, { precision, calibration: false });
      const results = (await scorer.scoreAll(rows)) as Score[];
      await scorer.close();
      return results.map(({ score }) => score);
    };
    const [single, eight] = [await scores("fp32"), await scores("int8")];
    await rm(folder, { recursive: true });
    expect(spearman(eight, single)).toBeGreaterThanOrEqual(0.995);
    const passRatios = rows.map((row) => row.pass_ratio!);
    const moved = spearman(eight, passRatios) - spearman(single, passRatios);
    expect(Math.abs(moved)).toBeLessThan(0.005);
  });
});
