/** Cosines of pooled hidden states, compared with onnxruntime, tokenizers and numpy in Python (scripts/record/pooled.py). */
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { getMetric, type Pair, scorePairs } from "../../../src/metrics/index.ts";
import { openSimilarity } from "../../../src/rtc/index.ts";
import { expectedFile, recordedFolder, remove, robertaFolder } from "./folders.ts";

const { pairs } = JSON.parse(readFileSync(expectedFile, "utf8")) as { pairs: Pair[] };
const recorded = JSON.parse(readFileSync(recordedFolder("pooled.json"), "utf8")) as Record<
  "roberta" | "bert",
  Record<"mean" | "cls", (number | null)[]>
>;

const folders = { roberta: "", bert: "" };
beforeAll(async () => {
  folders.roberta = await robertaFolder();
  folders.bert = await mkdtemp(join(tmpdir(), "codescore-bert-"));
  await cp(recordedFolder("bert"), folders.bert, { recursive: true });
});
afterAll(() => Promise.all(Object.values(folders).map(remove)));

const pooling = async (folder: string, chosen: object): Promise<void> => {
  await mkdir(join(folder, "1_Pooling"), { recursive: true });
  await writeFile(join(folder, "1_Pooling", "config.json"), JSON.stringify(chosen));
};

describe("embedding", () => {
  test.each([
    ["roberta", "mean"],
    ["roberta", "cls"],
    ["bert", "mean"],
    ["bert", "cls"],
  ] as const)("%s, pooled by %s, equals Python", async (name, how) => {
    const folder = folders[name];
    if (how === "cls") await pooling(folder, { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false });
    const metric = getMetric("embedding", { encoder: folder });
    const values = await scorePairs(metric, pairs);
    expect(metric.signature).toMatch(
      new RegExp(`^embedding\\|model:\\w{8}\\|layer:.+\\|pooling:${how}\\|cosine\\|max:`),
    );
    await metric.close!();
    const expected = recorded[name][how];
    expect(values).toHaveLength(expected.length);
    values.forEach((value, i) => {
      if (expected[i] === null) expect(value).toBeNaN();
      else expect(value, `pair ${i}`).toBeCloseTo(expected[i]!, 6);
    });
    const notes = "notes" in metric ? metric.notes!() : [];
    expect(notes[0]).toContain("texts longer than the encoder's");
  });

  it("refuses another pooling, and needs a folder", async () => {
    await pooling(folders.bert, { pooling_mode_max_tokens: true });
    await expect(scorePairs(getMetric("embedding", { encoder: folders.bert }), pairs)).rejects.toThrow(
      "expected pooling_mode_mean_tokens or pooling_mode_cls_token alone, got pooling_mode_max_tokens",
    );
    expect(() => getMetric("embedding")).toThrow("`embedding` needs a model that was exported to ONNX");
  });

  it("is a similarity of round trips", async () => {
    const similarity = openSimilarity("embedding", { metrics: { models: { embedding: folders.roberta } } });
    await similarity.prepare!();
    const text = "A hash table maps keys to places.";
    const [same, other] = await similarity.compare([
      { reference: text, candidate: text },
      { reference: text, candidate: "while True: pass" },
    ]);
    expect(same).toBeCloseTo(1, 12);
    expect(other).toBeLessThan(same!);
  });
});
