/**
 * The WebGPU engine: Dawn, from the npm package `webgpu`, under TensorFlow.js's WebGPU backend. For any GPU with a Vulkan, Metal or
 * Direct3D 12 driver, without CUDA. It reports device errors, which arrive late and after which the backend would go on with zeros.
 */
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import type { WebGPUBackend } from "@tensorflow/tfjs-backend-webgpu";
import { CodescoreError } from "../../errors.ts";
import { OutOfMemory } from "./out-of-memory.ts";
import { loadPackage } from "./package.ts";
import { reuseBuffers } from "./webgpu/buffers.ts";
import { registerShaders } from "./webgpu/shader.ts";

const DRIVERS: Partial<Record<NodeJS.Platform, string>> = { linux: "vulkan", darwin: "metal", win32: "d3d12" };

/** A device that WebGPU can run on. */
export interface GpuAdapter {
  /** Name, vendor, architecture and driver. */
  readonly name: string;
  /** Whether it is a CPU that emulates a GPU, such as SwiftShader. */
  readonly software: boolean;
  /** Registers it as the backend `webgpu`. Call the returned function to close it, otherwise the process does not exit. */
  readonly open: () => Promise<() => void>;
}

/** Names in /dev of GPUs on Linux: NVIDIA's own drivers, Windows' in WSL, Arm's and Qualcomm's own. */
const GPU_FILES = /^(?:nvidia|nvhost-gpu|dxg$|mali|kgsl)/;

/**
 * Whether there may be a GPU. If there certainly is none, Dawn is not asked, because it prints on stderr why drivers find none. If the
 * environment names a driver, the answer is true.
 * @param devices folder of device files
 */
export function mayHaveGpu(
  devices = "/dev",
  { platform, env }: Pick<NodeJS.Process, "platform" | "env"> = process,
): boolean {
  if (platform !== "linux" || env.VK_ICD_FILENAMES || env.VK_DRIVER_FILES || env.VK_ADD_DRIVER_FILES) return true;
  const names = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
  return (
    names(devices).some((name) => GPU_FILES.test(name)) ||
    names(join(devices, "dri")).some((name) => name.startsWith("renderD"))
  );
}

/** The fastest adapter, or null if there is none. Throws `CodescoreError("environment")` if a package is absent. */
export async function findGpu(): Promise<GpuAdapter | null> {
  // Must happen before `navigator.gpu` exists: with it the package would register its own backend.
  const { WebGPUBackend } = await loadPackage(
    "@tensorflow/tfjs-backend-webgpu",
    () => import("@tensorflow/tfjs-backend-webgpu"),
  );
  const { create, globals } = await loadPackage("webgpu", () => import("webgpu"));
  Object.assign(globalThis, globals); // the backend refers to GPUBuffer and others as globals
  const driver = DRIVERS[process.platform];
  process.env.XDG_RUNTIME_DIR ??= tmpdir(); // without it Mesa's drivers print a warning, although nothing is displayed
  const gpu = create(driver === undefined ? [] : [`backend=${driver}`]);
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  if (adapter === null) return null;
  const { info, limits } = adapter as GPUAdapter & { readonly info: AdapterInfo };
  const open = async (): Promise<() => void> => {
    const requiredLimits = Object.fromEntries(LIMITS.map((name) => [name, limits[name]]));
    const device = await adapter.requestDevice({ requiredLimits });
    const backend = withNavigator(gpu, () => new WebGPUBackend(device, info));
    reportErrors(backend);
    reuseBuffers(backend);
    tf.env().set("WEBGPU_DEFERRED_SUBMIT_BATCH_SIZE", SUBMITTED);
    tf.registerBackend("webgpu", () => backend);
    registerShaders();
    return () => {
      tf.removeBackend("webgpu");
      device.destroy();
    };
  };
  const name = info.description || info.device;
  const kind = [info.vendor, info.architecture, driver].filter(Boolean).join(", ");
  return { name: `${name} (${kind})`, software: info.isFallbackAdapter, open };
}

/** Operations of a submission. It costs as much as many operations, but what they used becomes free only after it. */
const SUBMITTED = 64;

/** Limits to request as high as the adapter allows. By default a device has the lowest limits of the standard. */
const LIMITS = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxComputeWorkgroupStorageSize",
  "maxComputeWorkgroupsPerDimension",
  "maxComputeWorkgroupSizeX",
  "maxComputeInvocationsPerWorkgroup",
] as const;

/** Newer than the backend's type definitions. */
type AdapterInfo = GPUAdapterInfo & { readonly isFallbackAdapter: boolean };

/** Advice for when WebGPU finds no adapter. */
export function withoutGpu(platform: NodeJS.Platform): string {
  const mend =
    platform === "linux"
      ? "it needs the Vulkan loader (Debian, Ubuntu: apt install libvulkan1) and a Vulkan driver: NVIDIA's own comes with its " +
        "driver (in a container only with NVIDIA_DRIVER_CAPABILITIES=all), for AMD and Intel apt install mesa-vulkan-drivers; " +
        "`vulkaninfo --summary` lists what is there. To try it without a GPU: apt install chromium libvulkan1 and set " +
        "VK_ICD_FILENAMES=/usr/lib/chromium/vk_swiftshader_icd.json"
      : "it needs a driver with Metal (macOS) or Direct3D 12 (Windows)";
  return `WebGPU finds no GPU: ${mend}`;
}

/** The backend's constructor looks for `navigator.gpu`, which Node lacks (Node 20 lacks `navigator` too). */
function withNavigator<T>(gpu: unknown, make: () => T): T {
  const world = globalThis as { navigator?: object };
  const bare = world.navigator === undefined;
  if (bare) world.navigator = {};
  Object.defineProperty(world.navigator, "gpu", { value: gpu, configurable: true });
  try {
    return make();
  } finally {
    Reflect.deleteProperty(world.navigator!, "gpu");
    if (bare) delete world.navigator;
  }
}

/** Makes the next read throw the error that occurred on the device. */
function reportErrors(backend: WebGPUBackend): void {
  const { device } = backend;
  let failure: Error | null = null;
  device.addEventListener("uncapturederror", (event) => {
    event.preventDefault(); // otherwise it is also printed
    failure ??= new CodescoreError("infra", `the GPU refused a step: ${event.error.message}`);
  });
  void device.lost.then(({ reason, message }) => {
    if (reason !== "destroyed") failure ??= new CodescoreError("infra", `the GPU was lost (${reason}): ${message}`);
  });
  const createBuffer = device.createBuffer.bind(device);
  const most = Math.min(device.limits.maxBufferSize, device.limits.maxStorageBufferBindingSize);
  device.createBuffer = (descriptor) => {
    const { size } = descriptor;
    if (size > most) {
      throw new OutOfMemory(`a tensor has ${size} bytes, but the GPU's driver allows ${most}`, { one: most });
    }
    const all = backend.bufferManager.numBytesAllocated;
    const noRoom = new OutOfMemory(`the GPU has no memory for ${size} more bytes, with ${all} in use`, { all });
    device.pushErrorScope("out-of-memory");
    try {
      return createBuffer(descriptor);
    } catch (error) {
      throw error instanceof RangeError ? noRoom : error; // a RangeError means no room for a buffer that is mapped at creation
    } finally {
      void device.popErrorScope().then((error) => {
        if (error !== null) failure ??= noRoom;
      });
    }
  };
  const read = backend.read.bind(backend);
  backend.read = async (id) => {
    const values = await read(id).catch((error: unknown) => {
      throw failure ?? error;
    });
    if (failure !== null) throw failure;
    return values;
  };
}
