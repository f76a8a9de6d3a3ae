/** What `codescore ARGS` does inside the calling process. main.ts ends the process. */
import { CommanderError } from "commander";
import { CodescoreError, messageOf } from "../errors.ts";
import { fileError } from "../util/file-errors.ts";
import { buildProgram } from "./program.ts";

/** Errors of what the user named: an option, a file, a model. */
const WRONG_USE: ReadonlySet<CodescoreError["code"]> = new Set(["usage", "input", "model"]);

/** Parses the arguments, calls the verb and sets `process.exitCode`. `onError` receives what the verb throws. */
export async function runCommand(
  args: readonly string[],
  onError: (thrown: unknown) => void = (thrown) => report(thrown, args),
): Promise<void> {
  try {
    await (await buildProgram(args[0])).parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2; // commander exits with 1 for wrong use
    } else onError(error);
  }
}

/** Prints the error to stderr, and sets the exit code. */
export function report(thrown: unknown, args: readonly string[]): void {
  const error = fileError("use", thrown);
  process.stderr.write(`codescore: ${messageOf(error)}\n`);
  if (args.includes("--debug") && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  else if (!(error instanceof CodescoreError))
    process.stderr.write("This is a bug in codescore; --debug shows the stack trace.\n");
  const isWrongUse = error instanceof CodescoreError && WRONG_USE.has(error.code);
  process.exitCode = isWrongUse ? 2 : 1;
}
