/**
 * The only exception type of the project. It reports a wrong call, a bad file or a missing tool. A failing candidate is data
 * and never throws. The message says what was expected, what was found, where, and how to fix it.
 */

export type ErrorCode =
  | "usage" // an unknown flag, or a value out of range
  | "input" // a file that cannot be read or parsed, or a row that cannot be used
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

/** The message of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
