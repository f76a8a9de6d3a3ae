import { describe, expect, it } from "vitest";
import { configOfSize, initialise, type ModelConfig } from "../../src/model/index.ts";

const nano = configOfSize("nano", 300);
const deviation = (config: ModelConfig, name: string): number => {
  const { data } = initialise(config, 1).get(`${name}.weight`)!;
  return Math.sqrt(data.reduce((sum, x) => sum + x * x, 0) / data.length);
};
const CHANNELS = ["unice.part", "unice.cover", "unice.mark"];

describe("a new model", () => {
  it.each(["embeddings.word_embeddings", "embeddings.position_embeddings", ...CHANNELS])(
    "draws %s with embedding_range, and matrices with initializer_range",
    (name) => {
      expect(deviation(nano, name)).toBeGreaterThan(0.9);
      expect(deviation(nano, name)).toBeLessThan(1.1);
      const matrix = deviation(nano, "encoder.layer.0.attention.self.query");
      expect(matrix / nano.initializer_range).toBeCloseTo(1, 1);
    },
  );

  it("without embedding_range draws embeddings like matrices, and leaves the channels at zero", () => {
    const config = { ...nano, codescore: { ...nano.codescore, embedding_range: 0 } };
    expect(deviation(config, "embeddings.word_embeddings") / nano.initializer_range).toBeCloseTo(1, 1);
    for (const name of CHANNELS) expect(deviation(config, name)).toBe(0);
  });
});
