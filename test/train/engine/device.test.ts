/** The messages if an engine or its GPU is not available. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Machine, whyNoGpu } from "../../../src/train/engine/cuda.ts";
import { openDevice } from "../../../src/train/engine/device.ts";
import { loadPackage } from "../../../src/train/engine/package.ts";
import { mayHaveGpu } from "../../../src/train/engine/webgpu.ts";

describe("a TensorFlow for CUDA that sees no GPU", () => {
  const machine = (missing: RegExp | null, over: Partial<Machine> = {}): Machine => ({
    env: {},
    loads: (library) => (missing?.test(library) ? `${library}: cannot open shared object file` : null),
    cards: () => "NVIDIA H100, 550.54, 9.0",
    ...over,
  });

  it.each([
    ["the GPUs are hidden", machine(null, { env: { CUDA_VISIBLE_DEVICES: "-1" } }), /CUDA_VISIBLE_DEVICES=-1 hides/],
    ["the driver is absent", machine(/libcuda\./), /driver does not load \(libcuda\.so\.1: cannot .* --gpus all/],
    ["there is no card", machine(null, { cards: () => null }), /nvidia-smi lists no card/],
    [
      "cuDNN is absent",
      machine(/cudnn/),
      /CUDA 11\.2, but these libraries do not load: libcudnn\.so\.8: .*setup tensorflow --gpu/,
    ],
    ["all is there", machine(null), /CUDA 11\.2 does not support the card \(NVIDIA H100.*setup tensorflow --gpu/],
  ])("is explained when %s", (_, machine, expected) => {
    expect(whyNoGpu({ version: "11.2" }, machine)).toMatch(expected);
  });

  it("is looked for where setup put CUDA", () => {
    const asked: string[] = [];
    const whole = machine(null, {
      loads(library) {
        asked.push(library);
        return null;
      },
    });
    expect(whyNoGpu({ version: "12", folder: "/tf" }, whole)).toMatch(/driver is too old .*update the driver/);
    expect(asked).toContain("/tf/libcudnn.so.9");
  });
});

describe("a GPU", () => {
  it("is looked for only where Linux has a device file of one, or a driver is named", async () => {
    const folder = await mkdtemp(join(tmpdir(), "codescore-dev-"));
    const linux = { platform: "linux", env: {} } as const;
    expect(mayHaveGpu(folder, linux)).toBe(false);
    await writeFile(join(folder, "null"), "");
    await mkdir(join(folder, "dri"));
    await writeFile(join(folder, "dri", "card0"), ""); // a display without rendering, such as a virtual machine's
    expect(mayHaveGpu(folder, linux)).toBe(false);
    expect(mayHaveGpu(folder, { ...linux, env: { VK_ICD_FILENAMES: "/x.json" } })).toBe(true);
    expect(mayHaveGpu(folder, { ...linux, platform: "darwin" })).toBe(true);
    await writeFile(join(folder, "dri", "renderD128"), "");
    expect(mayHaveGpu(folder, linux)).toBe(true);
    await rm(join(folder, "dri"), { recursive: true });
    await writeFile(join(folder, "nvidia0"), "");
    expect(mayHaveGpu(folder, linux)).toBe(true);
    await rm(folder, { recursive: true });
  });
});

describe("an engine", () => {
  it.runIf(process.platform === "linux")("webgpu without a GPU says what it needs", async () => {
    const before = process.env.VK_ICD_FILENAMES;
    process.env.VK_ICD_FILENAMES = "/absent.json";
    await expect(openDevice("webgpu")).rejects.toMatchObject({
      code: "environment",
      message: expect.stringMatching(
        /^WebGPU finds no GPU: .*libvulkan1.*NVIDIA.*mesa-vulkan-drivers.*vk_swiftshader_icd/,
      ),
    });
    if (before === undefined) delete process.env.VK_ICD_FILENAMES;
    else process.env.VK_ICD_FILENAMES = before;
  });

  it("whose package is absent says how to install it, and one that does not load why", async () => {
    const absent = "codescore-has-no-such-package";
    await expect(loadPackage(absent, () => import(absent))).rejects.toThrow(`npm install ${absent}`);
    await expect(loadPackage("x", () => Promise.reject(new Error("wrong ELF class")))).rejects.toThrow(
      "x is installed but does not load; npm install it again: wrong ELF class",
    );
  });
});
