/** Explains why a TensorFlow that was built for NVIDIA's GPUs sees none. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { messageOf } from "../../errors.ts";

/** The CUDA version that TensorFlow was built for, and the folder of CUDA's libraries. Without a folder, the system's search path. */
export interface Cuda {
  readonly version: "11.2" | "12";
  readonly folder?: string;
}

/** Facts to ask the machine for. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  /** The loader's message if a library does not load, otherwise null. */
  readonly loads: (library: string) => string | null;
  /** The output of nvidia-smi, or null if it is absent or fails. */
  readonly cards: () => string | null;
}

/** The library names that TensorFlow 2.9 and 2.21 open. */
const LIBRARIES = {
  "11.2": [
    "cudart.so.11.0",
    "cublas.so.11",
    "cublasLt.so.11",
    "cufft.so.10",
    "cusolver.so.11",
    "cusparse.so.11",
    "cudnn.so.8",
  ],
  "12": [
    "cudart.so.12",
    "cublas.so.12",
    "cublasLt.so.12",
    "cufft.so.11",
    "cusolver.so.11",
    "cusparse.so.12",
    "cudnn.so.9",
  ],
} as const;

/** The fault and its remedy, for people. */
export function whyNoGpu({ version, folder }: Cuda, machine: Machine = thisMachine): string {
  const hidden = machine.env.CUDA_VISIBLE_DEVICES;
  if (hidden === "" || hidden === "-1") return `CUDA_VISIBLE_DEVICES=${hidden} hides them`;
  const driver = machine.loads("libcuda.so.1");
  if (driver !== null)
    return `NVIDIA's driver does not load (${driver}): install it, or start the container with --gpus all`;
  const cards = machine.cards();
  if (cards === null)
    return "nvidia-smi lists no card: is NVIDIA's kernel module loaded, the card passed to the container?";
  const broken = LIBRARIES[version].flatMap((name) => {
    const library = folder === undefined ? `lib${name}` : join(folder, `lib${name}`);
    return machine.loads(library) ?? [];
  });
  const own = "`codescore setup tensorflow --gpu` installs TensorFlow with its own CUDA 12";
  if (broken.length > 0)
    return `it needs CUDA ${version}, but these libraries do not load: ${broken.join("; ")}. ${own}`;
  return version === "12"
    ? `CUDA 12 is complete, so the driver is too old for it or for the card (${cards}): update the driver`
    : `CUDA ${version} does not support the card (${cards}), or the driver is too old. ${own}`;
}

const thisMachine: Machine = {
  env: process.env,
  loads(library) {
    try {
      process.dlopen({ exports: {} }, library);
    } catch (error) {
      // With this error the library did load: Node then refuses any library that is not its addon.
      if (!messageOf(error).startsWith("Module did not self-register")) return messageOf(error);
    }
    return null;
  },
  cards() {
    const fields = "name,driver_version,compute_cap";
    const { status, stdout } = spawnSync("nvidia-smi", [`--query-gpu=${fields}`, "--format=csv,noheader"], {
      encoding: "utf8",
    });
    return status === 0 && stdout.trim() !== "" ? stdout.trim().replaceAll("\n", "; ") : null;
  },
};
