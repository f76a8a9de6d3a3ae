/** The interface of execution for the other folders. */
import type { DataFiles, Execution, Problem, ProgramInput, PyValue } from "../types.ts";

export type { ProgramInput } from "../types.ts";

export type SandboxKind = "bwrap" | "landlock" | "sandbox-exec" | "wasm" | "none";

/** The level (ABI) of the kernel's Landlock, and the accesses that only the seccomp filter covers at this level. */
export interface LandlockLevel {
  readonly abi: number;
  readonly lacking: readonly string[];
}

/** The defaults are `defaultLimits`; `testCpuS` is twice as much in WebAssembly (limits.ts). */
export interface Limits {
  /**
   * Minimum budget of one test in CPU seconds. The budget is max(this, testFactor x the reference's own time). If no reference answers
   * the test, its time is assumed to be this. Loading a program may take testFactor x this.
   */
  readonly testCpuS: number;
  /** A test may take this many times the reference's time. */
  readonly testFactor: number;
  /** CPU seconds of one candidate over all its tests. */
  readonly candidateCpuS: number;
  /** Address space of a candidate's process in MiB; in WebAssembly, the whole memory of the interpreter. */
  readonly memoryMb: number;
  /** Maximum bytes of one answer, and of a program's printed output. */
  readonly outputBytes: number;
  /** After this many timeouts the rest of the candidate's tests count as timeouts. */
  readonly maxTimeouts: number;
  /**
   * Whether comparing answers tells 1, True and 1.0 apart, which Python's `==` does not. Asserts of other forms than
   * `f(...) == value` are judged as Python does.
   */
  readonly strictTypes: boolean;
}

export interface ExecutorOptions {
  /**
   * `auto` is bubblewrap with Python 3.9+ if both are installed and namespaces are allowed; otherwise Landlock with such a Python;
   * otherwise CPython in WebAssembly. @default "auto"
   */
  readonly sandbox?: SandboxKind | "auto";
  /**
   * Allows unsafe sandboxes, which are refused otherwise: `none`, which runs untrusted code with your rights; `sandbox-exec`, which was
   * never tested; `bwrap` if the kernel accepts no seccomp filter. @default false
   */
  readonly allowUnsafe?: boolean;
  /** @default the number of cores; in WebAssembly at most one for each GiB of memory */
  readonly workers?: number;
  readonly limits?: Partial<Limits>;
  /**
   * Gives every program its own process, makes every call and waits for every timeout. Otherwise programs that can reach nothing but
   * their own values (shareable.py) share processes, pure recursive functions are charged for repeated calls instead of
   * making them (memoize.py), and loops that provably never end are stopped early (endless.py). The verdicts are the same. @default false
   */
  readonly isolate?: boolean;
  /**
   * The Python of an environment (`ENV/bin/python`) whose packages programs see, read-only; not for WebAssembly.
   * @default the first on the PATH, without packages
   */
  readonly python?: string;
  /** PYTHONHASHSEED of the programs, which determines the order of sets; always 0 in WebAssembly. @default 0 */
  readonly hashSeed?: number;
}

/** A program's answer on one input. */
export type Answer =
  /** `text` is the value's canonical form (python/canon.py): equal texts mean equal values. */
  | { readonly outcome: "ok"; readonly value: PyValue; readonly text: string; readonly cpuS: number }
  /** `baseType`: the built-in exception that `errorType` is or extends, if known. */
  | { readonly outcome: "error"; readonly errorType: string; readonly baseType?: string; readonly message: string }
  | { readonly outcome: "timeout" | "memory" };

export interface Executor {
  readonly sandbox: SandboxKind;
  /** Version of the Python that runs the candidates, e.g. `3.11.2`. */
  readonly python: string;
  /** Whether a seccomp filter is on the candidates; null in WebAssembly, which has no system calls to filter. */
  readonly seccomp: boolean | null;
  /** Null if Landlock is not the sandbox. */
  readonly landlock: LandlockLevel | null;
  /** The packages that programs see besides the standard library, as `name==version`; absent without an environment. */
  readonly packages?: readonly string[];
  readonly limits: Limits;
  /**
   * Runs a whole program on all test cases of a problem and judges the answers outside of its process.
   * Preparation (splitting asserts, evaluating expected answers) is done once per problem.
   */
  execute(problem: Problem, code: string): Promise<Execution>;
  /**
   * Runs a whole program on inputs and returns its answers in the order of the inputs (for stdio, the printed text as a `str`). `cpuS` is
   * the budget in CPU seconds, one for every input or a list with one per input (default: testFactor x testCpuS). After `maxTimeouts`
   * timeouts (default: the executor's limit) all other inputs count as timeouts.
   */
  answers(
    program: {
      readonly code: string;
      readonly entryPoint: string | null;
      readonly setup: string;
      /** The problem's data files. */
      readonly files?: DataFiles | undefined;
    },
    inputs: readonly ProgramInput[],
    cpuS?: number | readonly number[],
    maxTimeouts?: number,
  ): Promise<Answer[]>;
  /** The inputs in a problem's own test cases; only those that can be extracted from the test code. */
  inputs(problem: Problem): Promise<ProgramInput[]>;
  /** Sorted names of the modules that programs can import here, without submodules. */
  modules(): Promise<readonly string[]>;
  /** Ends every process. */
  close(): Promise<void>;
}
