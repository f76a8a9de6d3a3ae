/** An ONNX model in a thread of its own, so that whoever asks can go on reading, tokenizing and answering meanwhile. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { CodescoreError } from "../errors.ts";
import { packageRoot } from "../util/files.ts";

export interface SessionOptions {
  /** Threads of one operation; 0: as many as cores. */
  readonly threads: number;
  /** An execution provider of onnxruntime. */
  readonly device: string;
}

/** A padded batch: integers [rows, length]. */
export interface SessionBatch {
  readonly ids: Int32Array<ArrayBuffer>;
  /** For a model with `static_marks`. */
  readonly marks?: Int32Array<ArrayBuffer>;
  readonly padId: number;
  readonly shape: readonly [rows: number, length: number];
}

/** One number a row, in [0, 1]. */
export interface SessionOutputs {
  readonly score: Float32Array;
  readonly exec: Float32Array;
}

interface Port {
  readonly name: string;
  readonly type?: string;
}

type Opened =
  | { readonly inputs: readonly Port[]; readonly outputs: readonly Port[] }
  | { readonly failed: string; readonly devices: readonly string[] };

type Answer = { readonly id: number } & (SessionOutputs | { readonly failed: string });

interface Waiting {
  resolve(outputs: SessionOutputs): void;
  reject(error: CodescoreError): void;
}

const WORKER = join(packageRoot, "src", "score", "session-worker.mjs");

export class Session {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  #batches = 0;
  #ended: CodescoreError | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (answer: Answer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (this.#waiting.size === 0) worker.unref();
      if ("failed" in answer) waiting?.reject(new CodescoreError("infra", `onnxruntime failed: ${answer.failed}`));
      else waiting?.resolve(answer);
    });
    worker.on("error", (error) => this.#end(new CodescoreError("infra", `the scoring thread ended: ${error.message}`)));
    this.#exited = new Promise((resolve) => {
      worker.on("exit", (code) => {
        this.#end(new CodescoreError("infra", `the scoring thread ended with code ${code}`));
        resolve();
      });
    });
    worker.unref(); // an open scorer that has nothing to do keeps no process alive
  }

  /** Throws `CodescoreError("model")` for a file that is no scorer, and "environment" for a device that is not there. */
  static async open(path: string, { threads, device }: SessionOptions): Promise<Session> {
    // Node's own flags are for the main thread: with --input-type=module no file could be run.
    const worker = new Worker(WORKER, { workerData: { path, threads, device }, execArgv: [] });
    const opened = await new Promise<Opened>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", (error) => {
        const why = `onnxruntime-node cannot be loaded here: ${error.message}`;
        reject(new CodescoreError("environment", why, { cause: error }));
      });
    });
    try {
      if ("failed" in opened) throw openError(path, device, opened);
      checkPorts(path, opened);
    } catch (error) {
      await worker.terminate();
      throw error;
    }
    return new Session(worker);
  }

  /** Batches are computed one after the other, as they come. Throws `CodescoreError("usage")` once it is closed. */
  run(batch: SessionBatch): Promise<SessionOutputs> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) throw this.#ended;
      const id = this.#batches++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.ref();
      const { ids, marks } = batch;
      this.#worker.postMessage({ id, ...batch }, marks === undefined ? [ids.buffer] : [ids.buffer, marks.buffer]);
    });
  }

  /** Frees the model. What was not computed yet is rejected; a second call does nothing. */
  async close(): Promise<void> {
    if (this.#ended === null) {
      this.#end(new CodescoreError("usage", "the scorer is closed; load it again to go on"));
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

function checkPorts(path: string, { inputs, outputs }: { inputs: readonly Port[]; outputs: readonly Port[] }): void {
  const fits = (ports: readonly Port[], names: readonly string[], type: string): boolean =>
    ports.length === names.length &&
    names.every((name) => ports.some((port) => port.name === name && port.type === type));
  const show = (ports: readonly Port[]): string => ports.map(({ name, type }) => `${name} (${type})`).join(", ");
  if (fits(inputs, ["input_ids", "attention_mask"], "int64") && fits(outputs, ["score", "exec"], "float32")) return;
  throw new CodescoreError(
    "model",
    `${path}: expected the int64 inputs input_ids and attention_mask and the float32 outputs score and exec, ` +
      `got ${show(inputs)} and ${show(outputs)}; make it anew with \`codescore export\``,
  );
}

const CUDA_LIBRARIES =
  "onnxruntime's CUDA libraries (npm rebuild onnxruntime-node --ignore-scripts=false --onnxruntime-node-install=cuda12)";

/** What each device needs, besides being on the list of this build. */
const REMEDIES: Readonly<Record<string, string>> = {
  cuda: `CUDA 12, cuDNN 9 and ${CUDA_LIBRARIES}`,
  tensorrt: `CUDA 12, TensorRT and ${CUDA_LIBRARIES}`,
  webgpu: "a GPU with a Vulkan (Linux), Metal (macOS) or Direct3D 12 (Windows) driver",
  dml: "Windows with a Direct3D 12 driver",
  coreml: "macOS",
};

function openError(path: string, device: string, { failed, devices }: { failed: string; devices: readonly string[] }) {
  const why = failed
    .trim()
    .split("\n")[0]!
    .replace(/^.* was false\. /, ""); // an assertion of its source
  if (!devices.includes(device)) {
    const there = devices.join(", ");
    return new CodescoreError(
      "environment",
      `onnxruntime has no device \`${device}\` on this machine; it has ${there}`,
    );
  }
  if (device === "cpu") {
    return new CodescoreError("model", `cannot load ${path}: ${why}; make it anew with \`codescore export\``);
  }
  const needs = REMEDIES[device] === undefined ? "" : `; it needs ${REMEDIES[device]}`;
  return new CodescoreError(
    "environment",
    `cannot use the device \`${device}\`${needs}; or score with --device cpu (${why})`,
  );
}
