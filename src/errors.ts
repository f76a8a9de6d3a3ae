/**
 * The one exception type of the project. A wrong call, a bad file or a missing tool throws it; a failing candidate
 * is data and never does. Its message says what was expected, what came, where, and how to mend it.
 */

export type ErrorCode =
  | "usage" // an unknown flag, a value out of range
  | "input" // a file that cannot be read or parsed; a row that cannot be used
  | "model" // a model folder that is incomplete or of another kind
  | "environment" // a tool or package that is missing on this machine
  | "infra"; // the harness itself failed

export class CodescoreError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "CodescoreError";
    this.code = code;
  }
}

/** The message of anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
