/**
 * A notebook in a sandbox (python/notebook.py). It runs cells one after another for their effects, and any number of cells in forks of
 * the state that they leave. Handles one request at a time. Compares nothing.
 */
import { messageOf } from "../../errors.ts";
import { type JobLimits, type Line, readReply } from "../protocol.ts";
import type { Sandbox } from "../sandbox/backend.ts";
import { ServerGone, ServerProcess } from "../sandbox/process.ts";

/** The result of a cell of the notebook: null if it ran, otherwise why not. */
export type Failure = string | null;

/** What is reported for every cell, before variables: SHOWN of python/cell.py. */
export const SHOWN = ["shown", "figures", "printed", "last"] as const;

export interface Ran {
  /** One line for each of `SHOWN`, then one for each requested variable. */
  readonly lines: readonly Line[];
  /** CPU seconds of the cell and of its report. */
  readonly cpuS: number;
}

/** Limits of a fork, and the maximum CPU seconds of its report of one value. */
export interface RunLimits {
  readonly limits: JobLimits;
  readonly seconds: number;
}

/** Wall seconds that a server may be silent, in addition to ten times its CPU limit. */
const PATIENCE_S = 120;

export class NotebookServer {
  readonly #server: ServerProcess;
  readonly #memoryMb: number;

  constructor(sandbox: Sandbox, memoryMb: number, files: string | undefined) {
    this.#server = new ServerProcess(sandbox.command("notebook", memoryMb, files));
    this.#memoryMb = memoryMb;
  }

  /** Whether the server has ended. */
  get gone(): boolean {
    return this.#server.gone;
  }

  /** Imports what texts name, if that changes nothing that a cell could notice. Rejects with `ServerGone`. */
  async import(texts: readonly string[], cpuS: number): Promise<void> {
    await this.#server.hello;
    await this.#ask({ op: "import", texts, cpuS }, cpuS);
  }

  /** Runs a cell for its effects on the state. */
  async cell(code: string, cpuS: number): Promise<Failure> {
    try {
      const { status, payload } = JSON.parse(
        await this.#ask({ op: "cell", code, cpuS, memoryMb: this.#memoryMb }, cpuS),
      ) as { status: string; payload: readonly [string, string] | null };
      if (status === "e" && payload !== null) return `${payload[0]}: ${payload[1]}`;
      return status === "v" ? null : status === "m" ? "it exceeds the memory limit" : `it takes more than ${cpuS} s`;
    } catch (error) {
      if (error instanceof ServerGone) return `it ends the process: ${messageOf(error)}`;
      throw error;
    }
  }

  /** Runs a cell in a fork of the state, which stays unchanged. Rejects with `ServerGone`. */
  async run(code: string, names: readonly string[], { limits, seconds }: RunLimits): Promise<Ran> {
    const cpuS = limits.candidateCpuS;
    const reply = await this.#ask({ op: "run", code, names, seconds, limits }, cpuS);
    const { cpu } = JSON.parse(reply.slice(0, reply.indexOf("\n"))) as { cpu: number };
    return { lines: readReply(reply).lines ?? [], cpuS: cpu };
  }

  async close(): Promise<void> {
    await this.#server.kill();
  }

  async #ask(request: object, cpuS: number): Promise<string> {
    const silence = setTimeout(() => void this.#server.kill(), (PATIENCE_S + 10 * cpuS) * 1000);
    silence.unref();
    try {
      return await this.#server.request(JSON.stringify(request));
    } finally {
      clearTimeout(silence);
    }
  }
}
