/** The type of a hostile program in the suite (hostile.ts). The programs are in attacks-*.ts, by target. */

export interface Attack {
  readonly name: string;
  /** A program that defines `f`, or reads standard input if `stdin` is set. PORT, SECRET and FOLDER are replaced. */
  readonly code: string;
  /**
   * Outcomes on three tests, whose right answers are the inputs 1, 2, 3: one pattern for all or one each, for
   * `outcome` or `error:Type`. A pattern with alternatives depends on the sandbox or on which limit is reached first.
   */
  readonly expected: RegExp | readonly [RegExp, RegExp, RegExp];
  readonly stdin?: true;
  /** Why this attack is impossible in WebAssembly. */
  readonly notInWasm?: string;
}

/** A function `f(x)` with the given body. */
export const f = (body: string): string => `def f(x):\n${body.trim().replace(/^/gm, "  ")}\n`;

export const NO_PROCESSES = "WebAssembly has no processes";
export const NO_SIGNALS = "WebAssembly has no signals but the harness's own interruption";
export const NO_THREADS = "WebAssembly has no threads";
export const NO_PROC = "Emscripten has no /proc of the system";
export const READ_ONLY = "its file system takes no writes at all";
