/** What a sandbox is to those who start servers in it, and what a backend is: one way to have one. Add one in `index.ts`. */
import type { SandboxKind } from "../types.ts";
import type { Command } from "./process.ts";

export type ServerName = "guard" | "judge" | "notebook";

/** What holds in the sandboxes of a backend. The first two are what the guard is told (guard.py). */
export interface Abilities {
  /** A server is process 1 of a namespace of its own: its programs see and signal no others, and all end with it. */
  readonly pidNamespace: boolean;
  /** `/tmp` is a file system of its own, where nobody else has files. */
  readonly privateTmp: boolean;
  /** Programs are forked from a warm interpreter: many may wait in a guard's pipe, and to change the suite costs nothing. */
  readonly forks: boolean;
}

export interface Sandbox {
  readonly kind: SandboxKind;
  readonly abilities: Abilities;
  /** What does not hold here, to be said before programs run. */
  readonly warning?: string;
  /** Of the environment whose packages programs see (`name==version`); absent where they see the standard library alone. */
  readonly packages?: readonly string[];
  /** How to start a server. `files`: a folder that a notebook's cells read. */
  command(server: ServerName, memoryMb: number, files?: string): Command;
}

export interface BackendOptions {
  /** Untrusted programs may run with less than the backend promises. */
  readonly allowUnsafe: boolean;
  /** PYTHONHASHSEED of the programs. */
  readonly hashSeed: number;
  /** The Python of an environment whose packages programs see. @default the first on the PATH, without packages */
  readonly python?: string;
}

export interface Backend {
  readonly kind: SandboxKind;
  readonly abilities: Abilities;
  /** The sandbox, or why there is none here and what to install. */
  open(options: BackendOptions): Promise<Sandbox | string>;
}

/** What the guard is told of the sandbox around it. */
export const guardArguments = ({ pidNamespace, privateTmp }: Abilities): string[] => [
  ...(pidNamespace ? ["pid-namespace"] : []),
  ...(privateTmp ? ["private-tmp"] : []),
];
