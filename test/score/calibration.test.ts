import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CALIBRATION_FILE, type CalibrationFile, COVERAGES, CodeScorer, shortHash } from "../../src/score/index.ts";
import type { Score, ScoreInput } from "../../src/types.ts";
import { makeModel } from "./model.ts";

let folder: string;
let path: string;
let file: CalibrationFile;

const rows: ScoreInput[] = Array.from({ length: 12 }, (_, i) => ({
  candidate: `def f(a):\n    return a + ${i}\n`,
  reference: "def f(a):\n    return a\n",
  description: "Add.",
}));

beforeAll(async () => {
  folder = await makeModel();
  path = join(folder, CALIBRATION_FILE);
  const forms = await readdir(join(folder, "onnx"));
  const hashes = forms.map(async (name) => [name, await shortHash(join(folder, "onnx", name))] as const);
  file = {
    version: 1,
    method: "isotonic",
    models: { other: "00000000", ...Object.fromEntries(await Promise.all(hashes)) },
    formats: {
      ref: {
        score: { x: [0, 1], y: [0.2, 0.6] },
        exec: { slope: 2, intercept: 0 },
        spread: {
          x: [0, 1],
          quantiles: [
            [0, 0.2, 0.4],
            [0.4, 0.6, 1],
          ],
          levels: COVERAGES.map((coverage) => (coverage > 0.95 ? null : coverage)),
        },
      },
    },
  };
});

beforeEach(() => writeFile(path, JSON.stringify(file)));
afterAll(() => rm(folder, { recursive: true }));

async function scores(options: Parameters<typeof CodeScorer.load>[1], format: "ref" | "nl" = "ref"): Promise<Score[]> {
  const scorer = await CodeScorer.load(folder, options);
  try {
    return (await scorer.scoreAll(rows, { format })) as Score[];
  } finally {
    await scorer.close();
  }
}

describe("a scorer with a calibration", () => {
  it("gives mapped scores, an interval around them and a signature that says so", async () => {
    const raw = await scores({ calibration: false });
    const calibrated = await scores({ coverage: 0.8 });
    for (const [i, { score, exec, low, high, signature }] of calibrated.entries()) {
      const s = raw[i]!.score;
      expect(score).toBeCloseTo(0.99 * (0.2 + 0.4 * s) + 0.01 * s, 9);
      expect(exec).toBeCloseTo(raw[i]!.exec ** 2 / (raw[i]!.exec ** 2 + (1 - raw[i]!.exec) ** 2), 9);
      // Level 0.8: from quantile 0.1 to 0.9, each a fifth of the way into its half.
      expect(low).toBeCloseTo(Math.min(score, 0.04 + s * (0.44 - 0.04)), 9);
      expect(high).toBeCloseTo(Math.max(score, 0.36 + s * (0.92 - 0.36)), 9);
      expect(signature).toMatch(/\|max:\d+(?:\|marks:\w+)?\|cal:[0-9a-f]{8}\|v:/);
    }
    expect(raw[0]).not.toHaveProperty("low");
    expect(raw[0]!.signature).not.toContain("|cal:");
    const order = (all: Score[]): number[] => [...all.keys()].sort((a, b) => all[a]!.score - all[b]!.score);
    expect(order(calibrated)).toEqual(order(raw));
  });

  it("gives [0, 1] where the calibration knows no narrower interval", async () => {
    expect((await scores({ coverage: 0.96 }))[0]).toMatchObject({ low: 0, high: 1 });
  });

  it("leaves a format alone that was not calibrated, and abstains from all of it", async () => {
    const [plain] = await scores({}, "nl");
    const [raw] = await scores({ calibration: false }, "nl");
    expect(plain).toEqual(raw);
    expect((await scores({ abstain: 0.5 }, "nl"))[0]).toEqual({ ...raw, abstained: true });
  });

  it("marks rows whose interval is wider than asked for", async () => {
    const all = await scores({});
    const widths = all.map(({ low, high }) => high! - low!).sort((a, b) => a - b);
    const limit = (widths[5]! + widths[6]!) / 2;
    const marked = await scores({ abstain: limit });
    expect(marked.map(({ abstained }) => abstained ?? false)).toEqual(all.map(({ low, high }) => high! - low! > limit));
    expect(marked.filter(({ abstained }) => abstained)).toHaveLength(6);
    expect(all.some(({ abstained }) => abstained)).toBe(false);
  });

  it("refuses a coverage that has no levels", async () => {
    await expect(scores({ coverage: 0.999 })).rejects.toThrow("expected a coverage from 0.5 to 0.99, got 0.999");
    await expect(scores({ coverage: 0.4 })).rejects.toThrow("got 0.4");
  });
});

describe("a calibration that cannot be used", () => {
  it("because it belongs to other weights is refused, and can be left out", async () => {
    await writeFile(path, JSON.stringify({ ...file, models: { "onnx/model.onnx": "12345678" } }));
    await expect(scores({})).rejects.toThrow(
      /belongs to other weights \(12345678\) than this model .*--no-calibration/,
    );
    expect(await scores({ calibration: false })).toHaveLength(rows.length);
  });

  const ref = (change: object) => (whole: CalibrationFile) => ({
    ...whole,
    formats: { ref: { ...whole.formats.ref, ...change } },
  });
  it.each<[string, (whole: CalibrationFile) => unknown]>([
    ["null", () => null],
    ["of another version", (whole) => ({ ...whole, version: 2 })],
    ["without models", (whole) => ({ ...whole, models: null })],
    ["with a format that is null", (whole) => ({ ...whole, formats: { ref: null } })],
    ["with a map that falls", ref({ score: { x: [0, 1], y: [1, 0] } })],
    ["with a slope that is negative", ref({ exec: { slope: -1, intercept: 0 } })],
    ["with columns of unlike length", ref({ score: { x: [0, 1], y: [1] } })],
    ["without a spread", ref({ spread: null })],
    ["with too few levels", ref({ spread: { x: [0], quantiles: [[0, 1]], levels: [1] } })],
  ])("because it is %s is a clear error", async (_, spoil) => {
    await writeFile(path, JSON.stringify(spoil(file)));
    await expect(scores({})).rejects.toThrow(
      /is not a calibration of this version; create it again: codescore calibrate/,
    );
  });

  it("because it is not JSON is an error of the model", async () => {
    await writeFile(path, "{");
    await expect(scores({})).rejects.toMatchObject({
      code: "model",
      message: expect.stringContaining("not valid JSON"),
    });
  });

  it("because there is none is an error only for those who need one", async () => {
    const copy = await mkdtemp(join(tmpdir(), "codescore-uncalibrated-"));
    await cp(folder, copy, { recursive: true });
    await rm(join(copy, CALIBRATION_FILE));
    await (await CodeScorer.load(copy)).close();
    await expect(CodeScorer.load(copy, { abstain: 0.5 })).rejects.toThrow(/has no calibration\.json; create it with/);
    await expect(CodeScorer.load(copy, { coverage: 0.8 })).rejects.toThrow(/--coverage and --abstain need/);
    await expect(CodeScorer.load(folder, { coverage: 0.8, calibration: false })).rejects.toThrow("it is switched off");
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(file);
    await rm(copy, { recursive: true });
  });
});
