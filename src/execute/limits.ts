/** The default limits of a program. Imports types only, so that help texts can name the limits. */
import type { Limits, SandboxKind } from "./types.ts";

export const defaultLimits = {
  testCpuS: 0.1,
  testFactor: 10,
  candidateCpuS: 30,
  memoryMb: 1024,
  outputBytes: 1_000_000,
  maxTimeouts: 3,
  strictTypes: false,
} as const satisfies Limits;

/** WebAssembly runs Python up to twice as slowly. So a test has twice the time there, and verdicts depend less on the sandbox. */
export const defaultLimitsIn = (sandbox: SandboxKind): Limits =>
  sandbox === "wasm" ? { ...defaultLimits, testCpuS: 2 * defaultLimits.testCpuS } : defaultLimits;
