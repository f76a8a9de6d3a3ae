import { totalmem } from "node:os";

/** Bytes of memory of the machine, or of the container if it has less. */
export const memoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
