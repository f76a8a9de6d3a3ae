/** Loads the parts of a scorer. */
import { CodescoreError } from "../errors.ts";
import { encodeOptions, readScorerConfig } from "../model/config.ts";
import { usesNetwork } from "../model/unice.ts";
import { isCpu } from "../onnx/index.ts";
import type { EncodeOptions } from "../tokenize/index.ts";
import { packageVersion } from "../util/files.ts";
import { defaultThreads } from "../util/job-pool.ts";
import { type Calibration, type CalibrationOptions, type IntervalOptions, readCalibration } from "./calibration.ts";
import { type Ensemble, ensembleOf } from "./ensemble.ts";
import { checkVocabulary, findModel, type Precision } from "./model.ts";
import { Network } from "./network.ts";
import { openReader, type RowReader } from "./reading.ts";
import { openReadingThreads, withThreads } from "./reading-threads.ts";

export interface ScorerOptions extends CalibrationOptions {
  /** Precision of the network. @default "auto": on a CPU int8 if it exists, then fp32, then fp16; elsewhere fp32, fp16, int8 */
  readonly precision?: Precision;
  /**
   * An execution provider of onnxruntime: `cpu`, `wasm`, `cuda`, `webgpu`, `coreml`, `dml`, ... All but `wasm` need onnxruntime-node.
   * Without it, `cpu` falls back to WebAssembly, as `wasm`. @default "cpu"
   */
  readonly device?: string;
  /**
   * Number of threads that compute, and of threads that read (this one included). Small models run one batch per thread. Models over 20 MB
   * run one batch on all threads. A thread starts only when there is work for it. @default the number of cores to compute; half as many, at
   * most 16, to read, or as many without a network
   */
  readonly threads?: number;
  /** Maximum tokens per batch, padding included. @default 1024 on a CPU, whose caches hold little more; 16384 elsewhere */
  readonly batchTokens?: number;
  /** Reads no rows in this thread. For servers, which must stay responsive. @default false */
  readonly readElsewhere?: boolean;
}

export interface Parts {
  readonly folder: string;
  /** Null if it has no share in the score. */
  readonly network: Network | null;
  readonly reader: RowReader;
  readonly readingThreads: number;
  readonly ensemble: Ensemble;
  readonly encoding: EncodeOptions;
  /** The network's name in signatures, or the trees' if the network has no share. */
  readonly name: string;
  /** The version of codescore. */
  readonly version: string;
  readonly calibration: Calibration | null;
  /** The interval options of the caller. */
  readonly intervals: IntervalOptions;
}

/** Throws the same errors as `CodeScorer.load`. */
export async function loadParts(
  model: string | undefined,
  { precision = "auto", device = "cpu", threads = 0, batchTokens, readElsewhere = false, ...doubt }: ScorerOptions,
): Promise<Parts> {
  const tokens = batchTokens ?? (isCpu(device) ? 1024 : 16_384);
  if (!Number.isInteger(threads) || threads < 0 || !Number.isInteger(tokens) || tokens < 1) {
    const got = `threads ${threads} and batchTokens ${tokens}`;
    throw new CodescoreError("usage", `expected positive integers for threads and batchTokens, got ${got}`);
  }
  const folder = await findModel(model);
  const config = await readScorerConfig(folder);
  const shape = usesNetwork(config.codescore) ? config.shape : null;
  const encoding = encodeOptions(config);
  const opening: Promise<Network | null> =
    shape === null
      ? Promise.resolve(null)
      : Network.open(folder, shape, { precision, device, threads, batchTokens: tokens });
  const readingThreads = threads || defaultThreads(shape === null);
  const reading = readElsewhere
    ? openReadingThreads(folder, readingThreads)
    : openReader(folder, config).then((reader) => withThreads(reader, folder, readingThreads));
  opening.catch(() => {}); // awaited below, unless something else fails first
  try {
    const [reader, network, version] = await Promise.all([reading, opening, packageVersion()]);
    if (reader.vocabSize !== null && shape !== null) checkVocabulary(reader.vocabSize, shape, folder);
    const names = [network?.name, reader.trees].filter((name) => typeof name === "string");
    const calibration = await readCalibration(folder, names, doubt);
    return {
      folder,
      network,
      reader,
      readingThreads,
      ensemble: ensembleOf(config.codescore, reader.trees),
      encoding,
      name: names[0]!,
      version,
      calibration,
      intervals: doubt,
    };
  } catch (error) {
    const close = (part: { close(): Promise<void> } | null): Promise<void> | undefined => part?.close();
    await Promise.allSettled([opening.then(close), reading.then(close)]);
    throw error;
  }
}
