/**
 * A pack in an empty root without network. There is only the pack, a shell, the C and C++ libraries, and SwiftShader, a software
 * Vulkan driver.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { readSafetensors } from "../../../src/model/index.ts";
import { train } from "../../../src/train/index.ts";
import { scratch } from "../rows.ts";
import { packed, smallRun } from "./box.ts";

// SwiftShader takes a second to compile each program, and waits at every barrier.
vi.setConfig({ testTimeout: 1_200_000 });

const DRIVER = "/usr/lib/chromium";
const MANIFEST = "vk_swiftshader_icd.json";

/** The reason why it cannot be tested, or null. */
function whyNot(): string | null {
  if (spawnSync("bwrap", ["--version"]).status !== 0) return "no bubblewrap";
  return existsSync(join(DRIVER, MANIFEST)) ? null : `no ${join(DRIVER, MANIFEST)} (apt install chromium)`;
}

const reason = whyNot();
if (reason !== null) process.stderr.write(`a pack in an empty root is not tested: ${reason}\n`);

/** Paths of the shared libraries that a program loads, including the loader. */
const librariesOf = (program: string): string[] =>
  execFileSync("ldd", [program], { encoding: "utf8" }).match(/\/\S+(?= \()/g) ?? [];

describe.skipIf(reason !== null)("a pack in an empty root", () => {
  it("trains with WebGPU what is trained here, and brings the loader of Vulkan drivers itself", async () => {
    const folder = scratch();
    const options = { ...smallRun(folder), steps: 2, formats: ["ref"] as const, dropout: 0 };
    const [box] = await packed(folder, options);
    const dawn = join(box, "node_modules/webgpu/dist", `linux-${process.arch}`, "dawn.node");
    const driver = join(DRIVER, "libvk_swiftshader.so");
    const programs = ["/bin/sh", join(box, "node"), dawn, driver, join(box, "lib/libvulkan.so.1")];
    const libraries = [...new Set(programs.flatMap(librariesOf))].sort();
    expect(libraries.filter((path) => !/lib(c|m|dl|pthread|gcc_s|stdc\+\+)\.so|ld-linux/.test(path))).toEqual([]);
    const { status, stdout, stderr } = spawnSync(
      "bwrap",
      [
        ...["--unshare-all", "--die-with-parent", "--clearenv", "--proc", "/proc", "--dev", "/dev"],
        ...[...libraries, "/bin/sh"].flatMap((path) => ["--ro-bind", path, path]),
        ...[MANIFEST, "libvk_swiftshader.so"].flatMap((name) => ["--ro-bind", join(DRIVER, name), `/driver/${name}`]),
        ...["--setenv", "VK_ICD_FILENAMES", `/driver/${MANIFEST}`, "--setenv", "CODESCORE_DEVICE", "webgpu"],
        ...["--setenv", "CODESCORE_BENCH_SECONDS", "0.1", "--bind", box, "/pack"],
        ...["/bin/sh", "/pack/run.sh"],
      ],
      { encoding: "utf8", timeout: 1_100_000 },
    );
    expect([status, stdout, stderr]).toEqual([
      0,
      expect.stringMatching(/^engine {3}webgpu: SwiftShader/m),
      expect.anything(),
    ]);
    expect(stdout).toContain("PyTorch  not measured: no python3");
    const smoke = JSON.parse(readFileSync(join(box, "out/smoke.json"), "utf8"));
    expect(smoke.difference).toBeLessThan(1e-3);
    expect(readdirSync(join(box, "out/results"))).toEqual(["SHA256SUMS", "model.tar.gz.000"]);

    const out = join(folder, "here");
    await train({ ...options, device: "wasm", out });
    const [ours, theirs] = [
      await readSafetensors(join(out, "model.safetensors")),
      await readSafetensors(join(box, "out/model/model.safetensors")),
    ];
    for (const [name, { data }] of ours) {
      if (name.endsWith("key.bias")) continue; // zero gradient in exact arithmetic, so Adam divides noise by noise
      const difference = Math.hypot(...data.map((value, i) => value - theirs.get(name)!.data[i]!));
      expect(difference / Math.hypot(...data), name).toBeLessThan(1e-3);
    }
  });
});
