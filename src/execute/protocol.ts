/**
 * The protocol between the pool (pool.ts) and a guard, the process in a sandbox that runs programs. It is all that a new kind of guard
 * must implement. There are two guards: python/guard.py (frames in jobs.py) and wasm/guard.mjs. How a guard is started is up to the
 * backend (sandbox/backend.ts).
 *
 * Frames go over the guard's stdin and stdout: 4 bytes of length (unsigned, big endian; at most 2^30), then text. Text to
 * the guard is UTF-8; text from it is ASCII, everything else escaped as in JSON. In order:
 *
 * - The guard says once that it is ready: a `Hello`.
 * - The pool sends jobs (`JobFrame`), many before the first reply if programs are forked (`Abilities.forks`). A guard begins them in
 *   that order, or several together.
 * - The guard answers each job once, in any order, with a `Reply`: first a line of JSON, `{"id", "cpu"}`, where `cpu` is the CPU time of
 *   the job in seconds (for observers; the pool ignores it), then one line per input, all separated by `\n`. A line is
 *   `status cpu payload`: see `Line`. Or, if another job holds the guard up, it gives the job back before beginning it:
 *   `{"id", "back": true}` and nothing else. The job is then sent again, to any guard.
 *
 * A guard enforces all limits and must answer no matter what a program does. If it ends or sends anything else, it is replaced and its
 * jobs run again. It knows no expected values. It ends when its stdin does.
 */
import type { LandlockLevel, Limits } from "./types.ts";

/** A guard's first frame. Backends also read it from a probe guard, which they start only to see whether it comes up. */
export interface Hello {
  /** Version of the Python that runs the programs, e.g. `3.11.2`. */
  readonly python: string;
  /** Why programs run without a seccomp filter; null if they have one. Absent if there are no system calls to filter. */
  readonly unfiltered?: string | null;
  /** Present only if the sandbox is Landlock. */
  readonly landlock?: LandlockLevel;
}

/** Inputs that many programs run on. Guards compile and keep them by key. */
export interface Suite {
  readonly key: string;
  /**
   * `call`: an input is the source of an argument list, and one process runs all inputs. `stdin`: an input is the text that the program
   * reads, and what it prints is the answer. `exec` and `script`: an input is test code, run in the program's namespace as if both were
   * one module. Each input of `stdin` and `exec` has its own process. The inputs of a `script` run one after another, as in the file they
   * come from, and may sleep for longer.
   */
  readonly mode: "call" | "stdin" | "exec" | "script";
  /** The expression that `call` calls; empty in the other modes. */
  readonly entry: string;
  /** Source that runs before the program, or after it if it needs names that the program defines. */
  readonly setup: string;
  readonly inputs: readonly string[];
  /** The folder of the problem's data files, inside the one that the guard sees. Links to them are in the folder in which programs run. */
  readonly files?: string;
}

/**
 * CPU seconds of each test. They are asked for when the program is about to run. `provisional`: the final budgets are not known yet, so
 * the first test that needs more ends the program.
 */
export interface Budgets {
  readonly seconds: readonly number[];
  readonly provisional?: boolean;
  /** A test over its budget is a timeout, however near it is. */
  readonly final?: boolean;
  /** Replaces the executor's limit. */
  readonly maxTimeouts?: number;
}

/** The first input to run, and the number of timeouts among the inputs before it. Lines before it have no meaning in the reply. */
export interface Start {
  readonly input: number;
  readonly timeouts: number;
}

export const BEGINNING: Start = { input: 0, timeouts: 0 };

/** A program to run on a suite. */
export interface JobFrame {
  /** The pool's number for it, used once. */
  readonly id: number;
  /** The key of the suite. */
  readonly key: string;
  /** Sent with the first job that names the key, and again after the key was dropped. `isolate`: as in `ExecutorOptions`. */
  readonly suite?: Suite & { readonly isolate: boolean };
  /** Keys of suites to forget. No later job names them without sending the suite again. Never the key of this job. */
  readonly drop: readonly string[];
  /** The program. */
  readonly code: string;
  /** CPU seconds of each input. */
  readonly budgets: readonly number[];
  /** The budgets are provisional. A guard that estimates a time instead of running the test reports one near the budget as `n`. */
  readonly provisional: boolean;
  /** There is no status `n`: a test over its budget is `t`. */
  readonly final: boolean;
  /** The job runs while nothing else does. If its budgets are short, the guard takes no shortcuts with it (python/shortcuts.py). */
  readonly alone: boolean;
  /** Where to begin. A guard may also run the inputs before it. */
  readonly from: Start;
  readonly limits: JobLimits;
}

/** Limits of a program, apart from the budgets of its tests. */
export interface JobLimits {
  /** MiB of address space. (A guard whose interpreter has its own memory gets this limit when it is started.) */
  readonly memoryMb: number;
  /** Maximum bytes of one answer (more is an error of the program, `AnswerTooLarge`) and of its printed output (`OutputLimit`). */
  readonly outputBytes: number;
  /** CPU seconds over all its inputs. All later inputs are `t`. */
  readonly candidateCpuS: number;
  /** CPU seconds for loading it. */
  readonly loadCpuS: number;
  /** After this many lines that are `t` or `n` the rest is `t`. With provisional budgets: `from.timeouts` + 1. */
  readonly maxTimeouts: number;
}

/**
 * The result of one input. `v`: a canonical value. `e`: an exception in the call. `l`: an exception while the program loads. `m`: out of
 * memory. `t`: timeout. `n`: it ended a little over the budget, so only a run on a quiet machine can decide.
 */
export interface Line {
  readonly status: "v" | "e" | "l" | "m" | "t" | "n";
  /** CPU seconds; 0 if unknown. */
  readonly cpuS: number;
  /**
   * For `v`: the value in canonical form (python/canon.py), or in mode `stdin` a JSON string. For `e` and `l`: JSON of [class, message,
   * built-in base class]; the guard's own errors have no base class. For `m`, `t` and `n`: `null`.
   */
  readonly payload: string;
}

export interface Reply {
  readonly id: number;
  /** One line per input, in order; null if the job is given back. */
  readonly lines: readonly Line[] | null;
}

export const readHello = (text: string): Hello => JSON.parse(text) as Hello;

export const writeJob = (job: JobFrame): string => JSON.stringify(job);

export function jobLimits(limits: Limits, { provisional = false, maxTimeouts: most }: Budgets, from: Start): JobLimits {
  const { memoryMb, outputBytes, candidateCpuS, testCpuS, testFactor } = limits;
  const maxTimeouts = provisional ? from.timeouts + 1 : (most ?? limits.maxTimeouts);
  return { memoryMb, outputBytes, candidateCpuS, loadCpuS: testFactor * testCpuS, maxTimeouts };
}

/** Parses a reply. Does not check the number of lines. */
export function readReply(text: string): Reply {
  const [head = "", ...lines] = text.split("\n");
  const { id, back = false } = JSON.parse(head) as { id: number; back?: boolean };
  return { id, lines: back ? null : lines.map(readLine) };
}

function readLine(line: string): Line {
  const first = line.indexOf(" ");
  const second = line.indexOf(" ", first + 1);
  return {
    status: line.slice(0, first) as Line["status"],
    cpuS: Number(line.slice(first + 1, second)),
    payload: line.slice(second + 1),
  };
}
