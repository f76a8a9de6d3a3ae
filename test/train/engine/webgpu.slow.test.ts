/** WebGPU compared with PyTorch's fixture and another engine, on a GPU, or on SwiftShader if there is none. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as tf from "@tensorflow/tfjs";
import { describe, expect, it, vi } from "vitest";
import { readSafetensors } from "../../../src/model/index.ts";
import { findNative } from "../../../src/setup/index.ts";
import { OutOfMemory } from "../../../src/train/engine/out-of-memory.ts";
import { dropout } from "../../../src/train/engine/webgpu/fused.ts";
import { type Device, openDevice, readLog, train } from "../../../src/train/index.ts";
import { rowsOf, scratch, settings, writeRows } from "../rows.ts";
import { whyNoWebGpu } from "./webgpu.ts";

// SwiftShader takes a second to compile each program, and waits at every barrier.
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 120_000 });
const reason = await whyNoWebGpu();
if (reason !== null) process.stderr.write(`WebGPU is not tested: ${reason}\n`);

/** All parts of the network, as small as possible. */
const tiny = {
  hidden_size: 16,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  intermediate_size: 32,
  max_position_embeddings: 66,
  codescore: { head_sizes: [8], max_length: 64 },
};

describe.skipIf(reason !== null)("the WebGPU engine", () => {
  it("says what it runs on, and ends with the process", async () => {
    const opened = await openDevice("webgpu");
    expect(opened.note).toMatch(/^webgpu: .+ \(.*(vulkan|metal|d3d12)\)(, a software renderer on the CPU, slow)?$/);
    opened.close();
    const dist = fileURLToPath(new URL("../../../dist/train/index.js", import.meta.url));
    const script = `
      import { ones, sum } from "@tensorflow/tfjs";
      import { openDevice } from ${JSON.stringify(dist)};
      const { close } = await openDevice("webgpu");
      console.log((await sum(ones([64, 64])).data())[0]);
      close();`;
    const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect([status, stdout]).toEqual([0, "4096\n"]);
  });

  it("tells a tensor that is too large and a program that is refused, instead of going on with zeros", async () => {
    const { close } = await openDevice("webgpu");
    const { device } = tf.backend() as unknown as { device: GPUDevice };
    const most = device.limits.maxStorageBufferBindingSize / 4;
    const piece = tf.ones([4096]);
    expect(() => tf.tile(piece, [Math.ceil(most / 4096) + 1])).toThrow(OutOfMemory);
    const several = Array.from({ length: device.limits.maxStorageBuffersPerShaderStage + 1 }, () => tf.ones([2000]));
    await expect(tf.addN(several).data()).rejects.toThrow(/the GPU refused a step: .*storage buffers/);
    close();
  });

  it("drops a share of the values, the same for the same seed", async () => {
    const { close } = await openDevice("webgpu");
    const factors = async (seed: number) => Array.from(await dropout(tf.ones([100, 100]), { rate: 0.1, seed }).data());
    const [a, again, b] = [await factors(7), await factors(7), await factors(8)];
    const dropped = a.filter((factor) => factor === 0).length;
    expect(dropped).toBeGreaterThan(910); // 1000 within three standard deviations of 30
    expect(dropped).toBeLessThan(1090);
    expect(new Set(a)).toEqual(new Set([0, Math.fround(1 / 0.9)]));
    expect(again).toEqual(a);
    const both = a.filter((factor, i) => factor === 0 && b[i] === 0).length;
    expect(both).toBeGreaterThan(70); // 100 if the values of the two seeds are independent
    expect(both).toBeLessThan(130);
    close();
  });

  it("trains as another engine does: losses, gradients, parameters; no tensor is left", async () => {
    const folder = scratch();
    const data = [writeRows(join(folder, "data.jsonl"), rowsOf(3))];
    const config = join(folder, "config.json");
    writeFileSync(config, JSON.stringify(tiny));
    const run = async (device: Device) => {
      const out = join(folder, device);
      const counts: number[] = [];
      const onStep = (): void => void counts.push(tf.memory().numTensors);
      const small = { steps: 3, evaluateEvery: 3, batchTokens: 128, dropout: 0 };
      await train({ ...settings, ...small, config, data, out, device, onStep });
      await tf.ready(); // if it is gone, the backend that another file of this process left starts
      const log = await readLog(out);
      const parameters = await readSafetensors(join(out, "last", "step-3", "model.safetensors"));
      return { measured: log.flatMap(({ loss, gradientNorm }) => [loss, gradientNorm]), parameters, counts };
    };
    await tf.ready();
    const before = tf.memory().numTensors;
    const webgpu = await run("webgpu");
    expect(webgpu.counts).toEqual(Array(3).fill(webgpu.counts[0]));
    expect(tf.memory().numTensors).toBe(before);
    const other = await run((await findNative()) === undefined ? "wasm" : "tensorflow");
    expect(webgpu.measured).toHaveLength(6);
    webgpu.measured.forEach((value, i) => {
      expect(Math.abs(value / other.measured[i]! - 1)).toBeLessThan(1e-3);
    });
    for (const [name, { data }] of other.parameters) {
      if (name.endsWith("key.bias")) continue; // zero gradient in exact arithmetic, so Adam divides noise by noise
      const ours = webgpu.parameters.get(name)!.data;
      expect(Math.hypot(...data.map((value, i) => value - ours[i]!)) / Math.hypot(...data), name).toBeLessThan(1e-3);
    }
  });
});

if (reason === null) {
  process.env.CODESCORE_TEST_DEVICES = "webgpu";
  await import("../fixture.test.ts"); // runs its suites as part of this file
}
