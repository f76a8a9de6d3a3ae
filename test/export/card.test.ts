import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modelCard, writeCard } from "../../src/export/card.ts";
import { configOfSize, initialise, toHalf } from "../../src/model/index.ts";

const config = configOfSize("nano", 300);
const tensors = initialise(config, 1);

describe("the model card", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "codescore-card-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("states what is recorded, and says where nothing is", () => {
    const bare = modelCard({ config, tensors });
    expect(bare).toMatch(/^---\nlanguage:\n- en\n/); // no licence is invented
    expect(bare).toContain("`<s> candidate </s> reference </s> description </s>`");
    const marks = { start: "[CLS]", end: "[SEP]" };
    const other = modelCard({ config, tensors, marks });
    expect(other).toContain("`[CLS] candidate [SEP] reference [SEP] description [SEP]`");
    expect(other).not.toContain("</s>");
    expect(bare).toContain("Not recorded in this folder (`training.json`)");
    expect(bare).toContain("None are recorded in this folder");
    const parameters = [...tensors.values()].reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0);
    expect(bare).toContain(`2 layers of 64, 1 heads, vocabulary 300; ${parameters.toLocaleString("en")} parameters`);

    const training = {
      license: "mit",
      recipe: "Two steps.",
      data: [{ name: "MBPP | <b>typed</b>", rows: 12000, license: "CC-BY-4.0" }],
    };
    const full = modelCard({ config, tensors, training, metrics: { "HE-Eval": { spearman: 0.6048 } } });
    expect(full).toMatch(/^---\nlicense: "mit"\n/);
    expect(full).toContain("| MBPP \\| &lt;b>typed&lt;/b> | 12,000 | CC-BY-4.0 |");
    expect(full).toContain("CC-BY-4.0 |\n\nTwo steps.\n\n## Metrics");
    expect(full).toContain("| HE-Eval | spearman | 0.6048 |");
    const grouped = { text: { r_s: [0.7, 0.65, 0.75], "mean width": 0.8 }, rule: { r_s: 0.6 }, pairs: 12 } as const;
    expect(modelCard({ config, tensors, metrics: { "HE-Eval": grouped } })).toContain(
      `| set | scored from | r_s | mean width |
| --- | --- | --- | --- |
| HE-Eval | text | 0.700 [0.650, 0.750] | 0.800 |
| HE-Eval | rule | 0.600 |  |

| set | metric | value |
| --- | --- | --- |
| HE-Eval | pairs | 12 |`,
    );
  });

  it("is written anew, unless somebody else wrote it", async () => {
    const path = join(folder, "README.md");
    expect(await writeCard(folder, config, tensors)).toBe(path);
    await writeFile(join(folder, "metrics.json"), JSON.stringify({ "my set": { mae: 0.25 } }));
    expect(await writeCard(folder, config, tensors)).toBe(path);
    expect(await readFile(path, "utf8")).toContain("| my set | mae | 0.25 |");
    await writeFile(path, "# By hand\n");
    expect(await writeCard(folder, config, tensors)).toBeNull();
    expect(await readFile(path, "utf8")).toBe("# By hand\n");
  });

  it("tells which summary cannot be read", async () => {
    await rm(join(folder, "README.md"), { force: true });
    await writeFile(join(folder, "metrics.json"), "[1]");
    await expect(writeCard(folder, config, tensors)).rejects.toThrow(/metrics\.json: expected an object, got \[1\]/);
  });
});

describe("half precision", () => {
  it.each([
    [1 / 3, 0x3555],
    [-2, 0xc000],
    [-0, 0x8000],
    [65504, 0x7bff],
    [65519, 0x7bff],
    [2049, 0x6800], // halfway: rounds to even
    [2051, 0x6802],
    [2 ** -14, 0x0400],
    [2 ** -24, 0x0001],
    [2 ** -25, 0x0000], // halfway
    [1.5 * 2 ** -24, 0x0002], // halfway
    [1.25 * 2 ** -25, 0x0001],
  ])("%d is as IEEE 754 has it", (value, bits) => {
    expect(toHalf(Float32Array.of(value), "w")[0]).toBe(bits);
  });

  it("refuses what it cannot hold", () => {
    expect(() => toHalf(Float32Array.of(0, 65520), "w")).toThrow(/w contains 65520.*half precision cannot/);
  });
});
