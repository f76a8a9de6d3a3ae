/** An ONNX model in a separate thread, so that the caller can go on reading, tokenizing and answering while it computes. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { CodescoreError } from "../errors.ts";
import { packageRoot } from "../util/files.ts";
import { silenceOnnxruntime } from "../util/telemetry.ts";
import { checkOnnxFiles, weightsBeside } from "./hash.ts";

export interface SessionOptions {
  /** Threads per operation. 0: as many as cores. */
  readonly threads: number;
  /** An execution provider of onnxruntime. `cpu` is native code if onnxruntime-node is installed, otherwise WebAssembly, as `wasm`. */
  readonly device: string;
}

/** Non-negative integers, passed to the model as int64. The array is transferred to the thread, and is empty afterwards. */
export interface Integers {
  readonly data: Int32Array<ArrayBuffer>;
  readonly shape: readonly number[];
}

export interface Floats {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** An input or output of a model. */
export interface Port {
  readonly name: string;
  readonly type?: string;
  /** Sizes. Those that are not fixed are names. */
  readonly shape?: readonly (number | string)[];
}

type Opened =
  | {
      readonly inputs: readonly Port[];
      readonly outputs: readonly Port[];
      readonly provider: string;
      /** Why onnxruntime-node is not used, although it is installed. */
      readonly passedOver?: string;
    }
  | { readonly failed: string; readonly devices: readonly string[] };

export type Outputs = Readonly<Record<string, Floats>>;

type Answer = { readonly id: number } & ({ readonly outputs: Outputs } | { readonly failed: string });

interface Waiting {
  resolve(outputs: Outputs): void;
  reject(error: CodescoreError): void;
}

const WORKER = join(packageRoot, "src", "onnx", "session-worker.mjs");

const open = new Set<Session>();
/** Threads that are starting. */
const opening = new Set<Promise<unknown>>();
let over = false;

/**
 * Closes all sessions for good: no session can be opened afterwards. Await this before `process.exit` if one may be computing or starting.
 * Otherwise onnxruntime aborts the process when its thread is ended in the middle.
 */
export async function closeSessions(): Promise<void> {
  over = true;
  await Promise.allSettled(opening);
  await Promise.all([...open].map((session) => session.close()));
}

export class Session {
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** The execution provider in use. */
  readonly provider: string;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  #batches = 0;
  #ended: CodescoreError | null = null;

  private constructor(worker: Worker, { inputs, outputs, provider }: Exclude<Opened, { failed: string }>) {
    this.#worker = worker;
    this.inputs = inputs;
    this.outputs = outputs;
    this.provider = provider;
    worker.on("message", (answer: Answer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (this.#waiting.size === 0 && this.#ended === null) worker.unref();
      if ("failed" in answer) waiting?.reject(new CodescoreError("infra", `onnxruntime failed: ${answer.failed}`));
      else waiting?.resolve(answer.outputs);
    });
    worker.on("error", (error) => this.#end(new CodescoreError("infra", `the model's thread ended: ${error.message}`)));
    this.#exited = new Promise((resolve) => {
      worker.on("exit", (code) => {
        this.#end(new CodescoreError("infra", `the model's thread ended with code ${code}`));
        open.delete(this);
        resolve();
      });
    });
    worker.unref(); // an idle open model does not keep the process alive
    open.add(this);
  }

  /**
   * Opens a model. Throws `CodescoreError("model")` for a file that is not an ONNX model, and "environment" for a device that is not
   * available.
   * @param remedy advice about a file that cannot be loaded
   */
  static async open(path: string, options: SessionOptions, remedy: string): Promise<Session> {
    if (over) throw closedError();
    const session = Session.#start(path, options, remedy);
    opening.add(session);
    return session.finally(() => opening.delete(session));
  }

  static async #start(path: string, { threads, device }: SessionOptions, remedy: string): Promise<Session> {
    await checkOnnxFiles(path);
    silenceOnnxruntime();
    // Node's own flags are for the main thread: with --input-type=module the thread could not run a file.
    const workerData = { path, weights: weightsBeside(path), threads, device };
    const worker = new Worker(WORKER, { workerData, execArgv: [] });
    const opened = await new Promise<Opened>((resolve, reject) => {
      worker.once("message", resolve);
      const failed = (why: string, cause?: Error): void =>
        reject(new CodescoreError("environment", cannotLoad(device, why), { cause }));
      worker.once("error", (error) => failed(error.message, error));
      worker.once("exit", (code) => failed(`its thread ended with code ${code}`));
    });
    if (!("failed" in opened)) {
      if (opened.passedOver !== undefined)
        warnOnce(`${opened.passedOver}; using WebAssembly instead, which is several times slower`);
      return new Session(worker, opened);
    }
    await worker.terminate();
    throw openError(path, device, opened, remedy);
  }

  /** Whether it accepts batches: it is not closed, and its thread has not died. */
  get alive(): boolean {
    return this.#ended === null;
  }

  /**
   * The requested outputs, by name. Batches are computed one after the other, in order of arrival. Throws `CodescoreError("usage")` after
   * `close`, and "infra" after its thread has died.
   */
  run(feeds: Readonly<Record<string, Integers>>, wanted: readonly string[]): Promise<Outputs> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) throw this.#ended;
      const id = this.#batches++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.ref();
      const arrays = Object.values(feeds).map(({ data }) => data.buffer);
      this.#worker.postMessage({ id, feeds, wanted }, arrays);
    });
  }

  /** Frees the model. Batches not yet computed are rejected. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#ended === null) {
      this.#end(closedError());
      this.#worker.ref();
      this.#worker.postMessage(null);
    }
    await this.#exited;
  }

  #end(why: CodescoreError): void {
    this.#ended ??= why;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}

export const closedError = (): CodescoreError => new CodescoreError("usage", "the model is closed; load it again");

/** Warnings already shown. Every thread would repeat them. */
const warned = new Set<string>();
function warnOnce(warning: string): void {
  if (!warned.has(warning)) process.emitWarning(warning, "CodescoreWarning");
  warned.add(warning);
}

/** The message if onnxruntime itself does not start. */
function cannotLoad(device: string, why: string): string {
  const remedy = "install it next to codescore (npm install onnxruntime-node --ignore-scripts), or use --device cpu";
  return `cannot load onnxruntime for the device \`${device}\`: ${why}${isCpu(device) ? "" : `; ${remedy}`}`;
}

/** Whether it computes on the CPU, natively or in WebAssembly. */
export const isCpu = (device: string): boolean => device === "cpu" || device === "wasm";

const CUDA_LIBRARIES =
  "onnxruntime's CUDA libraries (npm rebuild onnxruntime-node --ignore-scripts=false --onnxruntime-node-install=cuda12)";

/** Requirements of each device, besides being supported by this build. */
const REMEDIES: Readonly<Record<string, string>> = {
  cuda: `CUDA 12, cuDNN 9 and ${CUDA_LIBRARIES}`,
  tensorrt: `CUDA 12, TensorRT and ${CUDA_LIBRARIES}`,
  webgpu: "a GPU with a Vulkan (Linux), Metal (macOS) or Direct3D 12 (Windows) driver",
  dml: "Windows with a Direct3D 12 driver",
  coreml: "macOS",
};

function openError(
  path: string,
  device: string,
  { failed, devices }: { readonly failed: string; readonly devices: readonly string[] },
  remedy: string,
): CodescoreError {
  const why = failed
    .trim()
    .split("\n")[0]!
    .replace(/^.* was false\. /, ""); // the text of an assertion in its source
  if (!devices.includes(device)) {
    const there = devices.join(", ");
    return new CodescoreError(
      "environment",
      `onnxruntime has no device \`${device}\` on this machine; available: ${there}`,
    );
  }
  if (isCpu(device)) {
    return new CodescoreError("model", `cannot load ${path}: ${why}; ${remedy}`);
  }
  const needs = REMEDIES[device] === undefined ? "" : `; it needs ${REMEDIES[device]}`;
  return new CodescoreError("environment", `cannot use the device \`${device}\`${needs}; or use --device cpu (${why})`);
}
