/**
 * What the pool (pool.ts) and a guard, the process in a sandbox that runs programs, say to each other: all that whoever
 * writes another guard must meet. The two there are: python/guard.py (frames in jobs.py) and wasm/guard.mjs. How a guard
 * is started is a backend's business (sandbox/backend.ts).
 *
 * Frames go over the guard's stdin and stdout: 4 bytes of length (unsigned, big endian; at most 2^30), then text. Text to
 * the guard is UTF-8; text from it is ASCII, everything else escaped as in JSON. In order:
 *
 * - The guard says once that it is ready: a `Hello`.
 * - The pool sends jobs (`JobFrame`), many before the first reply where programs are forked (`Abilities.forks`). A guard
 *   begins them in that order, or several together.
 * - The guard answers each job once, in any order, with a `Reply`: a line of JSON, `{"id", "cpu"}`, where `cpu` are the CPU
 *   seconds that the job took (for whoever looks on; the pool does not), and then one line an input, all of them parted by
 *   `\n`. A line is `status cpu payload`: see `Line`. Or it gives the job back, not begun, since another holds it up:
 *   `{"id", "back": true}` and nothing else. The job is then sent again, to any guard.
 *
 * A guard enforces all limits and must answer whatever a program does: when it ends or says anything else, it is replaced,
 * and its jobs run again. It knows nothing of expected values. It ends when its stdin does.
 */
import type { LandlockLevel, Limits } from "./types.ts";

/** A guard's first frame; backends also read that of a guard they only start to see whether it comes up. */
export interface Hello {
  /** Version of the Python that runs the programs, e.g. `3.11.2`. */
  readonly python: string;
  /** Why programs run without a seccomp filter; null where they have one. Left out where no system calls are to filter. */
  readonly unfiltered?: string | null;
  /** Where that is the sandbox. */
  readonly landlock?: LandlockLevel;
}

/** Inputs that many programs get. Guards compile and keep them by key. */
export interface Suite {
  readonly key: string;
  /**
   * `call`: an input is the source of an argument list, and one process runs them all; `stdin`: it is the text that the
   * program reads, and what it prints is the answer; `exec` and `script`: it is test code, run in the program's namespace, as
   * in one module. Inputs of `stdin` and `exec` have one process each; those of a `script` run one after another, as in the file they
   * come from, and may sleep for longer.
   */
  readonly mode: "call" | "stdin" | "exec" | "script";
  /** The expression that `call` calls; elsewhere empty. */
  readonly entry: string;
  /** Source that runs before the program, or after it where it needs what that defines. */
  readonly setup: string;
  readonly inputs: readonly string[];
}

/**
 * CPU seconds of each test, asked for when the program is about to run. `provisional`: the first test that needs more ends
 * the program, since what the tests may take is not known yet.
 */
export interface Budgets {
  readonly seconds: readonly number[];
  readonly provisional?: boolean;
  /** What is over them is a timeout, however near. */
  readonly final?: boolean;
  /** In place of the executor's. */
  readonly maxTimeouts?: number;
}

/** The first input to run, and how many of those before it were timeouts; what comes before has no meaning in the reply. */
export interface Start {
  readonly input: number;
  readonly timeouts: number;
}

/** A program to run on a suite. */
export interface JobFrame {
  /** The pool's number for it, used once. */
  readonly id: number;
  /** Of the suite. */
  readonly key: string;
  /** With the first job that names the key, and again after it was dropped. `isolate`: as in `ExecutorOptions`. */
  readonly suite?: Suite & { readonly isolate: boolean };
  /** Keys that no later job names without sending the suite again. Never the key of this job. */
  readonly drop: readonly string[];
  /** The program. */
  readonly code: string;
  /** CPU seconds of each input. */
  readonly budgets: readonly number[];
  /** The budgets are provisional: a guard that estimates instead of running takes what is near one as `n`. */
  readonly provisional: boolean;
  /** There is no `n`: what is over its budget is `t`. */
  readonly final: boolean;
  /** It runs while nothing else does; where its time is short, it runs as it is, with no short cut. */
  readonly alone: boolean;
  /** Where to begin. A guard may run the inputs before it too. */
  readonly from: Start;
  readonly limits: JobLimits;
}

/** What a program may use, its tests' budgets aside. */
export interface JobLimits {
  /** MiB of its address space. (A guard whose interpreter has a memory of its own gets them when it is started.) */
  readonly memoryMb: number;
  /** Bytes of one answer (more is an error of the program, `AnswerTooLarge`), and of what it prints (`OutputLimit`). */
  readonly outputBytes: number;
  /** CPU seconds over all its inputs. What comes after is `t`. */
  readonly candidateCpuS: number;
  /** CPU seconds of loading it. */
  readonly loadCpuS: number;
  /** After so many lines that are `t` or `n` the rest is `t`. 1 where budgets are provisional. */
  readonly maxTimeouts: number;
}

/**
 * What became of one input: a canonical value (`v`), [class, message] as JSON of an exception in the call (`e`) or on
 * loading the program (`l`), out of memory (`m`), timeout (`t`), or an end a little over the budget (`n`), of which only a
 * quiet machine can tell what it is.
 */
export interface Line {
  readonly status: "v" | "e" | "l" | "m" | "t" | "n";
  /** CPU seconds; 0 where that is not known. */
  readonly cpuS: number;
  /** Of `v` the value in canonical form (python/canon.py), in mode `stdin` a JSON string; of `m`, `t` and `n` `null`. */
  readonly payload: string;
}

export interface Reply {
  readonly id: number;
  /** One an input, in order; null where the job is given back. */
  readonly lines: readonly Line[] | null;
}

export const readHello = (text: string): Hello => JSON.parse(text) as Hello;

export const writeJob = (job: JobFrame): string => JSON.stringify(job);

export function jobLimits(limits: Limits, { provisional = false, maxTimeouts: most }: Budgets): JobLimits {
  const { memoryMb, outputBytes, candidateCpuS, testCpuS, testFactor } = limits;
  const maxTimeouts = provisional ? 1 : (most ?? limits.maxTimeouts);
  return { memoryMb, outputBytes, candidateCpuS, loadCpuS: testFactor * testCpuS, maxTimeouts };
}

/** Does not know how many lines there should be. */
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
