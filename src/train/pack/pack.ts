/** A training run with all that it needs, in one file, for a box that has nothing but a driver. */
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
  /** The folder of the model, if the run were made here: a tokenizer that lies there is taken. */
  readonly out?: string;
  /** The file to write: `.tar.zst`, `.tar.gz` or `.tgz`. */
  readonly pack: string;
  /** One model for each. */
  readonly seeds?: readonly number[];
  /** Node for the box. @default the one that runs this */
  readonly node?: string;
  /** Bytes of the file at most. @default any */
  readonly maxBytes?: number;
  /** Stores the checkpoint to start from in half precision; the run starts from what comes of that. @default false */
  readonly half?: boolean;
}

export interface PackResult {
  readonly pack: string;
  /** The folder that it unpacks into. */
  readonly folder: string;
  readonly bytes: number;
  readonly platform: string;
  readonly trainRows: number;
  readonly devRows: number;
  /** Bytes of the parts before the file is compressed as a whole; the examples are compressed already. */
  readonly parts: Readonly<Record<string, number>>;
}

/** Makes the file, and trains nothing. Throws `CodescoreError` where it exists, or cannot be what was asked for. */
export async function packRun(given: PackOptions): Promise<PackResult> {
  const { pack, seeds, node = process.execPath, maxBytes, half = false, out, ...rest } = given;
  const options = resolveTrainOptions({ ...rest, out: out ?? "model" });
  const archive = archiveName(pack);
  if (await exists(pack)) {
    throw new CodescoreError("usage", `${pack} exists; remove it, or give another name to --pack`);
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
    throw new CodescoreError("infra", "what a pack would read is not what was stored in it");
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

/** The checkpoint to start from as a file, and the run as it starts from what that file holds. */
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

/** On the fastest engine that is here; on the one asked for where a box must not choose. */
async function recordSmoke(options: ResolvedTrainOptions, prepared: Prepared): Promise<RunFile["smoke"]> {
  const device = await openDevice(options.device === "webgpu" ? "auto" : options.device);
  try {
    return { engine: device.note, steps: await smokeSteps(options, prepared) };
  } finally {
    device.close();
  }
}

const NVIDIA_ICD = { file_format_version: "1.0.0", ICD: { library_path: "libGLX_nvidia.so.0", api_version: "1.3" } };

/** What the build made for boxes. Throws `CodescoreError("environment")` before there was one. */
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
    { name: `${wasm}/package.json`, data: '{ "main": "tfjs-backend-wasm.wasm" }\n' }, // by which its folder is found
    { name: PARTS.nvidiaIcd, data: `${JSON.stringify(NVIDIA_ICD)}\n` },
  ];
}
