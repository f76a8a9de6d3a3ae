/** ONNX Runtime's WebAssembly build, used if onnxruntime-node is not installed. `npm run build` puts it into dist/. */
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CodeScorer } from "../../src/score/index.ts";
import { makeModel } from "../score/model.ts";

const rows = Array.from({ length: 12 }, (_, i) => ({
  candidate: `x = ${i}\n`.repeat(1 + (i % 7)),
  reference: "x = 2",
}));

describe("the device wasm", () => {
  let model: string;
  beforeAll(async () => {
    model = await makeModel();
  });
  afterAll(() => rm(model, { recursive: true }));

  const scored = async (device: string, precision: "fp32" | "int8", threads: number) => {
    const scorer = await CodeScorer.load(model, { device, precision, threads });
    const results = await scorer.scoreAll(rows);
    await scorer.close();
    return { device: scorer.device, signature: scorer.signature, results };
  };

  it.each([
    ["fp32", 2, 1e-6],
    ["int8", 1, 5e-3],
  ] as const)("scores in %s as native code does, under a signature of its own", async (form, threads, apart) => {
    const [native, wasm] = [await scored("cpu", form, 1), await scored("wasm", form, threads)];
    expect([native.device, wasm.device]).toEqual(["cpu", "wasm"]);
    expect(native.signature).not.toContain("device:");
    expect(wasm.signature).toBe(native.signature.replace("|v:", "|device:wasm|v:"));
    for (const [i, result] of wasm.results.entries()) {
      const other = native.results[i]!;
      if ("error" in result || "error" in other) throw new Error("expected scores");
      expect(Math.abs(result.score - other.score)).toBeLessThan(apart);
      expect(Math.abs(result.exec - other.exec)).toBeLessThan(apart);
    }
  });
});
