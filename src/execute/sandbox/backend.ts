/** Interfaces: a sandbox, in which servers are started, and a backend, which opens one kind of sandbox. Add new backends in `index.ts`. */
import type { SandboxKind } from "../types.ts";
import type { Command } from "./process.ts";
import type { Python } from "./python.ts";

export type ServerName = "guard" | "judge" | "notebook";

/** Properties of a backend's sandboxes. The guard is told the first two (guard.py). */
export interface Abilities {
  /** A server is process 1 of its own PID namespace: its programs neither see nor signal others, and all of them end with it. */
  readonly pidNamespace: boolean;
  /** `/tmp` is a separate file system, in which nobody else has files. */
  readonly privateTmp: boolean;
  /** Programs are forked from a warm interpreter: many jobs may wait in a guard's pipe, and changing the suite costs nothing. */
  readonly forks: boolean;
}

export interface Sandbox {
  readonly kind: SandboxKind;
  readonly abilities: Abilities;
  /** The protection that is missing here. Shown before programs run. */
  readonly warning?: string;
  /** The packages that programs see (`name==version`); absent if they see only the standard library. */
  readonly packages?: readonly string[];
  /** How to start a server. `files`: a folder that its programs may read. */
  command(server: ServerName, memoryMb: number, files?: string): Command;
}

export interface BackendOptions {
  /** Untrusted programs may run with less protection than the backend promises. */
  readonly allowUnsafe: boolean;
  /** PYTHONHASHSEED of the programs. */
  readonly hashSeed: number;
  /** The Python of an environment whose packages programs see. @default the first on the PATH, without packages */
  readonly python?: Python;
}

export interface Backend {
  readonly kind: SandboxKind;
  readonly abilities: Abilities;
  /** The sandbox, or the reason why there is none here and what to install. */
  open(options: BackendOptions): Promise<Sandbox | string>;
}

/** What the guard is told about the sandbox around it. */
export const guardArguments = ({ pidNamespace, privateTmp }: Abilities): string[] => [
  ...(pidNamespace ? ["pid-namespace"] : []),
  ...(privateTmp ? ["private-tmp"] : []),
];
