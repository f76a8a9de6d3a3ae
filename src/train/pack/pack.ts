/** Packs a training run with everything it needs into one file, for a "box": a machine with nothing but a GPU driver. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { readSafetensors, writeSafetensors } from "../../model/index.ts";
import { exists, packageRoot, packageVersion, sha256, writeAtomic } from "../../util/files.ts";
import { readSets, storeSets } from "../box/prepared.ts";
import { PARTS, type RunFile } from "../box/run-file.ts";
import { smokeSteps } from "../box/smoke.ts";
import { readRows } from "../encode.ts";
import { openDevice } from "../engine/device.ts";
import { type ResolvedTrainOptions, resolveTrainOptions, type TrainOptions } from "../options.ts";
import { type Prepared, prepare } from "../prepare.ts";
import { signatureOf } from "../run.ts";
import { archiveName, makeArchive } from "./archive.ts";
import { dawnFiles, nodeFiles, type PackedFile, vulkanLoader } from "./programs.ts";

export interface PackOptions extends Omit<TrainOptions, "out"> {
  /** The folder of the model if the run were made here. A tokenizer found there is used. */
  readonly out?: string;
  /** The file to write: `.tar.zst`, `.tar.gz` or `.tgz`. */
  readonly pack: string;
  /** Trains one model per seed. */
  readonly seeds?: readonly number[];
  /** Node binary for the box. @default the one that runs this */
  readonly node?: string;
  /** Maximum size of the file in bytes. @default no limit */
  readonly maxBytes?: number;
  /** Stores the initial checkpoint in half precision. The run then starts from the rounded values. @default false */
  readonly half?: boolean;
}

export interface PackResult {
  readonly pack: string;
  /** The folder into which it unpacks. */
  readonly folder: string;
  readonly bytes: number;
  readonly platform: string;
  readonly trainRows: number;
  readonly devRows: number;
  /** Bytes of each part before the whole file is compressed. The examples are already compressed. */
  readonly parts: Readonly<Record<string, number>>;
}

/**
 * Writes the file. Trains nothing except the few steps of the smoke test. Throws `CodescoreError` if the file exists or cannot be made as
 * requested.
 */
export async function packRun(given: PackOptions): Promise<PackResult> {
  const { pack, seeds, node = process.execPath, maxBytes, half = false, out, ...rest } = given;
  const options = resolveTrainOptions({ ...rest, out: out ?? "model" });
  const archive = archiveName(pack);
  if (await exists(pack)) {
    throw new CodescoreError("usage", `${pack} already exists; remove it, or use another name for --pack`);
  }
  if (options.device === "tensorflow") {
    throw new CodescoreError("usage", "a pack has no TensorFlow: expected --device auto, webgpu, wasm or cpu");
  }
  const { arch, files: ofNode } = await nodeFiles(node);
  const programs = [...ofNode, ...(await dawnFiles(arch)), ...(await vulkanLoader(arch)), ...(await boxFiles())];
  const rows = await readRows(options.data, options.dev, options.devShare);
  const { checkpoint, prepared } = await storable(await prepare(options, rows, out ?? null), options, half);
  const examples = storeSets(prepared, options.formats);
  const signature = signatureOf(options, prepared);
  if (signatureOf(options, { ...prepared, ...readSets(examples) }) !== signature) {
    throw new CodescoreError("infra", "reading the pack back gave different data than was stored");
  }
  const { signal: _1, onStep: _2, out: _3, quiet: _4, ...packed } = options;
  const run: RunFile = {
    version: await packageVersion(),
    name: out === undefined ? "model" : basename(out),
    options: packed,
    seeds: seeds ?? null,
    examplesSha256: sha256(examples),
    signature,
    smoke: await recordSmoke(options, prepared),
  };
  const files: PackedFile[] = [
    { name: PARTS.run, data: `${JSON.stringify(run, null, 2)}\n` },
    ...programs,
    ...Object.entries(prepared.files).map(([name, data]) => ({ name: `${PARTS.model}/${name}`, data })),
    { name: `${PARTS.model}/training.json`, data: prepared.training ?? "{}\n" },
    ...checkpoint,
    { name: PARTS.examples, data: examples },
  ];
  const bytes = await makeArchive(files, archive);
  if (maxBytes !== undefined && bytes.length > maxBytes) {
    const sizes = [...files].sort((a, b) => b.data.length - a.data.length).slice(0, 3);
    const largest = sizes.map(({ name, data }) => `${name} ${megabytes(data.length)}`).join(", ");
    throw new CodescoreError(
      "usage",
      `expected a pack of at most ${megabytes(maxBytes)}, got ${megabytes(bytes.length)} (uncompressed: ${largest}); ` +
        "fewer rows or formats, .tar.zst in place of .tar.gz, and --pack-half for a checkpoint make it smaller",
    );
  }
  await writeAtomic(pack, bytes);
  return {
    pack,
    folder: archive.top,
    bytes: bytes.length,
    platform: `linux-${arch}`,
    trainRows: prepared.trainSets.flat().length,
    devRows: prepared.devSet.length,
    parts: Object.fromEntries(files.map(({ name, data }) => [name, Buffer.byteLength(data)])),
  };
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** The initial checkpoint as a file, and the run with exactly the parameters in that file. */
async function storable(
  prepared: Prepared,
  { init, seed }: ResolvedTrainOptions,
  half: boolean,
): Promise<{ checkpoint: PackedFile[]; prepared: Prepared }> {
  if (init === null) return { checkpoint: [], prepared };
  const folder = await mkdtemp(join(tmpdir(), "codescore-pack-"));
  try {
    const path = join(folder, "model.safetensors");
    await writeSafetensors(path, prepared.initial(seed), {}, half ? "F16" : "F32");
    const tensors = await readSafetensors(path);
    const checkpoint = [{ name: `${PARTS.model}/model.safetensors`, data: await readFile(path) }];
    return { checkpoint, prepared: { ...prepared, initial: () => tensors } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Records the smoke test, on the fastest engine available. If the options name another engine than `webgpu`, on that one. */
async function recordSmoke(options: ResolvedTrainOptions, prepared: Prepared): Promise<RunFile["smoke"]> {
  const device = await openDevice(options.device === "webgpu" ? "auto" : options.device);
  try {
    return { engine: device.note, steps: await smokeSteps(options, prepared) };
  } finally {
    device.close();
  }
}

const NVIDIA_ICD = { file_format_version: "1.0.0", ICD: { library_path: "libGLX_nvidia.so.0", api_version: "1.3" } };

/** The files that the build made for boxes. Throws `CodescoreError("environment")` if there was no build. */
async function boxFiles(): Promise<PackedFile[]> {
  const folder = join(packageRoot, "dist", "box");
  const wasm = "node_modules/@tensorflow/tfjs-backend-wasm";
  const places = {
    "run.sh": "run.sh",
    "run.mjs": "run.mjs",
    "README.txt": "README.txt",
    "torch-peer.py": PARTS.torchPeer,
    "LICENSES.txt": "LICENSES/codescore.txt",
    "tfjs-backend-wasm.wasm": `${wasm}/tfjs-backend-wasm.wasm`,
    "tfjs-backend-wasm-simd.wasm": `${wasm}/tfjs-backend-wasm-simd.wasm`,
  };
  if (!(await exists(join(folder, "run.mjs")))) {
    throw new CodescoreError("environment", `expected ${folder}, which \`npm run build\` makes`);
  }
  return [
    ...(await Promise.all(
      Object.entries(places).map(async ([from, name]) => ({ name, data: await readFile(join(folder, from)) })),
    )),
    { name: `${wasm}/package.json`, data: '{ "main": "tfjs-backend-wasm.wasm" }\n' }, // Node finds the folder by this file
    { name: PARTS.nvidiaIcd, data: `${JSON.stringify(NVIDIA_ICD)}\n` },
  ];
}
