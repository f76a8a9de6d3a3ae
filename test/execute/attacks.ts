/** What a hostile program is, to the suite: see hostile.ts. The programs stand in attacks-*.ts, by what they go for. */

export interface Attack {
  readonly name: string;
  /** A program that defines `f`, or reads standard input where `stdin` is set. PORT, SECRET and FOLDER are filled in. */
  readonly code: string;
  /**
   * Outcomes on three tests, whose right answers are the inputs 1, 2, 3: one pattern for all or one each, of
   * `outcome` or `error:Type`. Patterns that allow several depend on the sandbox or on which limit comes first.
   */
  readonly expected: RegExp | readonly [RegExp, RegExp, RegExp];
  readonly stdin?: true;
  /** Why there is nothing to attack this way in WebAssembly. */
  readonly notInWasm?: string;
}

/** A function `f(x)` with the body given. */
export const f = (body: string): string => `def f(x):\n${body.trim().replace(/^/gm, "  ")}\n`;

export const NO_PROCESSES = "WebAssembly has no processes";
export const NO_SIGNALS = "WebAssembly has no signals but the harness's own interruption";
export const NO_THREADS = "WebAssembly has no threads";
export const NO_PROC = "Emscripten has no /proc of the system";
export const READ_ONLY = "its file system takes no writes at all";
