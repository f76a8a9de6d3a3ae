/** What the other folders see of execution. */
import type { Execution, Problem, ProgramInput, PyValue } from "../types.ts";

export type { ProgramInput } from "../types.ts";

export type SandboxKind = "bwrap" | "landlock" | "sandbox-exec" | "wasm" | "none";

/** The level (ABI) of the kernel's Landlock, and what it leaves to the seccomp filter alone. */
export interface LandlockLevel {
  readonly abi: number;
  readonly lacking: readonly string[];
}

/** The defaults are `defaultLimits` (limits.ts). */
export interface Limits {
  /**
   * CPU seconds one test may take at least. Its budget is max(this, testFactor x the reference's own time); where no
   * reference answers it, that time is taken to be this. Loading a program has testFactor x this.
   */
  readonly testCpuS: number;
  /** A test may take so many times the time of the reference. */
  readonly testFactor: number;
  /** CPU seconds of one candidate over all its tests. */
  readonly candidateCpuS: number;
  /** Address space of a candidate's process in MiB; in WebAssembly, the interpreter's whole memory. */
  readonly memoryMb: number;
  /** Bytes of one answer, and of what a program prints. */
  readonly outputBytes: number;
  /** After so many timeouts the rest of the candidate's tests count as timeouts. */
  readonly maxTimeouts: number;
  /**
   * Tells 1, True and 1.0 apart where an answer is compared, which Python's `==` does not. Asserts of other forms than
   * `f(...) == value` are judged as Python does.
   */
  readonly strictTypes: boolean;
}

export interface ExecutorOptions {
  /**
   * `auto` is bubblewrap with Python 3.9+ where both are at hand and namespaces allowed, else Landlock with such a Python, else CPython in
   * WebAssembly. @default "auto"
   */
  readonly sandbox?: SandboxKind | "auto";
  /**
   * `none` runs untrusted code with your rights and is refused without this, as are `sandbox-exec`, which was never tested, and `bwrap`
   * where the kernel takes no seccomp filter. @default false
   */
  readonly allowUnsafe?: boolean;
  /** @default the number of cores */
  readonly workers?: number;
  readonly limits?: Partial<Limits>;
  /**
   * A process of its own for every program, every call made, every timeout waited for. Otherwise programs that can reach
   * nothing but their own values (shareable.py) share processes, pure recursive functions are charged for repeated calls instead of
   * making them (memoize.py), and loops seen to be endless are ended (endless.py). The verdicts are the same. @default false
   */
  readonly isolate?: boolean;
  /**
   * The Python of an environment (`ENV/bin/python`) whose packages programs see, read-only; not in WebAssembly.
   * @default the first on the PATH, without packages
   */
  readonly python?: string;
  /** PYTHONHASHSEED of the programs, on which the order of sets hangs; always 0 in WebAssembly. @default 0 */
  readonly hashSeed?: number;
}

/** What a program answered on one input. */
export type Answer =
  /** `text` is the value's canonical form (python/canon.py): equal texts are equal values. */
  | { readonly outcome: "ok"; readonly value: PyValue; readonly text: string; readonly cpuS: number }
  | { readonly outcome: "error"; readonly errorType: string; readonly message: string }
  | { readonly outcome: "timeout" | "memory" };

export interface Executor {
  readonly sandbox: SandboxKind;
  /** Version of the Python that runs the candidates, e.g. `3.11.2`. */
  readonly python: string;
  /** Whether a seccomp filter is on the candidates; null in WebAssembly, which has no system calls to filter. */
  readonly seccomp: boolean | null;
  /** Null where Landlock is not the sandbox. */
  readonly landlock: LandlockLevel | null;
  /** Those that programs see beside the standard library, `name==version`; absent without an environment. */
  readonly packages?: readonly string[];
  readonly limits: Limits;
  /**
   * Runs a whole program on all test cases of a problem and judges the answers outside of its process.
   * Preparation (splitting asserts, evaluating expected answers) is done once a problem.
   */
  execute(problem: Problem, code: string): Promise<Execution>;
  /**
   * Runs a whole program on inputs, in their order, and returns its answers (for stdio, the text it printed as a `str`), each within
   * `cpuS` CPU seconds, of all inputs or of each (default: testFactor x testCpuS). After `maxTimeouts` (default: the limits') the rest
   * are timeouts.
   */
  answers(
    program: { readonly code: string; readonly entryPoint: string | null; readonly setup: string },
    inputs: readonly ProgramInput[],
    cpuS?: number | readonly number[],
    maxTimeouts?: number,
  ): Promise<Answer[]>;
  /** The inputs found in a problem's own test cases, as far as they can be read off. */
  inputs(problem: Problem): Promise<ProgramInput[]>;
  /** Names of the modules that programs can import here, in order; submodules aside. */
  modules(): Promise<readonly string[]>;
  /** Ends every process. */
  close(): Promise<void>;
}
