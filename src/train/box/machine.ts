/** Describes a box in words, and makes its GPU available. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findGpu } from "../engine/webgpu.ts";
import { PARTS } from "./run-file.ts";

export const systemLine = (): string =>
  `${process.platform} ${process.arch}, Node ${process.versions.node}, ${availableParallelism()} cores, ` +
  `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;

/** Name, driver, memory, power limit and clock of NVIDIA's cards. Null if nvidia-smi is absent or finds none. */
export async function nvidiaCards(): Promise<string | null> {
  const query = ["--query-gpu=name,driver_version,memory.total,power.limit,clocks.max.sm", "--format=csv,noheader"];
  const { stdout } = await promisify(execFile)("nvidia-smi", query, { timeout: 30_000 }).catch(() => ({ stdout: "" }));
  return stdout.trim().replaceAll("\n", "; ") || null;
}

/**
 * Lets Vulkan find an NVIDIA card whose driver is installed but not registered with the loader, as in some containers. The pack has the
 * file that registers it. Returns what it did, or null if it changed nothing.
 */
export async function announceNvidia(folder: string): Promise<string | null> {
  if (process.env.VK_ICD_FILENAMES || process.env.VK_DRIVER_FILES || (await findGpu()) !== null) return null;
  const announcement = join(folder, PARTS.nvidiaIcd);
  Object.assign(process.env, { VK_DRIVER_FILES: announcement, VK_ICD_FILENAMES: announcement });
  if ((await findGpu()) !== null) return `announced NVIDIA's Vulkan driver by ${announcement}`;
  for (const name of ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"]) delete process.env[name];
  return null;
}

const ANNOUNCED = ["/etc/vulkan/icd.d", "/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];

const LIBRARIES = [
  "/usr/lib/x86_64-linux-gnu",
  "/usr/lib/aarch64-linux-gnu",
  "/usr/lib64",
  "/usr/lib",
  "/usr/local/lib",
];

/** What is visible of Vulkan and NVIDIA's driver, to help find out why there is no GPU. */
export function vulkanLines(): string[] {
  const list = (folders: readonly string[], pattern: RegExp): string =>
    folders
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder).filter((name) => pattern.test(name)))
      .join(" ") || "none";
  return [
    `Vulkan drivers announced: ${list(ANNOUNCED, /\.json$/)}`,
    `Vulkan loader: ${list(LIBRARIES, /^libvulkan\.so\.1$/)}`,
    `NVIDIA's libraries: ${list(LIBRARIES, /^lib(GLX_nvidia|cuda|nvidia-glvkspirv)\.so/)}`,
    `device files: ${list(["/dev"], /^nvidia/)} ${list(["/dev/dri"], /^renderD/)}`,
  ];
}
