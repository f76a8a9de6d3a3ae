/** The default limits of a program. Imports types only, so that help texts can name the limits. */
import type { Limits } from "./types.ts";

export const defaultLimits = {
  testCpuS: 0.1,
  testFactor: 10,
  candidateCpuS: 30,
  memoryMb: 1024,
  outputBytes: 1_000_000,
  maxTimeouts: 3,
  strictTypes: false,
} as const satisfies Limits;
