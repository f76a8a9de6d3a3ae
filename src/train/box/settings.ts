/** The settings of a box, from environment variables. Whoever has a shell there can run a pack without looking up options. */
import { resolve } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { DEVICES, type Device } from "../engine/device.ts";

export interface Settings {
  /** The engine. null: as the pack says. */
  readonly device: Device | null;
  /** Folder for all output. */
  readonly output: string;
  /** Time limit for everything, in minutes from the start. null: none. */
  readonly minutes: number | null;
  readonly benchSeconds: number;
  /** The card's peak in float32, in 1e12 operations per second. null: looked up by its name. */
  readonly peakTeraflops: number | null;
  readonly python: string;
  /** Whether the results include the state from which the run can continue elsewhere. */
  readonly resumable: boolean;
}

/** Throws `CodescoreError("usage")` for an invalid value. */
export function readSettings(env: NodeJS.ProcessEnv, folder: string): Settings {
  const positive = (name: string): number | null => {
    const text = env[name];
    if (text === undefined || text === "") return null;
    const value = Number(text);
    if (Number.isFinite(value) && value > 0) return value;
    throw new CodescoreError("usage", `${name}: expected a number above zero, got \`${text}\``);
  };
  const device = env.CODESCORE_DEVICE || null;
  if (device !== null && !DEVICES.some((known) => known === device)) {
    throw new CodescoreError("usage", `CODESCORE_DEVICE: expected one of ${DEVICES.join(", ")}, got \`${device}\``);
  }
  const results = env.CODESCORE_RESULTS || "model";
  if (results !== "model" && results !== "all") {
    throw new CodescoreError("usage", `CODESCORE_RESULTS: expected model or all, got \`${results}\``);
  }
  return {
    device: device as Device | null,
    output: resolve(env.CODESCORE_OUT || `${folder}/out`),
    minutes: positive("CODESCORE_MINUTES"),
    benchSeconds: positive("CODESCORE_BENCH_SECONDS") ?? 30,
    peakTeraflops: positive("CODESCORE_PEAK_TFLOPS"),
    python: env.CODESCORE_PYTHON || "python3",
    resumable: results === "all",
  };
}
