import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CodeScorer } from "../../src/score/index.ts";
import { findOnnx } from "../../src/score/model.ts";
import { packageRoot } from "../../src/util/files.ts";
import { makeModel } from "./model.ts";

let folder: string;

beforeAll(async () => {
  folder = await makeModel();
});

afterAll(() => rm(folder, { recursive: true }));

describe("CodeScorer.load", () => {
  it("takes the precision asked for; on a CPU int8 before fp32 before fp16", async () => {
    const copy = await mkdtemp(join(tmpdir(), "codescore-precision-"));
    await cp(folder, copy, { recursive: true });
    const onnx = (name: string): string => join(copy, "onnx", name);
    for (const other of ["model_fp16.onnx", "model_quantized.onnx"]) await rm(onnx(other), { force: true });
    expect(await findOnnx(copy)).toBe(onnx("model.onnx"));
    await expect(findOnnx(copy, "fp16")).rejects.toThrow(/no onnx.model_fp16\.onnx; create it with `codescore export/);
    await cp(onnx("model.onnx"), onnx("model_fp16.onnx"));
    expect(await findOnnx(copy)).toBe(onnx("model.onnx"));
    await cp(onnx("model.onnx"), onnx("model_quantized.onnx"));
    expect(await findOnnx(copy)).toBe(onnx("model_quantized.onnx"));
    expect(await findOnnx(copy, "auto", "cuda")).toBe(onnx("model.onnx"));
    expect(await findOnnx(copy, "fp32")).toBe(onnx("model.onnx"));
    await rm(copy, { recursive: true });
  });

  it("takes a shipped model by name, the tiny one where none is named, and it tells right from wrong", async () => {
    const right = "def add(a, b):\n    return a + b\n";
    for (const named of [undefined, "small", "tiny"]) {
      const scorer = await CodeScorer.load(named);
      expect(scorer.folder).toBe(join(packageRoot, "models", `codescore-${named ?? "tiny"}`));
      const rows = [
        "def add(x, y):\n    return y + x\n",
        "def add(a, b):\n    return c\n",
        "def sub(a, b):\n    return a\n",
      ];
      const results = await scorer.scoreAll(rows.map((candidate) => ({ candidate, reference: right })));
      await scorer.close();
      const [same, undefinedName, otherName] = results.map((result) => ("score" in result ? result.score : Number.NaN));
      expect(same).toBeGreaterThan(0.6);
      expect(undefinedName).toBeLessThan(0.3);
      expect(otherName).toBeLessThan(0.3);
    }
  });

  it.each([
    ["tpu", /has no device `tpu` on this machine; available: cpu/],
    ["cuda", /the device `cuda`.*(CUDA 12|available: cpu)/],
  ])("says what the device %s needs", async (device, message) => {
    await expect(CodeScorer.load(folder, { device })).rejects.toMatchObject({
      code: "environment",
      message: expect.stringMatching(message),
    });
  });

  it("keeps no process alive that forgets to close, whatever flags Node was started with", async () => {
    const index = join(packageRoot, "dist", "index.js");
    const program = `
      const { CodeScorer } = await import(${JSON.stringify(pathToFileURL(index).href)});
      const scorer = await CodeScorer.load(${JSON.stringify(folder)}, { threads: 1 });
      const [{ score }] = await scorer.scoreAll([{ candidate: "x = 1", reference: "x = 2" }]);
      console.log(score > 0 && score < 1);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
    expect(stdout).toBe("true\n");
  });
});
