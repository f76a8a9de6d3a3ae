/** Finds where WebGPU can be tested: a GPU, otherwise SwiftShader, the software Vulkan driver of Chromium. */
import { existsSync } from "node:fs";
import { findGpu } from "../../../src/train/engine/webgpu.ts";

const SWIFTSHADER = "/usr/lib/chromium/vk_swiftshader_icd.json";

/** The reason why it cannot be tested, or null. */
export async function whyNoWebGpu(): Promise<string | null> {
  if ((await findGpu()) !== null) return null;
  if (!existsSync(SWIFTSHADER)) return `neither a GPU nor ${SWIFTSHADER} (apt install chromium)`;
  process.env.VK_ICD_FILENAMES = SWIFTSHADER;
  if ((await findGpu()) !== null) return null;
  return "SwiftShader is there, but no Vulkan loader finds it (apt install libvulkan1)";
}
