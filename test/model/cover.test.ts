/** Cover levels from ids, compared with those that the network computes. */
import * as tf from "@tensorflow/tfjs";
import { describe, expect, it } from "vitest";
import { coverLevels, coverLevelsOf } from "../../src/model/cover.ts";
import { configOfSize } from "../../src/model/index.ts";
import { tfOps } from "../../src/train/engine/tf-ops.ts";
import { Random } from "../../src/util/random.ts";

const config = configOfSize("nano", 300);
const [BOS, EOS] = [config.bos_token_id, config.eos_token_id];

/** The levels by tensors, from masks of the tokens before the first and the second separator. */
async function byTensors(ids: number[]): Promise<number[]> {
  const part = ids.map((_, i) => ids.slice(0, i).filter((id) => id === EOS).length);
  const mask = (wanted: number): tf.Tensor =>
    tf.tensor2d([ids.map((id, i) => (part[i] === wanted && id !== EOS && id !== BOS ? 1 : 0))]);
  const ops = tfOps(new Map(), { layerNormEps: 1e-5, dropout: 0, seed: 0 });
  const levels = tf.tidy(() => coverLevels(ops, tf.tensor2d([ids]), mask(0), mask(1), config.codescore.cover));
  return Array.from(await levels.data());
}

describe("cover levels of a sequence", () => {
  it("are those of the network, on random sequences", async () => {
    await tf.setBackend("cpu");
    const random = new Random(1);
    const seen = new Set<number>();
    for (let i = 0; i < 60; i++) {
      const most = random.int(5, i % 3 === 0 ? 6 : 9);
      const tokens = (): number[] => Array.from({ length: random.int(0, 25) }, () => random.int(5, most));
      const shared = tokens();
      const sequence = [BOS, ...tokens(), ...shared, EOS, ...tokens(), ...shared, ...tokens(), EOS, ...tokens(), EOS];
      const levels = Array.from(coverLevelsOf(sequence, config));
      expect(levels).toEqual(await byTensors(sequence));
      for (const level of levels) seen.add(level);
    }
    expect(seen.size).toBe(config.codescore.cover.length + 1);
  });

  it("are 0 without a reference, and for empty parts", () => {
    for (const ids of [[BOS, 7, 8, EOS], [BOS, EOS, EOS], [BOS, EOS, 7, EOS], [BOS, 7, 8], []]) {
      expect(Array.from(coverLevelsOf(ids, config))).toEqual(ids.map(() => 0));
    }
  });
});
